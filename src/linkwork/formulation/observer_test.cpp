// What a user sees does not depend on who solved the equations: from accelerations alone, and from the wrenches that
// joints carry, the same observation comes out as from a solve in absolute coordinates.
#include "linkwork/formulation/observer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace observer_test {

using namespace test;

// A mechanism at a consistent state, as absolute coordinates solve it, and an observer of the same with nothing in it.
template <class G>
struct Seen {
  explicit Seen(const Mechanism& m, std::vector<double> start, const AbsoluteOptions& options = {})
      : system(m, options), x(std::move(start)), observer(m, options), work(observer) {
    const auto workspace = system.makeWorkspace();
    EXPECT_EQ(system.observe(kTime, x, system.startModes(), *workspace, expected), Eval::ok)
        << system.describeFailure(*workspace);
    rank = system.rankReport(kTime, x, system.startModes(), *workspace);
    std::vector<double> rates(x.size());
    EXPECT_EQ(system.derivative(kTime, x, system.startModes(), *workspace, rates), Eval::ok);
    const auto first = rates.begin() + system.equations().coordinates();
    acceleration.assign(first, first + system.equations().freedoms());
    observer.place(kTime, state(), work);
    observer.factor(work);
  }

  typename Observer<G>::State state() const {
    const auto all = std::span<const double>(x);
    const auto n = at(system.equations().coordinates());
    return {all.first(n), all.subspan(n, at(system.equations().freedoms())), all.last(at(system.equations().turns()))};
  }

  Observation observe(std::vector<double> lambda) {
    Observation out;
    observer.observe(state(), acceleration, lambda, work, out);
    return out;
  }

  // Phi_q^T lambda of one group on one of its bodies.
  std::vector<double> wrenchOf(const RowGroup& group, int body) const {
    std::vector<double> out(G::kFreedoms, 0.0);
    const auto& equations = observer.equations();
    for (int row = group.first_row; row < group.first_row + group.rows; ++row) {
      for (int p = equations.rowStart()[at(row)]; p < equations.rowStart()[at(row) + 1]; ++p) {
        if (equations.rowBodies()[at(p)] != body) continue;
        for (int k = 0; k < G::kFreedoms; ++k) {
          out[at(k)] += work.eq.jacobian[at(G::kFreedoms * p + k)] * expected.multipliers[at(row)];
        }
      }
    }
    return out;
  }

  static constexpr double kTime = 0.3;
  BasicAbsoluteSystem<G> system;
  std::vector<double> x;
  Observer<G> observer;
  typename Observer<G>::Work work;
  Observation expected;
  RankReport rank;
  std::vector<double> acceleration;
};

// Forces of up to some hundred newtons through one more solve: 1e-9 leaves three digits to spare for its condition.
constexpr double kSame = 1e-9;

void expectSame(const Observation& o, const Observation& expected) {
  ASSERT_EQ(o.multipliers.size(), expected.multipliers.size());
  for (std::size_t r = 0; r < o.multipliers.size(); ++r) {
    EXPECT_NEAR(o.multipliers[r], expected.multipliers[r], kSame) << "row " << r;
  }
  for (std::size_t j = 0; j < expected.joints.size(); ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(o.joints[j].force_on_second[k], expected.joints[j].force_on_second[k], kSame);
      EXPECT_NEAR(o.joints[j].moment_on_first[k], expected.joints[j].moment_on_first[k], kSame);
    }
    EXPECT_EQ(o.joints[j].unique, expected.joints[j].unique) << "joint " << j;
    EXPECT_EQ(o.joints[j].force_unique, expected.joints[j].force_unique) << "joint " << j;
    EXPECT_EQ(o.joints[j].moment_unique, expected.joints[j].moment_unique) << "joint " << j;
    EXPECT_EQ(o.joint_motions[j].angle, expected.joint_motions[j].angle);
    EXPECT_EQ(o.joint_motions[j].slide_rate, expected.joint_motions[j].slide_rate);
  }
  for (std::size_t k = 0; k < expected.drive_efforts.size(); ++k) {
    EXPECT_NEAR(o.drive_efforts[k], expected.drive_efforts[k], kSame);
    EXPECT_EQ(o.drive_efforts_unique[k], expected.drive_efforts_unique[k]);
  }
  for (std::size_t b = 0; b < expected.bodies.size(); ++b) {
    EXPECT_EQ(o.bodies[b].position, expected.bodies[b].position);
    EXPECT_EQ(o.bodies[b].velocity, expected.bodies[b].velocity);
    EXPECT_EQ(o.bodies[b].acceleration, expected.bodies[b].acceleration);
    EXPECT_EQ(o.bodies[b].angular_acceleration, expected.bodies[b].angular_acceleration);
    EXPECT_EQ(o.bodies[b].orientation, expected.bodies[b].orientation);
  }
  for (std::size_t k = 0; k < expected.loads.size(); ++k) {
    EXPECT_EQ(o.loads[k].scalars, expected.loads[k].scalars);
  }
  EXPECT_EQ(o.kinetic, expected.kinetic);
  EXPECT_EQ(o.potential, expected.potential);
  EXPECT_EQ(o.violation.position, expected.violation.position);
  EXPECT_EQ(o.violation.velocity, expected.violation.velocity);
  EXPECT_NEAR(o.violation.acceleration, expected.violation.acceleration, kSame);
}

