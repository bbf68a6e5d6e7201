// Dormand-Prince with PI control: order, error against tolerance, dense output, counts, starting step, underflow.
#include "linkwork/integrate/dopri5.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace dopri5_test {

using namespace testing_systems;
constexpr double kPi = 3.14159265358979323846;

IntegratorOptions tolerance(double rtol) {
  IntegratorOptions options;
  options.rtol = rtol;
  options.atol = rtol;
  return options;
}

// Greatest error of a Kepler orbit at the ends of equal steps, and at points between them.
std::array<double, 2> keplerErrors(int steps) {
  const LambdaSystem system = kepler();
  const double e = 0.3;
  const double t_end = 5;
  Dopri5 integrator(system, equalSteps(t_end / steps));
  integrator.begin(0, keplerStart(e), t_end);
  std::array<double, 2> error{};
  std::vector<double> x(4);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator.step();
    error[0] = std::max(error[0], distance(integrator.state(), keplerState(e, integrator.time())));
    for (const double part : {0.1, 0.25, 0.5, 0.75, 0.9}) {
      const double t = integrator.previousTime() + part * integrator.lastStep();
      integrator.interpolate(t, x);
      error[1] = std::max(error[1], distance(x, keplerState(e, t)));
    }
  }
  EXPECT_EQ(integrator.counts().accepted, steps);
  return error;
}

TEST(Dopri5, IsOfFifthOrderAtEqualSteps) {
  const double order = std::log2(keplerErrors(320)[0] / keplerErrors(640)[0]);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, 5, 0.1);
}

TEST(Dopri5, ErrorIsProportionalToTheTolerance) {
  const LambdaSystem system = kepler();
  const std::vector<double> x0 = keplerStart(0.5);
  std::vector<double> log_error;
  for (const double rtol : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10}) {
    Dopri5 integrator(system, tolerance(rtol));
    integrator.begin(0, x0, 2 * kPi);
    EXPECT_EQ(runToEnd(integrator), StepStatus::finished);
    log_error.push_back(std::log10(distance(integrator.state(), x0)));
    RecordProperty("error_over_rtol_" + std::to_string(log_error.size()),
                   std::to_string(std::pow(10, log_error.back()) / rtol));
  }
  // Five decades of tolerance move the error by five decades.
  EXPECT_NEAR((log_error.front() - log_error.back()) / 5, 1, 0.1);
  for (std::size_t i = 1; i < log_error.size(); ++i) EXPECT_NEAR(log_error[i - 1] - log_error[i], 1, 0.35) << i;
}

TEST(Dopri5, ClosesTheArenstorfOrbit) {
  const double mu = 0.012277471;
  LambdaSystem system(StateSpace(2, 2, 0), [mu](double, ConstValues x, Values f) {
    const double d1 = std::pow((x[0] + mu) * (x[0] + mu) + x[1] * x[1], 1.5);
    const double d2 = std::pow((x[0] - 1 + mu) * (x[0] - 1 + mu) + x[1] * x[1], 1.5);
    f[0] = x[2];
    f[1] = x[3];
    f[2] = x[0] + 2 * x[3] - (1 - mu) * (x[0] + mu) / d1 - mu * (x[0] - 1 + mu) / d2;
    f[3] = x[1] - 2 * x[2] - (1 - mu) * x[1] / d1 - mu * x[1] / d2;
    return Eval::ok;
  });
  // Start and period as in Hairer, Norsett & Wanner, Solving ODEs I, eq. (0.2).
  const std::vector<double> x0{0.994, 0, 0, -2.00158510637908252240537862224};
  Dopri5 integrator(system, tolerance(1e-12));
  integrator.begin(0, x0, 17.0652165601579625588917206249);
  EXPECT_EQ(runToEnd(integrator), StepStatus::finished);
  const double error = std::max(std::abs(integrator.state()[0] - x0[0]), std::abs(integrator.state()[1] - x0[1]));
  RecordProperty("error", fmt::format("{:.2e}", error));
  RecordProperty("steps", std::to_string(integrator.counts().accepted));
  // Seen: 1.1e-10. The close passages by the moon magnify what a tolerance of 1e-12 leaves.
  EXPECT_LT(error, 1e-9);
}

