#include "linkwork/analyse/assemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/linalg/norm.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace assemble_test {

using test::addDrive;
using test::drawAt;
using test::fourBar;
using test::frameAt;
using ::testing::HasSubstr;
using ::testing::Not;

// The start of the notes' four-bar: angles with whole-number tangents, rates that are fractions.
test::State fourBarStart() {
  const test::FourBarPoints p;
  const double angle[3] = {std::atan2(4.0, 3.0), std::atan2(5.0, 12.0), std::atan2(24.0, 7.0)};
  const double rate[3] = {2.0, -8.0 / 23.0, 12.0 / 23.0};
  const auto turn = [](double a, const double(&s)[2]) {
    return std::array{std::cos(a) * s[0] - std::sin(a) * s[1], std::sin(a) * s[0] + std::cos(a) * s[1]};
  };
  test::State out;
  const auto add = [&](std::array<double, 2> pin, std::array<double, 2> pin_rate, double a, double w,
                       const double(&arm)[2]) {
    const auto s = turn(a, arm);
    for (const double value : {pin[0] - s[0], pin[1] - s[1], a}) out.q.push_back(value);
    for (const double value : {pin_rate[0] + w * s[1], pin_rate[1] - w * s[0], w}) out.v.push_back(value);
  };
  add({0, 0}, {0, 0}, angle[0], rate[0], p.crank_O);
  const double r[2] = {0.5, 0.0};  // from O to A along the crank
  const auto A = turn(angle[0], r);
  add(A, {-rate[0] * A[1], rate[0] * A[0]}, angle[1], rate[1], p.coupler_A);
  add({p.C[0], p.C[1]}, {0, 0}, angle[2], rate[2], p.rocker_C);
  return out;
}

InitialValue given(QuantityKind kind, int index, double value) {
  return {{kind, index}, Value(value), Source("model.toml", 30 + index, 1)};
}

TEST(Assemble, LeavesAConsistentDrawingWhereItIs) {
  Mechanism m = fourBar();
  const test::State start = fourBarStart();
  drawAt(m, start);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  for (std::size_t u = 0; u < start.q.size(); ++u) EXPECT_NEAR(assembly.q[u], start.q[u], 1e-14) << u;
  EXPECT_LT(assembly.moved, 1e-14);
}

// One rate fixes the motion of a mechanism of one freedom; the others follow, here known as fractions.
TEST(Assemble, FindsAllVelocitiesFromOne) {
  Mechanism m = fourBar();
  const test::State start = fourBarStart();
  drawAt(m, start);
  m.initial = {given(QuantityKind::body_angle_rate, 0, 2.0)};
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  for (std::size_t u = 0; u < start.v.size(); ++u) EXPECT_NEAR(assembly.v[u], start.v[u], 1e-13) << u;
  EXPECT_LT(assembly.velocity_residual, 1e-13);
}

TEST(Assemble, ClosesALoopDrawnByHand) {
  Mechanism m = fourBar();
  test::State start = fourBarStart();
  for (std::size_t u = 0; u < start.q.size(); ++u) start.q[u] += 0.05 * std::sin(3.0 * static_cast<double>(u) + 1.0);
  drawAt(m, start);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_LT(assembly.position_residual, 1e-13);
  EXPECT_LT(assembly.moved, 0.2);
  EXPECT_LT(assembly.turned, 0.2);
}

// A half turn of the crank away from the drawing, reached without changing to the crossed branch: the sine of the angle
// between coupler and rocker keeps its sign.
TEST(Assemble, WalksToAGivenAngleOnTheDrawnBranch) {
  Mechanism m = fourBar();
  const test::State start = fourBarStart();
  drawAt(m, start);
  const double wanted = start.q[2] + 2.5;
  m.initial = {given(QuantityKind::body_angle, 0, wanted)};
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_NEAR(assembly.q[2], wanted, 1e-13);
  EXPECT_LT(assembly.position_residual, 1e-12);
  EXPECT_GT(std::sin(start.q[8] - start.q[5]) * std::sin(assembly.q[8] - assembly.q[5]), 0.0);
}

