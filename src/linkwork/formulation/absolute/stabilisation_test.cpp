// Augmented Lagrangian and coordinate partitioning at single states: what they make of accelerations, multipliers and
// positions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/absolute/dense_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace stabilisation_test {

using namespace test;
using ::testing::HasSubstr;

AbsoluteOptions with(Stabilisation stabilisation, std::vector<int> doubtful_rows = {}) {
  AbsoluteOptions options;
  options.stabilisation = stabilisation;
  options.doubtful_rows = std::move(doubtful_rows);
  return options;
}

struct Case {
  const char* name;
  Mechanism mechanism;
  State start;
  std::vector<int> doubtful;
};

std::vector<Case> cases() {
  std::vector<Case> out{{"slider pendulum", sliderPendulum(), sliderPendulumMoving(), {}},
                        {"crank slider", crankSlider(), crankSliderStart(), {}},
                        {"three cranks", parallelogram(), parallelogramStart(), {}},
                        {"three cranks, one massless", parallelogram(), parallelogramStart(), {}}};
  out[3].mechanism.bodies[1].mass = out[3].mechanism.bodies[1].inertia = 0.0;
  for (Case& item : out) {
    const AbsoluteSystem plain(item.mechanism, with(Stabilisation::none));
    const auto work = plain.makeWorkspace();
    item.doubtful = plain.dependentRows(0.0, item.start.x(), *work);
  }
  return out;
}

template <class System>
std::vector<double> derivativeAt(const System& system, const std::vector<double>& x, const Modes& modes,
                                 Workspace& work) {
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.0, x, modes, work, xdot), Eval::ok) << system.describeFailure(work);
  return xdot;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  double size = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    worst = std::max(worst, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(a[k]));
  }
  return worst / size;
}

// --- augmented Lagrangian

TEST(AugmentedLagrangian, SettlesOnTheAccelerationsOfTheIndex1System) {
  for (const Case& item : cases()) {
    const AbsoluteSystem plain(item.mechanism, with(Stabilisation::none, item.doubtful));
    const AbsoluteSystem system(item.mechanism, with(Stabilisation::augmented_lagrangian, item.doubtful));
    const auto plain_work = plain.makeWorkspace();
    const auto work = system.makeWorkspace();
    const auto exact = derivativeAt(plain, item.start.x(), plain.startModes(), *plain_work);
    // Settled to 1e-12, and the round-off of solves that are not refined.
    EXPECT_LT(difference(exact, derivativeAt(system, item.start.x(), system.startModes(), *work)), 1e-11) << item.name;
    EXPECT_LE(system.solveCounts(*work).penalty_iterations, 4) << item.name;
  }
}

// Off the surface it has the terms of Baumgarte's method with alpha = mu omega and beta = omega.
TEST(AugmentedLagrangian, PullsTheJointsTogetherLikeBaumgarte) {
  for (const Case& item : cases()) {
    if (!item.doubtful.empty()) continue;  // where the pulls on dependent rows differ, only a compromise is left
    AbsoluteOptions pull = with(Stabilisation::baumgarte, item.doubtful);
    pull.alpha = 0.6 * 8.0;
    pull.beta = 8.0;
    AbsoluteOptions options = with(Stabilisation::augmented_lagrangian, item.doubtful);
    options.omega = 8.0;
    options.mu = 0.6;
    const AbsoluteSystem baumgarte(item.mechanism, pull);
    const AbsoluteSystem system(item.mechanism, options);
    const auto baumgarte_work = baumgarte.makeWorkspace();
    const auto work = system.makeWorkspace();
    std::vector<double> x = item.start.x();
    x[3] += 1e-3;
    x[item.start.q.size() + 1] += 2e-3;
    EXPECT_LT(difference(derivativeAt(baumgarte, x, baumgarte.startModes(), *baumgarte_work),
                         derivativeAt(system, x, system.startModes(), *work)),
              1e-11)
        << item.name;
  }
}

