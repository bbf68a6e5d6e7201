#include "linkwork/simulate/step_plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/methods.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace step_plan_test {

using ::testing::HasSubstr;

const Expr kT = Expr::symbol("t");
constexpr double kUntil = 10.0;

// A free body of 1 kg that is pushed along x.
Mechanism pushed(const Expr& force) {
  Mechanism m;
  m.name = "pushed";
  (void)test::addBody(m, "b", 1.0, 0.1);
  m.bodies[0].free = true;
  Load load;
  load.name = "push";
  load.second = BodyIndex(0);
  load.force[0] = force;
  m.loads.push_back(load);
  return m;
}

RunOptions options(const std::string& integrator = "dopri5") {
  RunOptions out;
  out.integrator = integrator;
  out.until = kUntil;
  out.output_step = kUntil / 4;
  return out;
}

Result run(const Mechanism& m, const RunOptions& options) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return simulate(m, assembly, options);
}

double lastOf(const Result& result, const std::string& name) {
  const Series* series = result.find(name);
  return series == nullptr || series->values.empty() ? std::nan("") : series->values.back();
}

// A pulse of height 1 about t = 0 and width w as a formula and its integral against cos(omega t + phase).
struct Pulse {
  std::function<Expr(const Expr& t, double w)> formula;
  std::function<double(double w, double omega)> integral;  // of cos(omega t): pulses are even
};

double sinc(double x) { return x == 0.0 ? 1.0 : std::sin(x) / x; }

TablePointer tent(double at, double w) {
  return std::make_shared<const Table>("tent", std::vector<double>{at - w, at, at + w},
                                       std::vector<double>{0.0, 1.0, 0.0}, TableKind::linear, TableOutside::hold);
}

// The cubic through 0, 0, 1, 0, 0 with level ends.
TablePointer bump(double at, double w) {
  return std::make_shared<const Table>("bump", std::vector<double>{at - 2.0 * w, at - w, at, at + w, at + 2.0 * w},
                                       std::vector<double>{0.0, 0.0, 1.0, 0.0, 0.0}, TableKind::cubic,
                                       TableOutside::hold, TableEnds::clamped);
}

// By Gauss's rule of three points on 8 parts of each piece: exact to 1e-10 for what is slow against w.
double bumpIntegral(double w, double omega) {
  const TablePointer table = bump(0.0, w);
  double sum = 0.0;
  const double h = w / 8;
  for (int k = 0; k < 32; ++k) {
    const double middle = -2.0 * w + (k + 0.5) * h;
    for (const auto& [place, weight] : {std::pair{0.0, 8.0}, {std::sqrt(0.6), 5.0}, {-std::sqrt(0.6), 5.0}}) {
      const double t = middle + 0.5 * h * place;
      sum += weight / 18.0 * h * table->value(t, 0) * std::cos(omega * t);
    }
  }
  return sum;
}

std::vector<Pulse> pulses() {
  const auto box = [](double w, double omega) { return w * sinc(0.5 * omega * w); };
  return {{[](const Expr& t, double w) { return exp(-pow(t / w, 2.0)); },
           [](double w, double omega) {
             return w * std::sqrt(std::numbers::pi) * std::exp(-0.25 * omega * omega * w * w);
           }},
          {[](const Expr& t, double w) { return select(t + 0.5 * w, select(t - 0.5 * w, 0.0, 1.0), 0.0); }, box},
          // The same where the corners are not the zeros of straight lines.
          {[](const Expr& t, double w) { return select(0.25 * w * w - pow(t, 2.0), 1.0, 0.0); }, box},
          {[](const Expr& t, double w) { return applyTable(tent(0.0, w), 0, t); },
           [](double w, double omega) { return w * std::pow(sinc(0.5 * omega * w), 2); }},
          {[](const Expr& t, double w) { return applyTable(bump(0.0, w), 0, t); }, bumpIntegral}};
}

