#include "linkwork/formulation/quasivelocity/quasi_velocity_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/linalg/allocation_count_for_tests.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace quasi_velocity_system_test {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

// Accelerations and reactions of order ten to a hundred; loops away from dead points.
constexpr double kSame = 1e-9;

template <class G>
struct Both {
  explicit Both(const Mechanism& m, std::vector<double> start = {})
      : x(start.empty() ? test::drawnState(m) : std::move(start)),
        absolute(m, optionsAt(m, x)),
        quasi(m, optionsAt(m, x)),
        work_a(absolute.makeWorkspace()),
        work_q(quasi.makeWorkspace()) {}

  static StabilisationOptions optionsAt(const Mechanism& m, const std::vector<double>& x) {
    const BasicAbsoluteSystem<G> system(m, {});
    StabilisationOptions options;
    options.doubtful_rows = system.dependentRows(0.0, x, *system.makeWorkspace());
    options.start = x;
    return options;
  }

  // Another consistent state, not far from the start.
  std::vector<double> shaken(double size, std::mt19937& engine) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const StateSpace space = absolute.space();
    std::vector<double> y = x;
    for (int k = 0; k < space.controlled(); ++k) y[at(k)] += (k < space.positions() ? size : 1.0) * uniform(engine);
    EXPECT_EQ(absolute.afterStep(0.0, y, absolute.startModes(), *work_a).eval, Eval::ok)
        << absolute.describeFailure(*work_a);
    return y;
  }
  Observation seen(const std::vector<double>& y, const Modes& modes) {
    Observation out;
    EXPECT_EQ(quasi.observe(0.0, y, modes, *work_q, out), Eval::ok) << quasi.describeFailure(*work_q);
    return out;
  }

  std::vector<double> x;
  BasicAbsoluteSystem<G> absolute;
  QuasiVelocitySystem<G> quasi;
  std::unique_ptr<Workspace> work_a, work_q;
};

void expectSame(const std::array<double, 3>& a, const std::array<double, 3>& b, double tolerance,
                const std::array<bool, 3>& unique, const std::string& what) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (unique[k]) {
      EXPECT_NEAR(a[k], b[k], tolerance) << what;
    }
  }
}

void expectSame(const Mechanism& m, const Observation& a, const Observation& b, const std::string& state,
                double same = kSame) {
  constexpr std::array<bool, 3> kAll{true, true, true};
  for (std::size_t k = 0; k < a.bodies.size(); ++k) {
    const std::string what = m.bodies[k].name + state;
    expectSame(a.bodies[k].position, b.bodies[k].position, 1e-13, kAll, what);
    expectSame(a.bodies[k].velocity, b.bodies[k].velocity, 1e-11, kAll, what);
    expectSame(a.bodies[k].angular_velocity, b.bodies[k].angular_velocity, 1e-11, kAll, what);
    expectSame(a.bodies[k].acceleration, b.bodies[k].acceleration, same, kAll, what);
    expectSame(a.bodies[k].angular_acceleration, b.bodies[k].angular_acceleration, same, kAll, what);
  }
  for (std::size_t j = 0; j < a.joints.size(); ++j) {
    const Reaction& one = a.joints[j];
    const Reaction& other = b.joints[j];
    const std::string what = m.joints[j].name + state;
    EXPECT_EQ(one.unique, other.unique) << what;
    // The choice of least norm is one choice, too.
    expectSame(one.force_on_second, other.force_on_second, 1e-7, kAll, what);
    expectSame(one.force_on_second, other.force_on_second, same, one.force_unique, what);
    expectSame(one.moment_on_second, other.moment_on_second, same, one.moment_unique, what);
    expectSame(one.moment_on_first, other.moment_on_first, same, one.moment_on_first_unique, what);
  }
  for (std::size_t d = 0; d < a.drive_efforts.size(); ++d) {
    EXPECT_NEAR(a.drive_efforts[d], b.drive_efforts[d], same) << m.drives[d].name;
  }
  EXPECT_NEAR(a.kinetic, b.kinetic, 1e-11);
  EXPECT_NEAR(a.potential, b.potential, 1e-11);
}

