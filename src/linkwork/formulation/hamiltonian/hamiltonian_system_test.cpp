#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <string>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_laws_for_tests.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/linalg/allocation_count_for_tests.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork {
namespace hamiltonian_system_test {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;
using ::testing::HasSubstr;

// A mechanism in joint coordinates, once with velocities and once with impulses, from its drawing at rest.
template <class G>
struct Both {
  explicit Both(Mechanism m, Stabilisation stabilisation = Stabilisation::projection)
      : mechanism(std::move(m)),
        absolute(mechanism, {}),
        options(optionsOf(stabilisation)),
        joints(mechanism, options),
        system(mechanism, HamiltonianOptions{options}),
        work(system.makeWorkspace()) {}

  StabilisationOptions optionsOf(Stabilisation stabilisation) const {
    const auto own = absolute.makeWorkspace();
    StabilisationOptions out;
    out.stabilisation = stabilisation;
    out.doubtful_rows = absolute.dependentRows(0.0, test::drawnState(mechanism), *own);
    return out;
  }
  // A consistent state of joint coordinates and velocities not far from the drawing.
  std::vector<double> shaken(double size, std::mt19937& engine) const {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<double> y = joints.fromAbsolute(0.0, test::drawnState(mechanism));
    const StateSpace space = joints.space();
    for (int k = 0; k < space.controlled(); ++k) y[at(k)] += (k < space.positions() ? size : 1.0) * uniform(engine);
    const auto own = joints.makeWorkspace();
    EXPECT_EQ(joints.afterStep(0.0, y, joints.startModes(), *own).eval, Eval::ok) << joints.describeFailure(*own);
    return y;
  }

  Mechanism mechanism;
  BasicAbsoluteSystem<G> absolute;
  StabilisationOptions options;
  RecursiveSystem<G> joints;
  HamiltonianSystem<G> system;
  std::unique_ptr<Workspace> work;
};

template <class G>
void expectMotionOfAccelerations(const Mechanism& m, double shake) {
  const Both<G> both(m);
  std::mt19937 engine(3);
  for (int trial = 0; trial < 3; ++trial) {
    test::expectMotionOfAccelerations<G>(both.mechanism, both.joints, both.system, 0.0, both.shaken(shake, engine),
                                         trial == 0 ? 0.0 : 5.0, engine);
  }
}

Mechanism at0(Mechanism m, const test::State& state) {
  test::drawAt(m, state);
  return m;
}

TEST(HamiltonianSystem, MovesATreeAsAccelerationsDo) {
  expectMotionOfAccelerations<PlaneD>(at0(test::sliderPendulum(), test::sliderPendulumMoving()), 0.3);
}

// In every gauge. The paper's rate of impulses, with p where p* belongs, is off by the order of the accelerations here.
TEST(HamiltonianSystem, MovesLoopsInThePlaneAsAccelerationsDo) {
  expectMotionOfAccelerations<PlaneD>(at0(test::crankSlider(), test::crankSliderStart()), 0.05);
  expectMotionOfAccelerations<PlaneD>(at0(test::parallelogram(2), test::parallelogramStart(2)), 0.1);
}

TEST(HamiltonianSystem, MovesLoopsInSpaceAsAccelerationsDo) {
  expectMotionOfAccelerations<SpaceD>(test::crossedShafts(), 0.05);
  expectMotionOfAccelerations<SpaceD>(test::hexapod(0.6), 0.02);
}

TEST(HamiltonianSystem, MovesRedundantLoopsAsAccelerationsDo) {
  expectMotionOfAccelerations<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.1);
  expectMotionOfAccelerations<SpaceD>(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)), 0.02);
  expectMotionOfAccelerations<SpaceD>(test::bricard(), 0.02);
  expectMotionOfAccelerations<SpaceD>(test::door(JointKind::revolute, JointKind::revolute), 0.2);
}