// lambda = c Phi_q y for some y: of all multipliers that fit, those of least norm.
TEST(AugmentedLagrangian, ConvergesToTheLeastMultipliersOfARedundantSystem) {
  for (const Case& item : cases()) {
    const AbsoluteSystem system(item.mechanism, with(Stabilisation::augmented_lagrangian, item.doubtful));
    const auto work = system.makeWorkspace();
    derivativeAt(system, item.start.x(), system.startModes(), *work);
    const auto own = system.ownMultipliers(*work);
    const std::vector<double> kept(own.begin(), own.end());
    Observation seen;
    ASSERT_EQ(system.observe(0.0, item.start.x(), system.startModes(), *work, seen), Eval::ok);
    EXPECT_LT(difference(seen.multipliers, kept), 1e-9) << item.name;
  }
}

// The penalty decides how fast, not where to: the error falls by about 1 / (c s) an iteration, s the compliance of the
// rows (0.2 1/kg and more here).
TEST(AugmentedLagrangian, AHigherPenaltyNeedsFewerIterations) {
  const State start = sliderPendulumMoving();
  std::vector<double> last;
  long fewer = 100;
  for (const double penalty : {1e2, 1e4, 1e6}) {
    AbsoluteOptions options = with(Stabilisation::augmented_lagrangian);
    options.penalty = penalty;
    const AbsoluteSystem system(sliderPendulum(), options);
    const auto work = system.makeWorkspace();
    const auto found = derivativeAt(system, start.x(), system.startModes(), *work);
    if (!last.empty()) {
      EXPECT_LT(difference(found, last), 1e-11);
    }
    EXPECT_LT(system.solveCounts(*work).penalty_iterations, fewer) << penalty;
    fewer = system.solveCounts(*work).penalty_iterations;
    last = found;
  }
  EXPECT_LE(fewer, 4);
}

TEST(AugmentedLagrangian, IsObservedWithTheReactionsOfTheIndex1System) {
  const AbsoluteSystem plain(crankSlider(), with(Stabilisation::none));
  const AbsoluteSystem system(crankSlider(), with(Stabilisation::augmented_lagrangian));
  const auto plain_work = plain.makeWorkspace();
  const auto work = system.makeWorkspace();
  std::vector<double> x = crankSliderStart().x();
  x[0] += 1e-3;
  Observation a;
  Observation b;
  ASSERT_EQ(plain.observe(0.0, x, plain.startModes(), *plain_work, a), Eval::ok);
  ASSERT_EQ(system.observe(0.0, x, system.startModes(), *work, b), Eval::ok);
  EXPECT_EQ(a.multipliers, b.multipliers);
}

TEST(AugmentedLagrangian, KnowsTheRankWhereAStepEnds) {
  const AbsoluteSystem system(parallelogram(), with(Stabilisation::augmented_lagrangian));
  const auto work = system.makeWorkspace();
  std::vector<double> x = parallelogramStart().x();
  const AfterStep after = system.afterStep(0.0, x, system.startModes(), *work);
  ASSERT_TRUE(after.rows);
  EXPECT_EQ(after.rows->rank, 11);
  EXPECT_EQ(after.rows->freedoms, 1);
}

TEST(AugmentedLagrangian, SaysSoWhenTheConstraintsContradictEachOther) {
  Mechanism m = sliderPendulum();
  const Expr t = Expr::symbol("t");
  addDrive(m, "first", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(1), frameAt(0, 0), Expr(0.5) * t * t);
  addDrive(m, "second", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(1), frameAt(0, 0), t * t);
  const AbsoluteSystem system(m, with(Stabilisation::augmented_lagrangian));
  const auto work = system.makeWorkspace();
  std::vector<double> x{0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work),
              HasSubstr("no accelerations satisfy all constraints under the penalty, worst at"));
  EXPECT_THAT(system.describeFailure(*work), HasSubstr("drive"));
}

// --- partitioning

TEST(Partitioning, IntegratesAsManyCoordinatesAsThereAreDegreesOfFreedom) {
  for (const Case& item : cases()) {
    const AbsoluteSystem system(item.mechanism, with(Stabilisation::partitioning, item.doubtful));
    const auto work = system.makeWorkspace();
    Modes modes = system.startModes();
    system.beginStep(0.0, item.start.x(), modes, *work);
    int count = 0;
    for (const auto mark : system.independent(modes)) count += mark;
    EXPECT_EQ(count, system.factorRows(0.0, item.start.x(), system.startModes(), *work).freedoms) << item.name;
  }
}

