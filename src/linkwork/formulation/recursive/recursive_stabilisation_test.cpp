// The stabilisations of joint coordinates at single states: what they make of accelerations, positions and derivatives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/linalg/allocation_count_for_tests.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/system/mechanical_laws_for_tests.hpp"

namespace linkwork {
namespace recursive_stabilisation_test {

using ::testing::HasSubstr;
using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

struct Case {
  std::string name;
  Mechanism mechanism;
};

Mechanism drawn(Mechanism m, const test::State& state) {
  test::drawAt(m, state);
  return m;
}

Mechanism masslessCoupler() {
  Mechanism m = drawn(test::parallelogram(2), test::parallelogramStart(2));
  for (Body& body : m.bodies) {
    if (body.name == "coupler") body.mass = body.inertia = 0.0;
  }
  return m;
}

// The first crank follows its drive, the cut closes the loop: nothing is left free.
Mechanism drivenLoop() {
  Mechanism m = drawn(test::parallelogram(2), test::parallelogramStart(2));
  test::drive(m, "G1.angle", Expr(-std::atan2(-4.0, 3.0)) - Expr(1.2) * test::kTime + sin(test::kTime * test::kTime));
  return m;
}

std::vector<Case> planarCases() {
  return {{"tree", drawn(test::sliderPendulum(), test::sliderPendulumMoving())},
          {"loop", drawn(test::parallelogram(2), test::parallelogramStart(2))},
          {"redundant loops", drawn(test::parallelogram(3), test::parallelogramStart(3))},
          {"crank and slider", drawn(test::crankSlider(), test::crankSliderStart())},
          {"massless coupler", masslessCoupler()},
          {"driven loop", drivenLoop()}};
}

std::vector<Case> spatialCases() {
  return {{"redundant loops in space", test::liftedAt(test::parallelogram(3), test::parallelogramStart(3))},
          {"door on two hinges", test::door(JointKind::revolute, JointKind::revolute)},
          {"door on a ball and a guide", test::door(JointKind::spherical, JointKind::point_line)},
          {"bricard", test::bricard()}};
}

// A consistent state in motion, and the options that go with it.
template <class G>
struct Start {
  explicit Start(const Mechanism& m) {
    const RecursiveSystem<G> plain(m, {});
    const auto plain_work = plain.makeWorkspace();
    x = plain.fromAbsolute(0.0, test::drawnState(m));
    options.doubtful_rows.resize(plain.rankReport(0.0, x, plain.startModes(), *plain_work).dependent_rows.size());
    const RecursiveSystem<G> system(m, options);
    const auto work = system.makeWorkspace();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    for (int k = 0; k < system.space().velocities(); ++k) x[at(system.space().velocityOffset() + k)] = any(random);
    EXPECT_EQ(system.afterStep(0.0, x, system.startModes(), *work).eval, Eval::ok) << system.describeFailure(*work);
    options.start = system.toAbsolute(0.0, x, system.startModes());
  }
  RecursiveOptions with(Stabilisation stabilisation) const {
    RecursiveOptions out = options;
    out.stabilisation = stabilisation;
    return out;
  }
  std::vector<double> x;
  RecursiveOptions options;
};

template <class System>
std::vector<double> derivativeAt(const System& system, const std::vector<double>& x, const Modes& modes,
                                 Workspace& work) {
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.0, x, modes, work, xdot), Eval::ok) << system.describeFailure(work);
  return xdot;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0;
  double size = 1e-3;
  for (std::size_t k = 0; k < a.size(); ++k) {
    worst = std::max(worst, std::abs(a[k] - b[k]));
    size = std::max(size, std::abs(a[k]));
  }
  return worst / size;
}

// Settled to 1e-12; what the index-1 system and the penalties make of round-off in the rows is ten times that.
constexpr double kSame = 1e-11;