// Of a tree joint, which the coordinates follow, and of a cut, by an angle between bodies that no joint connects.
// A row that is a formula of coordinates and time, neither linear: all parts of the rate of its derivatives count.
TEST(HamiltonianSystem, MovesRowsThatAreFormulasAsAccelerationsDo) {
  const auto angle = [](const char* joint) { return Expr::symbol(std::string(joint) + ".angle"); };
  const Expr t = Expr::symbol("t");
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  for (const char* body : {"a", "b", "c"}) test::addBody(m, body, 1.5, 0.2);
  test::addJoint(m, "A", JointKind::revolute, kGround, test::frameAt(0, 0), BodyIndex(0), test::frameAt(-0.3, 0));
  test::addJoint(m, "B", JointKind::revolute, BodyIndex(0), test::frameAt(0.4, 0.1), BodyIndex(1),
                 test::frameAt(-0.2, 0));
  test::addJoint(m, "C", JointKind::revolute, BodyIndex(1), test::frameAt(0.3, 0), BodyIndex(2),
                 test::frameAt(-0.5, 0));
  Joint formula;
  formula.name = "formula";
  formula.kind = JointKind::expression;
  formula.expression = sin(angle("A")) * angle("B") + Expr(0.7) * angle("C") * angle("C") * cos(t) + angle("A") -
                       Expr(0.4) * sin(Expr(2.0) * t);
  m.joints.push_back(formula);
  expectMotionOfAccelerations<PlaneD>(m, 0.2);
}

TEST(HamiltonianSystem, FollowsDrivesAndKnowsTheirWork) {
  Mechanism m = at0(test::sliderPendulum(), test::sliderPendulumMoving());
  test::drive(m, "O.angle", Expr(0.3) + Expr(0.7) * test::kTime + sin(test::kTime * test::kTime));
  const Both<PlaneD> both(m);
  EXPECT_EQ(both.system.space().velocities(), 1);
  expectMotionOfAccelerations<PlaneD>(m, 0.1);
  Mechanism loop = at0(test::parallelogram(2), test::parallelogramStart(2));
  const Pose& pulled = loop.bodies[2].drawn;
  test::addDrive(loop, "pull", DriveKind::distance, kGround, test::frameAt(pulled.x - 2.0, pulled.y + 1.0),
                 BodyIndex(2), test::frameAt(0, 0), Expr(std::sqrt(5.0)) + Expr(0.4) * sin(Expr(3.0) * test::kTime));
  expectMotionOfAccelerations<PlaneD>(loop, 0.02);
}

TEST(HamiltonianSystem, TakesLinksWithoutInertia) {
  Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  for (Body& body : m.bodies) {
    if (body.name == "coupler") body.mass = body.inertia = 0.0;
  }
  expectMotionOfAccelerations<PlaneD>(m, 0.1);
}

// Whatever share of its inertia the image of a body has, the accelerations of the whole mechanism are the same, and so
// is what is observed.
template <class G>
void expectMotionOfWhole(const Mechanism& m, double shake, double share) {
  const Both<G> both(m);
  HamiltonianOptions options{both.options};
  options.opening = LoopOpening::split_bodies;
  options.image_share = share;
  const HamiltonianSystem<G> split(m, options);
  ASSERT_GT(split.tree().size(), static_cast<int>(m.bodies.size()));
  const auto work = split.makeWorkspace();
  std::mt19937 engine(3);
  const std::vector<double> y = both.shaken(shake, engine);
  const std::vector<double> absolute = both.joints.toAbsolute(0.0, y, both.joints.startModes());
  const std::vector<double> x = split.fromAbsolute(0.0, absolute);
  std::vector<double> rates(x.size());
  ASSERT_EQ(split.derivative(0.0, x, split.startModes(), *work, rates), Eval::ok) << split.describeFailure(*work);
  const std::vector<double> back = split.toAbsolute(0.0, x, split.startModes());
  for (std::size_t k = 0; k < back.size(); ++k) EXPECT_NEAR(back[k], absolute[k], 1e-12) << k;
  // Velocities of the user's bodies along x', as expectMotionOfAccelerations has them.
  Observation seen;
  Observation wanted;
  ASSERT_EQ(split.observe(0.0, x, split.startModes(), *work, seen), Eval::ok);
  ASSERT_EQ(both.system.observe(0.0, both.system.fromVelocities(0.0, y), both.system.startModes(), *both.work, wanted),
            Eval::ok);
  const double h = 1e-4;
  const auto moved = [&](double step) {
    std::vector<double> beside = x;
    for (std::size_t k = 0; k < x.size(); ++k) beside[k] += step * h * rates[k];
    return split.toAbsolute(step * h, beside, split.startModes());
  };
  const auto before_2 = moved(-2);
  const auto before = moved(-1);
  const auto after = moved(1);
  const auto after_2 = moved(2);
  const std::size_t first = at(G::kCoordinates) * m.bodies.size();
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(seen.bodies[k].acceleration[c], wanted.bodies[k].acceleration[c], 1e-9);
    }
    // The velocity of the mass centre in ground axes, which observations have of the frame's origin: frames stand
    // there.
    for (int c = 0; c < G::kDimension; ++c) {
      const std::size_t entry = first + at(G::kFreedoms) * k + at(c);
      const double rate = (before_2[entry] - 8.0 * before[entry] + 8.0 * after[entry] - after_2[entry]) / (12.0 * h);
      EXPECT_NEAR(rate, wanted.bodies[k].acceleration[at(c)], 1e-6 * (1.0 + std::abs(rate)));
    }
  }
}