template <class G>
void expectAgreement(const Mechanism& m, double shake, std::vector<double> start = {}, double same = kSame) {
  Both<G> both(m, std::move(start));
  std::mt19937 engine(20);
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<double> x = trial == 0 ? both.x : both.shaken(shake, engine);
    Observation a;
    ASSERT_EQ(both.absolute.observe(0.0, x, both.absolute.startModes(), *both.work_a, a), Eval::ok);
    const std::vector<double> y = both.quasi.fromAbsolute(0.0, x);
    const Modes modes = both.quasi.startModes();
    expectSame(m, a, both.seen(y, modes), ", state " + std::to_string(trial), same);
    if (trial > 0) {
      EXPECT_EQ(both.quasi.factorRows(0.0, y, modes, *both.work_q).freedoms, both.quasi.space().velocities());
    }
    EXPECT_LT(both.quasi.violation(0.0, y, modes, *both.work_q).velocity, 1e-12);
    std::vector<double> rates_a(x.size());
    std::vector<double> rates_q(y.size());
    ASSERT_EQ(both.absolute.derivative(0.0, x, both.absolute.startModes(), *both.work_a, rates_a), Eval::ok);
    ASSERT_EQ(both.quasi.derivative(0.0, y, modes, *both.work_q, rates_q), Eval::ok);
    // The work of loads and drives; where nothing is left free it stands under error control.
    const std::size_t work_q = rates_q.size() - 1 - at(both.quasi.cuts().turns());
    EXPECT_NEAR(rates_a[at(both.absolute.space().quadratureOffset())], rates_q[work_q], kSame);
  }
}

Mechanism at0(Mechanism m, const test::State& state) {
  test::drawAt(m, state);
  return m;
}

// A crank of 1 m, a rod of 2 m, a slider: at this angle from where they are in one line. The rod's end is cut.
Mechanism crankNearItsDeadPoint(double angle) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const double end[2] = {std::cos(angle), std::sin(angle)};
  const double lean = -std::asin(0.5 * end[1]);
  const BodyIndex crank = test::addBody(m, "crank", 1.0, 0.1);
  m.bodies.back().drawn = {0.5 * end[0], 0.5 * end[1], angle};
  const BodyIndex rod = test::addBody(m, "rod", 1.5, 0.5);
  m.bodies.back().drawn = {end[0] + std::cos(lean), end[1] + std::sin(lean), lean};
  const BodyIndex slider = test::addBody(m, "slider", 2.0, 0.2);
  m.bodies.back().drawn = {end[0] + 2.0 * std::cos(lean), 0.0, 0.0};
  const auto at = [](double x) { return test::frameAt(x, 0.0); };
  test::addJoint(m, "O", JointKind::revolute, kGround, at(0.0), crank, at(-0.5));
  test::addJoint(m, "A", JointKind::revolute, crank, at(0.5), rod, at(-1.0));
  test::addJoint(m, "guide", JointKind::prismatic, kGround, at(0.0), slider, at(0.0));
  test::addJoint(m, "B", JointKind::revolute, rod, at(1.0), slider, at(0.0)).cut = true;
  return m;
}

TEST(QuasiVelocitySystem, AgreesWithAbsoluteOnATree) {
  expectAgreement<PlaneD>(at0(test::sliderPendulum(), test::sliderPendulumMoving()), 0.3);
}

TEST(QuasiVelocitySystem, AgreesWithAbsoluteOnLoopsInThePlane) {
  expectAgreement<PlaneD>(at0(test::crankSlider(), test::crankSliderStart()), 0.05, test::crankSliderStart().x());
  expectAgreement<PlaneD>(at0(test::parallelogram(2), test::parallelogramStart(2)), 0.1);
  expectAgreement<PlaneD>(test::buildNFourBar(3), 0.05);
}

