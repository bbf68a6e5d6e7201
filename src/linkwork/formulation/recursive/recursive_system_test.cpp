#include "linkwork/formulation/recursive/recursive_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/linalg/allocation_count_for_tests.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork {
namespace recursive_system_test {

template <class G>
struct Both {
  explicit Both(const Mechanism& m, std::vector<double> start = {})
      : x(start.empty() ? test::drawnState(m) : std::move(start)),
        absolute(m, optionsAt<AbsoluteOptions>(m, x)),
        recursive(m, optionsAt<RecursiveOptions>(m, x)),
        work_a(absolute.makeWorkspace()),
        work_r(recursive.makeWorkspace()) {}

  template <class Options>
  static Options optionsAt(const Mechanism& m, const std::vector<double>& x) {
    const BasicAbsoluteSystem<G> system(m, {});
    const auto work = system.makeWorkspace();
    Options options;
    options.doubtful_rows = system.dependentRows(0.0, x, *work);
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

  std::vector<double> x;
  BasicAbsoluteSystem<G> absolute;
  RecursiveSystem<G> recursive;
  std::unique_ptr<Workspace> work_a, work_r;
};

void expectSame(const std::array<double, 3>& a, const std::array<double, 3>& b, double tolerance,
                const std::array<bool, 3>& unique, const std::string& what) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (unique[k]) {
      EXPECT_NEAR(a[k], b[k], tolerance) << what;
    }
  }
}

constexpr std::array<bool, 3> kAll{true, true, true};

// Accelerations and reactions of order ten to a hundred; loops away from dead points.
constexpr double kSame = 1e-9;

template <class G>
void expectAgreement(const Mechanism& m, double shake, std::vector<double> start = {}) {
  Both<G> both(m, std::move(start));
  std::mt19937 engine(3);
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<double> x = trial == 0 ? both.x : both.shaken(shake, engine);
    Observation a;
    Observation r;
    ASSERT_EQ(both.absolute.observe(0.0, x, both.absolute.startModes(), *both.work_a, a), Eval::ok);
    const std::vector<double> y = both.recursive.fromAbsolute(0.0, x);
    ASSERT_EQ(both.recursive.observe(0.0, y, both.recursive.startModes(), *both.work_r, r), Eval::ok)
        << both.recursive.describeFailure(*both.work_r);
    for (std::size_t b = 0; b < a.bodies.size(); ++b) {
      const std::string what = m.bodies[b].name + ", state " + std::to_string(trial);
      expectSame(a.bodies[b].position, r.bodies[b].position, 1e-13, kAll, what);
      expectSame(a.bodies[b].velocity, r.bodies[b].velocity, 1e-12, kAll, what);
      expectSame(a.bodies[b].angular_velocity, r.bodies[b].angular_velocity, 1e-12, kAll, what);
      expectSame(a.bodies[b].acceleration, r.bodies[b].acceleration, kSame, kAll, what);
      expectSame(a.bodies[b].angular_acceleration, r.bodies[b].angular_acceleration, kSame, kAll, what);
    }
    for (std::size_t j = 0; j < a.joints.size(); ++j) {
      const Reaction& one = a.joints[j];
      const Reaction& other = r.joints[j];
      const std::string what = m.joints[j].name + ", state " + std::to_string(trial);
      EXPECT_EQ(one.unique, other.unique) << what;
      // The choice of least norm is one choice, too.
      expectSame(one.force_on_second, other.force_on_second, 1e-7, kAll, what);
      expectSame(one.force_on_second, other.force_on_second, kSame, one.force_unique, what);
      expectSame(one.moment_on_second, other.moment_on_second, kSame, one.moment_unique, what);
      expectSame(one.moment_on_first, other.moment_on_first, kSame, one.moment_on_first_unique, what);
    }
    for (std::size_t d = 0; d < a.drive_efforts.size(); ++d) {
      EXPECT_NEAR(a.drive_efforts[d], r.drive_efforts[d], kSame) << m.drives[d].name;
    }
    EXPECT_NEAR(a.kinetic, r.kinetic, 1e-11);
    EXPECT_NEAR(a.potential, r.potential, 1e-11);
    EXPECT_EQ(both.absolute.factorRows(0.0, x, both.absolute.startModes(), *both.work_a).freedoms,
              both.recursive.factorRows(0.0, y, both.recursive.startModes(), *both.work_r).freedoms);
    // The work of loads and drives.
    std::vector<double> rates_a(x.size());
    std::vector<double> rates_r(y.size());
    ASSERT_EQ(both.absolute.derivative(0.0, x, both.absolute.startModes(), *both.work_a, rates_a), Eval::ok);
    ASSERT_EQ(both.recursive.derivative(0.0, y, both.recursive.startModes(), *both.work_r, rates_r), Eval::ok);
    EXPECT_NEAR(rates_a[at(both.absolute.space().quadratureOffset())],
                rates_r[rates_r.size() - 1 - at(both.recursive.cuts().turns())], kSame);
  }
}

Mechanism at0(Mechanism m, const test::State& state) {
  test::drawAt(m, state);
  return m;
}

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

TEST(RecursiveSystem, AgreesWithAbsoluteOnATree) {
  expectAgreement<PlaneD>(at0(test::sliderPendulum(), test::sliderPendulumMoving()), 0.3);
}

TEST(RecursiveSystem, AgreesWithAbsoluteOnLoopsInThePlane) {
  const test::State start = test::crankSliderStart();
  expectAgreement<PlaneD>(at0(test::crankSlider(), start), 0.05, start.x());
  expectAgreement<PlaneD>(at0(test::parallelogram(2), test::parallelogramStart(2)), 0.1);
}

