#include "linkwork/analyse/drive_conflicts.hpp"

#include <gtest/gtest.h>

#include "linkwork/model/drive_of.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace drive_conflicts_test {

// A four-bar of uniform rods: crank O-A (0.3), coupler A-B, rocker D-B.
Mechanism fourBar() {
  Mechanism m;
  m.name = "four_bar";
  const auto addRod = [&m](const char* name, double x0, double y0, double x1, double y1) {
    const double length = std::hypot(x1 - x0, y1 - y0);
    const BodyIndex body = test::addBody(m, name, 1.0, length * length / 12.0);
    m.bodies.back().drawn = {0.5 * (x0 + x1), 0.5 * (y0 + y1), std::atan2(y1 - y0, x1 - x0)};
    return std::pair(body, 0.5 * length);
  };
  const auto [crank, a] = addRod("crank", 0.0, 0.0, 0.0, 0.3);
  const auto [coupler, b] = addRod("coupler", 0.0, 0.3, 0.8, 0.6);
  const auto [rocker, c] = addRod("rocker", 0.9, 0.0, 0.8, 0.6);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), crank, test::frameAt(-a, 0));
  test::addJoint(m, "A", JointKind::revolute, crank, test::frameAt(a, 0), coupler, test::frameAt(-b, 0));
  test::addJoint(m, "B", JointKind::revolute, coupler, test::frameAt(b, 0), rocker, test::frameAt(c, 0));
  test::addJoint(m, "D", JointKind::revolute, kGround, test::frameAt(0.9, 0), rocker, test::frameAt(-c, 0));
  return m;
}

void addDrive(Mechanism& m, const char* name, int joint, const Expr& motion, int line) {
  Drive drive = driveOf(m, {QuantityKind::joint_angle, joint}, motion);
  drive.name = name;
  drive.source = Source("m.toml", line, 1);
  m.drives.push_back(std::move(drive));
}

double drawnAngle(const Mechanism& m, int body) { return m.bodies[static_cast<std::size_t>(body)].drawn.angle; }

std::string reportOf(const Mechanism& m) {
  Diagnostics diagnostics;
  reportDriveConflicts(m, assemble(m), diagnostics);
  return diagnostics.format();
}

const Expr t = Expr::symbol("t");

TEST(DriveConflicts, OneDriveOnOneFreedomIsGood) {
  Mechanism m = fourBar();
  addDrive(m, "crank_motor", 0, Expr(drawnAngle(m, 0)) + 2.0 * t, 10);
  EXPECT_EQ(reportOf(m), "");
  EXPECT_TRUE(findDriveConflicts(m, assemble(m)).empty());
}

TEST(DriveConflicts, TwoDrivesOnOneFreedomFight) {
  Mechanism m = fourBar();
  addDrive(m, "crank_motor", 0, Expr(drawnAngle(m, 0)) + 2.0 * t, 10);
  addDrive(m, "rocker_motor", 3, Expr(drawnAngle(m, 2)) - 5.0 * t, 12);
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_EQ(
      reportOf(m),
      "m.toml:12:1: error: drives \"crank_motor\" (line 10) and \"rocker_motor\" (line 12) fight: they are joined by "
      "\"O\", \"A\", \"B\" and \"D\", so that one of them follows from the other. Remove one of them.\n");
  Diagnostics diagnostics;
  EXPECT_TRUE(reportDriveConflicts(m, assembly, diagnostics));
  const auto conflicts = findDriveConflicts(m, assembly);
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_EQ(conflicts[0].drives, (std::vector<int>{0, 1}));
  EXPECT_EQ(conflicts[0].joints, (std::vector<int>{0, 1, 2, 3}));
}

// Positions that contradict each other at once are blamed on the drives, not on a loop.
TEST(DriveConflicts, DrivesThatAskForAnImpossiblePose) {
  Mechanism m = fourBar();
  addDrive(m, "crank_motor", 0, Expr(drawnAngle(m, 0)), 10);
  addDrive(m, "rocker_motor", 3, Expr(drawnAngle(m, 2) + 0.3), 12);
  EXPECT_EQ(
      reportOf(m),
      "m.toml:12:1: error: drives \"crank_motor\" (line 10) and \"rocker_motor\" (line 12) fight: they are joined by "
      "\"O\", \"A\", \"B\" and \"D\", so that one of them follows from the other. Remove one of them.\n");
}

TEST(DriveConflicts, DrivesThatAgreeAtTheStartAreAWarning) {
  Mechanism m = fourBar();
  addDrive(m, "crank_motor", 0, Expr(drawnAngle(m, 0)) + pow(t, 3.0), 10);  // parts only after the start
  addDrive(m, "rocker_motor", 3, Expr(drawnAngle(m, 2)), 12);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_EQ(
      reportOf(m),
      "m.toml:12:1: warning: drives \"crank_motor\" (line 10) and \"rocker_motor\" (line 12) say the same twice: they "
      "are "
      "joined by \"O\", \"A\", \"B\" and \"D\", so that one of them follows from the other. If their motions differ "
      "later, the run will stop there: remove one.\n");
}

// At a dead point of the rocker its speed is zero whatever the crank does.
TEST(DriveConflicts, ADriveAtADeadPointFightsTheJoints) {
  Mechanism m = fourBar();
  // Crank and coupler in one line: the rocker is at the end of its swing.
  m = Mechanism{};
  const BodyIndex crank = test::addBody(m, "crank", 1.0, 0.1);
  const BodyIndex coupler = test::addBody(m, "coupler", 1.0, 0.1);
  const BodyIndex rocker = test::addBody(m, "rocker", 1.0, 0.1);
  m.bodies[1].drawn = {1.0, 0.0, 0.0};
  m.bodies[2].drawn = {3.0, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), crank, test::frameAt(0, 0));
  test::addJoint(m, "A", JointKind::revolute, crank, test::frameAt(1, 0), coupler, test::frameAt(0, 0));
  test::addJoint(m, "B", JointKind::revolute, coupler, test::frameAt(2, 0), rocker, test::frameAt(0, 0));
  test::addJoint(m, "D", JointKind::revolute, kGround, test::frameAt(3, -2), rocker, test::frameAt(0, -2));
  addDrive(m, "rocker_motor", 3, Expr(1.0) * t, 7);
  EXPECT_EQ(
      reportOf(m),
      "m.toml:7:1: error: drive \"rocker_motor\" fights the joints: in this pose what it prescribes is held already by "
      "\"O\", \"A\", \"B\" and \"D\". Drive another coordinate, or draw the mechanism away from its dead point.\n");
}

}  // namespace drive_conflicts_test
}  // namespace linkwork
