#include "linkwork/simulate/jump_watch.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/jumping_system_for_tests.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace jump_watch_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Expr kT = Expr::symbol("t");

// A uniform rod of length 1 and mass 1 on a hinge, at rest without gravity; inertia 1/3 about the hinge.
Mechanism rod() {
  Mechanism m;
  m.name = "rod";
  const BodyIndex bar = test::addBody(m, "bar", 1.0, 1.0 / 12.0);
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-0.5, 0));
  return m;
}

// A mass of 2 kg on a guide along x.
Mechanism slider() {
  Mechanism m;
  m.name = "slider";
  const BodyIndex block = test::addBody(m, "block", 2.0, 0.1);
  test::addJoint(m, "S", JointKind::prismatic, kGround, test::frameAt(0, 0), block, test::frameAt(0, 0));
  return m;
}
void push(Mechanism& m, const Expr& force) {
  Load load;
  load.name = "push";
  load.second = BodyIndex(0);
  load.force[0] = force;
  m.loads.push_back(load);
}

RunOptions tight(double until, double output_step) {
  RunOptions options;
  options.until = until;
  options.output_step = output_step;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  return options;
}

Result run(const Mechanism& m, const RunOptions& options) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return simulate(m, assembly, options);
}

// Samples that stand at the time of the one before: right of a jump.
std::vector<std::size_t> jumpsOf(const Result& result) {
  std::vector<std::size_t> out;
  for (std::size_t k = 1; k < result.time.size(); ++k) {
    EXPECT_GE(result.time[k], result.time[k - 1]);
    if (result.time[k] == result.time[k - 1]) out.push_back(k);
  }
  return out;
}
double value(const Result& result, const char* name, std::size_t k) { return result.find(name)->values.at(k); }

// A couple of 0.5 N*m that begins at 0.5 s turns the rod at 1.5 rad/s^2; its hinge must hold m r alpha = 0.75 N.
TEST(Jumps, HaveASampleOnEitherSideOnTheGrid) {
  Mechanism m = rod();
  test::addCouple(m, "motor", kGround, BodyIndex(0), select(kT - Expr(0.5), Expr(0.5), Expr(0.0)));
  const Result result = run(m, tight(1.0, 0.1));
  ASSERT_THAT(jumpsOf(result), ElementsAre(6));
  ASSERT_EQ(result.time.size(), 12U);
  EXPECT_EQ(result.time[5], 0.5);
  EXPECT_EQ(value(result, "motor.moment", 5), 0.0);
  EXPECT_EQ(value(result, "motor.moment", 6), 0.5);
  EXPECT_NEAR(value(result, "bar.angle_acceleration", 5), 0.0, 1e-13);
  EXPECT_NEAR(value(result, "bar.angle_acceleration", 6), 1.5, 1e-13);
  EXPECT_NEAR(value(result, "O.force.y", 5), 0.0, 1e-13);
  EXPECT_NEAR(value(result, "O.force.y", 6), 0.75, 1e-13);
  for (const char* same : {"bar.x", "bar.y", "bar.angle", "bar.angle_rate"})
    EXPECT_EQ(value(result, same, 5), value(result, same, 6)) << same;
  for (const Series& series : result.series) EXPECT_EQ(series.values.size(), 12U) << series.name;
}

TEST(Jumps, BetweenSamplesHaveTwoOfTheirOwn) {
  Mechanism m = rod();
  test::addCouple(m, "motor", kGround, BodyIndex(0), Expr(2.0) * sign(kT - Expr(0.25)));
  const Result result = run(m, tight(0.5, 0.1));
  ASSERT_THAT(jumpsOf(result), ElementsAre(4));
  ASSERT_EQ(result.time.size(), 8U);
  EXPECT_EQ(result.time[3], 0.25);
  EXPECT_EQ(value(result, "motor.moment", 3), -2.0);
  EXPECT_EQ(value(result, "motor.moment", 4), 2.0);
  EXPECT_EQ(result.time[5], 3 * 0.1);
}

// Neither where nothing pulls yet, and everything is small, nor on the way.
TEST(Jumps, AreNoKinks) {
  Mechanism m = rod();
  test::addCouple(m, "begins", kGround, BodyIndex(0), max(Expr(0.0), kT - Expr(0.3)));
  test::addCouple(m, "turns", kGround, BodyIndex(0), abs(kT - Expr(0.5)));
  test::addCouple(m, "brake", kGround, BodyIndex(0), -abs(Expr::symbol("bar.angle_rate") - Expr(0.5)));
  Result result = run(m, tight(1.0, 0.1));
  EXPECT_THAT(jumpsOf(result), IsEmpty());
  m.loads.resize(1);
  result = run(m, tight(1.0, 0.1));
  EXPECT_THAT(jumpsOf(result), IsEmpty());
}