// Steps of up to 9 s took none of these into account before they were looked for: final speeds were then 1e-263 m/s, or
// those of the sine alone.
TEST(StepPlan, NoneOfAThousandPulsesIsMissed) {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const std::vector<Pulse> kinds = pulses();
  int missed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Pulse& pulse = kinds[static_cast<std::size_t>(trial) % kinds.size()];
    const double w = kUntil * std::pow(10.0, -6.0 + 5.0 * share(random));
    const double at = 5.0 * w + (kUntil - 10.0 * w) * share(random);
    const double height = std::pow(10.0, 2.0 * share(random));
    const double omega = 0.2 + 2.0 * share(random);
    const double phase = 2.0 * std::numbers::pi * share(random);
    const Expr push = height * pulse.formula(kT - at, w);
    const double plain = height * pulse.integral(w, 0.0);
    const double turned = height * pulse.integral(w, omega) * std::cos(omega * at + phase);
    const Expr slow = cos(omega * kT + phase);
    const double slow_impulse = (std::sin(omega * kUntil + phase) - std::sin(phase)) / omega;
    Expr force = push;
    double impulse = plain;
    if (trial % 3 == 1) {
      force = push + slow;
      impulse = plain + slow_impulse;
    } else if (trial % 3 == 2) {
      force = push * (2.0 + slow);
      impulse = 2.0 * plain + turned;
    }
    const Result result = run(pushed(force), options());
    const double found = lastOf(result, "b.x_rate");
    // The tolerance of 1e-8 leaves some 1e-7 of a speed of 1 m/s, and the least impulse is 1e-5 N s.
    const bool good = std::abs(found - impulse) < 0.03 * plain;
    if (!good && ++missed < 5)
      ADD_FAILURE() << fmt::format("trial {}: w = {:.3g} at {:.6g}, height {:.3g}: {:.9g} instead of {:.9g} m/s", trial,
                                   w, at, height, found, impulse);
    EXPECT_TRUE(result.ledger.loose_bounds.empty());
    EXPECT_LT(result.ledger.steps, 1500);
  }
  EXPECT_EQ(missed, 0);
}

// Impulse of a bell between two samples, under every integrator that takes this system.
TEST(StepPlan, EveryIntegratorMeetsABell) {
  const double w = 1e-3;
  const double impulse = 1000.0 * w * std::sqrt(std::numbers::pi);
  int tried = 0;
  for (const std::string& name : integratorNames()) {
    for (const char* formulation : {"absolute", "recursive", "hamiltonian"}) {
      for (const char* stabilisation : {"projection", "index3", "ggl", "none"}) {
        if (!methodProblem(formulation, stabilisation, name).empty()) continue;
        RunOptions how = options(name);
        how.system.formulation = formulation;
        how.system.stabilisation = stabilisation;
        const IntegratorInfo* info = findIntegrator(name);
        if (info->control == StepControl::fixed) how.steps.step = 0.25;
        const Mechanism m = pushed(1000.0 * exp(-pow((kT - 5.0123) / w, 2.0)));
        if (!runProblem(m, how).empty()) continue;
        const Result result = run(m, how);
        EXPECT_EQ(result.status, RunStatus::complete) << result.message;
        // Fixed steps are cut to a quarter of the width there, and then have the error of their order.
        EXPECT_NEAR(lastOf(result, "b.x_rate"), impulse, 0.05 * impulse) << name << ", " << formulation;
        ++tried;
        break;
      }
    }
  }
  EXPECT_GT(tried, 20);
}

TEST(StepPlan, PulsesInProductsWithCoordinatesAreMet) {
  // x'' = -100 bell(t) x from x = 1: the bell turns the speed by minus its impulse times x, to the square of its width.
  const double w = 1e-4;
  Mechanism m = pushed(Expr(-100.0) * Expr::symbol("b.x") * exp(-pow((kT - 5.0123) / w, 2.0)));
  m.initial.push_back({{QuantityKind::body_x, 0}, Value(1.0), {}});
  const Result result = run(m, options());
  EXPECT_NEAR(lastOf(result, "b.x_rate"), -100.0 * w * std::sqrt(std::numbers::pi), 1e-5);
}

TEST(StepPlan, EventsOfAMomentAreSeen) {
  Mechanism m = pushed(Expr(1.0));
  Event event;
  event.name = "flash";
  event.when = exp(-pow((kT - 5.0123) / 1e-3, 2.0)) - 0.5;
  m.events.push_back(event);
  const Result result = run(m, options());
  ASSERT_EQ(result.events.size(), 2U);  // passed over before
  EXPECT_NEAR(result.events[1].time - result.events[0].time, 2e-3 * std::sqrt(std::log(2.0)), 1e-9);
}

// A bar turned to tan(t), pi/2 s long.
Mechanism turnedToAPole() {
  Mechanism m;
  m.name = "driven";
  const BodyIndex bar = test::addBody(m, "b", 1.0, 1.0);
  m.bodies[0].drawn = {1.0, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-1, 0));
  Drive drive;
  drive.name = "d";
  drive.first = kGround;
  drive.second = bar;
  drive.on_second = test::frameAt(-1, 0);
  drive.motion = tan(kT);
  m.drives.push_back(drive);
  return m;
}