template <class G>
void expectIndex1Accelerations(const std::vector<Case>& cases, Stabilisation stabilisation) {
  for (const Case& item : cases) {
    SCOPED_TRACE(item.name);
    const Start<G> start(item.mechanism);
    const RecursiveSystem<G> plain(item.mechanism, start.with(Stabilisation::none));
    const RecursiveSystem<G> system(item.mechanism, start.with(stabilisation));
    const auto plain_work = plain.makeWorkspace();
    const auto work = system.makeWorkspace();
    Modes modes = system.startModes();
    system.beginStep(0.0, start.x, modes, *work);
    EXPECT_LT(difference(derivativeAt(plain, start.x, plain.startModes(), *plain_work),
                         derivativeAt(system, start.x, modes, *work)),
              kSame);
    std::vector<double> closed = start.x;
    const AfterStep after = system.afterStep(0.0, closed, modes, *work);
    ASSERT_EQ(after.rows.has_value(), stabilisation == Stabilisation::augmented_lagrangian || system.cuts().rows() > 0);
    if (after.rows) {
      EXPECT_EQ(after.rows->freedoms, plain.factorRows(0.0, start.x, plain.startModes(), *plain_work).freedoms);
    }
  }
}

TEST(RecursiveStabilisation, AugmentedLagrangianSettlesOnTheAccelerationsOfTheIndex1System) {
  expectIndex1Accelerations<PlaneD>(planarCases(), Stabilisation::augmented_lagrangian);
  expectIndex1Accelerations<SpaceD>(spatialCases(), Stabilisation::augmented_lagrangian);
}

TEST(RecursiveStabilisation, PartitioningHasTheAccelerationsOfTheIndex1System) {
  expectIndex1Accelerations<PlaneD>(planarCases(), Stabilisation::partitioning);
  expectIndex1Accelerations<SpaceD>(spatialCases(), Stabilisation::partitioning);
}

// Off the surface the augmented Lagrangian has the terms of Baumgarte's method with alpha = mu omega and beta = omega.
TEST(RecursiveStabilisation, AugmentedLagrangianPullsTheCutsTogetherLikeBaumgarte) {
  const Mechanism m = planarCases()[1].mechanism;
  const Start<PlaneD> start(m);
  RecursiveOptions pull = start.with(Stabilisation::baumgarte);
  pull.alpha = 0.6 * 8.0;
  pull.beta = 8.0;
  RecursiveOptions options = start.with(Stabilisation::augmented_lagrangian);
  options.omega = 8.0;
  options.mu = 0.6;
  const PlanarRecursiveSystem baumgarte(m, pull);
  const PlanarRecursiveSystem system(m, options);
  const auto baumgarte_work = baumgarte.makeWorkspace();
  const auto work = system.makeWorkspace();
  std::vector<double> x = start.x;
  x[0] += 1e-3;
  x[at(system.space().velocityOffset())] += 2e-3;
  EXPECT_LT(difference(derivativeAt(baumgarte, x, baumgarte.startModes(), *baumgarte_work),
                       derivativeAt(system, x, system.startModes(), *work)),
            kSame);
  EXPECT_GT(system.solveCounts(*work).penalty_iterations, 1);
}