TEST(HamiltonianSystem, MovesSplitBodiesAsTheWholeWhateverTheirShares) {
  for (const double share : {0.0, 0.1, 0.9}) {
    expectMotionOfWhole<PlaneD>(at0(test::crankSlider(), test::crankSliderStart()), 0.05, share);
    expectMotionOfWhole<SpaceD>(test::crossedShafts(), 0.05, share);
  }
  expectMotionOfWhole<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.1, 0.3);
  expectMotionOfWhole<SpaceD>(test::bricard(), 0.02, 0.5);
}

// The paper's iteration (10): all eigenvalues of K Phi are between 0 and 1, so that it never diverges, whatever the
// shares of a split body; and it takes many sweeps. Its (11) finds the same impulses on one loop.
template <class G>
void expectStudiedLoops(const Mechanism& m, double shake, LoopOpening opening, double share, double tolerance) {
  const Both<G> both(m);
  HamiltonianOptions options{both.options};
  options.opening = opening;
  options.image_share = share;
  const HamiltonianSystem<G> direct(m, options);
  std::mt19937 engine(3);
  std::vector<double> x =
      direct.fromAbsolute(0.0, both.joints.toAbsolute(0.0, both.shaken(shake, engine), both.joints.startModes()));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int k = 0; k < direct.tree().freedoms; ++k) x[at(direct.tree().coordinates + k)] += uniform(engine);
  const std::vector<double> wanted = direct.toVelocities(0.0, x);
  for (const LoopSolver solver : {LoopSolver::iteration, LoopSolver::krylov}) {
    options.solver = solver;
    const HamiltonianSystem<G> studied(m, options);
    const std::vector<double> found = studied.toVelocities(0.0, x);
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(found[k], wanted[k], tolerance) << k;
    const auto work = studied.makeWorkspace();
    std::vector<double> rates(x.size());
    ASSERT_EQ(studied.derivative(0.0, x, studied.startModes(), *work, rates), Eval::ok);
    const auto loop = loopMatrices(studied.cutTree(), studied.treeWork(*work));
    const Eigen::VectorXd eigenvalues =
        Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(loop.phi, loop.free_bodies).eigenvalues();
    EXPECT_GT(eigenvalues.minCoeff(), -1e-12);
    EXPECT_LT(eigenvalues.maxCoeff(), 1.0 + 1e-12);
    if (solver == LoopSolver::iteration) {
      EXPECT_GT(studied.loopIterations(*work), 10);
    } else {
      EXPECT_EQ(studied.loopIterations(*work), direct.cuts().rows());
    }
  }
}

TEST(HamiltonianSystem, HasThePapersWaysToSolveForLoops) {
  expectStudiedLoops<PlaneD>(at0(test::crankSlider(), test::crankSliderStart()), 0.05, LoopOpening::cut_joints, 0.0,
                             1e-6);
  for (const double share : {0.1, 0.5}) {
    expectStudiedLoops<PlaneD>(at0(test::parallelogram(2), test::parallelogramStart(2)), 0.1, LoopOpening::split_bodies,
                               share, 1e-6);
  }
}