// The start of the drawn pose in space: at rest, turns as they are drawn.
std::vector<double> drawnAtRest(const Mechanism& m) {
  const AbsoluteEquations<Spatial<double>> equations(m);
  std::vector<double> x;
  for (const Body& body : m.bodies) {
    const Quaternion q = body.drawn.rotation;
    const auto R = Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
    const auto r = Vec3<double>{body.drawn.x, body.drawn.y, body.drawn.z} +
                   R * Vec3<double>{body.com[0].number, body.com[1].number, body.com[2].number};
    x.insert(x.end(), {r.x, r.y, r.z, q[0], q[1], q[2], q[3]});
  }
  x.resize(x.size() + at(equations.freedoms()) + 1, 0.0);
  for (const auto& turn : equations.elements().turns) x.push_back(turn.start);
  return x;
}

template <class Check>
void forEachSeen(const Check& check) {
  {
    SCOPED_TRACE("crank-slider with torque, spring and damper");
    Seen<Planar<double>> seen(crankSlider(), crankSliderStart().x());
    check(seen);
  }
  {
    SCOPED_TRACE("three cranks, one row too many");
    AbsoluteOptions options;
    options.doubtful_rows = {};
    Seen<Planar<double>> seen(parallelogram(), parallelogramStart().x(), options);
    EXPECT_EQ(seen.rank.rank, seen.rank.rows - 1);
    check(seen);
  }
  {
    SCOPED_TRACE("slider-pendulum in motion, its slider driven");
    Mechanism m = sliderPendulum();
    addDrive(m, "push", DriveKind::slide, BodyIndex(0), frameAt(0, 0), kGround, frameAt(0, 0),
             Expr(-(1.0 + std::sqrt(2.0))) * (Expr::symbol("t") - Expr(Seen<Planar<double>>::kTime)));
    Seen<Planar<double>> seen(m, sliderPendulumMoving().x());
    check(seen);
  }
  {
    SCOPED_TRACE("a door on two hinges");
    const Mechanism m = door(JointKind::revolute, JointKind::revolute);
    Seen<Spatial<double>> seen(m, drawnAtRest(m));
    EXPECT_EQ(seen.rank.rank, 5);
    check(seen);
  }
  {
    SCOPED_TRACE("Bricard");
    const Mechanism m = bricard();
    Seen<Spatial<double>> seen(m, drawnAtRest(m));
    check(seen);
  }
}

TEST(Observer, FindsTheMultipliersOfGivenAccelerations) {
  forEachSeen([](auto& seen) {
    std::vector<double> lambda(seen.expected.multipliers.size(), 7.0);  // what was in there does not matter
    seen.observer.multipliersOf(seen.acceleration, seen.work, lambda);
    expectSame(seen.observe(lambda), seen.expected);
  });
}

// A formulation that knows what each joint carries: the wrench on either body gives the rows' multipliers back.
TEST(Observer, FindsTheMultipliersOfGivenWrenches) {
  forEachSeen([](auto& seen) {
    const auto& groups = seen.observer.equations().elements().groups;
    for (const bool on_second : {false, true}) {
      std::vector<double> lambda(seen.expected.multipliers.size(), 0.0);
      for (std::size_t g = 0; g < groups.size(); ++g) {
        const int wanted = on_second ? groups[g].j : groups[g].i;
        const int other = on_second ? groups[g].i : groups[g].j;
        const int body = wanted < seen.observer.equations().bodies() ? wanted : other;
        const std::vector<int> own{static_cast<int>(g)};
        seen.observer.setMultipliers(own, body, seen.wrenchOf(groups[g], body), seen.work, lambda);
      }
      expectSame(seen.observe(lambda), seen.expected);
    }
  });
}

