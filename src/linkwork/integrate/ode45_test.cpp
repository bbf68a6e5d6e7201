// MATLAB's step control: against a plain re-implementation of it, and against step counts and norms of the textbook
// example.
#include "linkwork/integrate/ode45.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "linkwork/integrate/slider_pendulum_for_tests.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace ode45_test {

using namespace testing_systems;
using Rhs = std::function<std::vector<double>(double, const std::vector<double>&)>;

struct Trace {
  std::vector<double> t;
  std::vector<std::vector<double>> x;
  long failed = 0;
  long evaluations = 0;
};

// Written after the recipe alone, with whole-vector stages and without reuse of any code under test.
Trace recipe(const Rhs& f, std::vector<double> y, double t0, double tf, double rtol, double atol) {
  static const std::vector<std::vector<double>> A{
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
  // Weights of the embedded fourth-order formula; their difference to the last row of A is the error.
  static const std::array<double, 7> B4{5179.0 / 57600, 0,       7571.0 / 16695, 393.0 / 640, -92097.0 / 339200,
                                        187.0 / 2100,   1.0 / 40};
  const std::size_t n = y.size();
  const double threshold = atol / rtol;
  const double hmax = 0.1 * (tf - t0);
  double t = t0;
  std::vector<double> f0 = f(t, y);
  Trace trace{{t0}, {y}, 0, 1};
  double h = std::min(hmax, tf - t0);
  double rh = 0;
  for (std::size_t i = 0; i < n; ++i) rh = std::max(rh, std::abs(f0[i]) / std::max(std::abs(y[i]), threshold));
  rh /= 0.8 * std::pow(rtol, 0.2);
  if (h * rh > 1) h = 1 / rh;
  bool done = false;
  while (!done) {
    h = std::min(h, hmax);
    if (1.1 * h >= tf - t) {
      h = tf - t;
      done = true;
    }
    bool clean = true;
    double err = 0;
    std::vector<double> z;
    std::vector<std::vector<double>> k;
    for (;;) {
      k = {f0};
      for (std::size_t s = 1; s < 7; ++s) {
        z = y;
        double c = 0;
        for (std::size_t j = 0; j < s; ++j) {
          c += A[s][j];
          for (std::size_t i = 0; i < n; ++i) z[i] += h * A[s][j] * k[j][i];
        }
        k.push_back(f(t + c * h, z));
      }
      trace.evaluations += 6;
      err = 0;
      for (std::size_t i = 0; i < n; ++i) {
        double e = 0;
        for (std::size_t j = 0; j < 7; ++j) e += ((j < 6 ? A[6][j] : 0.0) - B4[j]) * k[j][i];
        err = std::max(err, std::abs(h * e) / std::max({std::abs(y[i]), std::abs(z[i]), threshold}));
      }
      if (err <= rtol) break;
      ++trace.failed;
      h *= clean ? std::max(0.1, 0.8 * std::pow(rtol / err, 0.2)) : 0.5;
      clean = false;
      done = false;
    }
    t = done ? tf : t + h;
    y = z;
    f0 = k[6];
    trace.t.push_back(t);
    trace.x.push_back(y);
    if (clean) {
      const double s = 1.25 * std::pow(err / rtol, 0.2);
      h = s > 0.2 ? h / s : 5 * h;
    }
  }
  return trace;
}

void expectSameSteps(const Rhs& f, const std::vector<double>& x0, double t_end, double rtol, double atol,
                     long least_failed) {
  LambdaSystem system(StateSpace::firstOrder(static_cast<int>(x0.size())), [&f](double t, ConstValues x, Values xdot) {
    const std::vector<double> value = f(t, {x.begin(), x.end()});
    std::copy(value.begin(), value.end(), xdot.begin());
    return Eval::ok;
  });
  const Trace expected = recipe(f, x0, 0, t_end, rtol, atol);
  IntegratorOptions options;
  options.rtol = rtol;
  options.atol = atol;
  Ode45 integrator(system, options);
  // Step sizes follow the round-off in err, and fast phases magnify it. How much is measured, not guessed: the recipe's
  // own response to a start moved by 1e-15. Ours may differ by ten times that; the number of steps must be the same.
  double slack = 1e-13 * t_end;
  for (const double shift : {1e-15, -1e-15}) {
    std::vector<double> moved = x0;
    for (double& value : moved) value *= 1 + shift;
    const Trace other = recipe(f, moved, 0, t_end, rtol, atol);
    ASSERT_EQ(other.t.size(), expected.t.size());
    for (std::size_t k = 0; k < other.t.size(); ++k) slack = std::max(slack, 10 * std::abs(other.t[k] - expected.t[k]));
  }
  ASSERT_LT(slack, 1e-5 * t_end);
  ASSERT_EQ(integrator.begin(0, x0, t_end), StepStatus::ok);
  for (std::size_t k = 1; k < expected.t.size(); ++k) {
    const StepStatus status = integrator.step();
    ASSERT_EQ(status, k + 1 == expected.t.size() ? StepStatus::finished : StepStatus::ok) << k;
    ASSERT_NEAR(integrator.time(), expected.t[k], slack) << k;
    const std::vector<double> slope = f(expected.t[k], expected.x[k]);
    for (std::size_t i = 0; i < x0.size(); ++i) {
      ASSERT_NEAR(integrator.state()[i], expected.x[k][i], slack * (1 + std::abs(slope[i]))) << k;
    }
  }
  EXPECT_EQ(integrator.counts().accepted, static_cast<long>(expected.t.size()) - 1);
  EXPECT_EQ(integrator.counts().rejected, expected.failed);
  EXPECT_EQ(integrator.counts().evaluations, expected.evaluations);
  EXPECT_GE(expected.failed, least_failed);
}

TEST(Ode45, TakesTheStepsOfTheRecipeOnDecay) {
  const Rhs f = [](double, const std::vector<double>& x) { return std::vector<double>{-x[0]}; };
  expectSameSteps(f, {1}, 1, 1e-3, 1e-6, 0);
  expectSameSteps(f, {1}, 20, 1e-3, 1e-6, 0);
  expectSameSteps(f, {1}, 20, 1e-9, 1e-12, 0);
}

TEST(Ode45, TakesTheStepsOfTheRecipeThroughRejections) {
  const Rhs van_der_pol = [](double, const std::vector<double>& x) {
    return std::vector<double>{x[1], 10 * (1 - x[0] * x[0]) * x[1] - x[0]};
  };
  expectSameSteps(van_der_pol, {2, 0}, 30, 1e-3, 1e-6, 5);
  expectSameSteps(van_der_pol, {2, 0}, 30, 1e-6, 1e-9, 5);
}

TEST(Ode45, FirstStepIsTheOneOfTheFormula) {
  // x' = -x, x = 1: r = 1 / (0.8 * 0.001^0.2), h = 0.8 * 0.001^0.2 = 0.20095 where a tenth of the span is longer.
  const LambdaSystem system = decay();
  IntegratorOptions options;
  options.rtol = 1e-3;
  options.atol = 1e-6;
  Ode45 integrator(system, options);
  integrator.begin(0, std::vector<double>{1}, 10);
  integrator.step();
  EXPECT_NEAR(integrator.time(), 0.8 * std::pow(1e-3, 0.2), 1e-15);
  integrator.begin(0, std::vector<double>{1}, 1);
  integrator.step();
  EXPECT_EQ(integrator.time(), 0.1);
}

// Printed by the textbook for MATLAB's defaults, with the digits of a recomputation: steps, failed, evaluations, and
// the norm of the closure at the end. The printed 0.015, 0.023, 0.031 without stabilisation are ten times too large.
struct Row {
  double baumgarte, t_end;
  long steps, failed, evaluations;
  double norm, norm_tolerance;  // relative: the digits given, or those that survive round-off
};

class Ode45Book : public ::testing::TestWithParam<Row> {};

TEST_P(Ode45Book, CountsAndClosureNormsAreThoseOfMatlab) {
  const Row& row = GetParam();
  const SliderPendulum system(row.baumgarte);
  IntegratorOptions options;
  options.rtol = 1e-3;
  options.atol = 1e-6;
  Ode45 integrator(system, options);
  integrator.begin(0, SliderPendulum::start(), row.t_end);
  while (integrator.step() == StepStatus::ok) {
  }
  EXPECT_EQ(integrator.time(), row.t_end);
  EXPECT_EQ(integrator.counts().accepted, row.steps);
  EXPECT_EQ(integrator.counts().rejected, row.failed);
  EXPECT_EQ(integrator.counts().evaluations, row.evaluations);
  EXPECT_NEAR(SliderPendulum::closure(integrator.state()).norm() / row.norm, 1, row.norm_tolerance);
}

INSTANTIATE_TEST_SUITE_P(Example38, Ode45Book,
                         ::testing::Values(Row{0, 1, 15, 0, 91, 4.54018e-5, 2e-6},
                                           Row{0, 5, 29, 2, 187, 7.18274e-4, 2e-6},
                                           Row{0, 10, 41, 2, 259, 1.52232e-3, 4e-6},
                                           Row{0, 15, 53, 4, 343, 2.32675e-3, 4e-6},
                                           Row{0, 20, 64, 4, 409, 3.13131e-3, 2e-6}));
INSTANTIATE_TEST_SUITE_P(Example39, Ode45Book,
                         ::testing::Values(Row{5, 1, 15, 0, 91, 5.98182e-7, 2e-6},
                                           Row{5, 5, 37, 2, 235, 6.82803e-8, 2e-6},
                                           Row{5, 10, 57, 4, 367, 1.08018e-8, 1e-5},
                                           Row{5, 15, 69, 4, 439, 9.773e-11, 1e-3},
                                           Row{5, 20, 80, 4, 505, 3.506e-12, 1e-2}));

TEST(Ode45, GrowsFromTheBooksFirstStep) {
  // 3.256e-5, then times five up to a tenth of the span, last step 0.0841.
  const SliderPendulum system;
  IntegratorOptions options;
  options.rtol = 1e-3;
  options.atol = 1e-6;
  Ode45 integrator(system, options);
  integrator.begin(0, SliderPendulum::start(), 1);
  integrator.step();
  EXPECT_NEAR(integrator.lastStep(), 3.256e-5, 0.5e-8);
  while (integrator.step() == StepStatus::ok) {
  }
  EXPECT_NEAR(integrator.lastStep(), 0.0841, 0.5e-4);
  EXPECT_EQ(integrator.counts().largest_step, 0.1);
}

TEST(Ode45, UnderflowsAtAPoleAsTheOriginalDoes) {
  LambdaSystem system(StateSpace::firstOrder(1), [](double, ConstValues x, Values f) {
    f[0] = x[0] * x[0];  // x = 1 / (1 - t)
    return Eval::ok;
  });
  Ode45 integrator(system, IntegratorOptions{});
  integrator.begin(0, std::vector<double>{1}, 2);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) status = integrator.step();
  EXPECT_EQ(status, StepStatus::underflow);
  EXPECT_NEAR(integrator.time(), 1, 1e-7);
  EXPECT_THAT(integrator.failure(), ::testing::StartsWith("t = 1 s: the step fell below "));
}

}  // namespace ode45_test
}  // namespace linkwork