TEST(Dopri5, DenseOutputIsExactForQuarticsAndNotBeyond) {
  for (const int degree : {4, 5}) {
    const LambdaSystem system = timeOnly([degree](double t) { return degree * std::pow(t, degree - 1); });
    Dopri5 integrator(system, equalSteps(1));
    integrator.begin(0, std::vector<double>{0}, 1);
    EXPECT_EQ(integrator.step(), StepStatus::finished);
    std::vector<double> x(1);
    double worst = 0;
    for (const double t : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      integrator.interpolate(t, x);
      worst = std::max(worst, std::abs(x[0] - std::pow(t, degree)));
    }
    if (degree == 4) {
      EXPECT_LT(worst, 5e-15);
    } else {
      EXPECT_GT(worst, 1e-4);
    }
  }
}

TEST(Dopri5, DenseOutputIsNoWorseThanTheStepsThemselves) {
  // Of order 4 means a local error of h^5, which is the order of the steps' own global error.
  const std::array<double, 2> coarse = keplerErrors(320);
  const std::array<double, 2> fine = keplerErrors(640);
  const double order = std::log2(coarse[1] / fine[1]);
  RecordProperty("order", std::to_string(order));
  RecordProperty("between_over_ends", std::to_string(fine[1] / fine[0]));
  EXPECT_NEAR(order, 5, 0.1);
  EXPECT_LT(fine[1], 2 * fine[0]);
}

TEST(Dopri5, EvaluationsAreSixPerAttemptAndTwoToStart) {
  const LambdaSystem system = kepler();
  Dopri5 integrator(system, tolerance(1e-9));
  integrator.begin(0, keplerStart(0.9), 2 * kPi);
  EXPECT_EQ(integrator.counts().evaluations, 2);
  runToEnd(integrator);
  const StepCounts& counts = integrator.counts();
  EXPECT_GT(counts.rejected, 0);
  EXPECT_EQ(counts.evaluations, 2 + 6 * (counts.accepted + counts.rejected));
  EXPECT_EQ(counts.evaluations, system.calls());
}

TEST(Dopri5, ACorrectedStateCostsOneEvaluationMore) {
  LambdaSystem system = circle();
  system.after(toUnitCircle);
  Dopri5 integrator(system, equalSteps(0.25));
  integrator.begin(0, std::vector<double>{1, 0}, 2);
  EXPECT_EQ(integrator.counts().evaluations, 1);
  runToEnd(integrator);
  // 8 steps of 6 stages, the first slope, and one more at the start of every step but the first.
  EXPECT_EQ(integrator.counts().accepted, 8);
  EXPECT_EQ(integrator.counts().evaluations, 1 + 8 * 6 + 7);
  EXPECT_EQ(integrator.counts().state_changes, 8);
}

TEST(Dopri5, QuadraturesDoNotTouchTheSteps) {
  // The same decay with a wild quadrature beside it.
  const LambdaSystem plain = decay();
  LambdaSystem wild(StateSpace(1, 0, 1), [](double t, ConstValues x, Values f) {
    f[0] = -x[0];
    f[1] = 1e6 * std::sin(1e5 * t);
    return Eval::ok;
  });
  Dopri5 a(plain, tolerance(1e-8));
  Dopri5 b(wild, tolerance(1e-8));
  a.begin(0, std::vector<double>{1}, 3);
  b.begin(0, std::vector<double>{1, 0}, 3);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = a.step();
    EXPECT_EQ(b.step(), status);
    ASSERT_EQ(a.time(), b.time());
  }
}

TEST(Dopri5, IdlePartsDoNotCoarsenTheSteps) {
  const LambdaSystem plain = decay();
  LambdaSystem crowded(StateSpace::firstOrder(100), [](double, ConstValues x, Values f) {
    std::fill(f.begin(), f.end(), 0.0);
    f[0] = -x[0];
    return Eval::ok;
  });
  std::vector<double> x0(100, 1.0);
  Dopri5 a(plain, tolerance(1e-8));
  Dopri5 b(crowded, tolerance(1e-8));
  a.begin(0, std::vector<double>{1}, 3);
  b.begin(0, x0, 3);
  runToEnd(a);
  runToEnd(b);
  EXPECT_EQ(a.counts().accepted, b.counts().accepted);
  EXPECT_EQ(a.state()[0], b.state()[0]);
}