// A drive and the joint it drives carry one wrench between them.
TEST(Observer, TakesAJointAndItsDriveApart) {
  Mechanism m = sliderPendulum();
  addDrive(m, "push", DriveKind::slide, BodyIndex(0), frameAt(0, 0), kGround, frameAt(0, 0),
           Expr(-(1.0 + std::sqrt(2.0))) * (Expr::symbol("t") - Expr(Seen<Planar<double>>::kTime)));
  Seen<Planar<double>> seen(m, sliderPendulumMoving().x());
  const auto& groups = seen.observer.equations().elements().groups;
  ASSERT_EQ(groups[2].name, "push");
  std::vector<double> wrench = seen.wrenchOf(groups[0], 0);
  const std::vector<double> of_drive = seen.wrenchOf(groups[2], 0);
  for (std::size_t k = 0; k < 3; ++k) wrench[k] += of_drive[k];
  std::vector<double> lambda = seen.expected.multipliers;
  const std::vector<int> together{0, 2};
  lambda[0] = lambda[1] = lambda[4] = 1e3;
  seen.observer.setMultipliers(together, 0, wrench, seen.work, lambda);
  expectSame(seen.observe(lambda), seen.expected);
  EXPECT_GT(std::abs(seen.expected.drive_efforts[0]), 1.0);
}

// Whatever of the many multipliers a formulation comes with, the same ones are shown.
TEST(Observer, ShowsTheLeastOfTheMultipliersThatFit) {
  AbsoluteOptions options;
  Seen<Planar<double>> seen(parallelogram(), parallelogramStart().x(), options);
  std::vector<double> null(seen.expected.multipliers.size());
  const std::vector<int> dependent = seen.observer.rows().dependent(seen.work.kkt);
  ASSERT_EQ(dependent.size(), 1u);
  seen.work.kkt.dependence(dependent[0], null);
  std::vector<double> lambda = seen.expected.multipliers;
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] += 40.0 * null[r];
  expectSame(seen.observe(lambda), seen.expected);
}

// Three parallel cranks share forces along them in many ways; across, the moments about a crank's pivot tell the force:
//   (J + m f^2) alpha = m g f cos(theta) + F_n l,   the mass centre is at -f along the crank
TEST(Observer, FindsThePartOfAForceThatAllHaveInCommon) {
  const ParallelogramData d;
  Seen<Planar<double>> seen(parallelogram(), parallelogramStart().x());
  const double theta = seen.x[2];
  for (std::size_t k = 0; k < 3; ++k) {
    const double alpha = seen.expected.bodies[k].angular_acceleration[2];
    const double about_pivot = d.inertia[k] + d.mass[k] * d.foot[k] * d.foot[k];
    const double across =
        (about_pivot * alpha - d.mass[k] * 9.81 * d.foot[k] * std::cos(theta)) / d.length;  // on the crank
    const Reaction& reaction = seen.expected.joints[3 + k];
    EXPECT_FALSE(reaction.force_unique[0]);
    EXPECT_FALSE(reaction.force_unique[1]);
    EXPECT_EQ(reaction.unique_force_directions, 2);  // across the crank, and the direction that the plane does not have
    EXPECT_NEAR(reaction.unique_force[0], across * std::sin(theta), kSame);
    EXPECT_NEAR(reaction.unique_force[1], -across * std::cos(theta), kSame);
    EXPECT_GT(std::abs(across), 0.1);
  }
  Seen<Planar<double>> alone(crankSlider(), crankSliderStart().x());
  for (const Reaction& reaction : alone.expected.joints) {
    EXPECT_EQ(reaction.unique_force, reaction.force_on_second);
    EXPECT_EQ(reaction.unique_moment, reaction.moment_on_second);
    EXPECT_EQ(reaction.unique_force_directions, 3);
  }
}

TEST(OpenDirections, LeaveWhatIsPerpendicularToThem) {
  OpenDirections open;
  EXPECT_EQ(open.withoutThem({1.0, 2.0, 3.0}), (std::array<double, 3>{1.0, 2.0, 3.0}));
  open.add({0.0, 3.0, 4.0}, 1e-8);
  open.add({0.0, -30.0, -40.0 + 1e-9}, 1e-8);  // the same but for round-off
  EXPECT_EQ(open.count(), 1);
  const auto across = open.withoutThem({1.0, 0.8, -0.6});
  EXPECT_NEAR(across[0], 1.0, 1e-15);
  EXPECT_NEAR(across[1], 0.8, 1e-15);
  EXPECT_NEAR(across[2], -0.6, 1e-15);
  open.add({0.0, 1.0, 0.0}, 1e-8);
  EXPECT_EQ(open.count(), 2);
  const auto left = open.withoutThem({5.0, 1.0, 2.0});
  EXPECT_NEAR(left[0], 5.0, 1e-15);
  EXPECT_NEAR(left[1], 0.0, 1e-15);
  EXPECT_NEAR(left[2], 0.0, 1e-15);
  open.add({1e-9, 1.0, 1.0}, 1e-8);
  EXPECT_EQ(open.count(), 2);
  open.add({1.0, 1.0, 1.0}, 1e-8);
  EXPECT_EQ(open.withoutThem({5.0, 1.0, 2.0}), (std::array<double, 3>{}));
}

