// What every integrator promises, whichever the method.
#include "linkwork/integrate/integrator.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace integrator_test {

using namespace testing_systems;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr double kPi = 3.14159265358979323846;

IntegratorOptions withStep(double step) {
  IntegratorOptions options;
  options.step = step;
  return options;
}

class EveryIntegrator : public ::testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Integrator> make(const OdeSystem& system, double step = 0.01) const {
    return makeIntegrator(GetParam(), system, withStep(step));
  }
  bool adaptive() const { return findIntegrator(GetParam())->control == StepControl::adaptive; }
};

INSTANTIATE_TEST_SUITE_P(All, EveryIntegrator, ::testing::ValuesIn(plainIntegrators()),
                         [](const auto& test) { return test.param; });

TEST_P(EveryIntegrator, LandsExactlyOnTheEnd) {
  const LambdaSystem system = oscillator();
  for (const double t_end : {1.0, 0.1 + 0.2, 1.0 / 3, kPi}) {
    const auto integrator = make(system);
    ASSERT_EQ(integrator->begin(0, kOscillatorStart, t_end), StepStatus::ok);
    EXPECT_EQ(runToEnd(*integrator), StepStatus::finished);
    EXPECT_EQ(integrator->time(), t_end);
    EXPECT_EQ(integrator->failure(), "");
    EXPECT_EQ(integrator->step(), StepStatus::finished);  // and stays there
    EXPECT_EQ(integrator->time(), t_end);
  }
}

TEST_P(EveryIntegrator, CountsEveryEvaluation) {
  const LambdaSystem system = oscillator();
  const auto integrator = make(system);
  integrator->begin(0, kOscillatorStart, 20);
  runToEnd(*integrator);
  EXPECT_EQ(integrator->counts().evaluations, system.calls());
}

TEST_P(EveryIntegrator, KeepsWhatTheLastCallFoundOfTheRows) {
  int corrections = 0;
  LambdaSystem corrected = oscillator();
  corrected.after([&](double, Values) {
    ++corrections;
    return AfterStep{Eval::ok, false, RowRank{.rank = corrections}};
  });
  const auto integrator = make(corrected);
  integrator->begin(0, kOscillatorStart, 1);
  EXPECT_FALSE(integrator->rows());
  integrator->step();
  ASSERT_TRUE(integrator->rows());
  EXPECT_EQ(integrator->rows()->rank, corrections);
  integrator->begin(0, kOscillatorStart, 1);
  EXPECT_FALSE(integrator->rows());

  const LambdaSystem evaluated(StateSpace::firstOrder(1), [](double, ConstValues x, Values f) {
    f[0] = -x[0];
    return Evaluation(Eval::ok, RowRank{.rank = 7});
  });
  if (!integratorProblem(GetParam(), evaluated, withStep(0.01)).empty()) return;  // needs positions and velocities
  const auto other = make(evaluated);
  other->begin(0, std::vector<double>{1}, 1);
  ASSERT_TRUE(other->rows());
  EXPECT_EQ(other->rows()->rank, 7);
}

TEST_P(EveryIntegrator, StartsAfreshAtEachBegin) {
  const LambdaSystem system = oscillator();
  const auto integrator = make(system);
  std::vector<double> first;
  long evaluations = 0;
  for (int run = 0; run < 2; ++run) {
    integrator->begin(0, kOscillatorStart, 1);
    runToEnd(*integrator);
    const std::vector<double> x(integrator->state().begin(), integrator->state().end());
    if (run == 0) {
      first = x;
      evaluations = integrator->counts().evaluations;
    } else {
      EXPECT_EQ(x, first);
      EXPECT_EQ(integrator->counts().evaluations, evaluations);
    }
  }
}

