// Events that change the motion, through every integrator, against closed forms.
#include "linkwork/integrate/jumps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"
#include "linkwork/system/jumping_systems_for_tests.hpp"

namespace linkwork {
namespace jumps_test {

using namespace testing_systems;

// A method with a form of the equations that it takes.
struct Way {
  std::string name;
  FloorForm form = FloorForm::ode;
  IntegratorOptions options{};
  double tolerance = 0;  // of times, positions and velocities of order 1
};

std::string nameOf(const Way& way) {
  static constexpr const char* kForms[] = {"ode", "index3", "ggl", "canonical"};
  return way.name + ", " + kForms[static_cast<int>(way.form)] + (way.options.step > 0 ? ", fixed" : "");
}

std::vector<FloorForm> formsOf(const IntegratorInfo& info) {
  switch (info.form) {
    case EquationForm::dae: return {FloorForm::index3, FloorForm::ggl};
    case EquationForm::mechanical: return {FloorForm::index3};
    case EquationForm::canonical: return {FloorForm::canonical};
    case EquationForm::ode_or_dae: return {FloorForm::ode, FloorForm::index3, FloorForm::ggl};
    default: return {FloorForm::ode};
  }
}

// Every integrator, with fixed steps of h and adaptive ones where it has both.
std::vector<Way> ways() {
  constexpr double kStep = 1e-3;
  constexpr double kRtol = 1e-9;
  std::vector<Way> out;
  for (const IntegratorInfo& info : integrators()) {
    if (info.sundials && !hasSundials()) continue;
    for (const FloorForm form : formsOf(info)) {
      IntegratorOptions options;
      if (info.control != StepControl::adaptive) {
        options.step = kStep;
        // Errors are C h^order, with C of the size of derivatives, at most some 10, over two seconds and some bounces.
        out.push_back({std::string(info.name), form, options, 1e-10 + 50 * std::pow(kStep, info.order)});
      }
      if (info.control == StepControl::fixed) continue;
      options.step = 0;
      // Of order 2, which would take a hundred thousand steps.
      const double looser = info.order == 2 ? 1e3 : 1;
      options.rtol = looser * kRtol;
      options.atol = 0.01 * options.rtol;
      options.max_step = 0.02;  // the work is under no error control
      // Tolerances are of one step, and a run has up to a few hundred.
      out.push_back({std::string(info.name), form, options, 1e3 * options.rtol});
    }
  }
  return out;
}

// 1 m up, moving along.
const std::vector<double> kAbove{0.0, 1.0, 1.0, 0.0, 0.0};
const Floor kBouncing{.restitution = 0.8};
const Floor kLanding{.damping = 0.7, .lift = 5.0};
constexpr double kEnd = 2.4;

struct FloorRun {
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Jumps> jumps;
  std::span<const double> x() const { return integrator->state(); }
};

// From kAbove to kEnd; calls seen(integrator, jumps) after every step.
template <class Seen>
FloorRun runTo(const FloorPoint& system, const Way& way, const Seen& seen) {
  FloorRun run{makeIntegrator(way.name, system, way.options), std::make_unique<Jumps>(system)};
  StepStatus status = run.integrator->begin(0, kAbove, kEnd);
  run.jumps->start(*run.integrator);
  while (status == StepStatus::ok) {
    status = run.jumps->step(*run.integrator);
    seen(*run.integrator, *run.jumps);
  }
  EXPECT_EQ(status, StepStatus::finished) << run.integrator->failure() << run.jumps->failure();
  return run;
}

TEST(Jumps, BounceAtTheTimesOfTheClosedFormWithEveryIntegrator) {
  for (const Way& way : ways()) {
    SCOPED_TRACE(nameOf(way));
    const FloorPoint system(kBouncing, way.form);
    // t_1 = sqrt(2 h/g), t_k+1 - t_k = 2 v_k/g, v_k+1 = e v_k; each takes (1 - e^2) v_k^2/2.
    double next = std::sqrt(2 * kAbove[1] / kBouncing.gravity);
    double speed = kBouncing.gravity * next;
    double lost = 0;
    long count = 0;
    const FloorRun run = runTo(system, way, [&](const Integrator& integrator, const Jumps& jumps) {
      if (jumps.count() == count) return;
      EXPECT_EQ(jumps.count(), ++count);
      EXPECT_NEAR(jumps.time(), next, way.tolerance);
      EXPECT_EQ(integrator.time(), jumps.time());
      lost += 0.5 * (1 - 0.64) * speed * speed;
      // A speed that is off by the tolerance changes the energy by twice the speed as much.
      EXPECT_NEAR(jumps.energy(), -lost, 20 * way.tolerance);
      speed *= kBouncing.restitution;
      next += 2 * speed / kBouncing.gravity;
      EXPECT_NEAR(integrator.state()[3], speed, 10 * way.tolerance);
    });
    EXPECT_EQ(count, 4);
    EXPECT_GT(next, kEnd);
    EXPECT_NEAR(run.x()[0], kEnd, way.tolerance);
    EXPECT_NEAR(run.x()[4], run.jumps->energy(), way.tolerance);  // booked
    EXPECT_NEAR(system.energy(run.x()), system.energy(kAbove), 20 * way.tolerance);
  }
}

// Where it comes down under a lift that grows, 1 - g t^2/2 + a t^3/6 = 0.
double landingTime() {
  double t = 0.5;
  for (int k = 0; k < 20; ++k) {
    const double y = 1 - 0.5 * kLanding.gravity * t * t + kLanding.lift * t * t * t / 6;
    t -= y / (-kLanding.gravity * t + 0.5 * kLanding.lift * t * t);
  }
  return t;
}

std::vector<Way> landingWays() {
  std::vector<Way> out = ways();
  std::erase_if(out, [](const Way& way) { return way.name == "gauss4"; });
  return out;
}

TEST(Jumps, SwitchARowOnAndOffWithEveryIntegrator) {
  const double down = landingTime();
  const double up = kLanding.gravity / kLanding.lift;
  const double c = kLanding.damping;
  for (const Way& way : landingWays()) {
    SCOPED_TRACE(nameOf(way));
    const FloorPoint system(kLanding, way.form);
    std::vector<double> times;
    long forces = 0;
    const FloorRun run = runTo(system, way, [&](const Integrator& integrator, const Jumps& jumps) {
      if (jumps.count() > static_cast<long>(times.size())) times.push_back(jumps.time());
      const bool on_floor = times.size() == 1;
      EXPECT_EQ(landed(integrator.modes()), on_floor);
      ASSERT_TRUE(integrator.rows());
      EXPECT_EQ(integrator.rows()->freedoms, on_floor ? 1 : 2);
      if (on_floor) {
        EXPECT_LT(std::abs(integrator.state()[1]), 1e-14);
      }
      if (integrator.multipliers().empty()) return;
      const double force = on_floor ? kLanding.gravity - kLanding.lift * integrator.time() : 0.0;
      // The height stays zero and the force is linear in time, so no method has an error of its order in it: what is
      // left is the round-off of some 10 N, with ida 6e-14 from its history.
      EXPECT_NEAR(integrator.multipliers()[0], force, 1e-12) << integrator.time();
      if (on_floor) ++forces;
    });
    const bool has_multipliers = way.form == FloorForm::index3 || way.form == FloorForm::ggl;
    EXPECT_EQ(forces > 0, has_multipliers);
    ASSERT_EQ(times.size(), 2U);
    EXPECT_NEAR(times[0], down, way.tolerance);
    EXPECT_NEAR(times[1], up, way.tolerance);
    const double slowed = std::exp(-c * (up - down));
    const double after = kEnd - up;
    const std::span<const double> x = run.x();
    EXPECT_NEAR(x[0], down + (1 - slowed) / c + slowed * after, way.tolerance);
    EXPECT_NEAR(x[1], kLanding.lift * after * after * after / 6, way.tolerance);
    EXPECT_NEAR(x[2], slowed, way.tolerance);
    EXPECT_NEAR(x[3], 0.5 * kLanding.lift * after * after, way.tolerance);
    // The work is under no error control, and a method with a history begins anew at order 1: h^2/2 of the rate of the
    // power, 0.7 W/s.
    EXPECT_NEAR(system.energy(x), system.energy(kAbove), std::max(20 * way.tolerance, 1.5e-4));
    EXPECT_LT(run.jumps->energy(), -1.0);
  }
}

// Rebounds of 2.2, 1.1, 0.55 and 0.28 m/s, and the last is no more than what ends on the floor.
TEST(Jumps, BounceUntilThePointRests) {
  const Floor floor{.restitution = 0.5, .rest_speed = 0.3};
  for (const Way& way : landingWays()) {
    SCOPED_TRACE(nameOf(way));
    const FloorPoint system(floor, way.form);
    const FloorRun run = runTo(system, way, [](const Integrator&, const Jumps&) {});
    EXPECT_EQ(run.jumps->count(), 4);
    EXPECT_TRUE(landed(run.integrator->modes()));
    EXPECT_NEAR(run.x()[1], 0.0, 1e-14);
    EXPECT_NEAR(run.jumps->energy(), -floor.gravity * kAbove[1], 20 * way.tolerance);
  }
}

TEST(Jumps, RowsAreRefusedByNameWhereAMethodCannotHaveThem) {
  std::vector<std::string> refused;
  for (const Way& way : ways()) {
    const FloorPoint system(kLanding, way.form);
    const std::string problem = integratorProblem(way.name, system, way.options);
    if (problem.empty()) continue;
    refused.push_back(way.name);
    EXPECT_NE(problem.find("\"gauss4\" is for trees"), std::string::npos) << problem;
    EXPECT_NE(problem.find("use rattle"), std::string::npos) << problem;
  }
  EXPECT_EQ(refused, std::vector<std::string>{"gauss4"});
}

struct Outcome {
  std::vector<double> x;
  Modes modes;
  long accepted = 0;
  long first_jump = -1;  // the step that ended in it
  long steps = 0;
};

enum class Interruption { none, another_process };

// At the end of step `at` a checkpoint is taken; whoever does not remember starts over there, interrupted or not.
Outcome runWith(const Way& way, const FloorPoint& system, long at, Interruption interruption) {
  auto integrator = makeIntegrator(way.name, system, way.options);
  auto jumps = std::make_unique<Jumps>(system);
  StepStatus status = integrator->begin(0, kAbove, kEnd);
  jumps->start(*integrator);
  Outcome out;
  for (; status == StepStatus::ok; ++out.steps) {
    status = jumps->step(*integrator);
    if (jumps->count() > 0 && out.first_jump < 0) out.first_jump = out.steps;
    if (out.steps != at || status != StepStatus::ok) continue;
    if (interruption == Interruption::another_process) {
      const IntegratorMemory memory = integrator->memory();
      integrator = makeIntegrator(way.name, system, way.options);
      jumps = std::make_unique<Jumps>(system);
      integrator->recall(memory);
    }
    if (!integrator->remembers()) status = integrator->startOver();
    jumps->start(*integrator);
  }
  EXPECT_EQ(status, StepStatus::finished) << integrator->failure() << jumps->failure();
  out.x.assign(integrator->state().begin(), integrator->state().end());
  out.modes = integrator->modes();
  out.accepted = integrator->counts().accepted;
  return out;
}

TEST(Jumps, GoOnInAnotherProcessToTheBit) {
  for (const Floor& floor : {kBouncing, kLanding}) {
    for (const Way& way : floor.lift > 0 ? landingWays() : ways()) {
      SCOPED_TRACE(nameOf(way));
      const FloorPoint system(floor, way.form);
      const Outcome plain = runWith(way, system, -1, Interruption::none);
      const long jump = plain.first_jump;
      ASSERT_GE(jump, 0);
      // Before, at the instant of the first event, right after it and farther on.
      for (const long at : {jump / 2, jump, jump + 1, (jump + plain.steps) / 2}) {
        const Outcome whole = runWith(way, system, at, Interruption::none);
        const Outcome parts = runWith(way, system, at, Interruption::another_process);
        EXPECT_EQ(std::memcmp(whole.x.data(), parts.x.data(), whole.x.size() * sizeof(double)), 0) << at;
        EXPECT_EQ(whole.modes, parts.modes) << at;
        EXPECT_EQ(whole.accepted, parts.accepted) << at;
      }
    }
  }
}

TEST(Jumps, ARecallOfOtherModesIsRefused) {
  const FloorPoint system(kBouncing, FloorForm::ode);
  const auto integrator = makeIntegrator("dopri5", system, {});
  integrator->begin(0, kAbove, kEnd);
  IntegratorMemory memory = integrator->memory();
  memory.modes.flags.push_back(1);
  EXPECT_THROW(integrator->recall(memory), ContractError);
}

// x' = 1: positions are times.
LambdaSystem clock() {
  return {StateSpace::firstOrder(1), [](double, ConstValues, Values f) {
            f[0] = 1;
            return Eval::ok;
          }};
}

StepStatus runClock(const OdeSystem& system, Jumps& jumps, double end = 10) {
  const auto integrator = makeIntegrator("dopri5", system, {});
  StepStatus status = integrator->begin(0, std::vector<double>{0.0}, end);
  jumps.start(*integrator);
  while (status == StepStatus::ok) status = jumps.step(*integrator);
  return status;
}

TEST(Jumps, EventsOfOneInstantComeTogetherAndInTheirSenseAlone) {
  LambdaSystem system = clock();
  system.events(4, [](double t, ConstValues x, Values g) {
    g[0] = x[0] - 3;
    g[1] = 3 - x[0];
    g[2] = x[0] - 3;  // falls never
    g[3] = t - 5;
    return Eval::ok;
  });
  system.senses({EventSense::rising, EventSense::both, EventSense::falling, EventSense::none});
  int calls = 0;
  system.jumps([&calls](double t, std::span<const LocatedEvent> events, Values x, Modes&) {
    ++calls;
    EXPECT_NEAR(t, 3, 1e-14);
    EXPECT_EQ(events.size(), 2U);
    EXPECT_EQ(events[0].index, 0);
    EXPECT_EQ(events[0].direction, EventDirection::rising);
    EXPECT_EQ(events[1].index, 1);
    EXPECT_EQ(events[1].direction, EventDirection::falling);
    x[0] += 100;
    return Jump{.eval = Eval::ok, .changed = true, .energy = 0.5};
  });
  Jumps jumps(system);
  EXPECT_EQ(runClock(system, jumps), StepStatus::finished);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(jumps.count(), 1);
  EXPECT_EQ(jumps.energy(), 0.5);
}

TEST(Jumps, AnEventThatChangesNothingLeavesTheStepAsItWas) {
  LambdaSystem plain = clock();
  LambdaSystem marked = clock();
  marked.events(1, [](double, ConstValues x, Values g) {
    g[0] = std::sin(x[0]);
    return Eval::ok;
  });
  Jumps none(plain);
  Jumps jumps(marked);
  EXPECT_EQ(runClock(plain, none), StepStatus::finished);
  EXPECT_EQ(runClock(marked, jumps), StepStatus::finished);
  EXPECT_EQ(jumps.count(), 0);
  EXPECT_EQ(marked.calls(), plain.calls());
}

// Every jump takes the state back to just before the event.
TEST(Jumps, SayWhenEventsFollowEachOtherWithoutEnd) {
  LambdaSystem system = clock();
  system.events(1, [](double, ConstValues x, Values g) {
    g[0] = x[0] - 3;
    return Eval::ok;
  });
  system.jumps([](double, std::span<const LocatedEvent>, Values x, Modes&) {
    x[0] = std::nextafter(3.0, 0.0);
    return Jump{.eval = Eval::ok, .changed = true, .energy = 0};
  });
  Jumps jumps(system);
  EXPECT_EQ(runClock(system, jumps), StepStatus::failed);
  EXPECT_NE(jumps.failure().find("t = 3 s: events follow each other without end"), std::string::npos)
      << jumps.failure();
  EXPECT_EQ(jumps.count(), 100);
}

TEST(Jumps, SayWhatFailed) {
  LambdaSystem system = clock();
  system.events(1, [](double, ConstValues x, Values g) {
    g[0] = x[0] - 3;
    return Eval::ok;
  });
  system.jumps([](double, std::span<const LocatedEvent>, Values, Modes&) { return Jump{.eval = Eval::failed}; });
  system.says("the wheel cannot land");
  Jumps jumps(system);
  EXPECT_EQ(runClock(system, jumps), StepStatus::failed);
  EXPECT_EQ(jumps.failure(), "t = 3 s: the wheel cannot land");
}

TEST(Jumps, EndARunAtTheVeryEnd) {
  const FloorPoint system(kBouncing, FloorForm::ode);
  const double first = std::sqrt(2 / kBouncing.gravity);
  IntegratorOptions options;
  options.step = first / 64;
  const auto integrator = makeIntegrator("rk4", system, options);
  Jumps jumps(system);
  StepStatus status = integrator->begin(0, kAbove, std::nextafter(first, 1.0) + 1e-15);
  jumps.start(*integrator);
  while (status == StepStatus::ok) status = jumps.step(*integrator);
  EXPECT_EQ(status, StepStatus::finished) << jumps.failure();
  EXPECT_EQ(jumps.count(), 1);
}

// A run that begins on the floor: the row acts from the first step on.
TEST(Jumps, MayHaveHappenedBeforeTheRunBegins) {
  const FloorPoint system({.damping = 0.7}, FloorForm::ode);
  Modes modes = system.startModes();
  modes.flags[kLanded] = 1;
  const auto integrator = makeIntegrator("dopri5", system, {.rtol = 1e-10, .atol = 1e-12});
  const std::vector<double> x0{0.0, 0.0, 1.0, 0.0, 0.0};
  ASSERT_EQ(integrator->begin(0, x0, 1.0, modes), StepStatus::ok);
  while (integrator->step() == StepStatus::ok) EXPECT_EQ(integrator->state()[1], 0.0);
  EXPECT_NEAR(integrator->state()[2], std::exp(-0.7), 1e-8);
  modes.flags.push_back(1);
  EXPECT_THROW(integrator->begin(0, x0, 1.0, modes), ContractError);
}

}  // namespace jumps_test
}  // namespace linkwork
