// What is said where a mechanism has no linearisation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace linearise_messages_test {

using namespace test;
using ::testing::HasSubstr;

std::string problemOf(const Mechanism& m, const LineariseOptions& options = {}) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  const Linearisation linear = linearise(m, assembly, 0.0, assembly.state(), options);
  EXPECT_FALSE(linear.ok);
  return linear.problem + "|" + linear.hint;
}

TEST(Linearise, SaysWhyThereIsNone) {
  Mechanism m = fourBar();
  drawAt(m, {{0.12, 0.16, 0.927, 0.72, 0.69, 0.39, 1.32, 0.22, 1.29}, {}});
  EXPECT_THAT(problemOf(m, {{"O.angle", "A.angle"}}), HasSubstr("has 1 freedom here, but 2 coordinates are asked for"));
  EXPECT_THAT(problemOf(m, {{"O.angel"}}), HasSubstr("there is no coordinate \"O.angel\"|Did you mean \"O.angle\"?"));
  Mechanism held = m;
  addDrive(held, "hold", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr(0.927));
  EXPECT_THAT(problemOf(held), HasSubstr("nothing can move"));
  EXPECT_THAT(problemOf(m, {{"crank.x_rate"}}), HasSubstr("there is no coordinate"));
}

// One window, all links lying on one line: the parallelogram may go on as a parallelogram or as a kite.
TEST(Linearise, SaysThatBranchesMeet) {
  const Mechanism upright = buildNFourBar(1);
  Mechanism flat = upright;
  flat.initial.clear();  // at rest, as drawn
  for (Body& body : flat.bodies) {
    // Rods of 1 m from (0, 0), (1, 0) and, on top, from the end of the first.
    const double from = body.name == "upright0" ? 0.0 : 1.0;
    body.drawn = {from, 0.0, 0.0};
  }
  const Assembly lying = assemble(flat);
  ASSERT_TRUE(lying.ok) << lying.problem;
  ASSERT_EQ(lying.dependent_rows.size(), 1U);
  // Assembled there: as many freedoms as at the start, but off the line the joints ask for another motion.
  const Linearisation there = linearise(flat, lying, 0.0, lying.state());
  EXPECT_FALSE(there.ok);
  EXPECT_THAT(there.problem, HasSubstr("the joints contradict each other near this pose"));
  EXPECT_THAT(there.hint, HasSubstr("--at"));
  // On the way: one freedom more than at the start.
  const Assembly standing = assemble(upright);
  ASSERT_TRUE(standing.ok) << standing.problem;
  const Linearisation passing = linearise(upright, standing, 0.0, lying.state());
  EXPECT_FALSE(passing.ok);
  EXPECT_THAT(passing.problem, HasSubstr("at this pose the joints leave 2 freedoms and at the start 1"));
  EXPECT_THAT(passing.hint, HasSubstr("--at"));
}

// Zero there, with a vertical slope.
TEST(Linearise, SaysThatForcesHaveNoSlope) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  addBody(m, "bob", 2.0, 0.3);
  m.bodies[0].drawn = {0.0, -0.7, 0.0};
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0.7));
  addCouple(m, "catch", kGround, BodyIndex(0), sqrt(Expr::symbol("O.angle")));
  EXPECT_THAT(problemOf(m), HasSubstr("the forces have no finite derivative at this state"));
}

}  // namespace linearise_messages_test
}  // namespace linkwork
