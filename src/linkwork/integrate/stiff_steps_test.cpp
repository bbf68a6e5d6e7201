// Which steps of explicit methods count as kept short by something much faster than the motion.
#include <gtest/gtest.h>

#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace stiff_steps_test {

using testing_systems::ConstValues;
using testing_systems::LambdaSystem;
using testing_systems::Values;

// y' = -rate (y - cos t) - sin t, from y = 1: y = cos t, whatever the rate.
LambdaSystem relaxation(double rate) {
  return {StateSpace::firstOrder(1), [rate](double t, ConstValues x, Values f) {
            f[0] = -rate * (x[0] - std::cos(t)) - std::sin(t);
            return Eval::ok;
          }};
}

StepCounts countsOf(const std::string& integrator, const LambdaSystem& system, const std::vector<double>& start,
                    double until) {
  const auto made = makeIntegrator(integrator, system, IntegratorOptions());
  StepStatus status = made->begin(0, start, until);
  while (status == StepStatus::ok) status = made->step();
  EXPECT_EQ(status, StepStatus::finished) << integrator << ": " << made->failure();
  return made->counts();
}

class StiffSteps : public ::testing::TestWithParam<const char*> {};

TEST_P(StiffSteps, AreMostOfThoseThatAFastRateKeepsShort) {
  const StepCounts counts = countsOf(GetParam(), relaxation(1e4), {1}, 2);
  EXPECT_GT(counts.accepted, 1000);
  EXPECT_GT(counts.stiff_steps, 0.9 * static_cast<double>(counts.accepted));
}

// As many steps, all of them needed: the motion itself is fast.
TEST_P(StiffSteps, AreNoneWhereTheMotionItselfIsFast) {
  const LambdaSystem fast(StateSpace(1, 1, 0), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = -1e6 * x[0];
    return Eval::ok;
  });
  const StepCounts counts = countsOf(GetParam(), fast, {1, 0}, 2);
  EXPECT_GT(counts.accepted, 1000);
  EXPECT_EQ(counts.stiff_steps, 0);
}

// A transient that is over soon has to be followed, and a rate like that of the motion is no stiffness. (By chance the
// slope of one coordinate alone may be the same at both ends of a step, as if nothing moved.)
TEST_P(StiffSteps, AreNoneWithoutAFastRateOrInATransient) {
  EXPECT_LE(countsOf(GetParam(), relaxation(1), {1}, 20).stiff_steps, 1);
  EXPECT_EQ(countsOf(GetParam(), relaxation(1e4), {2}, 5e-4).stiff_steps, 0);
  EXPECT_EQ(countsOf(GetParam(), testing_systems::kepler(), testing_systems::keplerStart(0.9), 20).stiff_steps, 0);
}

INSTANTIATE_TEST_SUITE_P(Explicit, StiffSteps, ::testing::Values("dopri5", "dop853", "ode45"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace stiff_steps_test
}  // namespace linkwork
