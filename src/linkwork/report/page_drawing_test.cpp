#include "linkwork/report/page_drawing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace page_drawing_test {

TEST(PageDrawing, MarksTheJointAtWhichALoopIsOpen) {
  const Mechanism m = test::fourBar();
  Result result;
  EXPECT_FALSE(isCut(result, m.joints[2]));
  result.cut_joints = {m.joints[2].name};
  EXPECT_TRUE(isCut(result, m.joints[2]));
  EXPECT_FALSE(isCut(result, m.joints[1]));
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