TEST(Observer, StatesRankFreedomAndViolationOfPosesFromOutside) {
  Seen<Planar<double>> seen(parallelogram(), parallelogramStart().x());
  typename Observer<Planar<double>>::Work work(seen.observer);
  const RowRank rows = seen.observer.factorRows(0.0, seen.state().q, {}, work);
  const RankReport report = seen.observer.report(work);
  EXPECT_EQ(report.rank, seen.rank.rank);
  EXPECT_EQ(report.rows, seen.rank.rows);
  EXPECT_EQ(report.dependent_rows, seen.rank.dependent_rows);
  EXPECT_EQ(report.smallest_kept, seen.rank.smallest_kept);
  EXPECT_EQ(rows.freedoms, 1);
  EXPECT_EQ(rows.rank, report.rank);
  // A pose that does not close: the violation is the distance of the joint's two points.
  std::vector<double> q(seen.state().q.begin(), seen.state().q.end());
  q[0] += 0.003;
  const std::vector<double> still(q.size(), 0.0);
  seen.observer.place(0.0, {q, still, {}}, work);
  const Violation violation = seen.observer.violation(still, work);
  EXPECT_NEAR(violation.position, 0.003 * std::sqrt(2.0), 1e-12);  // crank 1 has two joints
  EXPECT_EQ(violation.velocity, 0.0);
}

TEST(EventFunctions, GiveEventsSwitchesAndCornerTimesInOrder) {
  Mechanism m = sliderPendulum();
  Event event;
  event.name = "low";
  event.when = Expr::symbol("pendulum.y") + Expr(0.5);
  m.events = {event};
  m.loads[0].sided = Sided::tension_only;
  m.loads[0].stiffness = 20.0;
  m.loads[0].free_length = 3.0;
  addCouple(m, "brake", kGround, BodyIndex(1),
            abs(Expr::symbol("pendulum.angle_rate")) + max(Expr::symbol("t"), Expr(0.4)));
  const AbsoluteEquations<Planar<double>> equations(m);
  const EventFunctions<Planar<double>> events(m, equations.elements());
  EXPECT_EQ(events.cornerTimes(), std::vector<double>{0.4});
  ASSERT_GE(events.count(), 3);
  auto work = equations.makeWork();
  const State s = sliderPendulumMoving();
  equations.positions(0.1, s.q, work);
  equations.velocities(s.v, work);
  auto scratch = events.makeScratch();
  std::vector<double> values(at(events.count()));
  EXPECT_EQ(events.evaluate(work, scratch, values), -1);
  EXPECT_NEAR(values[0], s.q[4] + 0.5, 1e-15);
  EXPECT_NEAR(values[1], s.v[5], 1e-15);
  // The pull of the spring alone: 20 N/m times what it is longer than 3 m.
  const auto& placed = equations.elements().loadsOf<SpringDamper<Planar<double>>>()[0];
  const auto spring = placed.element.state({work.x[1], work.x[2]}, {work.v[1], work.v[2]});
  EXPECT_NEAR(values[2], 20.0 * (spring.length - 3.0), 1e-12);
}

TEST(EventFunctions, NameTheEventThatIsNoNumber) {
  Mechanism m = sliderPendulum();
  Event fine;
  fine.when = Expr::symbol("t");
  Event bad;
  bad.when = sqrt(Expr::symbol("pendulum.y"));
  m.events = {fine, bad};
  const AbsoluteEquations<Planar<double>> equations(m);
  const EventFunctions<Planar<double>> events(m, equations.elements());
  auto work = equations.makeWork();
  equations.positions(0.1, sliderPendulumMoving().q, work);
  auto scratch = events.makeScratch();
  std::vector<double> values(2);
  EXPECT_EQ(events.evaluate(work, scratch, values), 1);
}

}  // namespace observer_test
}  // namespace linkwork
