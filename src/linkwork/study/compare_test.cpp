#include "linkwork/study/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/study/compare_table.hpp"
#include "linkwork/study/compare_words.hpp"
#include "linkwork/study/converge.hpp"

namespace linkwork {
namespace compare_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
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
  const std::vector<std::string> exact = exactFormulationNames();
  ASSERT_EQ(plan.size(), 2 * exact.size());
  for (std::size_t k = 0; k < exact.size(); ++k) {
    EXPECT_EQ(plan[k].method.formulation, exact[k]);
    EXPECT_TRUE(plan[k].applies()) << plan[k].problem;
    EXPECT_TRUE(plan[k + exact.size()].method.lifted);
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

Mechanism hangingPendulum() {
  Mechanism m = pendulum();
  m.bodies[0].drawn = {0.0, -0.5, -std::numbers::pi / 2};
  return m;
}

// Nothing moves but round-off, of which energies of 1e-30 J are made: runs once differed by ten times that.
TEST(Compare, FindsThatAllRunsOfWhatRestsAgree) {
  for (const double until : {10.0, 1000.0}) {
    for (const double rtol : {1e-8, 1e-6}) {
      CompareRequest request = shortRequest();
      request.run.until = until;
      request.run.output_step = until / 100.0;
      request.run.steps.rtol = rtol;
      request.within = 1e-5;
      const Comparison comparison = compared(hangingPendulum(), request);
      EXPECT_EQ(comparison.agree(), std::optional(true)) << until << " s: " << verdictOf(comparison);
    }
  }
}

Result runOf(const Mechanism& m, const CompareRequest& request) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return simulate(m, assembly, request.run);
}

// What hangs still against what swings by 1e-4/sqrt(3 g / 2 l) = 2.6e-5 rad, and a swing against the same with another
// start, each a difference of more than 1e-5 and less than 1e-4 of what could be.
TEST(Compare, FindsATrueDifferenceOf1em5) {
  CompareRequest request = shortRequest();
  const Mechanism still = hangingPendulum();
  Mechanism hit = still;
  hit.initial.push_back({*findQuantity(hit, "O.angle_rate"), Value(1e-4), {}});
  const Differences small = differencesOf(still, runOf(still, request), runOf(hit, request), 1e-5);
  EXPECT_GT(small.worst(), 1e-5);
  EXPECT_TRUE(small.parting);
  Mechanism other = pendulum();
  other.initial.push_back({*findQuantity(other, "O.angle_rate"), Value(1e-4), {}});
  const Differences large = differencesOf(other, runOf(pendulum(), request), runOf(other, request), 1e-5);
  for (const Aspect aspect : {Aspect::position, Aspect::velocity}) {
    EXPECT_GT(large.greatest[aspect].relative, 1e-5) << wordFor(aspect);
    EXPECT_LT(large.greatest[aspect].relative, 3e-4) << wordFor(aspect);
  }
}

// With the drift of none within what the ledger calls well closed, and the better balance of the two.
TEST(Compare, TakesAProjectedRunAsReference) {
  CompareRequest request = shortRequest();
  request.formulations = {"absolute"};
  request.stabilisations = {"none", "projection"};
  request.also_lifted = false;
  request.run.steps.rtol = 1e-9;
  request.run.steps.atol = 1e-11;
  const Comparison comparison = compared(pendulum(), request);
  ASSERT_TRUE(comparison.reference);
  const Ledger& drifted = comparison.runs[0].result.ledger;
  EXPECT_LT(drifted.worst_position, kWellClosed * drifted.reference_length);
  EXPECT_GT(drifted.worst_position, 1e-12 * drifted.reference_length);
  EXPECT_EQ(comparison.runs[*comparison.reference].label, "absolute with projection");
}

// A millionth of a metre of drift does not make a difference of a tenth.
TEST(Compare, DoesNotBlameDriftForWhatIsFarGreater) {
  CompareRequest request = shortRequest();
  request.formulations = {"absolute", "recursive"};
  request.also_lifted = false;
  Comparison comparison = compared(pendulum(), request);
  ASSERT_EQ(comparison.reference, std::optional<std::size_t>(0));
  ComparedRun& other = comparison.runs[1];
  other.result.ledger.worst_position = 1e-6;
  for (Series& series : other.result.series) {
    if (series.name == "O.angle") series.values.back() += 0.1;
  }
  other.difference = differencesOf(pendulum(), comparison.runs[0].result, other.result, request.within);
  EXPECT_THAT(verdictOf(comparison), HasSubstr("`recursive` parts from the reference"));
  EXPECT_THAT(verdictOf(comparison), Not(HasSubstr("drifted")));
  other.result.ledger.worst_position = 0.05;
  EXPECT_THAT(verdictOf(comparison), HasSubstr("`recursive` has drifted to 0.05 by t = 1 s, and parts"));
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

// Four of five agree, and still not all do.
TEST(Compare, FindsNoAgreementWhereARunCouldNotGoOn) {
  Comparison comparison = compared(pendulum(), shortRequest());
  ASSERT_EQ(comparison.agree(), std::optional(true));
  EXPECT_EQ(comparison.failed(), nullptr);
  comparison.runs[1].result.status = RunStatus::failed;
  EXPECT_EQ(comparison.failed(), &comparison.runs[1]);
  EXPECT_EQ(comparison.agree(), std::optional(false));
  EXPECT_THAT(verdictOf(comparison), HasSubstr(" of "));
  comparison.runs[1].problem = "it does not apply";
  EXPECT_EQ(comparison.agree(), std::optional(true));
}

// Euler's method gains energy, so that the bar swings higher than it was let go, where an event stops it.
TEST(Compare, FindsThatAnEventStopsOneRunAlone) {
  Mechanism m = pendulum();
  m.events.push_back({"over", Expr::symbol("bar.angle") + Expr(3.2), Crossing::both, true, {}});
  CompareRequest request = shortRequest();
  request.run.until = 2.0;
  request.formulations = {"absolute"};
  request.integrators = {"rk4", "euler"};
  request.run.steps.step = 0.01;
  request.also_lifted = false;
  request.within = 0.3;  // up to the event they differ by less
  const Comparison comparison = compared(m, request);
  EXPECT_FALSE(comparison.runs[1].difference.parting);
  EXPECT_GT(comparison.worst(), std::optional(0.5));
  EXPECT_EQ(comparison.agree(), std::optional(false));
  EXPECT_THAT(verdictOf(comparison), HasSubstr("`absolute by euler` is stopped by event \"over\" at t = 0.86"));
  EXPECT_THAT(verdictOf(comparison), HasSubstr("s, while the reference ends at t = 2 s."));
  EXPECT_THAT(differenceTable(comparison)[2].back(), HasSubstr("the end (reference: 2 s)"));
}

TEST(Compare, FindsThatAnEventStopsAllAtTheSameTime) {
  Mechanism m = pendulum();
  m.events.push_back({"low", Expr::symbol("bar.angle") + Expr(1.5), Crossing::both, true, {}});
  const Comparison comparison = compared(m, shortRequest());
  EXPECT_EQ(comparison.agree(), std::optional(true)) << verdictOf(comparison);
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    ASSERT_TRUE(run.difference.endings) << run.label;
    EXPECT_LT(run.difference.endings->relative, 1e-7) << run.label;
    EXPECT_LT(run.reached(), 1.0) << run.label;
  }
}

TEST(CompareSettings, OfSingleRunsStandBesideThoseOfAll) {
  CompareRequest request = shortRequest();
  request.formulations = {"absolute", "hamiltonian"};
  request.stabilisations = {"projection", "baumgarte"};
  request.integrators = {"dopri5", "rk4"};
  request.run.steps.step = 0.02;
  request.run.system.alpha = 20.0;
  request.also_lifted = false;
  const Comparison comparison = compared(pendulum(), request);
  const auto has = [](const Settings& settings, const std::string& key, const std::string& value) {
    const Setting* found = findSetting(settings, key);
    return found != nullptr && found->text() == value;
  };
  EXPECT_TRUE(has(commonSettings(comparison), "until", "1 s"));
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    const Settings own = ownSettings(comparison, run);
    EXPECT_EQ(has(own, "step", "0.02 s"), run.method.integrator == "rk4") << run.label;
    EXPECT_EQ(has(own, "rtol", "1e-08"), run.method.integrator == "dopri5") << run.label;
    EXPECT_EQ(has(own, "alpha", "20 1/s"), run.method.stabilisation == "baumgarte") << run.label;
    EXPECT_EQ(has(own, "opening", request.run.system.opening), run.method.formulation == "hamiltonian") << run.label;
    EXPECT_FALSE(has(own, "until", "1 s")) << run.label;
    EXPECT_FALSE(has(own, "integrator", run.method.integrator)) << run.label;
  }
  EXPECT_EQ(ownSettingsTable(comparison)[1].front(), "absolute with projection by dopri5");
  EXPECT_THAT(ownSettingsTable(comparison)[1].back(), HasSubstr("rtol = 1e-08, atol = "));
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

Convergence convergedWith(const std::string& integrator, double rtol, double step) {
  const Mechanism m = pendulum();
  CompareRequest request = shortRequest();
  request.formulations = {"absolute", "recursive"};
  request.integrators = {integrator};
  request.also_lifted = false;
  request.run.steps.rtol = rtol;
  request.run.steps.atol = 0.01 * rtol;
  request.run.steps.step = step;
  return converge(m, assemble(m), request);
}

// The tolerance that rk4 does not use sets no bound.
TEST(Converge, OfFixedStepsGoesOnUntilItSettles) {
  const Convergence found = convergedWith("rk4", 1e-13, 0.02);
  EXPECT_GT(found.levels.size(), 4U);
  EXPECT_TRUE(found.settled());
  EXPECT_EQ(found.levels.back().rtol, 0.0);
  EXPECT_THAT(wordsFor(found), StartsWith("The differences have settled. At step = "));
  EXPECT_EQ(convergenceTable(found).front().front(), "step");
}

// Of order one: each level halves the error, and none of them is the last.
TEST(Converge, OfEulersMethodStillFallsAtTheLastLevel) {
  const Convergence found = convergedWith("euler", 1e-6, 0.02);
  EXPECT_EQ(found.last, LastLevel::enough);
  EXPECT_TRUE(found.fell);
  EXPECT_THAT(wordsFor(found), StartsWith("The differences still fall from level to level: they have not settled; "
                                          "no more than 12 levels are tried. At step = "));
}

TEST(Converge, SaysThatTheTightestToleranceIsReached) {
  EXPECT_THAT(wordsFor(convergedWith("dopri5", 1e-12, 0.0)),
              HasSubstr("tighter than rtol = 1e-13 there is nothing to gain"));
  EXPECT_THAT(wordsFor(convergedWith("dopri5", 1e-13, 0.0)),
              StartsWith("Convergence could not be judged: there is only one level"));
}

// One level that is no better is not yet a proof, whatever ended the search.
TEST(Converge, SaysThatTheLastLevelWasNoBetter) {
  Convergence found;
  found.levels.resize(3);
  for (ConvergenceLevel& level : found.levels) level.rtol = 1e-12;
  found.best = 1;
  for (const auto& [last, words] : {std::pair{LastLevel::tightest, "tighter than rtol = 1e-13"},
                                    std::pair{LastLevel::failed, "at rtol = 1e-13 `absolute` could not go on"},
                                    std::pair{LastLevel::interrupted, "it was interrupted"}}) {
    found.last = last;
    found.stopped = last == LastLevel::failed ? words : "";
    EXPECT_THAT(wordsFor(found), StartsWith("The last level was no better than the one before"));
    EXPECT_THAT(wordsFor(found), HasSubstr(words));
  }
  found.last = LastLevel::settled;
  EXPECT_THAT(wordsFor(found), StartsWith("The differences have settled. At rtol = 1e-12 these digits"));
}

}  // namespace compare_test
}  // namespace linkwork
