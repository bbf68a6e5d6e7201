#include "linkwork/study/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/study/compare_words.hpp"
#include "linkwork/study/converge.hpp"

namespace linkwork {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

CompareRequest shortRequest() {
  CompareRequest request;
  request.run.until = 1.0;
  request.run.output_step = 0.05;
  return request;
}

Mechanism drawnSliderPendulum() {
  Mechanism m = test::sliderPendulum();
  test::drawAt(m, test::sliderPendulumStart());
  return m;
}

// A rod of 1 m on a hinge, drawn level.
Mechanism pendulum() {
  Mechanism m;
  m.name = "pendulum";
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex bar = test::addBody(m, "bar", 1.0, 1.0 / 12.0);
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), bar, test::frameAt(-0.5, 0));
  return m;
}

Comparison compared(const Mechanism& m, const CompareRequest& request) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return compare(m, assembly, request);
}

std::vector<std::string> labels(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> out;
  for (const ComparedRun& run : runs) out.push_back(run.label);
  return out;
}

TEST(ComparePlan, HasEveryFormulationInBothSpaces) {
  const std::vector<ComparedRun> plan = plannedRuns(pendulum(), shortRequest());
  ASSERT_EQ(plan.size(), 2 * formulations().size());
  for (std::size_t k = 0; k < formulations().size(); ++k) {
    EXPECT_EQ(plan[k].method.formulation, formulations()[k].name);
    EXPECT_TRUE(plan[k].applies()) << plan[k].problem;
    EXPECT_TRUE(plan[k + formulations().size()].method.lifted);
  }
}

TEST(ComparePlan, NamesInALabelOnlyWhatVaries) {
  CompareRequest request = shortRequest();
  request.formulations = {"absolute", "absolute"};
  request.stabilisations = {"projection", "none"};
  EXPECT_THAT(labels(plannedRuns(pendulum(), request)),
              ElementsAre("absolute with projection", "absolute without stabilisation",
                          "absolute with projection in space", "absolute without stabilisation in space"));
  request.also_lifted = false;
  request.stabilisations.clear();
  request.integrators = {"dopri5", "radau5"};
  EXPECT_THAT(labels(plannedRuns(pendulum(), request)), ElementsAre("absolute by dopri5", "absolute by radau5"));
}

TEST(ComparePlan, SaysWhyAMethodDoesNotApply) {
  CompareRequest request = shortRequest();
  request.formulations = {"recursive", "linkage"};
  request.stabilisations = {"projection", "ggl"};
  request.also_lifted = false;
  const std::vector<ComparedRun> plan = plannedRuns(drawnSliderPendulum(), request);
  ASSERT_EQ(plan.size(), 4U);
  EXPECT_TRUE(plan[0].applies());
  EXPECT_THAT(plan[1].problem, HasSubstr("stabilisation \"ggl\" leaves the constraints in them"));
  EXPECT_THAT(plan[2].problem, HasSubstr("joint \"P\""));
  EXPECT_THAT(planProblem(plan), StartsWith("there is nothing to compare: recursive with projection is the only run;"));
}

TEST(CompareRequest, RefusesNamesThatThereAreNot) {
  CompareRequest request = shortRequest();
  request.formulations = {"absolut"};
  EXPECT_THAT(request.problem(), HasSubstr("there is no formulation \"absolut\""));
  EXPECT_THAT(request.problem(), HasSubstr("Did you mean \"absolute\"?"));
  request.formulations = {};
  request.stabilisations = {"non"};
  EXPECT_THAT(request.problem(), HasSubstr("there is no stabilisation \"non\""));
  request.stabilisations = {};
  request.integrators = {"dopri"};
  EXPECT_THAT(request.problem(), HasSubstr("there is no integrator \"dopri\""));
  request.integrators = {};
  request.within = 0.0;
  EXPECT_THAT(request.problem(), HasSubstr("must be positive"));
  request.within = 1e-6;
  EXPECT_EQ(request.problem(), "");
}