// Disturbed coordinates are put right, and the independent ones are not touched, not even in their last bit.
template <class G>
void expectDependentCoordinatesMoveAlone(const std::vector<Case>& cases) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (const Case& item : cases) {
    SCOPED_TRACE(item.name);
    const Start<G> start(item.mechanism);
    const RecursiveSystem<G> system(item.mechanism, start.with(Stabilisation::partitioning));
    if (system.cuts().rows() == 0) continue;
    const auto work = system.makeWorkspace();
    std::vector<double> x = start.x;
    Modes modes = system.startModes();
    system.beginStep(0.0, x, modes, *work);
    const std::vector<std::uint8_t> marks(system.independent(modes).begin(), system.independent(modes).end());
    EXPECT_EQ(std::count(marks.begin(), marks.end(), 1), system.factorRows(0.0, x, modes, *work).freedoms);
    const StateSpace space = system.space();
    const bool flat = space.positions() == space.velocities();
    for (int k = 0; k < space.controlled(); ++k) x[at(k)] += 1e-4 * any(random);
    const std::vector<double> disturbed = x;
    ASSERT_EQ(system.afterStep(0.0, x, modes, *work).eval, Eval::ok) << system.describeFailure(*work);
    for (int u = 0; u < space.velocities(); ++u) {
      if (marks[at(u)] == 0) continue;
      if (flat) {
        EXPECT_EQ(x[at(u)], disturbed[at(u)]);
      }
      EXPECT_EQ(x[at(space.velocityOffset() + u)], disturbed[at(space.velocityOffset() + u)]);
    }
    const Violation violation = system.violation(0.0, x, modes, *work);
    EXPECT_LT(violation.position, 1e-13);
    EXPECT_LT(violation.velocity, 1e-12);
    EXPECT_FALSE(system.afterStep(0.0, x, modes, *work).changed);
  }
}

TEST(RecursiveStabilisation, PartitioningClosesTheCutsByMovingDependentCoordinatesOnly) {
  expectDependentCoordinatesMoveAlone<PlaneD>(planarCases());
  expectDependentCoordinatesMoveAlone<SpaceD>(spatialCases());
}

// The laws of the contract off the constraints; on them the accelerations and the power of the index-1 system.
template <class G>
void expectMechanicalLaws(const std::vector<Case>& cases) {
  for (const Case& item : cases) {
    SCOPED_TRACE(item.name);
    const Start<G> start(item.mechanism);
    const RecursiveSystem<G> system(item.mechanism, start.with(Stabilisation::index3));
    const auto work = system.makeWorkspace();
    ASSERT_NE(system.mechanical(), nullptr);
    ASSERT_NE(system.dae(), nullptr);
    const MechanicalSystem& mechanical = *system.mechanical();
    EXPECT_EQ(mechanical.rows(), system.cuts().rows() - static_cast<int>(start.options.doubtful_rows.size()));
    std::vector<double> moved = start.x;
    const std::vector<double> step(at(system.space().velocities()), 0.05);
    mechanical.retract(std::span(start.x).first(at(system.space().positions())), step,
                       std::span(moved).first(at(system.space().positions())));
    test::MechanicalLaws laws{mechanical, 0.0, moved, {}};
    for (int r = 0; r < mechanical.rows(); ++r) laws.lambda.push_back(3.0 * std::sin(1.0 + r));
    laws.check();

    const std::vector<double> exact = derivativeAt(system, start.x, system.startModes(), *work);
    const auto dae_work = system.dae()->makeWorkspace();
    const auto size = start.x.size() + at(system.dae()->algebraic());
    std::vector<double> y(size);
    std::vector<double> rates(size);
    std::vector<double> F(size);
    ASSERT_EQ(system.dae()->start(0.0, start.x, system.startModes(), *dae_work, y, rates), Eval::ok);
    ASSERT_EQ(system.dae()->rightSide(0.0, y, system.startModes(), *dae_work, F), Eval::ok);
    F.resize(start.x.size());
    EXPECT_LT(difference(exact, F), 1e-10);
  }
}

TEST(RecursiveStabilisation, MechanicalSystemSatisfiesTheLaws) {
  expectMechanicalLaws<PlaneD>(planarCases());
  expectMechanicalLaws<SpaceD>(spatialCases());
}