// Disturbed coordinates are put right, and the independent ones are not touched, not even in their last bit.
TEST(Partitioning, ClosesTheJointsByMovingDependentCoordinatesOnly) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (const Case& item : cases()) {
    const AbsoluteSystem system(item.mechanism, with(Stabilisation::partitioning, item.doubtful));
    const auto work = system.makeWorkspace();
    for (const double size : {1e-8, 1e-5, 1e-3}) {
      std::vector<double> x = item.start.x();
      Modes modes = system.startModes();
      system.beginStep(0.0, x, modes, *work);
      const std::vector<std::uint8_t> marks(system.independent(modes).begin(), system.independent(modes).end());
      for (std::size_t k = 0; k + 1 < x.size(); ++k) x[k] += size * any(random);
      const std::vector<double> disturbed = x;
      const AfterStep after = system.afterStep(0.0, x, modes, *work);
      ASSERT_EQ(after.eval, Eval::ok) << item.name << ": " << system.describeFailure(*work);
      EXPECT_TRUE(after.changed);
      const std::size_t n = marks.size();
      for (std::size_t u = 0; u < n; ++u) {
        if (marks[u] == 0) continue;
        EXPECT_EQ(x[u], disturbed[u]);
        EXPECT_EQ(x[n + u], disturbed[n + u]);
      }
      const Violation violation = system.violation(0.0, x, modes, *work);
      EXPECT_LT(violation.position, 1e-13) << item.name;
      EXPECT_LT(violation.velocity, 1e-12) << item.name;
      const std::vector<double> settled = x;
      EXPECT_FALSE(system.afterStep(0.0, x, modes, *work).changed);
      EXPECT_EQ(x, settled);
    }
  }
}

// What stands in the dependent coordinates does not matter to the motion: a start for Newton's method, no more.
TEST(Partitioning, RatesDependOnTheIndependentCoordinatesAlone) {
  for (const Case& item : cases()) {
    const AbsoluteSystem system(item.mechanism, with(Stabilisation::partitioning, item.doubtful));
    const AbsoluteSystem plain(item.mechanism, with(Stabilisation::none, item.doubtful));
    const auto work = system.makeWorkspace();
    const auto plain_work = plain.makeWorkspace();
    std::vector<double> x = item.start.x();
    Modes modes = system.startModes();
    system.beginStep(0.0, x, modes, *work);
    const auto exact = derivativeAt(plain, x, plain.startModes(), *plain_work);
    const auto marks = system.independent(modes);
    for (std::size_t u = 0; u < marks.size(); ++u) {
      if (marks[u] != 0) continue;
      x[u] += 1e-3 * std::sin(3.0 * static_cast<double>(u) + 1.0);
      x[marks.size() + u] -= 1e-3 * std::sin(5.0 * static_cast<double>(u) + 1.0);
    }
    EXPECT_LT(difference(exact, derivativeAt(system, x, modes, *work)), 1e-11) << item.name;
  }
}

// Nothing but the state at which a step begins decides: a run that is resumed goes on bit for bit.
TEST(Partitioning, TheChoiceIsThatOfTheStateWhereTheStepBegins) {
  const AbsoluteSystem system(parallelogram(), with(Stabilisation::partitioning, cases()[2].doubtful));
  const auto used = system.makeWorkspace();
  long changes = 0;
  std::vector<std::uint8_t> last;
  Modes modes = system.startModes();
  for (const double theta : {0.1, 0.8, 1.5, 2.2, 2.9, 3.6, 4.3, 5.0, 5.7}) {
    std::vector<double> x = parallelogramAt(theta, 1.2).x();
    // As the end of a step that began elsewhere.
    ASSERT_EQ(system.afterStep(0.0, x, modes, *used).eval, Eval::ok);
    system.beginStep(0.0, x, modes, *used);
    const auto fresh = system.makeWorkspace();
    Modes anew = system.startModes();
    system.beginStep(0.0, x, anew, *fresh);
    EXPECT_EQ(modes, anew);
    const auto marks = system.independent(modes);
    EXPECT_EQ(derivativeAt(system, x, modes, *used), derivativeAt(system, x, anew, *fresh));
    if (!last.empty() && !std::ranges::equal(marks, last)) ++changes;
    EXPECT_EQ(system.solveCounts(*used).repartitions, changes);
    last.assign(marks.begin(), marks.end());
  }
  EXPECT_GT(changes, 0);
}