TEST(QuasiVelocitySystem, AgreesWithAbsoluteOnRedundantJoints) {
  expectAgreement<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.1);
  expectAgreement<SpaceD>(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)), 0.02);
  expectAgreement<SpaceD>(test::door(JointKind::revolute, JointKind::revolute), 0.2);
}

TEST(QuasiVelocitySystem, AgreesWithAbsoluteOnLoopsInSpace) {
  expectAgreement<SpaceD>(test::hexapod(0.6), 0.02);
  expectAgreement<SpaceD>(test::bricard(), 0.02);
}

// Two shafts that cross at a right angle, drawn in a pose of lower rank: either could turn. One velocity is
// independent, as on every way from there; at rest nothing has to be found.
TEST(QuasiVelocitySystem, RestsInAPoseOfLowerRank) {
  const Mechanism m = test::crossedShafts();
  Both<SpaceD> both(m);
  EXPECT_EQ(both.quasi.space().velocities(), 1);
  Observation a;
  ASSERT_EQ(both.absolute.observe(0.0, both.x, both.absolute.startModes(), *both.work_a, a), Eval::ok);
  const std::vector<double> y = both.quasi.fromAbsolute(0.0, both.x);
  expectSame(m, a, both.seen(y, both.quasi.startModes()), "");
  EXPECT_EQ(both.quasi.factorRows(0.0, y, both.quasi.startModes(), *both.work_q).freedoms, 2);
}

TEST(QuasiVelocitySystem, AgreesWithAbsoluteOnRowsOfVelocitiesAlone) {
  expectAgreement<PlaneD>(test::skate(Space::planar), 0.5);
  expectAgreement<SpaceD>(test::skate(Space::spatial), 0.5);
  expectAgreement<PlaneD>(test::sleigh(), 0.5);
  const Mechanism belt = test::belt(Expr(0.3) * cos(Expr(2.0) * Expr::symbol("t")));
  expectAgreement<PlaneD>(belt, 0.3, {0.0, 0.0, 0.0, 0.2, 0.3, 0.0, 0.0});
}

// A massless coupler is held by the loop: A = N^T M N has inertia enough.
TEST(QuasiVelocitySystem, TakesLinksWithoutInertia) {
  Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  for (Body& body : m.bodies) {
    if (body.name == "coupler") body.mass = body.inertia = 0.0;
  }
  expectAgreement<PlaneD>(m, 0.1);
}

TEST(QuasiVelocitySystem, HasAsManyVelocitiesAsAreIndependent) {
  const auto velocities = [](const Mechanism& m) {
    SystemOptions options;
    options.formulation = "quasivelocity";
    return makeSystem(m, options)->space().velocities();
  };
  EXPECT_EQ(velocities(test::skate(Space::planar)), 2);
  EXPECT_EQ(velocities(test::skate(Space::spatial)), 2);
  EXPECT_EQ(velocities(test::buildNFourBar(2)), 1);
  EXPECT_EQ(velocities(test::bricard()), 1);
  EXPECT_EQ(velocities(test::tug()), 3);
}