// The Remark: for two equal images K is a quarter of eps M eps^T, both inertias about the images' common origin in
// ground axes.
template <class G>
void expectAQuarterOfTheInertia(const Mechanism& m, double shake) {
  const Both<G> both(m);
  HamiltonianOptions options{both.options};
  options.opening = LoopOpening::split_bodies;
  options.solver = LoopSolver::quarter;
  const HamiltonianSystem<G> system(m, options);
  EXPECT_EQ(system.problem(), "");
  const auto work = system.makeWorkspace();
  std::mt19937 engine(3);
  std::vector<double> x =
      system.fromAbsolute(0.0, both.joints.toAbsolute(0.0, both.shaken(shake, engine), both.joints.startModes()));
  for (int k = 0; k < system.tree().freedoms; ++k) x[at(system.tree().coordinates + k)] += 0.1 * std::sin(1.0 + k);
  std::vector<double> rates(x.size());
  ASSERT_EQ(system.derivative(0.0, x, system.startModes(), *work, rates), Eval::ok);
  const Eigen::MatrixXd K = loopMatrices(system.cutTree(), system.treeWork(*work)).free_bodies.inverse();
  EXPECT_LT((system.paper()->quarterWeight(system.treeWork(*work)) - K).cwiseAbs().maxCoeff(),
            1e-12 * K.cwiseAbs().maxCoeff());
  EXPECT_GT(system.loopIterations(*work), 10);
  // The velocities are those of (3) solved by its factors: what is left of the rows is 1e-12 of what was open.
  options.solver = LoopSolver::factor;
  const HamiltonianSystem<G> direct(m, options);
  const std::vector<double> wanted = direct.toVelocities(0.0, x);
  const std::vector<double> found = system.toVelocities(0.0, x);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(found[k], wanted[k], 1e-8) << k;
}

TEST(HamiltonianSystem, HasAQuarterOfTheInertiaForEqualImages) {
  expectAQuarterOfTheInertia<PlaneD>(at0(test::parallelogram(2), test::parallelogramStart(2)), 0.1);
  expectAQuarterOfTheInertia<SpaceD>(test::bricard(), 0.02);
}

