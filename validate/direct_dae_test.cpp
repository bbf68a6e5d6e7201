// Constraints integrated directly: the flexible slider-crank as a DAE of its own, and the textbook's mechanism under
// Radau IIA with every stabilisation, against reference values.
#include <gtest/gtest.h>

#include "flexible_slider_crank.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/model/lift.hpp"
#include "slider_pendulum.hpp"

namespace linkwork::validation {
namespace direct_dae_test {

void expectPublishedSliderCrank(const Integrator& integrator, double position, double rate) {
  const auto x = integrator.state();
  EXPECT_NEAR(x[1], -0.3311734988256260, position);
  EXPECT_NEAR(x[2], 0.1697373328427860, position);
  // The published deflections are good to 6e-12.
  EXPECT_NEAR(x[3], 1.893192899613509e-4, position + 6e-12);
  EXPECT_NEAR(x[4], 2.375751249879174e-5, position + 6e-12);
  EXPECT_NEAR(x[5], -5.323896770569702e-6, position);
  EXPECT_NEAR(x[6], -8.363313279112129e-6, position);
  EXPECT_NEAR(x[8], 60.25346755138369, rate);
  EXPECT_NEAR(x[9], -8.753116326670527, rate);
}

std::unique_ptr<Integrator> runSliderCrank(const std::string& name, const OdeSystem& system, double rtol) {
  auto integrator = makeIntegrator(name, system, {.rtol = rtol, .atol = 1e-3 * rtol});
  StepStatus status = integrator->begin(0.0, FlexibleSliderCrank::start(), 0.1);
  while (status == StepStatus::ok) status = integrator->step();
  expect(status == StepStatus::finished, integrator->failure());
  return integrator;
}

TEST(FlexibleSliderCrank, RadauReachesThePublishedValues) {
  const FlexibleSliderCrankOde system;
  const auto radau = runSliderCrank("radau5", system, 1e-7);
  expectPublishedSliderCrank(*radau, 5e-12, 3e-7);
  ASSERT_EQ(radau->multipliers().size(), 3u);
  EXPECT_NEAR(radau->multipliers()[0], -62.32935833287916, 2e-4);
  EXPECT_NEAR(radau->multipliers()[1], -163.7920993367306, 2e-4);
  EXPECT_NEAR(radau->multipliers()[2], 25.29857947066878, 2e-5);
  // Those of the index-1 equations at the end are not worse.
  const Eigen::VectorXd index_one = FlexibleSliderCrank().indexOne(radau->state());
  EXPECT_NEAR(index_one[0], -62.32935833287916, 2e-4);
  EXPECT_NEAR(index_one[1], -163.7920993367306, 2e-4);
}

TEST(FlexibleSliderCrank, IdaReachesThePublishedValues) {
  const FlexibleSliderCrankOde system;
  if (!integratorProblem("ida", system, {}).empty()) GTEST_SKIP() << "built without SUNDIALS";
  // Errors fall with the tolerance: positions 4e-10 m, 1.2e-10 m and 3.5e-11 m at 1e-7, 1e-8 and 1e-9.
  const auto ida = runSliderCrank("ida", system, 1e-7);
  expectPublishedSliderCrank(*ida, 1e-9, 3e-6);
  ASSERT_EQ(ida->multipliers().size(), 3u);
  EXPECT_NEAR(ida->multipliers()[0], -62.32935833287916, 3e-3);
  EXPECT_NEAR(ida->multipliers()[1], -163.7920993367306, 6e-3);
  EXPECT_NEAR(ida->multipliers()[2], 25.29857947066878, 3e-4);
}

TEST(FlexibleSliderCrank, JacobianIsTheDerivativeOfTheResidual) {
  const FlexibleSliderCrank system;
  const auto work = system.makeWorkspace();
  std::vector<double> y(24);
  std::vector<double> ydot(24);
  system.start(0.0, FlexibleSliderCrank::start(), Modes{}, *work, y, ydot);
  SparseMatrix J;
  system.jacobian(0.0, y, Modes{}, *work, J);
  std::vector<double> above(24);
  std::vector<double> below(24);
  for (std::size_t k = 0; k < 24; ++k) {
    const double e = 1e-6 * std::max(1e-3, std::abs(y[k]));
    const double at = y[k];
    y[k] = at + e;
    system.rightSide(0.0, y, Modes{}, *work, above);
    y[k] = at - e;
    system.rightSide(0.0, y, Modes{}, *work, below);
    y[k] = at;
    for (std::size_t row = 0; row < 24; ++row) {
      const double entry = J.coeff(static_cast<int>(row), static_cast<int>(k));
      EXPECT_NEAR((above[row] - below[row]) / (2 * e), entry, 1e-4 * (1 + std::abs(entry))) << row << " " << k;
    }
  }
}

// q to 1e-10 and reactions to 1e-9 at every reference time.
void expectReference(const std::string& stabilisation, double rtol) {
  const Mechanism mechanism = textbook::sliderPendulum();
  for (const auto& reference : test::sliderPendulumReference()) {
    const textbook::RunEnd end =
        textbook::runTo(mechanism, textbook::adaptive("radau5", stabilisation, rtol, 0.01 * rtol), reference.t);
    EXPECT_LT(textbook::greatestDifference(end.q, reference.q), 1e-10) << stabilisation << " at " << reference.t;
    EXPECT_LT(textbook::greatestDifference(end.lambda, reference.lambda), 1e-9)
        << stabilisation << " at " << reference.t;
  }
}

TEST(RadauOnTheTextbook, ReferenceIsReachedWithEveryStabilisationThatMakesOrdinaryEquations) {
  for (const char* name : {"none", "baumgarte", "projection", "augmented_lagrangian", "partitioning"})
    expectReference(name, 1e-13);
}

TEST(RadauOnTheTextbook, ReferenceIsReachedWithTheStabilisedIndexTwo) { expectReference("ggl", 1e-13); }

TEST(RadauOnTheTextbook, ReferenceIsReachedWithIndexThree) { expectReference("index3", 1e-12); }

TEST(RadauOnTheTextbook, LiftedToSpaceItMovesTheSame) {
  const Mechanism mechanism = textbook::sliderPendulum();
  const Mechanism lifted = liftToSpace(mechanism);
  for (const char* name : {"ggl", "index3"}) {
    RunOptions options = textbook::adaptive("radau5", name, 1e-10, 1e-12);
    options.until = options.output_step = 1.0;
    const Result planar = runModel(mechanism, options);
    const Result spatial = runModel(lifted, options);
    ASSERT_EQ(planar.status, RunStatus::complete) << planar.message;
    ASSERT_EQ(spatial.status, RunStatus::complete) << spatial.message;
    for (const char* series : {"slider.x", "pendulum.x", "pendulum.y"})
      EXPECT_NEAR(lastOf(planar, series), lastOf(spatial, series), 1e-8) << name;
  }
}

}  // namespace direct_dae_test
}  // namespace linkwork::validation
