// Orders, grids and counts of euler, explicit_step and rk4.
#include "linkwork/integrate/fixed_step.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/slider_pendulum_for_tests.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace fixed_step_test {

using namespace testing_systems;

std::unique_ptr<Integrator> begun(const char* name, const OdeSystem& system, double h, std::span<const double> x0,
                                  double t_end, TimeRule rule = TimeRule::multiples) {
  IntegratorOptions options;
  options.step = h;
  options.time_rule = rule;
  auto integrator = makeIntegrator(name, system, options);
  EXPECT_EQ(integrator->begin(0, x0, t_end), StepStatus::ok);
  return integrator;
}

struct Errors {
  double at_end = 0;
  double between = 0;  // greatest over interpolated points
};

Errors oscillatorErrors(const char* name, int steps) {
  const LambdaSystem system = oscillator();
  const auto integrator = begun(name, system, 2.0 / steps, kOscillatorStart, 2);
  Errors errors;
  std::vector<double> x(3);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator->step();
    for (const double part : {0.2, 0.5, 0.7}) {
      const double t = integrator->previousTime() + part * integrator->lastStep();
      integrator->interpolate(t, x);
      errors.between = std::max(errors.between, oscillatorError(t, x));
    }
  }
  errors.at_end = oscillatorError(2, integrator->state());
  return errors;
}

void expectOrder(const char* name, int coarse, double order) {
  const Errors a = oscillatorErrors(name, coarse);
  const Errors b = oscillatorErrors(name, 2 * coarse);
  ::testing::Test::RecordProperty("order_at_end", std::to_string(std::log2(a.at_end / b.at_end)));
  ::testing::Test::RecordProperty("order_between", std::to_string(std::log2(a.between / b.between)));
  EXPECT_NEAR(std::log2(a.at_end / b.at_end), order, 0.1) << name;
  EXPECT_NEAR(std::log2(a.between / b.between), order, 0.1) << name;
}

TEST(FixedStep, EulerIsOfFirstOrder) { expectOrder("euler", 200, 1); }
TEST(FixedStep, ExplicitStepIsOfFirstOrder) { expectOrder("explicit_step", 200, 1); }
TEST(FixedStep, Rk4IsOfFourthOrderAlsoBetweenTheSteps) { expectOrder("rk4", 100, 4); }

TEST(FixedStep, ExplicitStepHasTheSquareTermInPositionsOnly) {
  // q'' = -q from (q, v) = (1, 2), h = 1/2: a = -1, q = 1 + 1 - 1/8, v = 2 - 1/2, w = 0 + 4/2, all exact in binary.
  const LambdaSystem system = oscillator();
  const std::vector<double> x0{1, 2, 0};
  const auto book = begun("explicit_step", system, 0.5, x0, 10);
  book->step();
  EXPECT_EQ(std::vector<double>(book->state().begin(), book->state().end()), (std::vector<double>{1.875, 1.5, 2}));
  std::vector<double> x(3);
  book->interpolate(0.25, x);  // the step's own quadratic at half the step
  EXPECT_EQ(x, (std::vector<double>{1 + 0.5 - 0.03125, 1.75, 1}));
  const auto plain = begun("euler", system, 0.5, x0, 10);
  plain->step();
  EXPECT_EQ(std::vector<double>(plain->state().begin(), plain->state().end()), (std::vector<double>{2, 1.5, 2}));
}

TEST(FixedStep, ExplicitStepIsExactUnderConstantAcceleration) {
  LambdaSystem fall(StateSpace(1, 1, 0), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = -9.81;
    return Eval::ok;
  });
  const auto integrator = begun("explicit_step", fall, 0.1, std::vector<double>{10, 1}, 1);
  runToEnd(*integrator);
  EXPECT_NEAR(integrator->state()[0], 10 + 1 - 9.81 / 2, 1e-14);
}

TEST(FixedStep, TakesAWholeNumberOfStepsAndEvaluations) {
  const LambdaSystem system = oscillator();
  struct Case {
    double h, t_end;
    long steps;
  };
  // 0.1 does not divide 0.35: three steps and a half; 1/3 and 0.1 carry round-off; one step longer than the span is
  // cut; a rest below 1e-9 of a step gets no step of its own, a larger one does.
  for (const Case& c : {Case{1e-4, 1, 10000}, Case{0.1, 1, 10}, Case{0.1, 0.35, 4}, Case{1.0 / 3, 1, 3},
                        Case{0.1, 0.3, 3}, Case{5, 1, 1}, Case{0.7, 0.7 * 3, 3}, Case{0.1, 1e4, 100000},
                        Case{0.1, 1 + 5e-11, 10}, Case{0.1, 1 + 5e-9, 11}}) {
    for (const char* name : {"euler", "explicit_step", "rk4"}) {
      const auto integrator = begun(name, system, c.h, kOscillatorStart, c.t_end);
      runToEnd(*integrator);
      EXPECT_EQ(integrator->counts().accepted, c.steps) << name << " " << c.h << " " << c.t_end;
      EXPECT_EQ(integrator->counts().rejected, 0);
      EXPECT_EQ(integrator->counts().evaluations, name == std::string("rk4") ? 4 * c.steps + 1 : c.steps) << name;
      EXPECT_EQ(integrator->time(), c.t_end);
    }
  }
}

