#include "linkwork/simulate/body_actions.hpp"

#include <gtest/gtest.h>

#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/simulate/body_actions_for_tests.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace body_actions_test {

using test::frameAt;

Result run(const Mechanism& m) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  RunOptions options;
  options.until = 0.2;
  options.output_step = 0.02;
  Result result = simulate(m, assembly, options);
  EXPECT_EQ(result.status, RunStatus::complete) << result.message;
  return result;
}

// The balance of every body, to the rounding of the linear solve that gives accelerations and reactions.
void expectBalance(const Mechanism& m) {
  const Result result = run(m);
  const test::Imbalance worst = test::BalanceSheet(m, result).worst();
  EXPECT_GT(worst.force_scale, 1.0);
  EXPECT_LT(worst.force, 1e-10 * worst.force_scale);
  EXPECT_LT(worst.moment, 1e-10 * (worst.moment_scale + worst.force_scale));
}

// Two bars that turn about O and slide along each other: a guide that is a moving first body, with moments of its own.
Mechanism slidingBars() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex guide = test::addBody(m, "guide", 2.0, 0.3);
  const BodyIndex rider = test::addBody(m, "rider", 1.5, 0.1);
  test::addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), guide, frameAt(-0.5, 0));
  test::addJoint(m, "S", JointKind::prismatic, guide, frameAt(0.1, 0.05, 0.2), rider, frameAt(-0.1, 0.02, 0.2));
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  m.bodies[1].drawn = {0.7, 0.03, 0.0};
  test::addSpring(m, "spring", guide, frameAt(-0.4, 0.1), rider, frameAt(0.2, 0.0), 40.0, 3.0, 0.5);
  return m;
}

Load loadBetween(const std::string& name, LoadKind kind, const Frame& on_first, const Frame& on_second) {
  Load load;
  load.name = name;
  load.kind = kind;
  load.first = BodyIndex(0);
  load.second = BodyIndex(1);
  load.on_first = on_first;
  load.on_second = on_second;
  return load;
}

TEST(BodyActions, BalanceBodiesThatSlideOnEachOther) {
  expectBalance(slidingBars());
  expectBalance(liftToSpace(slidingBars()));
}

TEST(BodyActions, BalanceForcesInBodyAxesAndCouplesBetweenBodies) {
  Mechanism m = slidingBars();
  Load push = loadBetween("push", LoadKind::force, {}, frameAt(0.2, 0.1));
  push.first = kGround;
  push.axes = Axes::body;
  push.force = {Expr(7.0), Expr(-3.0) * test::kTime, Expr(0.0)};
  m.loads.push_back(push);
  test::addCouple(m, "couple", BodyIndex(0), BodyIndex(1), Expr(4.0) * cos(test::kTime));
  Load twist = loadBetween("twist", LoadKind::rotational_spring_damper, frameAt(0.3, 0), frameAt(0, 0));
  twist.first = kGround;
  twist.stiffness = 5.0;
  twist.damping = 0.4;
  m.loads.push_back(twist);
  expectBalance(m);
  expectBalance(liftToSpace(m));
}

TEST(BodyActions, BalanceActuatorsAndBushings) {
  Mechanism m = slidingBars();
  for (const DriveKind along : {DriveKind::distance, DriveKind::slide}) {
    Load push = loadBetween(along == DriveKind::slide ? "ram" : "rope", LoadKind::actuator, frameAt(0.1, 0.05, 0.2),
                            frameAt(-0.1, 0.02, 0.2));
    if (along == DriveKind::distance) push.on_first = frameAt(-0.3, 0.3);
    push.along = along;
    push.moment = Expr(9.0) * sin(Expr(5.0) * test::kTime) + Expr(1.0);
    m.loads.push_back(push);
  }
  Load cushion = loadBetween("cushion", LoadKind::bushing, frameAt(0.1, 0.05, 0.3), frameAt(-0.1, 0.1, 0.1));
  for (std::size_t k : {0U, 1U, 5U}) {
    cushion.bushing_stiffness[k][k] = 30.0 + 10.0 * static_cast<double>(k);
    cushion.bushing_damping[k][k] = 1.0;
  }
  cushion.bushing_stiffness[0][1] = cushion.bushing_stiffness[1][0] = 5.0;
  m.loads.push_back(cushion);
  expectBalance(m);
  expectBalance(liftToSpace(m));
}

TEST(BodyActions, BalanceDrivesOfEveryKind) {
  for (const char* coordinate : {"O.angle", "S.slide", "rider.y"}) {
    Mechanism m = slidingBars();
    const Assembly start = assemble(m);
    const double now = std::string(coordinate) == "rider.y" ? start.q[4] : 0.0;
    const bool slide = std::string(coordinate) == "S.slide";
    const double at = slide ? 0.0 : now;
    m.drives.clear();
    test::drive(m, coordinate, Expr(at) + Expr(0.3) * sin(Expr(2.0) * test::kTime));
    SCOPED_TRACE(coordinate);
    expectBalance(m);
  }
}

// A rack acts on both bodies that its coordinates move, by its effort.
TEST(BodyActions, BalanceRelations) {
  Mechanism m = slidingBars();
  Joint rack;
  rack.name = "rack";
  rack.kind = JointKind::coupling;
  rack.terms = {{{QuantityKind::joint_angle, 0}, Value(0.2)}, {{QuantityKind::joint_slide, 1}, Value(1.0)}};
  rack.unit = RelationUnit::length;
  m.joints.push_back(rack);
  expectBalance(m);
}

TEST(BodyActions, LeaveOutWhatWasNotRecorded) {
  const Mechanism m = slidingBars();
  Result result = run(m);
  std::erase_if(result.series, [](const Series& s) { return s.group == "S" || s.label == "tension"; });
  for (const BodyAction& action : bodyActions(m, result)) {
    EXPECT_EQ(action.of, ActionOf::joint);
    EXPECT_EQ(action.index, 0);
  }
}

}  // namespace body_actions_test
}  // namespace linkwork