// rtol 1e-8 over 1 s: errors of some 1e-8, in six runs that share neither coordinates nor dimension.
TEST(Compare, FindsThatAllFormulationsOfAPendulumAgree) {
  const Comparison comparison = compared(pendulum(), shortRequest());
  ASSERT_TRUE(comparison.worst());
  EXPECT_LT(*comparison.worst(), 1e-6);
  EXPECT_GT(*comparison.worst(), 0.0);
  EXPECT_THAT(verdictOf(comparison), StartsWith("All "));
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    EXPECT_EQ(run.difference.samples, 21U) << run.label;
    EXPECT_GT(run.result.ledger.evaluations, 0) << run.label;
  }
  EXPECT_TRUE(comparison.runs[0].cost);
}

TEST(Compare, FindsTheDriftOfARunWithoutStabilisation) {
  CompareRequest request = shortRequest();
  request.formulations = {"absolute", "recursive"};
  request.stabilisations = {"projection", "none"};
  request.integrators = {"rk4"};
  request.run.steps.step = 0.02;
  request.within = 1e-7;
  request.also_lifted = false;
  Mechanism m = pendulum();
  const Comparison comparison = compared(m, request);
  ASSERT_TRUE(comparison.reference);
  EXPECT_NE(comparison.runs[*comparison.reference].label, "absolute without stabilisation");
  const ComparedRun& drifted = comparison.runs[1];
  ASSERT_EQ(drifted.label, "absolute without stabilisation");
  ASSERT_TRUE(drifted.difference.parting);
  EXPECT_GT(drifted.result.ledger.worst_position, 1e-7);
  EXPECT_THAT(verdictOf(comparison), HasSubstr("`absolute without stabilisation` has drifted to "));
}

// 4 rad from sample to sample: the angle of the lifted body is followed by its angular velocity.
TEST(Compare, LosesNoTurnOfALiftedBodyBetweenTwoSamples) {
  Mechanism m = pendulum();
  test::addDrive(m, "turn", DriveKind::angle, kGround, test::frameAt(0, 0), BodyIndex(0), test::frameAt(-0.5, 0),
                 Expr(40.0) * Expr::symbol("t"));
  CompareRequest request = shortRequest();
  request.run.output_step = 0.1;
  request.formulations = {"absolute"};
  const Comparison comparison = compared(m, request);
  ASSERT_EQ(comparison.runs.size(), 2U);
  EXPECT_GT(comparison.runs[1].difference.compared[Aspect::position], 3);
  EXPECT_LT(*comparison.worst(), 1e-7) << verdictOf(comparison);
}

TEST(Compare, KeepsARunThatFailsInItsRow) {
  Comparison comparison = compared(pendulum(), shortRequest());
  ComparedRun& failed = comparison.runs[1];
  ASSERT_NE(comparison.reference, std::optional<std::size_t>(1));
  failed.result.status = RunStatus::failed;
  failed.result.message = "t = 0.7 s: a dead point";
  EXPECT_THAT(verdictOf(comparison), HasSubstr("`recursive` could not go on: t = 0.7 s: a dead point"));
  EXPECT_TRUE(comparison.worst());
}

TEST(Compare, EndsWhenInterrupted) {
  const Mechanism m = pendulum();
  CompareControl control;
  control.interrupted = [] { return true; };
  const Comparison comparison = compare(m, assemble(m), shortRequest(), control);
  EXPECT_TRUE(comparison.interrupted);
  EXPECT_EQ(comparison.runs.size(), 1U);
  EXPECT_FALSE(comparison.worst());
}

// The energy of the exact motion is known: what converge calls trusted digits must hold against it.
TEST(Converge, TrustsNoDigitThatTheEnergyContradicts) {
  const Mechanism m = pendulum();
  CompareRequest request = shortRequest();
  request.run.steps.rtol = 1e-6;
  request.run.steps.atol = 1e-8;
  const Convergence found = converge(m, assemble(m), request);
  ASSERT_GE(found.levels.size(), 3U);
  EXPECT_GE(found.digits[Aspect::position], 8);
  EXPECT_LT(found.levels[found.best].worst(), found.levels[1].worst());
  for (const ComparedRun& run : found.comparison.runs) {
    if (!run.applies()) continue;
    const Ledger& ledger = run.result.ledger;
    EXPECT_LT(ledger.worst_energy_balance / ledger.energy_scale, std::pow(10.0, -found.digits[Aspect::energy]));
  }
  EXPECT_THAT(wordsFor(found), HasSubstr("these digits can be trusted"));
}

}  // namespace
}  // namespace linkwork
