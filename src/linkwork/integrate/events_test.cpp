// Events against closed forms.
#include "linkwork/integrate/events.hpp"

#include <gtest/gtest.h>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace events_test {

using namespace testing_systems;
constexpr double kPi = 3.14159265358979323846;

std::unique_ptr<Integrator> precise(const OdeSystem& system) {
  IntegratorOptions options;
  options.rtol = 1e-12;
  options.atol = 1e-13;
  return makeIntegrator("dopri5", system, options);
}

TEST(EventLocator, FindsTheZerosOfTheOscillator) {
  LambdaSystem system = oscillator();
  system.events(2, [](double, ConstValues x, Values g) {
    g[0] = x[0];        // cos t = 0 at pi/2, 3 pi/2, ...: first falling
    g[1] = x[1] - 0.5;  // sin t = -1/2 at 7 pi/6 (rising), 11 pi/6 (falling), ...
    return Eval::ok;
  });
  const auto integrator = precise(system);
  EventLocator locator(system);
  integrator->begin(0, kOscillatorStart, 2 * kPi);
  locator.start(*integrator);
  std::vector<LocatedEvent> found;
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator->step();
    while (locator.find(*integrator) == EventSearch::found) {
      found.insert(found.end(), locator.events().begin(), locator.events().end());
    }
  }
  const std::vector<LocatedEvent> expected{{kPi / 2, 0, EventDirection::falling},
                                           {7 * kPi / 6, 1, EventDirection::rising},
                                           {3 * kPi / 2, 0, EventDirection::rising},
                                           {11 * kPi / 6, 1, EventDirection::falling}};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].time, expected[i].time, 1e-10) << i;
    EXPECT_EQ(found[i].index, expected[i].index) << i;
    EXPECT_EQ(found[i].direction, expected[i].direction) << i;
  }
}

TEST(EventLocator, FollowsABouncingBallToClosedForm) {
  // Dropped from h = 1 with g = 10, each impact keeps 0.8 of the speed: t_1 = sqrt(2 h/g), t_{n+1} - t_n = 2 v_n / g.
  LambdaSystem ball(StateSpace(1, 1, 0), [](double, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = -10;
    return Eval::ok;
  });
  ball.events(1, [](double, ConstValues x, Values g) {
    g[0] = x[0];
    return Eval::ok;
  });
  for (const char* name : {"dopri5", "ode45", "rk4", "explicit_step"}) {
    IntegratorOptions options;
    options.step = 0.01;
    const auto integrator = makeIntegrator(name, ball, options);
    EventLocator locator(ball);
    integrator->begin(0, std::vector<double>{1, 0}, 2.5);
    locator.start(*integrator);
    std::vector<double> impacts;
    std::vector<double> x(2);
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) {
      status = integrator->step();
      while (locator.find(*integrator) == EventSearch::found) {
        const LocatedEvent event = locator.events().front();
        if (event.direction == EventDirection::rising) continue;
        impacts.push_back(event.time);
        integrator->interpolate(event.time, x);
        x[1] *= -0.8;
        status = integrator->resumeAt(event.time, x);
        locator.start(*integrator);
        break;
      }
    }
    EXPECT_EQ(status, StepStatus::finished);
    double t = std::sqrt(0.2);
    double speed = std::sqrt(20.0);
    std::size_t count = 0;
    for (; t < 2.5; ++count) {
      ASSERT_LT(count, impacts.size()) << name;
      EXPECT_NEAR(impacts[count], t, 1e-10) << name << " impact " << count;
      speed *= 0.8;
      t += 2 * speed / 10;
    }
    EXPECT_EQ(impacts.size(), count) << name;
  }
}

TEST(EventLocator, ReportsSimultaneousEventsTogetherAndOnce) {
  LambdaSystem system = timeOnly([](double) { return 1; });
  system.events(3, [](double, ConstValues x, Values g) {
    g[0] = 0.3 - x[0];
    g[1] = 7;
    g[2] = x[0] - 0.3;
    return Eval::ok;
  });
  const auto integrator = precise(system);
  EventLocator locator(system);
  integrator->begin(0, std::vector<double>{0}, 1);
  locator.start(*integrator);
  int reports = 0;
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator->step();
    while (locator.find(*integrator) == EventSearch::found) {
      ++reports;
      ASSERT_EQ(locator.events().size(), 2u);
      EXPECT_EQ(locator.events()[0].index, 0);
      EXPECT_EQ(locator.events()[0].direction, EventDirection::falling);
      EXPECT_EQ(locator.events()[1].index, 2);
      EXPECT_EQ(locator.events()[1].direction, EventDirection::rising);
      EXPECT_NEAR(locator.events()[0].time, 0.3, 1e-15);
    }
  }
  EXPECT_EQ(reports, 1);
}

TEST(EventLocator, DoesNotMeetTheSameEventAgainAfterResuming) {
  LambdaSystem system = oscillator();
  system.events(1, [](double, ConstValues x, Values g) {
    g[0] = x[0];
    return Eval::ok;
  });
  for (const IntegratorInfo& info : integrators()) {
    const bool takes_ode = info.form == EquationForm::ode || info.form == EquationForm::ode_or_dae;
    if (!takes_ode) continue;  // this system has no constraints
    const std::string name(info.name);
    IntegratorOptions options;
    options.step = 0.05;
    if (!integratorProblem(name, system, options).empty()) continue;  // built without SUNDIALS
    const auto integrator = makeIntegrator(name, system, options);
    EventLocator locator(system);
    integrator->begin(0, kOscillatorStart, 20);
    locator.start(*integrator);
    int count = 0;
    StepStatus status = StepStatus::ok;
    std::vector<double> x(3);
    while (status == StepStatus::ok) {
      status = integrator->step();
      if (locator.find(*integrator) == EventSearch::found) {
        ++count;
        const double t = locator.events().front().time;
        integrator->interpolate(t, x);
        status = integrator->resumeAt(t, x);
        locator.start(*integrator);
      }
    }
    EXPECT_EQ(count, 6) << name;  // (k + 1/2) pi < 20
  }
}