TEST(Partitioning, InSpacePartsMotionsNotQuaternions) {
  const State flat = parallelogramStart(2);
  const Mechanism m = liftedAt(parallelogram(2), flat);
  const SpatialAbsoluteSystem plain(m, with(Stabilisation::none));
  const auto plain_work = plain.makeWorkspace();
  std::vector<double> x(static_cast<std::size_t>(plain.space().size()), 0.0);
  for (std::size_t b = 0; b < 3; ++b) {
    const double half = 0.5 * flat.q[3 * b + 2];
    x[7 * b] = flat.q[3 * b];
    x[7 * b + 1] = flat.q[3 * b + 1];
    x[7 * b + 3] = std::cos(half);
    x[7 * b + 6] = std::sin(half);
    x[21 + 6 * b] = flat.v[3 * b];
    x[21 + 6 * b + 1] = flat.v[3 * b + 1];
    x[21 + 6 * b + 5] = flat.v[3 * b + 2];
  }
  const auto exact = derivativeAt(plain, x, plain.startModes(), *plain_work);
  const SpatialAbsoluteSystem system(m, with(Stabilisation::partitioning, plain.dependentRows(0.0, x, *plain_work)));
  const auto work = system.makeWorkspace();
  Modes modes = system.startModes();
  system.beginStep(0.0, x, modes, *work);
  EXPECT_EQ(system.independent(modes).size(), 18U);
  int count = 0;
  for (const auto mark : system.independent(modes)) count += mark;
  EXPECT_EQ(count, 1);
  EXPECT_LT(difference(exact, derivativeAt(system, x, modes, *work)), 1e-11);
  // Out of the plane and off the joints: brought back.
  for (std::size_t b = 0; b < 3; ++b) {
    for (std::size_t k = 0; k < 7; ++k) x[7 * b + k] += 1e-4 * std::sin(static_cast<double>(1 + k + 3 * b));
  }
  ASSERT_EQ(system.afterStep(0.0, x, modes, *work).eval, Eval::ok) << system.describeFailure(*work);
  EXPECT_LT(system.violation(0.0, x, modes, *work).position, 1e-13);
  EXPECT_LT(system.violation(0.0, x, modes, *work).velocity, 1e-12);
}

// A rod of 1 m between a slider on y = 0 and a crank pin held 3 m above it.
TEST(Partitioning, NamesTheJointThatDoesNotClose) {
  Mechanism m;
  const BodyIndex slider = addBody(m, "slider", 1.0, 1.0);
  const BodyIndex rod = addBody(m, "rod", 1.0, 0.1);
  addJoint(m, "guide", JointKind::prismatic, slider, frameAt(0, 0), kGround, frameAt(0, 0));
  addJoint(m, "pin", JointKind::revolute, slider, frameAt(0, 0), rod, frameAt(0, 0));
  addDrive(m, "lift", DriveKind::coordinate, kGround, frameAt(0, 0, 0.5 * std::numbers::pi), rod, frameAt(0, 1),
           Expr(3.0));
  const AbsoluteSystem system(m, with(Stabilisation::partitioning));
  const auto work = system.makeWorkspace();
  std::vector<double> x{0, 0, 0, 0, 0, 0.4, 0, 0, 0, 0, 0, 0, 0};
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work),
              HasSubstr("could not be closed by moving the dependent coordinates alone"));
}

TEST(Partitioning, IsRefusedForVeryManyDegreesOfFreedom) {
  Mechanism m;
  for (int k = 0; k < 70; ++k) addBody(m, fmt::format("b{}", k), 1.0, 1.0);
  EXPECT_EQ(AbsoluteSystem(m, with(Stabilisation::partitioning)).problem(),
            "partitioning compares all motions that the joints allow, which is too slow for 210 degrees of freedom (at "
            "most 200); take projection instead.");
  EXPECT_EQ(AbsoluteSystem(m, with(Stabilisation::projection)).problem(), "");
}

}  // namespace stabilisation_test
}  // namespace linkwork