TEST_P(EveryIntegrator, InterpolatesBothEndsToTheLastBit) {
  LambdaSystem plain = oscillator();
  LambdaSystem corrected = oscillator();
  corrected.after([](double, Values x) {
    x[0] *= 1 + 1e-9;
    return AfterStep{Eval::ok, true};
  });
  for (const LambdaSystem* system : {&plain, &corrected}) {
    const auto integrator = make(*system, 0.1);
    integrator->begin(0, kOscillatorStart, 3);
    std::vector<double> before = kOscillatorStart;
    std::vector<double> x(3);
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) {
      const double t_before = integrator->time();
      status = integrator->step();
      EXPECT_EQ(integrator->previousTime(), t_before);
      integrator->interpolate(integrator->previousTime(), x);
      EXPECT_EQ(x, before);
      integrator->interpolate(integrator->time(), x);
      before.assign(integrator->state().begin(), integrator->state().end());
      EXPECT_EQ(x, before);
    }
    EXPECT_EQ(status, StepStatus::finished);
  }
}

TEST_P(EveryIntegrator, BlendsACorrectionLinearlyIntoTheStep) {
  // Nothing moves but by the correction, which adds 1.
  LambdaSystem system(StateSpace(1, 1, 0), [](double, ConstValues, Values f) {
    f[0] = f[1] = 0;
    return Eval::ok;
  });
  system.after([](double, Values x) {
    x[0] += 1;
    return AfterStep{Eval::ok, true};
  });
  const auto integrator = make(system, 0.25);
  integrator->begin(0, std::vector<double>{5, 0}, 1);
  integrator->step();
  std::vector<double> x(2);
  for (const double part : {0.25, 0.5, 0.75}) {
    integrator->interpolate(part * integrator->time(), x);
    EXPECT_NEAR(x[0], 5 + part, 1e-14);
  }
  EXPECT_EQ(integrator->counts().state_changes, 1);
}

TEST_P(EveryIntegrator, StaysOnTheCircleItIsPutBackTo) {
  if (GetParam() == "explicit_step") GTEST_SKIP() << "needs velocities";
  LambdaSystem system = circle();
  system.after(toUnitCircle);
  const auto integrator = make(system, 0.01);
  integrator->begin(0, std::vector<double>{1, 0}, 2 * kPi);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator->step();
    EXPECT_NEAR(std::hypot(integrator->state()[0], integrator->state()[1]), 1, 3e-16);
  }
  EXPECT_EQ(integrator->counts().state_changes, integrator->counts().accepted);
  // A projected Euler step of h turns by atan(h): 628 whole ones and the rest. The others are far better.
  const double angle = std::atan2(integrator->state()[1], integrator->state()[0]);
  if (GetParam() == "euler") {
    EXPECT_NEAR(angle, 628 * std::atan(0.01) + std::atan(2 * kPi - 6.28) - 2 * kPi, 1e-12);
  } else {
    EXPECT_NEAR(angle, 0, 2e-7);
  }
}

TEST_P(EveryIntegrator, KeepsTimeAndStateWhenAStepFails) {
  const double wall = 0.745;
  LambdaSystem walled(StateSpace(1, 1, 1), [wall](double t, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = -x[0];
    f[2] = 0;
    return t > wall ? Eval::failed : Eval::ok;
  });
  walled.says("pin \"B\" came off");
  const auto integrator = make(walled, 0.1);
  integrator->begin(0, kOscillatorStart, 2);
  double t = 0;
  std::vector<double> x = kOscillatorStart;
  std::vector<double> middle(3);
  std::vector<double> middle_after(3);
  while (integrator->step() == StepStatus::ok) {
    t = integrator->time();
    x.assign(integrator->state().begin(), integrator->state().end());
    integrator->interpolate(0.5 * (integrator->previousTime() + t), middle);
  }
  EXPECT_EQ(integrator->step(), StepStatus::failed);
  EXPECT_EQ(integrator->time(), t);
  EXPECT_EQ(std::vector<double>(integrator->state().begin(), integrator->state().end()), x);
  integrator->interpolate(0.5 * (integrator->previousTime() + t), middle_after);
  EXPECT_EQ(middle_after, middle);
  EXPECT_THAT(integrator->failure(), HasSubstr(": pin \"B\" came off"));
  EXPECT_THAT(integrator->failure(), StartsWith("t = 0.")) << integrator->failure();
}