// For other shares s K is s (1 - s) of the inertia. With a quarter in its place an eigenvalue of K Phi is beyond 2.
TEST(HamiltonianSystem, SaysThatAQuarterIsForEqualImages) {
  const Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  HamiltonianOptions options;
  options.opening = LoopOpening::split_bodies;
  options.image_share = 0.95;
  options.solver = LoopSolver::quarter;
  const PlanarHamiltonianSystem uneven(m, options);
  const auto work = uneven.makeWorkspace();
  std::vector<double> x = uneven.fromAbsolute(0.0, test::parallelogramStart(2).x());
  x[at(uneven.tree().coordinates)] += 0.5;
  std::vector<double> rates(x.size());
  EXPECT_EQ(uneven.derivative(0.0, x, uneven.startModes(), *work, rates), Eval::retry);
  EXPECT_THAT(uneven.describeFailure(*work), HasSubstr("diverges, most at joint \"coupler/2\""));
  const auto loop = loopMatrices(uneven.cutTree(), uneven.treeWork(*work));
  const Eigen::MatrixXd quarter = uneven.paper()->quarterWeight(uneven.treeWork(*work));
  EXPECT_LT((loop.free_bodies.inverse() - 4.0 * 0.95 * 0.05 * quarter).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_GT(Eigen::MatrixXd(quarter * loop.phi).eigenvalues().real().maxCoeff(), 2.0);
}

TEST(HamiltonianSystem, HasAQuarterForBodiesWithTwoImagesAlone) {
  const auto problem = [](const Mechanism& m, LoopOpening opening) {
    HamiltonianOptions options;
    options.opening = opening;
    options.solver = LoopSolver::quarter;
    return PlanarHamiltonianSystem(m, options).problem();
  };
  const Mechanism two = at0(test::parallelogram(2), test::parallelogramStart(2));
  EXPECT_EQ(problem(two, LoopOpening::split_bodies), "");
  EXPECT_THAT(problem(two, LoopOpening::cut_joints), HasSubstr("add --opening split_bodies"));
  const Mechanism three = at0(test::parallelogram(3), test::parallelogramStart(3));
  EXPECT_THAT(problem(three, LoopOpening::split_bodies), HasSubstr("\"coupler\" has 3"));
  Mechanism held = two;
  Joint& strut = held.joints.emplace_back();
  strut.name = "strut";
  strut.kind = JointKind::distance;
  strut.second = BodyIndex(0);
  strut.length = Value(1.0);
  EXPECT_THAT(problem(held, LoopOpening::split_bodies), HasSubstr("joint \"strut\" closes one by itself"));
}

// Of all impulses that close dependent rows those of least norm, moments divided by the reaction length, as reactions
// are chosen: what a pseudo-inverse finds.
template <class G>
void expectLeastImpulses(const Mechanism& m, double shake, int dependent, double misfit = 0.0) {
  const Both<G> both(m);
  HamiltonianOptions options{both.options};
  options.reaction_length = 0.37;
  options.misfit = misfit;
  const HamiltonianSystem<G> system(m, options);
  std::mt19937 engine(9);
  std::vector<double> x = system.fromVelocities(0.0, both.shaken(shake, engine));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> c(at(system.cuts().rows()));
  for (double& entry : c) entry = uniform(engine);
  test::changeGauge<G>(both.mechanism, both.joints, 0.0, c, x);
  const auto work = system.makeWorkspace();
  std::vector<double> rates(x.size());
  ASSERT_EQ(system.derivative(0.0, x, system.startModes(), *work, rates), Eval::ok) << system.describeFailure(*work);
  Eigen::VectorXd units(system.cuts().rows());
  for (int r = 0; r < system.cuts().rows(); ++r) {
    units[r] = system.cuts().elements().row_info[at(r)].unit == RowUnit::angle ? 0.37 : 1.0;
  }
  const Eigen::MatrixXd phi = loopMatrices(system.cutTree(), system.treeWork(*work)).phi;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> inverse;
  inverse.setThreshold(1e-9);
  inverse.compute(phi * units.asDiagonal());
  ASSERT_EQ(phi.rows() - inverse.rank(), dependent);
  const Eigen::VectorXd wanted = units.cwiseProduct(inverse.solve(phi * asVector(c)));
  const auto eta = system.loopImpulses(*work);
  if (misfit > 0.0) {
    EXPECT_EQ(std::count(eta.begin(), eta.end(), 0.0), dependent);
    return;
  }
  // Rows agree with each other to 1e-10 or so, as far as the pose was closed.
  for (std::size_t r = 0; r < eta.size(); ++r) EXPECT_NEAR(eta[r], wanted[static_cast<int>(r)], 1e-6) << r;
  EXPECT_LT(asVector(eta).cwiseQuotient(units).norm(), 0.999 * asVector(c).cwiseQuotient(units).norm());
}

TEST(HamiltonianSystem, ClosesDependentRowsByTheLeastImpulses) {
  expectLeastImpulses<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.1, 1);
  expectLeastImpulses<SpaceD>(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)), 0.02, 7);
  expectLeastImpulses<SpaceD>(test::bricard(), 0.02, 1);
  // Where lengths do not quite fit, dependent rows get nothing.
  expectLeastImpulses<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.1, 1, 1e-6);
}

// Other numbers for the same state: the impulses of the velocities, with nothing in the loops.
TEST(HamiltonianSystem, RestatesImpulsesWithoutMovingAnything) {
  const Both<SpaceD> both(test::crossedShafts());
  std::mt19937 engine(7);
  const std::vector<double> y = both.shaken(0.02, engine);
  const std::vector<double> plain = both.system.fromVelocities(0.0, y);
  std::vector<double> x = plain;
  std::vector<double> c;
  for (int r = 0; r < both.system.cuts().rows(); ++r) c.push_back(1.0 + r);
  test::changeGauge<SpaceD>(both.mechanism, both.joints, 0.0, c, x);
  double change = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) change = std::max(change, std::abs(x[k] - plain[k]));
  EXPECT_GT(change, 0.01);
  const std::vector<double> before = both.system.toVelocities(0.0, x);
  Modes modes = both.system.startModes();
  ASSERT_NE(both.system.restate(0.0, x, modes, *both.work), Restated::no);
  const std::vector<double> after = both.system.toVelocities(0.0, x);
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(after[k], before[k], 1e-13) << k;
    EXPECT_NEAR(x[k], plain[k], 1e-12) << k;
  }
  for (const double eta : both.system.loopImpulses(*both.work)) EXPECT_EQ(eta, 0.0);
}

