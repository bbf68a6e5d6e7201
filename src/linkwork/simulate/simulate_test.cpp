#include "linkwork/simulate/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace simulate_test {

using ::testing::HasSubstr;

// A uniform rod of length 1 and mass 1 on a hinge, drawn horizontal, frame at the mass centre.
Mechanism pendulum() {
  Mechanism m;
  m.name = "pendulum";
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex bar = test::addBody(m, "bar", 1.0, 1.0 / 12.0);
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-0.5, 0));
  return m;
}

Result run(const Mechanism& m, const RunOptions& options, const RunControl& control = {}) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return simulate(m, assembly, options, control);
}

TEST(Simulate, SamplesOnTheGridAndAtTheEnd) {
  RunOptions options;
  options.until = 1.05;
  options.output_step = 0.1;
  const Result result = run(pendulum(), options);
  ASSERT_EQ(result.time.size(), 12U);
  for (int k = 0; k <= 10; ++k) EXPECT_EQ(result.time[static_cast<std::size_t>(k)], k * 0.1);
  EXPECT_EQ(result.time.back(), 1.05);
  for (const Series& series : result.series) EXPECT_EQ(series.values.size(), 12U) << series.name;
}

// Where the grid ends on `until` up to round-off there is one last sample, not two.
TEST(Simulate, DoesNotSampleTheEndTwice) {
  RunOptions options;
  options.until = 0.3;
  options.output_step = 0.1;
  EXPECT_EQ(run(pendulum(), options).time.size(), 4U);
}

// Reaction at the hinge of a falling rod, in closed form: with c = cos(angle), s = sin(angle) from the horizontal,
// along the rod m (5/2) g s, across it m g c / 4.
TEST(Simulate, RecordsTheReactionOfTheFirstBodyOnTheSecond) {
  RunOptions options;
  options.until = 0.4;
  options.output_step = 0.1;
  options.steps.rtol = 1e-12;
  options.steps.atol = 1e-13;
  const Result result = run(pendulum(), options);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double angle = result.find("bar.angle")->values[k];  // negative: the rod falls
    const double s = std::sin(-angle);
    const double c = std::cos(angle);
    const double along = 2.5 * 9.81 * s;    // towards the hinge
    const double across = 0.25 * 9.81 * c;  // upwards, across the rod
    EXPECT_NEAR(result.find("O.force.x")->values[k], -along * c + across * s, 1e-9);
    EXPECT_NEAR(result.find("O.force.y")->values[k], along * s + across * c, 1e-9);
  }
}

TEST(Simulate, KeepsTheBooks) {
  RunOptions options;
  options.until = 2.0;
  const Result result = run(pendulum(), options);
  const Ledger& ledger = result.ledger;
  EXPECT_EQ(ledger.rows, 2);
  EXPECT_EQ(ledger.rank, 2);
  EXPECT_EQ(ledger.degrees_of_freedom, 1);
  EXPECT_LT(ledger.worst_position, 1e-13);
  // The rod exchanges m g l / 2 = 4.905 J; the balance is far below it, but not exactly zero.
  EXPECT_NEAR(ledger.energy_scale, 4.905, 0.01);
  EXPECT_GT(ledger.worst_energy_balance, 0.0);
  EXPECT_LT(ledger.worst_energy_balance, 1e-6);
  // All samples, and the ends of all steps but the last for the load table; no other step ends at a sample here.
  EXPECT_EQ(ledger.output_evaluations, static_cast<long>(result.time.size()) + ledger.steps - 1);
  EXPECT_GT(ledger.projection_solves, 0);
  for (const LedgerLine& line : ledgerLines(result)) EXPECT_EQ(line.grade, Grade::good) << line.sentence;
}

// Without stabilisation the books must show the drift.
TEST(Simulate, ShowsDriftInTheLedger) {
  RunOptions options;
  options.until = 5.0;
  options.system.stabilisation = "none";
  options.steps.rtol = 1e-4;
  options.steps.atol = 1e-6;
  const Result result = run(pendulum(), options);
  EXPECT_GT(result.ledger.worst_position, 1e-6);
  EXPECT_NE(ledgerLines(result)[0].grade, Grade::good);
}

TEST(Simulate, StopsAtAnEventAndRecordsTheOthers) {
  Mechanism m = pendulum();
  const Expr angle = Expr::symbol("bar.angle");
  m.events.push_back({"forty-five", angle + Expr(std::numbers::pi / 4.0), Crossing::falling, false, {}});
  m.events.push_back({"never", angle + Expr(std::numbers::pi / 4.0), Crossing::rising, true, {}});
  m.events.push_back({"lowest", angle + Expr(std::numbers::pi / 2.0), Crossing::falling, true, {}});
  RunOptions options;
  options.until = 10.0;
  options.steps.rtol = 1e-11;
  options.steps.atol = 1e-12;
  const Result result = run(m, options);
  EXPECT_EQ(result.status, RunStatus::stopped_by_event);
  ASSERT_EQ(result.events.size(), 2U);
  EXPECT_EQ(result.events[0].name, "forty-five");
  // Quarter period of a rod: K(1/sqrt 2) sqrt(2 l / (3 g)).
  const double quarter = 1.8540746773013719 * std::sqrt(2.0 / (3.0 * 9.81));
  EXPECT_NEAR(result.events[1].time, quarter, 1e-9);
  EXPECT_EQ(result.time.back(), result.events[1].time);
}