TEST_P(EveryIntegrator, RetriesShorterStepsOrSaysThatItCannot) {
  LambdaSystem system(StateSpace(1, 1, 0), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = 0;
    return x[0] > 0.7 ? Eval::retry : Eval::ok;
  });
  system.says("the slot ends at 0.7 m");
  const auto integrator = make(system, 0.125);
  integrator->begin(0, std::vector<double>{0, 1}, 2);
  const StepStatus status = runToEnd(*integrator);
  if (adaptive()) {
    EXPECT_EQ(status, StepStatus::underflow);
    EXPECT_NEAR(integrator->time(), 0.7, 1e-12);
    EXPECT_GT(integrator->counts().rejected, 5);
    EXPECT_THAT(integrator->failure(), StartsWith("t = 0.7 s: the step fell below "));
    EXPECT_THAT(integrator->failure(), HasSubstr(" s: the slot ends at 0.7 m"));
  } else {
    EXPECT_EQ(status, StepStatus::failed);
    EXPECT_LE(integrator->time(), 0.75);
    EXPECT_GE(integrator->time(), 0.5);
  }
  EXPECT_EQ(integrator->counts().evaluations, system.calls());
}

TEST_P(EveryIntegrator, TreatsNaNAsARetry) {
  LambdaSystem system(StateSpace(1, 1, 0), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = std::sqrt(0.5 - x[0]) * 0;  // NaN beyond 0.5
    return Eval::ok;
  });
  const auto integrator = make(system, 0.125);
  integrator->begin(0, std::vector<double>{0, 1}, 2);
  const StepStatus status = runToEnd(*integrator);
  EXPECT_EQ(status, adaptive() ? StepStatus::underflow : StepStatus::failed);
  EXPECT_NEAR(integrator->time(), 0.5, adaptive() ? 1e-12 : 0.126);
  EXPECT_THAT(integrator->failure(), HasSubstr("not a finite number"));
}

TEST_P(EveryIntegrator, RejectsWhatTheCorrectionRefuses) {
  LambdaSystem system = oscillator();
  system.says("loop \"L\" does not close");
  int refusals = 0;
  system.after([&refusals](double t, Values) {
    if (t < 0.5 || refusals > 0) return AfterStep{};
    ++refusals;
    return AfterStep{Eval::retry, false};
  });
  const auto integrator = make(system, 0.1);
  integrator->begin(0, kOscillatorStart, 1);
  const StepStatus status = runToEnd(*integrator);
  if (adaptive()) {
    EXPECT_EQ(status, StepStatus::finished);
    EXPECT_GE(integrator->counts().rejected, 1);
    EXPECT_LT(oscillatorError(1, integrator->state()), 1e-6);
  } else {
    EXPECT_EQ(status, StepStatus::failed);
    EXPECT_EQ(integrator->failure(),
              "t = 0.5 s: a fixed step of 0.1 s cannot be taken here; try a smaller one or an adaptive method: the "
              "correction after the step did not succeed: loop \"L\" does not close");
  }
}

TEST_P(EveryIntegrator, RefusesToStartWhereThereIsNoSlope) {
  LambdaSystem system(StateSpace(1, 1, 0), [](double, ConstValues, Values) { return Eval::retry; });
  system.says("two joints fight");
  const auto integrator = make(system);
  EXPECT_EQ(integrator->begin(0.25, std::vector<double>{0, 0}, 1), StepStatus::failed);
  EXPECT_EQ(integrator->failure(), "t = 0.25 s: the motion cannot start: two joints fight");
  EXPECT_EQ(integrator->counts().evaluations, 1);

  LambdaSystem infinite(StateSpace(1, 1, 0), [](double, ConstValues, Values f) {
    f[0] = 0;
    f[1] = std::numeric_limits<double>::infinity();
    return Eval::ok;
  });
  const auto second = make(infinite);
  EXPECT_EQ(second->begin(0, std::vector<double>{0, 0}, 1), StepStatus::failed);
  EXPECT_EQ(second->failure(),
            "t = 0 s: the motion cannot start: the equations give a value that is not a finite number");
}