TEST(StepPlan, RunsEndBeforeAPoleWithItsNameAndTime) {
  RunOptions how = options("dop853");
  how.until = 3.0;
  // In joint coordinates a millionth of the run before it; where each turn takes some steps, after as many as are
  // enough.
  for (const auto& [formulation, before] : {std::pair{"recursive", 3e-6}, std::pair{"absolute", 1e-3}}) {
    SCOPED_TRACE(formulation);
    how.system.formulation = formulation;
    const Result result = run(turnedToAPole(), how);
    EXPECT_EQ(result.status, RunStatus::failed);
    EXPECT_THAT(result.message, HasSubstr("drive \"d\" grows beyond all bounds at t = 1.57079633 s"));
    EXPECT_THAT(result.message, HasSubstr("--until 1.5"));
    EXPECT_LT(result.ledger.steps, 5000);
    ASSERT_FALSE(result.time.empty());
    const double left = std::numbers::pi / 2 - result.time.back();
    EXPECT_GT(left, 2.99e-6);
    EXPECT_LT(left, 1.01 * before);
    // What the tolerance 1e-8 leaves, of an angle of 1/left.
    EXPECT_NEAR(lastOf(result, "O.angle") * std::tan(left), 1.0, 1e-6);
  }
}

// 1/(2 - t) N on 1 kg: v = log(2/(2 - t)), to the end of a run in which two seconds are next to nothing.
TEST(StepPlan, APoleIsApproachedHoweverLongTheRun) {
  for (const double until : {3.0, 10.0, 1e3, 1e6}) {
    SCOPED_TRACE(until);
    RunOptions how = options("dop853");
    how.until = until;
    how.output_step = until / 4;
    const Result result = run(pushed(1.0 / (2.0 - kT)), how);
    EXPECT_THAT(result.message, HasSubstr("load \"push\" grows beyond all bounds at t = 2 s"));
    const double left = 2.0 - result.time.back();
    EXPECT_NEAR(left, std::min(1e-6 * until, 2e-4), 2e-11 * until);
    EXPECT_NEAR(lastOf(result, "b.x_rate"), std::log(2.0 / left), 1e-5);
    EXPECT_LT(result.ledger.steps, 200);
  }
}

TEST(StepPlan, FixedStepsEndAThousandthOfTheRunBeforeAPole) {
  RunOptions how = options("rk4");
  how.steps.step = 1e-3;
  how.until = 3.0;
  const Result result = run(pushed(1.0 / (2.0 - kT)), how);
  EXPECT_THAT(result.message, HasSubstr("load \"push\" grows beyond all bounds at t = 2 s"));
  EXPECT_NEAR(result.time.back(), 2.0 - 3e-3, 1e-9);
}

// w' = 1.5 w^(5/3) from w = 1 gives w = (1 - t)^-1.5: a bar that turns ever faster, with steps that are a part of a
// turn. The pole lies in the motion, where it cannot be known before.
TEST(ProgressWatch, StepsThatGetNowhereEndTheRun) {
  Mechanism m;
  m.name = "whirl";
  const BodyIndex bar = test::addBody(m, "bar", 1.0, 0.75);  // 1 kg m^2 about the hinge
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-0.5, 0));
  m.initial.push_back({{QuantityKind::joint_angle_rate, 0}, Value(1.0), {}});
  Load load;
  load.name = "push";
  load.kind = LoadKind::couple;
  load.second = bar;
  load.moment = 1.5 * pow(abs(Expr::symbol("O.angle_rate")), 5.0 / 3.0);
  m.loads.push_back(load);
  const Result result = run(m, options());
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("the last 10000 steps brought the run only"));
  EXPECT_THAT(result.message, HasSubstr("body \"bar\" is accelerated by"));
  EXPECT_LT(result.ledger.steps, 100000);
  EXPECT_NEAR(result.time.back(), 1.0, 1e-5);
}

TEST(StepPlan, SaysWhatWasTooMuchToLookThrough) {
  RunOptions how = options();
  how.steps.rtol = 1e-3;
  how.steps.atol = 1.0;  // so that the run is short: what the force does to the motion is nothing
  const Result result = run(pushed(sin(1e9 * kT)), how);
  ASSERT_EQ(result.ledger.loose_bounds.size(), 1U);
  EXPECT_EQ(result.ledger.loose_bounds[0].owner, "load \"push\"");
  EXPECT_THAT(ledgerLines(result)[3].sentence, HasSubstr("load \"push\""));
  EXPECT_NE(ledgerLines(result)[3].grade, Grade::good);
}

}  // namespace step_plan_test
}  // namespace linkwork
