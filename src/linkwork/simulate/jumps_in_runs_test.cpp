// Runs with events that change the motion: where legs end, beside corners of loads, through checkpoints.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/test_mechanisms.hpp"
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

Jump bounce(std::span<double> x) {
  const double before = x[4];
  x[1] = 0.0;
  x[4] *= -0.8;
  const double energy = 0.5 * (x[4] * x[4] - before * before);
  x[6] += energy;
  return {Eval::ok, true, energy};
}

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
  out.system = std::make_unique<test::JumpingSystem>(makeSystem(m, startingFrom(out.assembly, options.system)),
                                                     [](std::span<const LocatedEvent> events, std::span<double> x) {
                                                       return events.front().index == 0 ? bounce(x) : Jump{};
                                                     });
  return out;
}

Result run(const Ball& ball, const RunOptions& options) {
  return simulate(ball.mechanism, *ball.system, ball.assembly, options);
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

}  // namespace jumps_in_runs_test
}  // namespace linkwork
