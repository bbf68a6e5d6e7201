// How accurate the textbook's example is under each method: against a 12-digit trajectory, and in energy without a
// damper.
#include <gtest/gtest.h>

#include <cstdio>
#include <tuple>

#include "slider_pendulum.hpp"

namespace linkwork::textbook {
namespace textbook_accuracy_test {

TEST(TextbookTrajectory, ProjectionFollowsTheReferenceForTwentySeconds) {
  const RunOptions options = adaptive("dopri5", "projection", 1e-12, 1e-13);
  for (const test::SliderPendulumState& reference : test::sliderPendulumReference()) {
    const RunEnd end = runTo(sliderPendulum(), options, reference.t);
    const double q = greatestDifference(end.q, reference.q);
    const double dq = greatestDifference(end.dq, reference.dq);
    const double ddq = greatestDifference(end.ddq, reference.ddq);
    const double lambda = greatestDifference(end.lambda, reference.lambda) / greatest(reference.lambda);
    std::printf("t = %2.0f s: q %.1e, dq %.1e, ddq %.1e, lambda %.1e of the largest; %ld evaluations\n", reference.t, q,
                dq, ddq, lambda, end.counts.evaluations);
    EXPECT_LT(q, 5e-12) << reference.t;  // half the twelfth digit, which is the last that the reference has
    EXPECT_LT(dq, 5e-12) << reference.t;
    EXPECT_LT(ddq, 5e-12) << reference.t;
    EXPECT_LT(lambda, 1e-12) << reference.t;
    EXPECT_LT(end.violation.position, 1e-14) << reference.t;
  }
}

// Refused steps and the evaluation that chooses the first step count.
TEST(TextbookTrajectory, AHundredEvaluationsAreEnoughForOneSecond) {
  const RunEnd end = runTo(sliderPendulum(), adaptive("dopri5", "projection", 1e-4, 1e-5), 1.0);
  const double error = greatestDifference(end.q, test::sliderPendulumReference()[0].q);
  std::printf(
      "rtol 1e-4, atol 1e-5: error of q %.2e with %ld evaluations (%ld steps, %ld refused) and %ld projection solves\n",
      error, end.counts.evaluations, end.counts.accepted, end.counts.rejected, end.projection_solves);
  EXPECT_NEAR(error, 1.25e-6, 0.01e-6);
  EXPECT_EQ(end.counts.evaluations, 92);
  EXPECT_EQ(end.projection_solves, 26);
  // More accurate than the smallest step of example 3.6, which takes a thousand times as many evaluations.
  const RunEnd simple = runTo(sliderPendulum(), fixedStep("explicit_step", "none", 1e-5), 1.0);
  EXPECT_LT(error, greatestDifference(simple.q, test::sliderPendulumReference()[0].q));
}

TEST(TextbookTrajectory, ProjectionCostsAboutAsMuchAsBaumgarte) {
  const RunEnd end = runTo(sliderPendulum(), defaultOde45("projection"), 20.0);
  EXPECT_EQ(end.counts.accepted, 65);
  EXPECT_EQ(end.counts.evaluations, 482);
  // Two or fewer a step; whether a step ends a few units of round-off above or below the limit changes the sum by one.
  EXPECT_NEAR(static_cast<double>(end.projection_solves), 124.0, 3.0);
  EXPECT_LT(end.violation.position, 1e-14);
  EXPECT_LT(end.violation.velocity, 1e-14);
  EXPECT_LT(end.violation.acceleration, 1e-14);
}

// --- Errors at 1 s with h = 0.01 s -----------------------------------------------------------------------------------

// Projection stops when every row is below 16 units of round-off of the largest coordinate (1.6 m): 5.7e-15, four rows.
constexpr double kClosed = 1.2e-14;

struct ErrorRow {
  const char* integrator;
  const char* stabilisation;
  const char* q;  // two digits each: greatest error at 1 s
  const char* dq;
  const char* lambda;
  const char* phi_1;   // |Phi| at 1 s; empty where it is round-off
  const char* phi_20;  // |Phi| at 20 s
};

class ErrorTable : public ::testing::TestWithParam<ErrorRow> {};

// The multipliers of the equations of motion as they are, without what Baumgarte's terms add to them.
Four multipliersAt(const Mechanism& mechanism, const RunEnd& end) {
  SystemOptions options;
  options.stabilisation = "none";
  const auto system = makeSystem(mechanism, options);
  const auto work = system->makeWorkspace();
  std::vector<double> x(13);
  std::copy(end.q.begin(), end.q.end(), x.begin());
  std::copy(end.dq.begin(), end.dq.end(), x.begin() + 6);
  Observation seen;
  expect(system->observe(end.t, x, system->startModes(), *work, seen) == Eval::ok, "the end cannot be observed");
  return firstOf<4>(seen.multipliers);
}

TEST_P(ErrorTable, HasBothDigits) {
  const ErrorRow& row = GetParam();
  RunOptions options = fixedStep(row.integrator, row.stabilisation, 0.01);
  options.system.penalty = 1e6;  // kg, augmented Lagrangian; omega = 10 1/s and mu = 1 as by default
  const Mechanism mechanism = sliderPendulum();
  const RunEnd one = runTo(mechanism, options, 1.0);
  const RunEnd twenty = runTo(mechanism, options, 20.0);
  const test::SliderPendulumState& exact = test::sliderPendulumReference()[0];
  EXPECT_EQ(withDigits(greatestDifference(one.q, exact.q), 2), row.q);
  EXPECT_EQ(withDigits(greatestDifference(one.dq, exact.dq), 2), row.dq);
  EXPECT_EQ(withDigits(greatestDifference(multipliersAt(mechanism, one), exact.lambda), 2), row.lambda);
  const auto checkPhi = [](double phi, const std::string& expected) {
    if (expected.empty()) {
      EXPECT_LT(phi, kClosed);
    } else {
      EXPECT_EQ(withDigits(phi, 2), expected);
    }
  };
  checkPhi(one.violation.position, row.phi_1);
  checkPhi(twenty.violation.position, row.phi_20);
}

// A reaction reported under Baumgarte's stabilisation holds the force that pulls the joints together: three times the
// error.
TEST(TextbookTrajectory, BaumgarteTermsShowInTheReactions) {
  const Mechanism mechanism = sliderPendulum();
  const RunEnd end = runTo(mechanism, fixedStep("rk4", "baumgarte", 0.01), 1.0);
  EXPECT_EQ(withDigits(greatestDifference(end.lambda, test::sliderPendulumReference()[0].lambda), 2), "1.8e-07");
  EXPECT_EQ(withDigits(greatestDifference(multipliersAt(mechanism, end), test::sliderPendulumReference()[0].lambda), 2),
            "5.6e-08");
}

INSTANTIATE_TEST_SUITE_P(
    Textbook, ErrorTable,
    ::testing::Values(ErrorRow{"euler", "none", "4.8e-03", "6.8e-03", "3.4e-02", "5.1e-03", "4.0e-03"},
                      ErrorRow{"explicit_step", "none", "3.4e-03", "3.7e-03", "2.8e-02", "3.8e-03", "2.2e-02"},
                      ErrorRow{"rk4", "none", "3.0e-08", "3.6e-08", "3.9e-08", "4.3e-08", "9.5e-07"},
                      ErrorRow{"rk4", "baumgarte", "3.5e-09", "1.1e-08", "5.6e-08", "8.5e-10", ""},
                      ErrorRow{"rk4", "projection", "3.6e-09", "2.4e-09", "5.7e-08", "", ""},
                      ErrorRow{"rk4", "augmented_lagrangian", "4.0e-09", "8.2e-08", "5.7e-08", "3.7e-09", ""},
                      ErrorRow{"rk4", "partitioning", "1.3e-08", "1.5e-08", "2.6e-08", "", ""}),
    [](const auto& test) { return fmt::format("{}_{}", test.param.integrator, test.param.stabilisation); });

// --- Baumgarte with alpha < beta -------------------------------------------------------------------------------------

// The pin is opened by 0.1 mm at the start. Each row obeys Phi'' + 2 alpha Phi' + beta^2 Phi = 0 exactly, whatever the
// mechanism does:
//   alpha < beta:  Phi = Phi_0 e^(-alpha t) (cos w t + alpha / w sin w t),  w^2 = beta^2 - alpha^2
//   alpha = beta:  Phi = Phi_0 e^(-alpha t) (1 + alpha t)
double openPin(double alpha, double beta, double t) {
  const double open = 1e-4;
  if (alpha == beta) return open * std::exp(-alpha * t) * (1.0 + alpha * t);
  const double w = std::sqrt(beta * beta - alpha * alpha);
  return open * std::exp(-alpha * t) * (std::cos(w * t) + alpha / w * std::sin(w * t));
}

TEST(Baumgarte, SwingsWhereAlphaIsBelowBeta) {
  const Mechanism mechanism = sliderPendulum();
  const Assembly assembly = assemble(mechanism);
  for (const auto& [alpha, beta, passes] : {std::tuple{1.0, 5.0, 8}, {0.25, 5.0, 8}, {5.0, 5.0, 0}}) {
    RunOptions options = adaptive("dopri5", "baumgarte", 1e-11, 1e-13);
    options.system.alpha = alpha;
    options.system.beta = beta;
    const auto system = makeSystem(mechanism, options.system);
    const auto work = system->makeWorkspace();
    const auto integrator = makeIntegrator("dopri5", *system, options.steps);
    std::vector<double> x = assembly.state();
    x[4] -= 1e-4;  // y of the pendulum
    integrator->begin(0.0, x, 5.0);
    int swings = 0;
    double before = 1.0;
    for (StepStatus status = StepStatus::ok; status == StepStatus::ok;) {
      status = integrator->step();
      const double exact = openPin(alpha, beta, integrator->time());
      // The tolerance leaves 1e-13 a step, less what has decayed since: 1e-13 was seen.
      EXPECT_NEAR(system->violation(integrator->time(), integrator->state(), system->startModes(), *work).position,
                  std::abs(exact), 1e-11);
      if (exact * before < 0.0) ++swings;
      before = exact;
    }
    EXPECT_EQ(swings, passes) << alpha;
  }
}

// Under ode45 with MATLAB's defaults: with alpha = 0.5, beta = 5 the joints are further open by a factor of hundreds
// and more, and the decay is that of alpha: e^(-0.5 t).
TEST(Baumgarte, DecaysAsSlowlyAsAlphaSays) {
  RunOptions options = defaultOde45("baumgarte");
  options.system.alpha = 0.5;
  const double swinging = runTo(sliderPendulum(), options, 20.0).violation.position;
  const double damped = runTo(sliderPendulum(), defaultOde45("baumgarte"), 20.0).violation.position;
  EXPECT_GT(swinging, 100.0 * damped);
}

// --- No damper: energy and a motion that does not end ----------------------------------------------------------------

struct EnergyRow {
  const char* stabilisation;
  double rtol;  // atol is a thousandth of it, as in MATLAB's defaults
  double alpha;
  double gain;       // J over 20 s
  double half_unit;  // of the last digit given
};

class UndampedEnergy : public ::testing::TestWithParam<EnergyRow> {};

// Baumgarte's loss is real, but it is the error of the steps: it falls with the tolerance and does not grow with alpha.
TEST_P(UndampedEnergy, ChangesByTheErrorOfTheSteps) {
  const EnergyRow& row = GetParam();
  RunOptions options = adaptive("ode45", row.stabilisation, row.rtol, 1e-3 * row.rtol);
  options.system.alpha = options.system.beta = row.alpha;
  const RunEnd end = runTo(undampedSliderPendulum(), options, 20.0);
  EXPECT_NEAR(end.energy_gain, row.gain, row.half_unit);
}

// Without stabilisation not even the sign is a property of the mechanism: another atol turns the gain into a loss.
TEST(UndampedMotion, UnstabilisedEnergyErrorHasNoSignOfItsOwn) {
  const Mechanism mechanism = undampedSliderPendulum();
  EXPECT_GT(runTo(mechanism, adaptive("ode45", "none", 1e-5, 1e-8), 20.0).energy_gain, 1e-3);
  EXPECT_EQ(withDigits(runTo(mechanism, adaptive("ode45", "none", 1e-5, 1e-6), 20.0).energy_gain, 2), "-9.1e-03");
}

INSTANTIATE_TEST_SUITE_P(Textbook, UndampedEnergy,
                         ::testing::Values(EnergyRow{"baumgarte", 1e-3, 5, -0.109, 0.0005},
                                           EnergyRow{"baumgarte", 1e-5, 5, -1.2e-3, 0.05e-3},
                                           EnergyRow{"baumgarte", 1e-3, 20, -1.8e-3, 0.05e-3},
                                           EnergyRow{"none", 1e-3, 5, 7.9, 0.05},
                                           EnergyRow{"none", 1e-5, 5, 1.6e-3, 0.05e-3}),
                         [](const auto& test) {
                           return fmt::format("{}_rtol1em{}_alpha{}", test.param.stabilisation,
                                              std::lround(-std::log10(test.param.rtol)), std::lround(test.param.alpha));
                         });

TEST(UndampedMotion, BaumgarteErrorDoesNotDecayWhileTheMotionGoesOn) {
  const std::vector<std::pair<double, std::string>> rows{{5, "7.7e-05"}, {10, "3.2e-05"}, {20, "8.2e-05"}};
  for (const auto& [until, phi] : rows) {
    const RunEnd end = runTo(undampedSliderPendulum(), defaultOde45("baumgarte"), until);
    EXPECT_EQ(withDigits(end.violation.position, 2), phi) << until;
  }
}

// There are about ten swings in 20 s; a share rtol of m2 g a = 30 J in each is what the tolerance allows. The joints
// stay closed to round-off whatever the tolerance.
TEST(UndampedMotion, ProjectionKeepsEnergyToItsTolerance) {
  for (const auto& [rtol, gain] :
       {std::pair{1e-3, 6.6e-2}, {1e-4, -3.9e-4}, {1e-6, -2.40e-5}, {1e-8, -3.19e-7}, {1e-10, -3.55e-9}}) {
    const RunEnd end = runTo(undampedSliderPendulum(), adaptive("dopri5", "projection", rtol, 1e-3 * rtol), 20.0);
    std::printf("rtol %.0e: energy gained %.2e J, |Phi| %.1e, %ld evaluations\n", rtol, end.energy_gain,
                end.violation.position, end.counts.evaluations);
    EXPECT_LT(std::abs(end.energy_gain), 10.0 * 30.0 * rtol) << rtol;
    EXPECT_LT(end.violation.position, kClosed) << rtol;
    EXPECT_NEAR(end.energy_gain / gain, 1.0, 0.02) << rtol;
  }
}

}  // namespace textbook_accuracy_test
}  // namespace linkwork::textbook