TEST(RecursiveStabilisation, DoesNotAllocateInAStep) {
  const Mechanism m = spatialCases()[0].mechanism;
  const Start<SpaceD> start(m);
  for (const Stabilisation stabilisation : {Stabilisation::augmented_lagrangian, Stabilisation::partitioning}) {
    const SpatialRecursiveSystem system(m, start.with(stabilisation));
    const auto work = system.makeWorkspace();
    std::vector<double> x = start.x;
    std::vector<double> rates(x.size());
    Modes modes = system.startModes();
    const long before = test::allocation_count;
    system.beginStep(0.0, x, modes, *work);
    EXPECT_EQ(system.derivative(0.0, x, modes, *work, rates), Eval::ok);
    x[0] += 1e-4;
    EXPECT_EQ(system.afterStep(0.0, x, modes, *work).eval, Eval::ok);
    EXPECT_EQ(test::allocation_count - before, 0);
  }
}

TEST(RecursiveStabilisation, SaysWhatIsWrong) {
  // Two drives of one joint: the tree follows the first, the second is a cut that contradicts it.
  Mechanism twice = drawn(test::sliderPendulum(), test::sliderPendulumStart());
  test::drive(twice, "O.angle", Expr(0.5) * test::kTime * test::kTime);
  test::drive(twice, "O.angle", test::kTime * test::kTime);
  RecursiveOptions options;
  options.stabilisation = Stabilisation::augmented_lagrangian;
  const PlanarRecursiveSystem system(twice, options);
  const auto work = system.makeWorkspace();
  std::vector<double> x(at(system.space().size()));
  std::vector<double> xdot(x.size());
  EXPECT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::retry);
  EXPECT_THAT(system.describeFailure(*work),
              HasSubstr("no accelerations satisfy all constraints under the penalty, worst at drive"));

  // A loop whose cut is a metre beyond its reach.
  Mechanism far = drawn(test::parallelogram(2), test::parallelogramStart(2));
  for (Joint& joint : far.joints) {
    if (joint.name == "K2") joint.on_first.point[0] = Value(joint.on_first.point[0].number + 10.0);
  }
  options.stabilisation = Stabilisation::partitioning;
  const PlanarRecursiveSystem open(far, options);
  const auto open_work = open.makeWorkspace();
  x = open.fromAbsolute(0.0, test::drawnState(far));
  xdot.resize(x.size());
  EXPECT_EQ(open.derivative(0.0, x, open.startModes(), *open_work, xdot), Eval::retry);
  EXPECT_THAT(open.describeFailure(*open_work),
              HasSubstr("could not be closed by moving the dependent coordinates alone"));
}

TEST(RecursiveStabilisation, RefusesWhatItCannotDo) {
  // A tree without cuts has nothing to part, however many freedoms it has.
  Mechanism many;
  for (int k = 0; k < 70; ++k) test::addBody(many, fmt::format("b{}", k), 1.0, 1.0);
  RecursiveOptions options;
  options.stabilisation = Stabilisation::partitioning;
  EXPECT_EQ(PlanarRecursiveSystem(many, options).problem(), "");
  test::addJoint(many, "rod", JointKind::distance, BodyIndex(0), test::frameAt(0, 0), BodyIndex(1), test::frameAt(1, 0))
      .length = 1.0;
  EXPECT_EQ(PlanarRecursiveSystem(many, options).problem(),
            "partitioning compares all motions that the joints allow, which is too slow for 209 degrees of freedom (at "
            "most 200); take projection instead.");

  // Nothing to integrate.
  Mechanism driven;
  test::addBody(driven, "arm", 1.0, 1.0);
  test::addJoint(driven, "O", JointKind::revolute, kGround, test::frameAt(0, 0), BodyIndex(0), test::frameAt(0, 0));
  test::drive(driven, "O.angle", test::kTime);
  options.stabilisation = Stabilisation::index3;
  const PlanarRecursiveSystem nothing(driven, options);
  EXPECT_EQ(nothing.problem(),
            "drives prescribe every joint of the tree, so that nothing is left for index3 to solve: use stabilisation "
            "projection, or the formulation absolute.");
  EXPECT_EQ(nothing.dae(), nullptr);
}

}  // namespace recursive_stabilisation_test
}  // namespace linkwork
