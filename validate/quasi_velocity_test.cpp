// Independent velocities alone against absolute coordinates: whole runs, of loops, of what rolls and of what skates.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace quasi_velocity_test {

// A loop in the plane and in space, one that repeats equations, poses of lower rank, all that rolls or skates; with
// LINKWORK_FULL set, every model.
std::vector<std::string> modelsToFollow() {
  if (everyModel()) return shippedModels();
  return {"four_bar",          "rssr",          "door_two_hinges", "chaplygin_sleigh",  "rolling_disc",
          "ball_on_turntable", "snakeboard",    "bicycle",         "robot_with_caster", "mecanum_platform",
          "rolling_ellipsoid", "wheel_in_ring", "sleeping_top",    "n_four_bar",        "gyroscope"};
}

class QuasiVelocityTrajectories : public ::testing::TestWithParam<std::string> {};

// At a tolerance of 1e-12, over the time in which a disturbance grows less than a thousandfold.
TEST_P(QuasiVelocityTrajectories, AreThoseOfAbsoluteCoordinates) {
  const Mechanism mechanism = readShippedModel(GetParam());
  RunOptions options = runOptions(mechanism);
  options.until = mechanism.check_horizon;
  options.output_step = mechanism.check_horizon / 4.0;
  options.integrator = tightIntegratorFor(GetParam());
  options.steps.rtol = 1e-12;
  options.steps.atol = 1e-14;
  options.system.stabilisation = "projection";
  options.system.formulation = "absolute";
  const Result a = runModel(mechanism, options);
  ASSERT_EQ(a.status, RunStatus::complete) << a.message;
  options.system.formulation = "quasivelocity";
  const Result r = runModel(mechanism, options);
  ASSERT_EQ(r.status, RunStatus::complete) << r.message;
  const auto wanted = [](const std::string& series) {
    return !isReaction(series) && !series.starts_with("violation.");
  };
  // Near poses of lower rank, of which the N-four-bars pass some, what closure leaves open is divided by the distance.
  const double allowed = GetParam().starts_with("n_four_bar") ? 1e-6 : 1e-9;
  EXPECT_LT(differenceOfUnique(a, r, wanted, 1.0), allowed);
}

INSTANTIATE_TEST_SUITE_P(Models, QuasiVelocityTrajectories, ::testing::ValuesIn(modelsToFollow()),
                         [](const auto& instance) { return instance.param; });

}  // namespace quasi_velocity_test
}  // namespace linkwork::validation