TEST(Assemble, ReportsHowFarALoopIsFromClosing) {
  Mechanism m = fourBar();
  drawAt(m, fourBarStart());
  // Links 0.5, 1.3, 1.25 reach 3.05 m; the pivots are now 4 m apart.
  m.joints[3].on_second = frameAt(4.0, 0.0);
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("stays open by 0.95"));
  EXPECT_THAT(assembly.problem, HasSubstr("cannot close"));
  EXPECT_THAT(assembly.problem, HasSubstr("ground"));
}

TEST(Assemble, RefusesRatesThatContradictTheJointsAndNamesThem) {
  Mechanism m = fourBar();
  drawAt(m, fourBarStart());
  m.initial = {given(QuantityKind::body_angle_rate, 0, 2.0), given(QuantityKind::body_angle_rate, 2, 3.0)};
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("crank.angle_rate = 2 rad/s (model.toml:30:1) and rocker.angle_rate = 3 "
                                          "rad/s (model.toml:32:1) contradict each other"));
  EXPECT_EQ(assembly.where.line, 30);
  // The same two values in agreement are welcome.
  m.initial[1].value = Value(12.0 / 23.0);
  EXPECT_TRUE(assemble(m).ok);
}

TEST(Assemble, CountsDependentRowsAndStillClosesThem) {
  Mechanism m = test::parallelogram(3);
  test::State start = test::parallelogramStart(3);
  for (double& value : start.q) value += 1e-3;
  drawAt(m, start);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_LT(assembly.position_residual, 1e-12);
  EXPECT_EQ(assembly.dependent_rows.size(), 1U);
}

// The smallest eigenvalue of Phi M^-1 Phi^T of this mechanism falls as 1/N^2; upright it has full rank all the same.
TEST(Assemble, FindsFullRankOfTenThousandWindowsUpright) {
  const Assembly assembly = assemble(test::buildNFourBar(10000));
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_TRUE(assembly.dependent_rows.empty());
}

// The motion is theta' = -1 for every upright: tops move at +1 m/s in x.
TEST(Assemble, GivesTheNFourBarItsVelocity) {
  const Mechanism m = test::buildNFourBar(2);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  double kinetic = 0.0;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const double* v = &assembly.v[3 * b];
    kinetic += 0.5 * (m.bodies[b].mass.number * (v[0] * v[0] + v[1] * v[1]) + m.bodies[b].inertia.number * v[2] * v[2]);
  }
  EXPECT_NEAR(kinetic, 1.5, 1e-12);  // published initial energy
}

TEST(Assemble, ContradictingValuesAreNamedWithTheirLines) {
  Mechanism m = fourBar();
  drawAt(m, fourBarStart());
  m.file_name = "m.toml";
  const auto give = [&](QuantityKind kind, int index, double value, int line) {
    m.initial.push_back({{kind, index}, Value(value), Source("m.toml", line, 1)});
  };
  const double angle = fourBarStart().q[2];
  give(QuantityKind::body_x, 0, fourBarStart().q[0], 5);  // says the same as the next one
  give(QuantityKind::body_angle, 0, angle, 6);
  give(QuantityKind::body_angle, 2, fourBarStart().q[8] + 0.3, 7);
  const Assembly assembly = assemble(m);
  ASSERT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("crank.angle = 0.927295 rad (m.toml:6:1) and rocker.angle = 1.587 rad "
                                          "(m.toml:7:1) contradict each other: no pose has them all"));
  EXPECT_THAT(assembly.problem, Not(HasSubstr("crank.x")));
  EXPECT_EQ(assembly.where.line, 6);

  m.initial.clear();
  give(QuantityKind::body_angle_rate, 0, 1.0, 8);
  give(QuantityKind::body_angle_rate, 2, -50.0, 9);
  const Assembly rates = assemble(m);
  ASSERT_FALSE(rates.ok);
  EXPECT_THAT(rates.problem, HasSubstr("crank.angle_rate = 1 rad/s (m.toml:8:1) and rocker.angle_rate = -50 rad/s "
                                       "(m.toml:9:1) contradict each other: no motion has them all"));
}

TEST(Assemble, FollowsADriveAtTheStart) {
  Mechanism m = fourBar();
  drawAt(m, fourBarStart());
  const Expr t = Expr::symbol("t");
  addDrive(m, "motor", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0),
           Expr(1.0) + Expr(3.0) * t);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_NEAR(assembly.q[2], 1.0, 1e-13);
  EXPECT_NEAR(assembly.v[2], 3.0, 1e-13);
}

}  // namespace assemble_test
}  // namespace linkwork