// A fall from rest, once from zero and once from round-off beside it: the same first step, not one of 1e-13 s.
TEST(Dopri5, FirstStepDoesNotFollowRoundOff) {
  const LambdaSystem system(StateSpace::firstOrder(2), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = -9.81;
    return Eval::ok;
  });
  const auto firstStep = [&](const std::vector<double>& x0) {
    Dopri5 integrator(system, tolerance(1e-9));
    integrator.begin(0, x0, 1.0);
    integrator.step();
    return integrator.lastStep();
  };
  const double from_zero = firstStep({0.0, 0.0});
  EXPECT_GT(from_zero, 1e-6);
  EXPECT_NEAR(firstStep({1e-16, 3e-14}), from_zero, 1e-3 * from_zero);
}

TEST(Dopri5, FirstStepIsSeldomRejected) {
  // Slow, fast, and started from rest: the chosen step must not be refused, nor so timid that three growths do not mend
  // it.
  for (const double rate : {1e-3, 1.0, 1e4}) {
    LambdaSystem system(StateSpace(1, 1, 0), [rate](double, ConstValues x, Values f) {
      f[0] = x[1];
      f[1] = -rate * rate * x[0];
      return Eval::ok;
    });
    Dopri5 integrator(system, tolerance(1e-6));
    integrator.begin(0, std::vector<double>{1, 0}, 10 / rate);
    integrator.step();
    EXPECT_EQ(integrator.counts().rejected, 0) << rate;
    for (int k = 0; k < 3; ++k) integrator.step();
    EXPECT_EQ(integrator.counts().rejected, 0) << rate;
    EXPECT_GT(integrator.lastStep() * rate, 0.01) << rate;
  }
}

TEST(Dopri5, UnderflowsAtAJumpItCannotResolve) {
  const LambdaSystem system = timeOnly([](double t) { return t < 0.5 ? 0 : 1e12; });
  Dopri5 integrator(system, IntegratorOptions{});
  integrator.begin(0, std::vector<double>{0}, 1);
  EXPECT_EQ(runToEnd(integrator), StepStatus::underflow);
  EXPECT_NEAR(integrator.time(), 0.5, 1e-12);
  EXPECT_EQ(
      integrator.failure(),
      "t = 0.5 s: the step fell below 3.6e-15 s: the error stays above the tolerance however small the step: here "
      "the equations jump or have no solution, or rtol and atol are too tight");
}

TEST(Dopri5, CrossesAModestJump) {
  const LambdaSystem system = timeOnly([](double t) { return t < 1.0 / 3 ? 0 : 3; });
  Dopri5 integrator(system, tolerance(1e-9));
  integrator.begin(0, std::vector<double>{0}, 1);
  EXPECT_EQ(runToEnd(integrator), StepStatus::finished);
  EXPECT_NEAR(integrator.state()[0], 2, 1e-8);
  EXPECT_GT(integrator.counts().rejected, 3);
}

TEST(Dopri5, PassesARegionWhereOnlyLongStepsAreRefused) {
  // Stages of a step that is too long for the decay overshoot below zero, where the system cannot be evaluated.
  LambdaSystem system(StateSpace::firstOrder(1), [](double, ConstValues x, Values f) {
    f[0] = -100 * x[0];
    return x[0] < 0 ? Eval::retry : Eval::ok;
  });
  IntegratorOptions options = tolerance(1e-6);
  options.initial_step = 1;
  Dopri5 integrator(system, options);
  integrator.begin(0, std::vector<double>{1}, 0.1);
  EXPECT_EQ(runToEnd(integrator), StepStatus::finished);
  EXPECT_GE(integrator.counts().rejected, 1);
  EXPECT_NEAR(integrator.state()[0], std::exp(-10), 1e-6);
  EXPECT_EQ(integrator.counts().evaluations, system.calls());
}

TEST(Dopri5, EndsWithoutAStub) {
  const LambdaSystem system = oscillator();
  for (const double t_end : {1.0, 1.00001, 1.9, 7.3}) {
    Dopri5 integrator(system, tolerance(1e-4));
    integrator.begin(0, kOscillatorStart, t_end);
    integrator.step();
    const double first = integrator.lastStep();
    double before = first;
    while (integrator.time() < t_end) {
      before = integrator.lastStep();
      integrator.step();
    }
    EXPECT_GT(integrator.lastStep(), 0.4 * before) << t_end;
  }
}

}  // namespace dopri5_test
}  // namespace linkwork