// All choices of independent velocities that the rows allow: one motion.
template <class G>
void expectTheSameOfAllChoices(const Mechanism& m, double shake) {
  Both<G> both(m);
  std::mt19937 engine(7);
  const std::vector<double> x = both.shaken(shake, engine);
  const std::vector<double> y = both.quasi.fromAbsolute(0.0, x);
  const Modes modes = both.quasi.startModes();
  const Observation wanted = both.seen(y, modes);
  std::vector<double> rates(y.size());
  std::vector<std::uint8_t> independent(both.quasi.independent(modes).begin(), both.quasi.independent(modes).end());
  std::sort(independent.begin(), independent.end());
  int found = 0;
  do {
    std::vector<double> other = y;
    Modes others = modes;
    if (!both.quasi.chooseInstead(0.0, independent, other, others)) continue;
    ++found;
    std::string state;
    for (const std::uint8_t one : independent) state += one != 0 ? " 1" : " 0";
    const std::vector<double> back = both.quasi.toAbsolute(0.0, other, others);
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(back[k], x[k], 1e-11) << state;
    expectSame(m, wanted, both.seen(other, others), state);
    EXPECT_EQ(both.quasi.derivative(0.0, other, others, *both.work_q, rates), Eval::ok) << state;
  } while (std::next_permutation(independent.begin(), independent.end()));
  EXPECT_GT(found, 1);
}

TEST(QuasiVelocitySystem, IsOneMotionWhateverIsChosen) {
  expectTheSameOfAllChoices<PlaneD>(test::buildNFourBar(2), 0.05);
  expectTheSameOfAllChoices<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.05);
  expectTheSameOfAllChoices<PlaneD>(test::sleigh(), 0.3);
  expectTheSameOfAllChoices<PlaneD>(crankNearItsDeadPoint(0.7), 0.05);
  expectTheSameOfAllChoices<SpaceD>(test::bricard(), 0.02);
}

// Chaplygin's sleigh: with v along the blade and w the turning rate,  v' = b w^2,  (I + m b^2) w' = -m b v w, wherever
// it is heading. The blade is at the centre of the axes, the joint of the tree at the centre of mass.
TEST(QuasiVelocitySystem, GivesTheEquationsOfASleigh) {
  const test::SleighNumbers n;
  const Mechanism m = test::sleigh(n);
  const QuasiVelocitySystem<PlaneD> system(m, {});
  const auto work = system.makeWorkspace();
  ASSERT_EQ(system.space().velocities(), 2);
  for (const double p : {0.0, 0.9, 1.6, -2.4}) {
    const double v = 0.7;
    const double w = -1.2;
    const double c = std::cos(p);
    const double s = std::sin(p);
    // Of the centre of mass: v along the blade, b w across it.
    const std::vector<double> absolute{0.2, 0.5, p, v * c - n.behind * w * s, v * s + n.behind * w * c, w, 0.0};
    const std::vector<double> x = system.fromAbsolute(0.0, absolute);
    std::vector<double> rates(x.size());
    ASSERT_EQ(system.derivative(0.0, x, system.startModes(), *work, rates), Eval::ok);
    const Modes modes_of_all = system.startModes();
    const auto independent = system.independent(modes_of_all);
    ASSERT_EQ(independent[0], 1);  // along the blade; of across it and turning one depends on the other
    const double turning = -n.mass * n.behind * v * w / (n.inertia + n.mass * n.behind * n.behind);
    EXPECT_NEAR(x[3], v, 1e-15);
    EXPECT_NEAR(rates[3], n.behind * w * w, 1e-14);
    EXPECT_NEAR(rates[4], independent[2] != 0 ? turning : n.behind * turning, 1e-14);
    EXPECT_NEAR(rates[0], absolute[3], 1e-15);
    EXPECT_NEAR(rates[1], absolute[4], 1e-15);
    // Another heading is the same choice, as good as at the start.
    std::vector<double> same = x;
    Modes modes = system.startModes();
    EXPECT_EQ(system.restate(0.0, same, modes, *work), Restated::no);
  }
}

