// Runs with events that change the motion: where legs end, beside corners of loads, through checkpoints.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/checkpoint.hpp"
#include "linkwork/simulate/jumping_system_for_tests.hpp"
#include "linkwork/simulate/state_at.hpp"

namespace linkwork {
namespace jumps_in_runs_test {

using ::testing::ElementsAre;

const Expr kT = Expr::symbol("t");

// A ball of 1 kg that falls 1.25 m in 0.5 s and then is thrown back with 4/5 of its speed: on the floor, or when the
// clock strikes.
struct Ball {
  Mechanism mechanism;
  Assembly assembly;
  std::unique_ptr<test::JumpingSystem> system;
};

// What is slower than this after a bounce stays on the floor.
constexpr double kRestSpeed = 3.5;  // m/s

Jump bounce(std::span<double> x, bool& landed) {
  const double before = x[4];
  x[1] = 0.0;
  x[4] *= -0.8;
  landed = x[4] < kRestSpeed;
  if (landed) x[4] = 0.0;
  const double energy = 0.5 * (x[4] * x[4] - before * before);
  x[6] += energy;
  return {Eval::ok, true, energy};
}

// The floor carries the weight.
void rest(std::span<double> xdot) { xdot[4] = 0.0; }

Ball makeBall(const Expr& event, const Expr& wind, const RunOptions& options) {
  Ball out;
  Mechanism& m = out.mechanism;
  m.gravity = {Value(0.0), Value(-10.0)};
  test::addBody(m, "ball", 1.0, 0.1);
  m.bodies[0].drawn = {0.0, 1.25, 0.0};
  m.bodies[0].free = true;
  Load load;
  load.name = "wind";
  load.second = BodyIndex(0);
  load.force[0] = wind;
  m.loads.push_back(load);
  m.events.push_back({"floor", event, Crossing::falling, false, {}});
  out.assembly = assemble(m);
  // Corners of the wind are events too, behind that of the floor.
  const auto jump = [](std::span<const LocatedEvent> events, std::span<double> x, bool& landed) {
    return events.front().index == 0 ? bounce(x, landed) : Jump{};
  };
  out.system =
      std::make_unique<test::JumpingSystem>(makeSystem(m, startingFrom(out.assembly, options.system)), jump, rest);
  return out;
}

Result run(const Ball& ball, const RunOptions& options, const RunControl& control = {}) {
  return simulate(ball.mechanism, *ball.system, ball.assembly, options, control);
}

RunOptions optionsFor(const char* integrator, double until) {
  RunOptions options;
  options.until = until;
  options.output_step = 0.25;
  options.integrator = integrator;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  options.steps.step = 1.0 / 1024;
  return options;
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

class JumpsInRuns : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, JumpsInRuns, ::testing::Values("dopri5", "dop853", "rk4", "radau5"),
                         [](const auto& method) { return std::string(method.param); });

// The wind of 2 N begins when the clock strikes, and with it a leg of the run: x = (t - 0.5)^2.
TEST_P(JumpsInRuns, GoOnWhereALegEnds) {
  const RunOptions options = optionsFor(GetParam(), 1.0);
  const Ball ball = makeBall(Expr(0.5) - kT, select(kT - Expr(0.5), Expr(2.0), Expr(0.0)), options);
  const Result result = run(ball, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  EXPECT_EQ(result.time.back(), 1.0);
  EXPECT_NEAR(value(result, "ball.y_rate", result.time.size() - 1), 4.0 - 5.0, 1e-8);
  // The last stage of rk4 before the corner lies on it and feels the wind: h/6 of 2 m/s^2, over half a second.
  const double tolerance = options.integrator == "rk4" ? 2.0 / 6.0 * options.steps.step : 1e-8;
  EXPECT_NEAR(value(result, "ball.x", result.time.size() - 1), 0.25, tolerance);

  const StateAt state = stateAt(ball.mechanism, *ball.system, ball.assembly, options, 1.0);
  ASSERT_TRUE(state.ok) << state.problem;
  EXPECT_NEAR(state.x[0], 0.25, tolerance);
  EXPECT_NEAR(state.x[4], -1.0, 1e-8);
}

TEST_P(JumpsInRuns, HaveBothSamplesAtTheEndOfTheRun) {
  const RunOptions options = optionsFor(GetParam(), 0.5);
  const Result result = run(makeBall(Expr(0.5) - kT, Expr(0.0), options), options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  ASSERT_THAT(result.time, ElementsAre(0.0, 0.25, 0.5, 0.5));
  EXPECT_NEAR(value(result, "ball.y_rate", 2), -5.0, 1e-8);
  EXPECT_NEAR(value(result, "ball.y_rate", 3), 4.0, 1e-8);
}

// Left of all that happens at 0.5 s and right of it, whichever of the two round-off puts first.
TEST_P(JumpsInRuns, OfLoadsAtTheSameInstantHaveTheirTwoSamplesInCommon) {
  const RunOptions options = optionsFor(GetParam(), 1.0);
  const Expr y = Expr::symbol("ball.y");
  const Expr later = select(kT - Expr(0.5), Expr(2.0), Expr(0.0));
  const Expr below = select(y, Expr(0.0), Expr(2.0));  // it never is
  struct Case {
    Expr event, wind;
    double left, right;
  };
  for (const Case& c : {Case{Expr(0.5) - kT, later, 0.0, 2.0}, Case{y, later, 0.0, 2.0}, Case{y, below, 0.0, 0.0}}) {
    const Result result = run(makeBall(c.event, c.wind, options), options);
    ASSERT_EQ(result.status, RunStatus::complete) << result.message;
    ASSERT_THAT(jumpsOf(result), ElementsAre(3));
    ASSERT_THAT(result.time, ElementsAre(0.0, 0.25, 0.5, 0.5, 0.75, 1.0));
    EXPECT_NEAR(value(result, "ball.y_rate", 2), -5.0, 1e-8);
    EXPECT_NEAR(value(result, "ball.y_rate", 3), 4.0, 1e-8);
    EXPECT_EQ(value(result, "wind.force.x", 2), c.left);
    EXPECT_EQ(value(result, "wind.force.x", 3), c.right);
  }
}

std::string shownOf(const Ledger& ledger) {
  for (const auto& [name, value] : ledgerTable(ledger)) {
    if (name == "jumps, energy they brought") return value;
  }
  return {};
}

// It bounces at 0.5 s with 4 m/s and lands at 1.3 s, where 3.2 m/s would be left: from then on one row acts.
TEST_P(JumpsInRuns, AreCountedAndSettleTheRankAnew) {
  RunOptions options = optionsFor(GetParam(), 1.0);
  const Ball ball = makeBall(Expr::symbol("ball.y"), Expr(2.0), options);
  const Result flying = run(ball, options);
  EXPECT_EQ(flying.ledger.jumps, 1);
  EXPECT_NEAR(flying.ledger.jump_energy, 0.5 * (16.0 - 25.0), 1e-7);
  EXPECT_EQ(flying.ledger.rank, 0);
  EXPECT_EQ(flying.ledger.degrees_of_freedom, 3);

  options.until = 1.5;
  const Result landed = run(ball, options);
  ASSERT_EQ(landed.status, RunStatus::complete) << landed.message;
  EXPECT_EQ(landed.ledger.jumps, 2);
  EXPECT_NEAR(landed.ledger.jump_energy, -12.5, 1e-7);
  EXPECT_EQ(shownOf(landed.ledger), "2, -1.250e+01 J");
  EXPECT_EQ(landed.ledger.rows, 1);
  EXPECT_EQ(landed.ledger.rank, 1);
  EXPECT_EQ(landed.ledger.degrees_of_freedom, 2);
  EXPECT_EQ(value(landed, "ball.y", landed.time.size() - 1), 0.0);
  EXPECT_LT(landed.ledger.worst_energy_balance, 1e-6);

  options.until = 0.4;
  EXPECT_EQ(shownOf(run(ball, options).ledger), "");
}

// Interrupted in flight, between bounce and landing, and on the floor: the same run to the last bit.
TEST_P(JumpsInRuns, GoOnFromACheckpointToTheBit) {
  RunOptions options = optionsFor(GetParam(), 1.5);
  options.checkpoint_step = 0.05;
  options.steps.max_step = 0.05;
  const Ball ball = makeBall(Expr::symbol("ball.y"), select(kT - Expr(1.0), Expr(2.0), Expr(1.0)), options);
  const Result whole = run(ball, options);
  ASSERT_EQ(whole.ledger.jumps, 2);
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("linkwork_jumps_{}", ::getpid());
  std::filesystem::create_directories(folder);
  for (const double stop : {0.3, 0.9, 1.4}) {
    double reached = 0.0;
    RunControl control;
    control.checkpoint_path = (folder / fmt::format("{}_{}.checkpoint", GetParam(), stop)).string();
    control.checkpoint_wall = 0.0;
    control.progress = [&](double t, double) { reached = t; };
    control.interrupted = [&] { return reached > stop; };
    const Result first = run(ball, options, control);
    ASSERT_EQ(first.status, RunStatus::interrupted);
    const Checkpoint checkpoint =
        readCheckpoint(control.checkpoint_path, runIdentity(ball.mechanism, options, ball.assembly.state()));
    ASSERT_TRUE(checkpoint.found) << checkpoint.problem;
    control.interrupted = {};
    control.resume = &checkpoint;
    const Result resumed = run(ball, options, control);
    EXPECT_EQ(resumed.time, whole.time);
    for (std::size_t k = 0; k < whole.series.size(); ++k)
      EXPECT_EQ(resumed.series[k].values, whole.series[k].values) << stop << ": " << whole.series[k].name;
    EXPECT_EQ(ledgerTable(resumed.ledger), ledgerTable(whole.ledger)) << stop;
    EXPECT_EQ(resumed.ledger.jump_energy, whole.ledger.jump_energy);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace jumps_in_runs_test
}  // namespace linkwork
