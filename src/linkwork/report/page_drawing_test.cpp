#include "linkwork/report/page_drawing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace page_drawing_test {

// A formulation with a tree cuts the four-bar once; split bodies cut none of its joints.
TEST(PageDrawing, MarksTheJointAtWhichALoopIsOpen) {
  for (const Mechanism& m : {test::fourBar(), liftToSpace(test::fourBar())}) {
    const auto count = [&](const std::string& formulation, const std::string& opening = {}) {
      Result result;
      result.settings = {{"formulation", formulation}, {"opening", opening}};
      const std::vector<bool> cut = cutJoints(m, result);
      return std::count(cut.begin(), cut.end(), true);
    };
    EXPECT_EQ(count("absolute"), 0);
    EXPECT_EQ(count("recursive"), 1);
    EXPECT_EQ(count("linkage"), m.space == Space::planar ? 1 : 0);
    EXPECT_EQ(count("hamiltonian", "cut_joints"), 1);
    EXPECT_EQ(count("hamiltonian", "split_bodies"), 0);
  }
}

TEST(PageDrawing, SaysWhyReactionsAreNotUnique) {
  Result result;
  EXPECT_EQ(whyNotUnique(result), "");
  result.ledger.rows = 9;
  result.ledger.dependent_rows = {"A.x"};
  EXPECT_EQ(whyNotUnique(result), "1 of 9 constraint equations follow from the others (A.x)");
  result.ledger.dependent_rows.assign(8, "A.x");
  EXPECT_EQ(whyNotUnique(result),
            "8 of 9 constraint equations follow from the others (A.x, A.x, A.x, A.x, A.x, A.x, ...)");
}

TEST(PageDrawing, KnowsJointsWhoseReactionsAreNotUnique) {
  Result result;
  result.ledger.joints_not_unique = {"B"};
  const auto unique = [&](std::string name) {
    Joint joint;
    joint.name = std::move(name);
    return reactionUnique(result, joint);
  };
  EXPECT_TRUE(unique("A"));
  EXPECT_FALSE(unique("B"));
}

}  // namespace page_drawing_test
}  // namespace linkwork