// Whether the next step has the equations of the one before: near its flat pose a parallelogram goes by forces.
TEST(HamiltonianSystem, SaysWhenEquationsChange) {
  for (const Regauge regauge : {Regauge::every_step, Regauge::never}) {
    const Mechanism m = at0(test::parallelogram(2), test::parallelogramAt(0.3, 1.0, 2));
    HamiltonianOptions options;
    options.stabilisation = Stabilisation::projection;
    options.regauge = regauge;
    const PlanarHamiltonianSystem system(m, options);
    const auto work = system.makeWorkspace();
    Modes modes = system.startModes();
    const auto answer = [&](double angle, double push) {
      std::vector<double> x = system.fromAbsolute(0.0, test::parallelogramAt(angle, 1.0, 2).x());
      x[at(system.tree().coordinates)] += push;
      const Restated out = system.restate(0.0, x, modes, *work);
      system.beginStep(0.0, x, modes, *work);
      return out;
    };
    const Restated far = regauge == Regauge::never ? Restated::no : Restated::better;
    EXPECT_EQ(answer(0.3, 0.1), far);
    EXPECT_EQ(answer(0.01, 0.1), Restated::anew);
    EXPECT_EQ(answer(0.005, 0.0), Restated::no);
    EXPECT_EQ(answer(0.001, 0.0), Restated::no);
    EXPECT_EQ(answer(-0.2, 0.0), Restated::anew);
    EXPECT_EQ(answer(-0.3, 0.1), far);
  }
}

// Near its flat pose a step knows its impulses: with its modes any workspace goes on alike, and without them the
// equations are others.
TEST(HamiltonianSystem, GoesOnWithTheModesOfAStep) {
  const Mechanism m = at0(test::parallelogram(2), test::parallelogramAt(0.01, 1.0, 2));
  HamiltonianOptions options;
  options.stabilisation = Stabilisation::projection;
  const PlanarHamiltonianSystem system(m, options);
  std::vector<double> x = system.fromAbsolute(0.0, test::parallelogramAt(0.01, 1.0, 2).x());
  x[at(system.tree().coordinates)] += 0.1;
  const auto work = system.makeWorkspace();
  Modes modes = system.startModes();
  system.beginStep(0.0, x, modes, *work);
  EXPECT_NE(modes, system.startModes());
  EXPECT_GT(normInf(modes.numbers), 1e-3);
  EXPECT_FALSE(system.asWritten(modes));
  const auto rates = [&](const Modes& told) {
    const auto own = system.makeWorkspace();
    std::vector<double> out(x.size());
    EXPECT_EQ(system.derivative(0.0, x, told, *own, out), Eval::ok);
    return out;
  };
  std::vector<double> wanted(x.size());
  ASSERT_EQ(system.derivative(0.0, x, modes, *work, wanted), Eval::ok);
  EXPECT_EQ(rates(modes), wanted);
  EXPECT_NE(rates(system.startModes()), wanted);
  // One who looks into the step has its modes, wherever.
  Modes looking = modes;
  system.enterStep(0.0, x, looking, *work);
  EXPECT_EQ(looking, modes);
}

TEST(HamiltonianSystem, ClosesTheCutsAfterAStep) {
  const Both<SpaceD> both(test::hexapod(0.6));
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x = both.system.fromVelocities(0.0, both.shaken(0.02, engine));
  for (int k = 0; k < both.system.space().controlled(); ++k) x[at(k)] += 1e-3 * uniform(engine);
  EXPECT_GT(both.system.violation(0.0, x, both.system.startModes(), *both.work).position, 1e-5);
  EXPECT_LT(both.system.violation(0.0, x, both.system.startModes(), *both.work).velocity, 1e-12);  // whatever p* is
  EXPECT_TRUE(both.system.afterStep(0.0, x, both.system.startModes(), *both.work).changed);
  EXPECT_LT(both.system.violation(0.0, x, both.system.startModes(), *both.work).position,
            1e-14);  // a few units of round-off
  EXPECT_LT(both.system.violation(0.0, x, both.system.startModes(), *both.work).velocity, 1e-13);
}

