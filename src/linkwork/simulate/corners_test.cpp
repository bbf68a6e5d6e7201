// How runs meet corners of the loads, against closed forms.
#include "linkwork/simulate/corners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace corners_test {

constexpr double kMass = 2.0, kStiffness = 300.0, kDamping = 12.0, kSpeed = 1.5, kSlack = 0.3137, kFree = 0.9;

// A slider without friction on the x axis that goes at a constant speed until a cable to the ground comes taut, with a
// jump of the damper's force; then it swings, damped.
Mechanism sliderOnACable() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(0.0)};
  const BodyIndex slider = test::addBody(m, "slider", kMass, 0.1);
  m.bodies[0].drawn = {kFree - kSlack, 0.0, 0.0};
  test::addJoint(m, "rail", JointKind::prismatic, kGround, test::frameAt(0, 0), slider, test::frameAt(0, 0));
  test::addSpring(m, "cable", kGround, test::frameAt(0, 0), slider, test::frameAt(0, 0), kStiffness, kDamping, kFree);
  m.loads[0].sided = Sided::tension_only;
  m.initial.push_back({{QuantityKind::body_x_rate, 0}, Value(kSpeed), {}});
  return m;
}

double placeAt(double t) {
  const double since = t - kSlack / kSpeed;
  if (since < 0.0) return kFree - kSlack + kSpeed * t;
  const double decay = 0.5 * kDamping / kMass;
  const double omega = std::sqrt(kStiffness / kMass - decay * decay);
  return kFree + kSpeed / omega * std::exp(-decay * since) * std::sin(omega * since);
}

Result runWith(const std::string& integrator, double step) {
  const Mechanism m = sliderOnACable();
  RunOptions options;
  options.system.formulation = integrator == "gauss4" ? "hamiltonian" : "absolute";
  options.system.stabilisation = "none";
  options.integrator = integrator;
  options.until = 0.4;
  options.output_step = 0.02;
  options.steps.step = step;
  return simulate(m, assemble(m), options);
}

double worstOf(const Result& result) {
  double worst = 0.0;
  for (std::size_t k = 0; k < result.time.size(); ++k)
    worst = std::max(worst, std::abs(result.find("slider.x")->values[k] - placeAt(result.time[k])));
  return worst;
}

// A method of order 4 keeps its order across the jump: a quarter of the step leaves less than a hundredth of the error,
// down to what the last thousandth of a step before the corner costs.
// With a stage on the wrong side it would be off by the jump, 9 m/s^2, times a sixth of a step, times 0.1 s: 1e-3 m.
TEST(Corners, FixedStepsKeepTheirOrderAcrossAJump) {
  for (const std::string integrator : {"rk4", "gauss4"}) {
    const double coarse = worstOf(runWith(integrator, 0.01));
    EXPECT_LT(coarse, 3e-6) << integrator;
    EXPECT_LT(worstOf(runWith(integrator, 0.0025)), std::max(0.01 * coarse, 5e-9)) << integrator;
  }
}

// Both sides of the jump are recorded, once, with what the cable carries on them.
TEST(Corners, FixedStepsRecordTheJump) {
  const Result result = runWith("rk4", 0.0025);
  ASSERT_EQ(result.time.size(), 23U);
  std::size_t at = 1;
  while (result.time[at] != result.time[at - 1]) ASSERT_LT(++at, result.time.size());
  EXPECT_NEAR(result.time[at], kSlack / kSpeed, 1e-10);
  const Series& tension = *result.find("cable.tension");
  EXPECT_EQ(tension.values[at - 1], 0.0);
  EXPECT_NEAR(tension.values[at], kDamping * kSpeed, 1e-6);
}

}  // namespace corners_test
}  // namespace linkwork