// Under 4 N the mass is at x = t^2; from 0.25 m on it is held back with 6 N: at t = 0.5 s, found by the motion.
class JumpsOnTheWay : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(JumpsOnTheWay, AreFoundWhereTheMotionGets) {
  Mechanism m = slider();
  push(m, select(Expr::symbol("block.x") - Expr(0.25), Expr(-6.0), Expr(4.0)));
  RunOptions options = tight(0.8, 0.03);
  options.system.formulation = GetParam().first;
  options.integrator = GetParam().second;
  options.steps.step = 1e-3;
  const Result result = run(m, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  const std::vector<std::size_t> jumps = jumpsOf(result);
  ASSERT_EQ(jumps.size(), 1U);
  const std::size_t right = jumps[0];
  EXPECT_NEAR(result.time[right], 0.5, 1e-6);  // the fixed steps' error; the others' is below 1e-9
  EXPECT_EQ(value(result, "push.force.x", right - 1), 4.0);
  EXPECT_EQ(value(result, "push.force.x", right), -6.0);
  EXPECT_NEAR(value(result, "block.x_acceleration", right - 1), 2.0, 1e-12);
  EXPECT_NEAR(value(result, "block.x_acceleration", right), -3.0, 1e-12);
  EXPECT_NEAR(value(result, "block.x", right), 0.25, 1e-6);
  EXPECT_NEAR(value(result, "block.x", right), value(result, "block.x", right - 1), 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Methods, JumpsOnTheWay,
                         ::testing::Values(std::pair{"absolute", "dopri5"}, std::pair{"absolute", "dop853"},
                                           std::pair{"absolute", "rk4"}, std::pair{"absolute", "radau5"},
                                           std::pair{"recursive", "dopri5"}, std::pair{"recursive", "radau5"},
                                           std::pair{"hamiltonian", "dopri5"}),
                         [](const auto& method) {
                           return fmt::format("{}_{}", method.param.first, method.param.second);
                         });

// A cable that comes taut at speed pulls at once with its damper; without one its pull begins at nothing.
TEST(Jumps, OfACableAreThoseOfItsDamper) {
  for (const double damping : {0.0, 5.0}) {
    Mechanism m = slider();
    push(m, Expr(2.0));
    test::addSpring(m, "cable", kGround, test::frameAt(-1, 0), BodyIndex(0), test::frameAt(0, 0), 100.0, damping, 1.2);
    m.loads.back().sided = Sided::tension_only;
    const Result result = run(m, tight(0.7, 0.1));
    const std::vector<std::size_t> jumps = jumpsOf(result);
    // x = t^2 / 2 reaches 0.2 m at sqrt(0.4) s, with x' = t.
    const double t = std::sqrt(0.4);
    ASSERT_EQ(jumps.size(), damping > 0.0 ? 1U : 0U);
    if (jumps.empty()) continue;
    EXPECT_NEAR(result.time[jumps[0]], t, 1e-8);
    EXPECT_EQ(value(result, "cable.tension", jumps[0] - 1), 0.0);
    EXPECT_NEAR(value(result, "cable.tension", jumps[0]), damping * t, 1e-7);
  }
}

// A ball of 1 kg falls 0.1 m along an upright slide into a damped cable, which then goes slack and taut again without
// a jump: where its pull is nothing. All that turns is round-off, and differs there.
class JumpsOfAFall : public ::testing::TestWithParam<const char*> {};

TEST_P(JumpsOfAFall, AreThoseOfTheDamperAlone) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex ball = test::addBody(m, "ball", 1.0, 0.01);
  m.bodies[0].drawn = {0.0, -0.5, 0.0};
  const double upright = std::numbers::pi / 2.0;
  test::addJoint(m, "s", JointKind::prismatic, kGround, test::frameAt(0, -0.5, upright), ball,
                 test::frameAt(0, 0, upright));
  test::addSpring(m, "cable", kGround, test::frameAt(0, 0), ball, test::frameAt(0, 0), 1000.0, 20.0, 0.6);
  m.loads.back().sided = Sided::tension_only;
  RunOptions options;
  options.until = 0.5;
  options.output_step = 0.1;
  options.integrator = GetParam();
  const Result result = run(m, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  const std::vector<std::size_t> jumps = jumpsOf(result);
  ASSERT_EQ(jumps.size(), 1U);
  const double t = std::sqrt(0.2 / 9.81);
  EXPECT_NEAR(result.time[jumps[0]], t, 1e-6);
  EXPECT_EQ(value(result, "cable.tension", jumps[0] - 1), 0.0);
  EXPECT_NEAR(value(result, "cable.tension", jumps[0]), 20.0 * 9.81 * t, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Methods, JumpsOfAFall, ::testing::Values("dopri5", "dop853", "radau5"),
                         [](const auto& method) { return std::string(method.param); });

// A part of a gram that jumps by a millinewton, beside a machine of a tonne that moves under 20 kN.
TEST(Jumps, OfSmallPartsOfGreatMachinesAreFound) {
  Mechanism m = slider();
  m.bodies[0].mass = Value(1000.0);
  push(m, Expr(2e4));
  const BodyIndex part = test::addBody(m, "part", 1e-3, 1e-9);
  test::addJoint(m, "P", JointKind::prismatic, kGround, test::frameAt(0, 1), part, test::frameAt(0, 0));
  push(m, select(kT - Expr(0.25), Expr(2e-3), Expr(1e-3)));
  m.loads.back().name = "nudge";
  m.loads.back().second = part;
  const Result result = run(m, tight(0.5, 0.1));
  ASSERT_THAT(jumpsOf(result), ElementsAre(4));
  EXPECT_EQ(value(result, "nudge.force.x", 3), 1e-3);
  EXPECT_EQ(value(result, "nudge.force.x", 4), 2e-3);
}

// A force that changes its sign every 5 us: jumps nearer than a thousandth of the output step are not recorded.
TEST(Jumps, ThatCrowdDoNotFillTheRecord) {
  Mechanism m = slider();
  push(m, sign(sin(Expr(2e5 * std::numbers::pi) * kT + Expr(0.3))));
  RunOptions options;
  options.until = 1e-3;
  options.output_step = 0.02;
  const Result result = run(m, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  ASSERT_GT(result.ledger.steps, 190);  // one ends at each of them
  const std::vector<std::size_t> jumps = jumpsOf(result);
  EXPECT_GE(jumps.size(), 40U);
  for (std::size_t k = 1; k < jumps.size(); ++k) EXPECT_GE(result.time[jumps[k]], result.time[jumps[k - 1]] + 2e-5);
}

// A ball that falls 1.25 m in 0.5 s and bounces with 4/5 of its speed, on the grid; and again at 1.3 s, between its
// times.
TEST(Jumps, OfVelocitiesHaveASampleOnEitherSide) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-10.0)};
  test::addBody(m, "ball", 1.0, 0.1);
  m.bodies[0].drawn = {0.0, 1.25, 0.0};
  m.bodies[0].free = true;
  m.events.push_back({"floor", Expr::symbol("ball.y"), Crossing::falling, false, {}});
  const Assembly assembly = assemble(m);
  const RunOptions options = tight(1.5, 0.25);
  const test::JumpingSystem system(makeSystem(m, startingFrom(assembly, options.system)),
                                   [](std::span<const LocatedEvent>, std::span<double> x, bool&) {
                                     const double before = x[4];
                                     x[1] = 0.0;
                                     x[4] *= -0.8;
                                     const double energy = 0.5 * (x[4] * x[4] - before * before);
                                     x[6] += energy;
                                     return Jump{Eval::ok, true, energy};
                                   });
  const Result result = simulate(m, system, assembly, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  ASSERT_THAT(jumpsOf(result), ElementsAre(3, 8));
  ASSERT_EQ(result.time.size(), 10U);
  // Speeds at 0.5 s, on its two sides, and at 1.3 s.
  EXPECT_EQ(result.time[2], 0.5);
  EXPECT_NEAR(result.time[7], 1.3, 1e-9);
  for (const auto& [k, speed] : {std::pair(2, -5.0), std::pair(3, 4.0), std::pair(7, -4.0), std::pair(8, 3.2)})
    EXPECT_NEAR(value(result, "ball.y_rate", static_cast<std::size_t>(k)), speed, 1e-8);
  EXPECT_EQ(result.time[4], 0.75);
  EXPECT_EQ(result.events.size(), 2U);
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-8);
}

// The extremes of a joint's load are those on the strong side, at the time of the jump.
TEST(Jumps, CountForTheExtremesOfLoads) {
  Mechanism m = rod();
  // It grows up to 5.5 N*m and then is gone.
  test::addCouple(m, "motor", kGround, BodyIndex(0), select(kT - Expr(0.55), Expr(0.0), Expr(10.0) * kT));
  const Result result = run(m, tight(1.0, 0.5));
  bool seen = false;
  for (const LoadCase& row : result.loads) {
    if (row.quantity != "force" || row.joint != "O") continue;
    seen = seen || row.time == 0.55;
  }
  EXPECT_TRUE(seen);
}

}  // namespace jump_watch_test
}  // namespace linkwork