TEST(RecursiveSystem, AgreesWithAbsoluteOnRedundantJoints) {
  expectAgreement<PlaneD>(at0(test::parallelogram(3), test::parallelogramStart(3)), 0.1);
  expectAgreement<SpaceD>(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)), 0.02);
  expectAgreement<SpaceD>(test::door(JointKind::revolute, JointKind::revolute), 0.2);
}

TEST(RecursiveSystem, AgreesWithAbsoluteOnLoopsInSpace) {
  expectAgreement<SpaceD>(test::crossedShafts(), 0.05);
  expectAgreement<SpaceD>(test::hexapod(0.6), 0.02);
  expectAgreement<SpaceD>(test::bricard(), 0.02);
}

TEST(RecursiveSystem, FollowsTheDrivesOfTreeJoints) {
  Mechanism m = at0(test::sliderPendulum(), test::sliderPendulumMoving());
  const test::State state = test::sliderPendulumMoving();
  // O.angle = pi/4 + 0.7 t + ... at t = 0
  const Both<PlaneD> still(m);
  Observation seen;
  ASSERT_EQ(still.recursive.observe(0.0, still.recursive.fromAbsolute(0.0, state.x()), still.recursive.startModes(),
                                    *still.work_r, seen),
            Eval::ok);
  const double rate = seen.joint_motions[1].angle_rate;
  test::drive(m, "O.angle",
              Expr(seen.joint_motions[1].angle) + Expr(rate) * test::kTime + sin(test::kTime * test::kTime));
  const Both<PlaneD> both(m);
  EXPECT_EQ(both.recursive.space().velocities(), 1);
  EXPECT_EQ(both.recursive.cuts().rows(), 0);
  expectAgreement<PlaneD>(m, 0.1, state.x());
}

// A massless coupler: held by the cut alone.
TEST(RecursiveSystem, TakesLinksWithoutInertia) {
  Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  for (Body& body : m.bodies) {
    if (body.name == "coupler") body.mass = body.inertia = 0.0;
  }
  expectAgreement<PlaneD>(m, 0.1);
}

// What is beside the sweeps for a massless coupler knows of the coupler and of the rows that hold it, however long a
// chain hangs beside it; and the whole still agrees with absolute coordinates.
TEST(RecursiveSystem, LinkWithoutInertiaConcernsItsOwnRowsAlone) {
  Mechanism m = at0(test::parallelogram(2), test::parallelogramStart(2));
  for (Body& body : m.bodies) {
    if (body.name == "coupler") body.mass = body.inertia = 0.0;
  }
  const Both<PlaneD> alone(m);
  const auto rowsBeside = [](const Both<PlaneD>& both) {
    return CutTree<PlaneD>::Work(both.recursive.cutTree()).massless->parts.cols();
  };
  const auto without = rowsBeside(alone);
  EXPECT_EQ(without, 3 + alone.recursive.cuts().rows());  // two of mass, one of inertia, and the cut
  BodyIndex carrier = kGround;
  for (int k = 0; k < 6; ++k) {
    const BodyIndex link = test::addBody(m, "link" + std::to_string(k), 0.3 + 0.1 * k, 0.05);
    m.bodies.back().drawn = {0.25 + 0.5 * k, -9.0, 0.0};
    test::addJoint(m, "hinge" + std::to_string(k), JointKind::revolute, carrier,
                   k == 0 ? test::frameAt(0, -9) : test::frameAt(0.25, 0), link, test::frameAt(-0.25, 0));
    carrier = link;
  }
  EXPECT_EQ(rowsBeside(Both<PlaneD>(m)), without);
  expectAgreement<PlaneD>(m, 0.1);
}

TEST(RecursiveSystem, ClosesTheCutsAfterAStep) {
  Both<SpaceD> both(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)));
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> x = both.recursive.fromAbsolute(0.0, both.shaken(0.02, engine));
  for (int k = 0; k < both.recursive.space().controlled(); ++k) x[at(k)] += 1e-3 * uniform(engine);
  EXPECT_GT(both.recursive.violation(0.0, x, both.recursive.startModes(), *both.work_r).position, 1e-5);
  const AfterStep after = both.recursive.afterStep(0.0, x, both.recursive.startModes(), *both.work_r);
  EXPECT_EQ(after.eval, Eval::ok);
  EXPECT_TRUE(after.changed);
  const Violation violation = both.recursive.violation(0.0, x, both.recursive.startModes(), *both.work_r);
  EXPECT_LT(violation.position, 1e-14);  // a few units of round-off
  EXPECT_LT(violation.velocity, 1e-13);
}

TEST(RecursiveSystem, DoesNotAllocateInAStep) {
  const long counts = test::allocation_count;
  Both<SpaceD> both(test::liftedAt(test::parallelogram(3), test::parallelogramStart(3)));
  ASSERT_GT(test::allocation_count, counts);  // the counter counts
  std::vector<double> x = both.recursive.fromAbsolute(0.0, both.x);
  std::vector<double> rates(x.size());
  const long before = test::allocation_count;
  EXPECT_EQ(both.recursive.derivative(0.0, x, both.recursive.startModes(), *both.work_r, rates), Eval::ok);
  x[0] += 1e-3;
  EXPECT_EQ(both.recursive.afterStep(0.0, x, both.recursive.startModes(), *both.work_r).eval, Eval::ok);
  EXPECT_EQ(test::allocation_count - before, 0);
}

}  // namespace recursive_system_test
}  // namespace linkwork