TEST(FixedStep, TimeIsAMultipleOfTheStep) {
  const LambdaSystem system = oscillator();
  const auto integrator = begun("euler", system, 0.1, kOscillatorStart, 100);
  for (int k = 1; integrator->step() == StepStatus::ok; ++k) ASSERT_EQ(integrator->time(), k * 0.1);
}

TEST(FixedStep, LastStepIsCutToTheEnd) {
  const LambdaSystem system = timeOnly([](double) { return 1; });
  const auto integrator = begun("euler", system, 0.1, std::vector<double>{0}, 0.35);
  runToEnd(*integrator);
  EXPECT_NEAR(integrator->lastStep(), 0.05, 1e-15);
  EXPECT_NEAR(integrator->state()[0], 0.35, 1e-15);
  EXPECT_EQ(integrator->counts().largest_step, 0.1);
}

TEST(FixedStep, LastStepTakesUpARestThatGetsNoStepOfItsOwn) {
  const LambdaSystem system = timeOnly([](double) { return 1; });
  const auto integrator = begun("euler", system, 0.1, std::vector<double>{0}, 1 + 5e-11);
  runToEnd(*integrator);
  EXPECT_NEAR(integrator->state()[0], 1 + 5e-11, 1e-15);
}

TEST(FixedStep, RefusesStepsThatTheClockCannotTellApart) {
  const LambdaSystem system = oscillator();
  IntegratorOptions options;
  options.step = 1e-12;
  const auto integrator = makeIntegrator("euler", system, options);
  EXPECT_EQ(integrator->begin(1e5, kOscillatorStart, 1e5 + 1), StepStatus::underflow);
  EXPECT_EQ(integrator->failure(),
            "t = 100000 s: the step fell below 3.6e-10 s: the clock cannot tell such steps apart: give a larger step");
}

TEST(FixedStep, CorrectedRk4NeedsNoFurtherEvaluation) {
  LambdaSystem system = circle();
  system.after(toUnitCircle);
  const auto integrator = begun("rk4", system, 0.1, std::vector<double>{1, 0}, 1);
  runToEnd(*integrator);
  EXPECT_EQ(integrator->counts().state_changes, 10);
  EXPECT_EQ(integrator->counts().evaluations, 41);
}

// The book's table: step, steps taken by `while t < 1`, norm of the closure at the start of the last step (which is
// what its script prints), positions and velocities at the end. Printed to four decimals and four digits.
struct BookRow {
  double h;
  long steps;
  double norm;
  double x1, y2, phi2, dx1, dx2, dy2;
};

class BookTable : public ::testing::TestWithParam<BookRow> {};

TEST_P(BookTable, ExplicitStepWithAccumulatedTimeReproducesIt) {
  const BookRow& row = GetParam();
  const SliderPendulum system;
  const auto integrator = begun("explicit_step", system, row.h, SliderPendulum::start(), 1, TimeRule::accumulate_time);
  runToEnd(*integrator);
  EXPECT_EQ(integrator->counts().accepted, row.steps);
  EXPECT_EQ(integrator->counts().evaluations, row.steps);
  std::vector<double> before(12);
  integrator->interpolate(integrator->previousTime(), before);
  EXPECT_NEAR(SliderPendulum::closure(before).norm() / row.norm, 1, 1.5e-7);  // the reference has seven digits
  const std::span<const double> x = integrator->state();
  const double half_digit = 0.5e-4;
  EXPECT_NEAR(x[0], row.x1, half_digit);
  EXPECT_NEAR(x[4], row.y2, half_digit);
  EXPECT_NEAR(x[5], row.phi2, half_digit);
  EXPECT_NEAR(x[6], row.dx1, half_digit);
  EXPECT_NEAR(x[9], row.dx2, half_digit);
  EXPECT_NEAR(x[10], row.dy2, half_digit);
}

INSTANTIATE_TEST_SUITE_P(
    Example36, BookTable,
    ::testing::Values(BookRow{1e-2, 100, 3.769454e-3, 0.6913, -1.0001, 0.0790, 1.0649, 0.4311, -0.0528},
                      BookRow{1e-3, 1000, 3.845779e-4, 0.6908, -0.9970, 0.0811, 1.0634, 0.4277, -0.0519},
                      BookRow{1e-4, 10001, 3.853585e-5, 0.6908, -0.9967, 0.0813, 1.0633, 0.4275, -0.0518},
                      BookRow{1e-5, 100001, 3.854081e-6, 0.6907, -0.9967, 0.0813, 1.0633, 0.4274, -0.0518}));

TEST(FixedStep, AccumulatedTimeOvershootsWhereRoundOffAddsAStep) {
  const LambdaSystem system = oscillator();
  const auto integrator = begun("explicit_step", system, 1e-4, kOscillatorStart, 1, TimeRule::accumulate_time);
  runToEnd(*integrator);
  EXPECT_EQ(integrator->counts().accepted, 10001);
  EXPECT_NEAR(integrator->time(), 1.0001, 1e-10);
}

TEST(FixedStep, CountedStepsGiveTheClosureOfExactlyOneSecond) {
  const SliderPendulum system;
  const auto integrator = begun("explicit_step", system, 1e-4, SliderPendulum::start(), 1);
  runToEnd(*integrator);
  EXPECT_EQ(integrator->counts().accepted, 10000);
  EXPECT_NEAR(SliderPendulum::closure(integrator->state()).norm() / 3.853585e-5, 1, 1.5e-7);
}

}  // namespace fixed_step_test
}  // namespace linkwork
