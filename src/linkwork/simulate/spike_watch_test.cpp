#include "linkwork/simulate/spike_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace spike_watch_test {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Expr kX = Expr::symbol("b.x");

// A free body of 1 kg that comes along x with 1 m/s.
Mechanism coming(const Expr& force) {
  Mechanism m;
  m.name = "coming";
  (void)test::addBody(m, "b", 1.0, 0.1);
  m.bodies[0].free = true;
  m.initial.push_back({{QuantityKind::body_x_rate, 0}, Value(1.0), {}});
  Load load;
  load.name = "wall";
  load.second = BodyIndex(0);
  load.force[0] = force;
  m.loads.push_back(load);
  return m;
}

// A force of this height within w of a place; the energy to get through is height w sqrt(pi).
Expr wall(double height, double at, double w) { return Expr(-height) * exp(-pow((kX - at) / w, 2.0)); }

RunOptions options(const char* integrator = "dopri5") {
  RunOptions out;
  out.integrator = integrator;
  out.until = 10.0;
  return out;
}

Result run(const Mechanism& m, const RunOptions& options) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return simulate(m, assembly, options);
}

double lastSpeed(const Result& result) { return result.find("b.x_rate")->values.back(); }

// 1.77 J stand against 0.5 J: the body turns back. It passed in a step of 5.6 s before, with four good lamps.
TEST(SpikeWatch, AThinWallThatSamplesMeetTurnsTheBodyBack) {
  for (const char* integrator : {"dopri5", "dop853", "ode45", "radau5"}) {
    const Result result = run(coming(wall(1e3, 5.0123, 1e-3)), options(integrator));
    EXPECT_NEAR(lastSpeed(result), -1.0, 1e-6) << integrator;
    EXPECT_GE(result.ledger.retaken, 1) << integrator;
    EXPECT_THAT(result.ledger.missed_spikes, IsEmpty()) << integrator;
    EXPECT_EQ(ledgerLines(result)[3].grade, Grade::good) << integrator;
  }
}

// Whatever place and width, speeds never stand beside accelerations that cannot be theirs: 0.35 J stand against 0.5 J.
TEST(SpikeWatch, WallsThatSamplesMeetTakeTheirWork) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    const double w = 5e-3 * std::pow(10.0, share(random));  // one sample in 10 mm at least lies within 1 w
    const double at = 1.0 + 8.0 * share(random);
    const Mechanism m = coming(wall(0.2 / w, at, w));
    const Result result = run(m, options());
    EXPECT_THAT(result.ledger.missed_spikes, IsEmpty());
    // The force pushes back before and after: behind the wall all of its work is missing. A step is taken again from
    // the last sample at which nothing was seen that matters to a hundredfold of the tolerance, 1e-6 m/s.
    const double left = std::sqrt(1.0 - 2.0 * 0.2 * std::sqrt(std::acos(-1.0)));
    EXPECT_NEAR(lastSpeed(result), left, 3e-6) << "w = " << w << " at " << at;
  }
}

TEST(SpikeWatch, WhatAFixedStepCannotMendIsSaid) {
  RunOptions how = options("rk4");
  how.steps.step = 0.1;
  const Result result = run(coming(wall(1e3, 5.0123, 1e-3)), how);
  ASSERT_FALSE(result.ledger.missed_spikes.empty());
  EXPECT_EQ(result.ledger.missed_spikes[0].body, "b");
  EXPECT_NEAR(result.ledger.missed_spikes[0].time, 5.01, 1e-9);
  const LedgerLine steps = ledgerLines(result)[3];
  EXPECT_EQ(steps.grade, Grade::poor);
  EXPECT_THAT(steps.sentence, HasSubstr("At t = 5.01 s body \"b\""));
  EXPECT_THAT(steps.sentence, HasSubstr("--step 0.003"));
}

TEST(SpikeWatch, EventsOfAStepThatIsTakenAgainAreFoundOnce) {
  Mechanism m = coming(wall(1e3, 5.0123, 1e-3));
  const auto addEvent = [&m](const char* name, double at) {
    Event event;
    event.name = name;
    event.when = kX - at;
    m.events.push_back(event);
  };
  addEvent("before", 4.905);
  addEvent("beyond", 6.0);  // is never reached
  const Result result = run(m, options());
  ASSERT_EQ(result.events.size(), 2U);  // on the way there and on the way back
  EXPECT_EQ(result.events[0].name, "before");
  EXPECT_NEAR(result.events[0].time, 4.905, 1e-6);
  EXPECT_EQ(result.events[1].name, "before");
}

TEST(SpikeWatch, SmoothMotionsAndCornersAreNotTakenAgain) {
  for (const Expr& force : {Expr(-4.0) * kX, -kX * abs(kX), -sign(kX - 0.3), select(kX - 0.5, -3.0, 0.0)}) {
    for (const double rtol : {1e-4, 1e-8}) {
      RunOptions how = options();
      how.steps.rtol = rtol;
      how.steps.atol = 0.01 * rtol;
      const Result result = run(coming(force), how);
      EXPECT_EQ(result.ledger.retaken, 0);
      EXPECT_THAT(result.ledger.missed_spikes, IsEmpty());
    }
  }
}

TEST(SpikeWatch, DoubtsAccelerationsThatVelocitiesDoNotShow) {
  SpikeWatch watch(IntegratorOptions{});
  Observation seen;
  seen.bodies.resize(1);
  watch.keep(1.0, seen);
  seen.bodies[0].acceleration = {0.0, 100.0, 0.0};
  EXPECT_TRUE(watch.doubts(1.01, seen));
  seen.bodies[0].velocity = {0.0, 0.5, 0.0};  // a force that begins to act
  EXPECT_FALSE(watch.doubts(1.01, seen));
  watch.forget();
  seen.bodies[0].velocity = {};
  EXPECT_FALSE(watch.doubts(1.01, seen));
}

}  // namespace spike_watch_test
}  // namespace linkwork