TEST_P(EveryIntegrator, ResumesWithinTheLastStepFromAnotherState) {
  // Free flight; at t = 0.55 the velocity is turned round: back at the start at t = 1.1.
  LambdaSystem system(StateSpace(1, 1, 0), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = 0;
    return Eval::ok;
  });
  const auto integrator = make(system, 0.1);
  integrator->begin(0, std::vector<double>{3, 2}, 1.1);
  while (integrator->time() < 0.55) integrator->step();
  std::vector<double> x(2);
  integrator->interpolate(0.55, x);
  EXPECT_NEAR(x[0], 4.1, 1e-14);
  x[1] = -x[1];
  EXPECT_EQ(integrator->resumeAt(0.55, x), StepStatus::ok);
  EXPECT_EQ(integrator->time(), 0.55);
  EXPECT_EQ(integrator->previousTime(), 0.55);
  EXPECT_EQ(runToEnd(*integrator), StepStatus::finished);
  EXPECT_EQ(integrator->time(), 1.1);
  EXPECT_NEAR(integrator->state()[0], 3, 1e-14);
  EXPECT_EQ(integrator->counts().evaluations, system.calls());
  // Back from the end: the run goes on; at the end itself it stays finished.
  EXPECT_EQ(integrator->resumeAt(integrator->previousTime(), x), StepStatus::ok);
  EXPECT_EQ(runToEnd(*integrator), StepStatus::finished);
  EXPECT_EQ(integrator->resumeAt(1.1, x), StepStatus::finished);
}

TEST_P(EveryIntegrator, KeepsBelowTheLargestStep) {
  const LambdaSystem system = oscillator();
  IntegratorOptions options = withStep(0.5);
  options.max_step = 0.03;
  const auto integrator = makeIntegrator(GetParam(), system, options);
  integrator->begin(0, kOscillatorStart, 1);
  runToEnd(*integrator);
  // ode45 stretches its last step by up to a tenth, as the original does.
  EXPECT_LE(integrator->counts().largest_step, GetParam() == "ode45" ? 0.033 : 0.03);
  EXPECT_GE(integrator->counts().accepted, 31);
  EXPECT_GT(integrator->counts().smallest_step, 0);
}

TEST_P(EveryIntegrator, AnswersMisuseWithAContractError) {
  const LambdaSystem system = oscillator();
  const auto integrator = make(system);
  std::vector<double> x(3);
  EXPECT_THROW(integrator->step(), ContractError);
  EXPECT_THROW(integrator->resumeAt(0, x), ContractError);
  EXPECT_THROW(integrator->begin(0, std::vector<double>{1}, 1), ContractError);
  EXPECT_THROW(integrator->begin(1, kOscillatorStart, 1), ContractError);
  EXPECT_THROW(integrator->begin(2, kOscillatorStart, 1), ContractError);
  EXPECT_THROW(integrator->begin(0, kOscillatorStart, std::numeric_limits<double>::quiet_NaN()), ContractError);
  integrator->begin(0, kOscillatorStart, 1);
  integrator->step();
  EXPECT_THROW(integrator->interpolate(integrator->time() + 1e-3, x), ContractError);
  EXPECT_THROW(integrator->resumeAt(-1, x), ContractError);
}

TEST(IntegratorOptions, SayWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(IntegratorOptions{}.problem(), "");
  IntegratorOptions options;
  options.rtol = 0;
  EXPECT_EQ(options.problem(), "rtol = 0 is out of range: give a relative tolerance from 1e-14 to below 1.");
  options = {};
  options.atol = 0;
  EXPECT_THAT(options.problem(), StartsWith("atol = 0 is out of range: give a positive absolute tolerance"));
  options = {};
  options.step = -0.1;
  EXPECT_EQ(options.problem(), "step = -0.1 s is out of range: give a positive fixed step.");
  options = {};
  options.max_step = -1;
  EXPECT_EQ(options.problem(), "max_step = -1 s is out of range: give a positive limit, or 0 for none.");
  options = {};
  options.initial_step = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(options.problem(), StartsWith("initial_step = nan s is out of range"));
  options = {};
  options.initial_step = 0.2;
  options.max_step = 0.1;
  EXPECT_EQ(options.problem(), "initial_step = 0.2 s is larger than max_step = 0.1 s: lower one or raise the other.");
}

}  // namespace integrator_test
}  // namespace linkwork