// Of a free body omega is along its own axes: Euler's equations, and m (v' + w x v) = 0.
TEST(QuasiVelocitySystem, HasEulersEquationsForAFreeBody) {
  Mechanism m;
  const BodyIndex body = test::addSpatialBody(m, "body", 2.0, {1.0, 2.0, 3.0}, {});
  ASSERT_TRUE(body.valid());
  const QuasiVelocitySystem<SpaceD> system(m, {});
  const auto work = system.makeWorkspace();
  std::vector<double> absolute = test::drawnState(m);
  const double size = std::sqrt(0.9 * 0.9 + 0.3 * 0.3 + 0.2 * 0.2 + 0.1 * 0.1);
  const double o[] = {0.9 / size, 0.3 / size, -0.2 / size, 0.1 / size};
  std::copy(std::begin(o), std::end(o), absolute.begin() + 3);
  const Vec3<double> v{0.4, -0.7, 1.1};
  const Vec3<double> w{0.6, 0.1, 0.8};
  const auto moving = Rotation3<double>::fromQuaternion(o[0], o[1], o[2], o[3]) * v;
  const double rate[] = {moving.x, moving.y, moving.z, w.x, w.y, w.z};
  std::copy(std::begin(rate), std::end(rate), absolute.begin() + 7);
  const std::vector<double> x = system.fromAbsolute(0.0, absolute);
  std::vector<double> rates(x.size());
  ASSERT_EQ(system.derivative(0.0, x, system.startModes(), *work, rates), Eval::ok);
  const Vec3<double> turning = cross(v, w);
  const double wanted[] = {
      turning.x, turning.y, turning.z, -1.0 * w.y * w.z, 2.0 / 2.0 * w.z * w.x, -1.0 / 3.0 * w.x * w.y};
  const double omega[] = {v.x, v.y, v.z, w.x, w.y, w.z};
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(x[7 + k], omega[k], 1e-15) << k;
    EXPECT_NEAR(rates[7 + k], wanted[k], 1e-14) << k;
  }
}

// Near the dead point of its crank the slider hardly moves: its rate is a bad choice, which is given up, and nothing
// that is seen changes.
TEST(QuasiVelocitySystem, ChoosesAnewWhereTheChoiceHasBecomeBad) {
  const Mechanism m = crankNearItsDeadPoint(0.05);
  Both<PlaneD> both(m);
  std::vector<double> x = both.quasi.fromAbsolute(0.0, both.x);
  Modes modes = both.quasi.startModes();
  x[at(both.quasi.space().velocityOffset())] = 0.8;
  std::vector<std::uint8_t> slider(3, 0);
  for (const TreeColumn& column : both.quasi.tree().columns) {
    if (both.quasi.tree().links[at(column.link)].slides > 0) slider[at(column.freedom)] = 1;
  }
  ASSERT_TRUE(both.quasi.chooseInstead(0.0, slider, x, modes));
  const Observation before = both.seen(x, modes);
  EXPECT_EQ(both.quasi.restate(0.0, x, modes, *both.work_q), Restated::anew);
  expectSame(m, before, both.seen(x, modes), "");
  EXPECT_EQ(both.quasi.restate(0.0, x, modes, *both.work_q), Restated::no);
  EXPECT_EQ(both.quasi.solveCounts(*both.work_q).repartitions, 1);
}

TEST(QuasiVelocitySystem, DoesNotAllocateInAStep) {
  const long counts = test::allocation_count;
  Both<SpaceD> both(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)));
  ASSERT_GT(test::allocation_count, counts);  // the counter counts
  std::vector<double> x = both.quasi.fromAbsolute(0.0, both.x);
  Modes modes = both.quasi.startModes();
  std::vector<double> rates(x.size());
  const long before = test::allocation_count;
  (void)both.quasi.restate(0.0, x, modes, *both.work_q);
  both.quasi.beginStep(0.0, x, modes, *both.work_q);
  EXPECT_EQ(both.quasi.derivative(0.0, x, modes, *both.work_q, rates), Eval::ok);
  x[0] += 1e-3;
  EXPECT_EQ(both.quasi.afterStep(0.0, x, modes, *both.work_q).eval, Eval::ok);
  EXPECT_EQ(test::allocation_count - before, 0);
}

}  // namespace quasi_velocity_system_test
}  // namespace linkwork