TEST(EventLocator, ZeroCountsWhenReachedAndNotWhenLeft) {
  LambdaSystem system = timeOnly([](double) { return 1; });
  system.events(1, [](double, ConstValues x, Values g) {
    g[0] = std::max(0.0, std::abs(x[0] - 0.5) - 0.25) * (x[0] < 0.5 ? -1 : 1);  // zero from 0.25 to 0.75
    return Eval::ok;
  });
  IntegratorOptions options;
  options.step = 0.1;
  const auto integrator = makeIntegrator("rk4", system, options);
  EventLocator locator(system);
  integrator->begin(0, std::vector<double>{0}, 1);
  locator.start(*integrator);
  std::vector<double> times;
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator->step();
    while (locator.find(*integrator) == EventSearch::found) times.push_back(locator.events().front().time);
  }
  ASSERT_EQ(times.size(), 1u);
  EXPECT_NEAR(times[0], 0.25, 1e-15);
}

TEST(EventLocator, SubintervalsShowAVisitThatEndsWithinAStep) {
  // Below zero only for 0.3 < t < 0.6, all inside of one step of length 1.
  LambdaSystem system = timeOnly([](double) { return 1; });
  system.events(1, [](double, ConstValues x, Values g) {
    g[0] = (x[0] - 0.3) * (x[0] - 0.6);
    return Eval::ok;
  });
  for (const int pieces : {1, 4}) {
    IntegratorOptions options;
    options.step = 1;
    const auto integrator = makeIntegrator("rk4", system, options);
    EventLocator locator(system, pieces);
    integrator->begin(0, std::vector<double>{0}, 1);
    locator.start(*integrator);
    integrator->step();
    std::vector<double> times;
    while (locator.find(*integrator) == EventSearch::found) times.push_back(locator.events().front().time);
    if (pieces == 1) {
      EXPECT_TRUE(times.empty());
    } else {
      ASSERT_EQ(times.size(), 2u);
      EXPECT_NEAR(times[0], 0.3, 1e-15);
      EXPECT_NEAR(times[1], 0.6, 1e-15);
    }
  }
}

TEST(EventLocator, NeedsFewEvaluationsAlsoAtSteepAndFlatZeros) {
  struct Case {
    std::function<double(double)> g;
    double zero;
    long most;
  };
  // Smooth: superlinear. Flat (fifth power) and a jump: not much worse than halving, which takes 50 rounds.
  const std::vector<Case> cases{{[](double t) { return std::exp(3 * t) - 2; }, std::log(2.0) / 3, 15},
                                {[](double t) { return std::pow(t - 0.41, 5); }, 0.41, 80},
                                {[](double t) { return t < 1.0 / 3 ? -1e-9 : 1e9; }, 1.0 / 3, 80}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    LambdaSystem system = timeOnly([](double) { return 1; });
    system.events(1, [&](double t, ConstValues, Values g) {
      g[0] = cases[i].g(t);
      return Eval::ok;
    });
    IntegratorOptions options;
    options.step = 1;
    const auto integrator = makeIntegrator("euler", system, options);
    EventLocator locator(system, 1);
    integrator->begin(0, std::vector<double>{0}, 1);
    locator.start(*integrator);
    integrator->step();
    ASSERT_EQ(locator.find(*integrator), EventSearch::found);
    EXPECT_NEAR(locator.events().front().time, cases[i].zero, 1e-15) << i;
    EXPECT_LE(locator.evaluations(), cases[i].most) << i;
  }
}

TEST(EventLocator, SaysWhenTheFunctionsCannotBeEvaluated) {
  LambdaSystem system = timeOnly([](double) { return 1; });
  system.events(1, [](double t, ConstValues, Values g) {
    g[0] = 1;
    return t > 0.5 ? Eval::failed : Eval::ok;
  });
  IntegratorOptions options;
  options.step = 1;
  const auto integrator = makeIntegrator("euler", system, options);
  EventLocator locator(system);
  integrator->begin(0, std::vector<double>{0}, 1);
  EXPECT_EQ(locator.start(*integrator), EventSearch::none);
  integrator->step();
  EXPECT_EQ(locator.find(*integrator), EventSearch::failed);
}

TEST(EventLocator, MustSeeEveryStep) {
  LambdaSystem system = timeOnly([](double) { return 1; });
  system.events(1, [](double, ConstValues, Values g) {
    g[0] = 1;
    return Eval::ok;
  });
  IntegratorOptions options;
  options.step = 0.1;
  const auto integrator = makeIntegrator("euler", system, options);
  EventLocator locator(system);
  integrator->begin(0, std::vector<double>{0}, 1);
  locator.start(*integrator);
  integrator->step();
  integrator->step();
  EXPECT_THROW(locator.find(*integrator), ContractError);
}

}  // namespace events_test
}  // namespace linkwork