TEST(Simulate, ReturnsWhatItHasWhenInterrupted) {
  RunOptions options;
  options.until = 100.0;
  options.output_step = 0.01;
  int asked = 0;
  RunControl control;
  control.interrupted = [&] { return ++asked == 20; };
  const Result result = run(pendulum(), options, control);
  EXPECT_EQ(result.status, RunStatus::interrupted);
  EXPECT_GT(result.time.size(), 2U);
  EXPECT_LT(result.time.back(), 10.0);
}

TEST(Simulate, SaysWhyItFailedAndKeepsWhatItHas) {
  Mechanism m = pendulum();
  test::addCouple(m, "push", kGround, BodyIndex(0), sqrt(Expr(0.5) - Expr::symbol("t")));
  RunOptions options;
  options.until = 1.0;
  const Result result = run(m, options);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("load \"push\": couple is not a number"));
  EXPECT_NEAR(result.time.back(), 0.5, 1e-2);
  EXPECT_EQ(ledgerLines(result)[3].grade, Grade::poor);
}

TEST(RunProblem, NamesWhatIsWrongAndOffersTheNearestName) {
  RunOptions options;
  options.integrator = "dopri";
  EXPECT_THAT(runProblem(pendulum(), options), HasSubstr("Did you mean \"dopri5\"?"));
  options.integrator = "rk4";
  EXPECT_THAT(runProblem(pendulum(), options), HasSubstr("step"));
  options.steps.step = 1e-2;
  EXPECT_EQ(runProblem(pendulum(), options), "");
  options.until = 0.0;
  EXPECT_THAT(runProblem(pendulum(), options), HasSubstr("positive"));
}

// Redundant constraints: the motion is that of the mechanism without the third crank, and the ledger says what is not
// unique.
TEST(Simulate, RunsAnOverconstrainedMechanismAndSaysSo) {
  RunOptions options;
  options.until = 1.0;
  options.output_step = 0.1;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  Mechanism three = test::parallelogram(3);
  test::drawAt(three, test::parallelogramStart(3));
  three.initial.push_back({{QuantityKind::body_angle_rate, 0}, Value(1.2), {}});
  const Result result = run(three, options);
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  EXPECT_EQ(result.ledger.rank, 11);
  EXPECT_EQ(result.ledger.joints_not_unique.size(), 6U);
  EXPECT_LT(result.ledger.worst_position, 1e-12);
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-7);
  EXPECT_EQ(ledgerLines(result)[2].grade, Grade::fair);
}

// Each crank's force across it is recorded as what is unique: perpendicular to the crank at every sample, behind the
// joint's other series. A joint that is unique has no such series.
// All windows lie flat at once, and states beside that pose are still near it: each row is then near the others by
// 1/N of the angle. The motion is smooth, and steps are as long there as anywhere.
TEST(Simulate, PassesPosesInWhichManyLoopsLieFlatWithFewRefusals) {
  for (const char* formulation : {"linkage", "recursive", "absolute"}) {
    SCOPED_TRACE(formulation);
    RunOptions options;
    options.system.formulation = formulation;
    options.integrator = "dopri5";
    options.until = 0.8;  // the first such pose comes at 0.72 s
    options.output_step = 0.1;
    const Result result = run(test::buildNFourBar(40), options);
    EXPECT_EQ(result.status, RunStatus::complete) << result.message;
    EXPECT_LT(result.ledger.rejected, 20);
    EXPECT_LT(result.ledger.steps, 80);
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-6 * result.ledger.energy_scale);
  }
}

TEST(Simulate, RecordsTheUniquePartOfReactions) {
  RunOptions options;
  options.until = 1.0;
  options.output_step = 0.1;
  Mechanism three = test::parallelogram(3);
  test::drawAt(three, test::parallelogramStart(3));
  const Result result = run(three, options);
  const Series* x = result.find("K2.unique_force.x");
  const Series* y = result.find("K2.unique_force.y");
  const Series* theta = result.find("crank2.angle");
  ASSERT_TRUE(x != nullptr && y != nullptr && theta != nullptr);
  EXPECT_EQ((y + 1)->group, "K3");
  EXPECT_EQ((x - 1)->name, "K2.force.y");
  const Series* force = result.find("K2.force.x");
  double along = 0.0;
  double size = 0.0;
  double other = 0.0;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double c = std::cos(theta->values[k]);
    along = std::max(along, std::abs(x->values[k] * c + y->values[k] * std::sin(theta->values[k])));
    size = std::max(size, std::hypot(x->values[k], y->values[k]));
    other = std::max(other, std::abs(force->values[k] - x->values[k]));
  }
  EXPECT_LT(along, 1e-10 * size);  // round-off of the null space
  EXPECT_GT(size, 0.1);
  EXPECT_GT(other, 0.1);
  Mechanism two = test::parallelogram(2);
  test::drawAt(two, test::parallelogramStart(2));
  EXPECT_EQ(run(two, options).find("K2.unique_force.x"), nullptr);
}

}  // namespace simulate_test
}  // namespace linkwork
