#include "linkwork/simulate/state_at.hpp"

#include <gtest/gtest.h>

#include "linkwork/codegen/explain.hpp"
#include "linkwork/codegen/slider_pendulum_for_tests.hpp"

namespace linkwork {
namespace state_at_test {

class StateAtTime : public ::testing::Test {
 protected:
  StateAtTime() : mechanism_(test::sliderPendulumInLetters()), assembly_(assemble(mechanism_)) {}

  Mechanism mechanism_;
  Assembly assembly_;
};

TEST_F(StateAtTime, TheStartIsTheAssembledState) {
  ASSERT_TRUE(assembly_.ok) << assembly_.problem;
  const StateAt state = stateAt(mechanism_, assembly_, fineOptions(), 0.0);
  ASSERT_TRUE(state.ok);
  EXPECT_EQ(state.x, assembly_.state());
}

// Twelve digits from 36-digit arithmetic in minimal coordinates. The tolerance is ten times the integrator's.
TEST_F(StateAtTime, AfterOneSecondItIsTheReferenceState) {
  const StateAt state = stateAt(mechanism_, assembly_, fineOptions(), 1.0);
  ASSERT_TRUE(state.ok) << state.problem;
  const std::vector<double> wanted = {0.690699621185, 0, 0, 0.771959808150, -0.996692922627,  0.0813498835386,
                                      1.06326380545,  0, 0, 0.427370987422, -0.0518442221368, -0.638002742460};
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(state.x[k], wanted[k], 1e-9) << k;
}

TEST_F(StateAtTime, ItsMultipliersAreTheReferenceOnes) {
  const StateAt state = stateAt(mechanism_, assembly_, fineOptions(), 2.0);
  ASSERT_TRUE(state.ok) << state.problem;
  const Explanation e = explainState(mechanism_, 2.0, state.x, assembly_);
  ASSERT_TRUE(e.problem.empty()) << e.problem;
  const std::vector<double> wanted = {0, -80.9675242114, -4.03648854858, -30.9675242114};
  const ExplainedTable& lambda = *e.find("Multipliers lambda")->table;
  for (std::size_t k = 0; k < wanted.size(); ++k) EXPECT_NEAR(lambda.entries[k].number(), wanted[k], 1e-8) << k;
}

TEST_F(StateAtTime, AnEventThatEndsTheRunIsInTheWay) {
  Event event;
  event.name = "straight";
  event.when = Expr::symbol("pendulum.angle");
  mechanism_.events.push_back(event);
  EXPECT_TRUE(stateAt(mechanism_, assembly_, fineOptions(), 2.0).ok);  // it does not end a run

  mechanism_.events[0].stop = true;
  const StateAt after = stateAt(mechanism_, assembly_, fineOptions(), 2.0);
  EXPECT_FALSE(after.ok);
  EXPECT_NE(after.problem.find("\"straight\""), std::string::npos) << after.problem;
  EXPECT_TRUE(stateAt(mechanism_, assembly_, fineOptions(), 0.1).ok);

  mechanism_.events[0].crossing = Crossing::rising;  // the pendulum swings down first
  EXPECT_TRUE(stateAt(mechanism_, assembly_, fineOptions(), 1.5).ok);
}

TEST_F(StateAtTime, AMotionThatDoesNotGetThereSaysWhy) {
  Load push;
  push.name = "push";
  push.kind = LoadKind::force;
  push.second = BodyIndex(0);
  push.force[0] = sqrt(Expr(0.5) - Expr::symbol("t"));
  mechanism_.loads.push_back(push);
  const StateAt state = stateAt(mechanism_, assembly_, fineOptions(), 1.0);
  EXPECT_FALSE(state.ok);
  EXPECT_NE(state.problem.find("push"), std::string::npos) << state.problem;
}

}  // namespace state_at_test
}  // namespace linkwork