TEST(HamiltonianSystem, KnowsTheRankOfThePoseThatAStepCameBackTo) {
  const Both<SpaceD> both(test::hexapod(0.6));
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x = both.system.fromVelocities(0.0, both.shaken(0.02, engine));
  for (int k = 0; k < both.system.space().positions(); ++k) x[at(k)] += 1e-2 * uniform(engine);
  const double astray = both.system.factorRows(0.0, x, both.system.startModes(), *both.work).smallest_pivot;
  const AfterStep after = both.system.afterStep(0.0, x, both.system.startModes(), *both.work);
  ASSERT_TRUE(after.changed);
  ASSERT_TRUE(after.rows);
  EXPECT_NEAR(after.rows->smallest_pivot,
              both.system.factorRows(0.0, x, both.system.startModes(), *both.work).smallest_pivot, 1e-12);
  EXPECT_GT(std::abs(after.rows->smallest_pivot - astray), 1e-8);
}

TEST(HamiltonianSystem, SaysWhatFailedWhileSplitBodiesWereObserved) {
  Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  Load gust;
  gust.name = "gust";
  gust.kind = LoadKind::force;
  gust.second = BodyIndex(0);
  gust.force = {Expr(1.0) / (Expr::symbol("t") - Expr(1.0)), Expr(0.0), Expr(0.0)};
  m.loads.push_back(gust);
  HamiltonianOptions options;
  options.opening = LoopOpening::split_bodies;
  const PlanarHamiltonianSystem system(m, options);
  const auto work = system.makeWorkspace();
  std::vector<double> x = system.fromAbsolute(0.0, test::parallelogramStart(2).x());
  Observation seen;
  ASSERT_EQ(system.observe(0.0, x, system.startModes(), *work, seen), Eval::ok);
  ASSERT_NE(system.observe(1.0, x, system.startModes(), *work, seen), Eval::ok);
  EXPECT_NE(system.describeFailure(*work).find("gust"), std::string::npos) << system.describeFailure(*work);
  // What fails next has words of its own.
  x[0] = std::nan("");
  std::vector<double> rates(x.size());
  ASSERT_NE(system.derivative(0.0, x, system.startModes(), *work, rates), Eval::ok);
  EXPECT_EQ(system.describeFailure(*work).find("gust"), std::string::npos) << system.describeFailure(*work);
}

TEST(HamiltonianSystem, DoesNotAllocateInAStep) {
  const long counts = test::allocation_count;
  const Both<SpaceD> both(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)));
  ASSERT_GT(test::allocation_count, counts);  // the counter counts
  std::mt19937 engine(2);
  std::vector<double> x = both.system.fromVelocities(0.0, both.shaken(0.02, engine));
  std::vector<double> rates(x.size());
  Modes modes = both.system.startModes();
  const long before = test::allocation_count;
  both.system.beginStep(0.0, x, modes, *both.work);
  EXPECT_EQ(both.system.derivative(0.0, x, modes, *both.work, rates), Eval::ok);
  x[0] += 1e-3;
  EXPECT_EQ(both.system.afterStep(0.0, x, modes, *both.work).eval, Eval::ok);
  EXPECT_NE(both.system.restate(0.0, x, modes, *both.work), Restated::no);
  (void)both.system.violation(0.0, x, modes, *both.work);
  EXPECT_EQ(test::allocation_count - before, 0);
}

// Impulses would take the nearest rates that fit, and energy would be lost without a word.
TEST(HamiltonianSystem, RefusesRatesThatTheJointsForbid) {
  const Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  SystemOptions options;
  options.formulation = "hamiltonian";
  options.start = test::parallelogramStart(2).x();
  EXPECT_EQ(makeSystem(m, options)->problem(), "");
  options.start[at(PlaneD::kFreedoms) * m.bodies.size()] += 0.1;
  EXPECT_NE(makeSystem(m, options)->problem().find("initial rates miss the joints by"), std::string::npos);
}

}  // namespace hamiltonian_system_test
}  // namespace linkwork
