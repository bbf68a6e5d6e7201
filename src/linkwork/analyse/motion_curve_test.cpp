#include "linkwork/analyse/motion_curve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/lift.hpp"

namespace linkwork {
namespace motion_curve_test {

using std::numbers::pi;
using test::kTime;
using ::testing::HasSubstr;

// Positions and velocities of a turning slider-crank, over many turns: no step is lost, no branch is changed.
TEST(MotionCurve, FollowsASliderCrankInClosedForm) {
  const test::SliderCrank sizes;
  Mechanism m = sizes.mechanism(0.7);
  test::drive(m, "O.angle", Expr(0.7) + Expr(3.0) * kTime);
  MotionCurve curve(m, assemble(m), 10.0);
  for (int k = 1; k <= 50; ++k) {
    const double t = 0.2 * k;
    ASSERT_EQ(curve.to(t), MotionCurve::Walk::ok);
    const double angle = 0.7 + 3.0 * t;
    // Closed to 1e-13 of the size; the clock is read to 4e-15 of ten seconds, at 0.9 m/s.
    EXPECT_NEAR(curve.q()[6], sizes.x(angle), 5e-13);
    const double h = 1e-5;  // central difference: error h^2 times a third derivative of about 30
    EXPECT_NEAR(curve.velocity()[6], (sizes.x(angle + 3 * h) - sizes.x(angle - 3 * h)) / (2 * h), 1e-8);
  }
  EXPECT_TRUE(curve.deadPoints().empty());
}

// Pushed at the slider it comes to stretched links at x = r + l, whatever lies beyond.
TEST(MotionCurve, FindsTheDeadPointOfASliderCrankDrivenAtTheSlider) {
  const test::SliderCrank sizes;
  Mechanism m = sizes.mechanism(pi / 3);
  const double x0 = sizes.x(pi / 3);
  test::drive(m, "rail.slide", Expr(x0) + Expr(0.1) * kTime);
  MotionCurve curve(m, assemble(m), 10.0);
  EXPECT_EQ(curve.to(1.0), MotionCurve::Walk::ok);
  EXPECT_EQ(curve.to(10.0), MotionCurve::Walk::dead_point);
  ASSERT_EQ(curve.deadPoints().size(), 1U);
  const DeadPoint& dead = curve.deadPoints()[0];
  EXPECT_NEAR(dead.time, (1.1 - x0) / 0.1, 1e-11);
  EXPECT_EQ(dead.kind, SingularPose::dead_point);
  EXPECT_EQ(dead.drives, std::vector<int>{0});
  EXPECT_EQ(dead.joints, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(dead.words,
            "dead point (pins O, A and B are in line): drive \"motor\" cannot go further; with it held, joints \"O\", "
            "\"A\" and \"B\" could still move");
  EXPECT_NEAR(curve.q()[6], 1.1, 1e-12);
  EXPECT_EQ(curve.to(10.0), MotionCurve::Walk::dead_point);  // and stays there
}

// Samples close before the dead point, where the pose goes with the root of the time left.
TEST(MotionCurve, ReachesTimesCloseBeforeADeadPoint) {
  const test::SliderCrank sizes;
  Mechanism m = sizes.mechanism(pi / 3);
  const double x0 = sizes.x(pi / 3);
  test::drive(m, "rail.slide", Expr(x0) + Expr(0.1) * kTime);
  const double dead = (1.1 - x0) / 0.1;
  MotionCurve curve(m, assemble(m), 10.0);
  for (const double before : {1e-2, 1e-4, 1e-6, 1e-8}) {
    ASSERT_EQ(curve.to(dead - before), MotionCurve::Walk::ok);
    // x = r + l - angle^2 r (r + l) / (2 l) + O(angle^4) near the line
    const double angle = std::sqrt(0.1 * before * 2.0 * 0.8 / (0.3 * 1.1));
    // 1e-15 in x is 1e-15 / angle in the angle; the next term of the series is angle^3.
    EXPECT_NEAR(curve.q()[2], angle, std::pow(angle, 3) + 1e-14 / angle) << before;
  }
}

// A crank-rocker driven at its rocker stops where crank and coupler are in line: the rocker is a (b + a) or (b - a)
// triangle with the ground link.
TEST(MotionCurve, FindsTheDeadPointOfARockerDrivenCrankRocker) {
  const test::FourBar sizes;  // 0.1, 0.25, 0.25, 0.2
  for (const double rate : {1.0, -1.0}) {
    Mechanism m = sizes.mechanism(1.0);
    const double start = sizes.rockerAngle(1.0);
    test::drive(m, "C.angle", Expr(start) + Expr(rate) * kTime);
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    MotionCurve curve(m, assembly, 5.0);
    EXPECT_EQ(curve.to(5.0), MotionCurve::Walk::dead_point);
    ASSERT_EQ(curve.deadPoints().size(), 1U);
    const auto limit = [&](double reach) {
      return pi - std::acos((sizes.c * sizes.c + sizes.d * sizes.d - reach * reach) / (2 * sizes.c * sizes.d));
    };
    const double outer = limit(sizes.b + sizes.a);
    const double inner = limit(sizes.b - sizes.a);
    const double end = start + rate * curve.deadPoints()[0].time;
    EXPECT_NEAR(end, rate > 0 ? std::max(outer, inner) : std::min(outer, inner), 1e-11);
    EXPECT_THAT(curve.deadPoints()[0].words, HasSubstr("drive \"motor\" cannot go further"));
  }
}

// The same in space, lifted.
TEST(MotionCurve, FindsTheSameDeadPointInSpace) {
  const test::SliderCrank sizes;
  Mechanism m = sizes.mechanism(pi / 3);
  const double x0 = sizes.x(pi / 3);
  test::drive(m, "rail.slide", Expr(x0) + Expr(0.1) * kTime);
  m = liftToSpace(std::move(m));
  MotionCurve curve(m, assemble(m), 10.0);
  EXPECT_EQ(curve.to(10.0), MotionCurve::Walk::dead_point);
  ASSERT_EQ(curve.deadPoints().size(), 1U);
  EXPECT_NEAR(curve.deadPoints()[0].time, (1.1 - x0) / 0.1, 1e-11);
  EXPECT_EQ(curve.deadPoints()[0].joints, (std::vector<int>{0, 1, 2}));
}

// A parallelogram that lies flat at t = pi/2 can go on as a parallelogram or crossed; it stays what it was.
TEST(MotionCurve, PassesABranchPointAndSaysSo) {
  test::FourBar sizes;
  sizes.a = sizes.c = 0.1;
  sizes.b = sizes.d = 0.3;
  Mechanism m = sizes.mechanism(pi / 2);
  test::drive(m, "O.angle", Expr(pi / 2) + kTime);
  MotionCurve curve(m, assemble(m), 3.0);
  ASSERT_EQ(curve.to(3.0), MotionCurve::Walk::ok);
  ASSERT_EQ(curve.deadPoints().size(), 1U);
  const DeadPoint& branch = curve.deadPoints()[0];
  EXPECT_EQ(branch.kind, SingularPose::branch_point);
  EXPECT_NEAR(branch.time, pi / 2, 1e-8);  // a cubic over 2e-3 of a length, through roots of pivots
  EXPECT_THAT(branch.words, HasSubstr("branch point"));
  EXPECT_NEAR(curve.q()[8], pi / 2 + 3.0, 1e-12);  // the rocker has turned with the crank
}

TEST(MotionCurve, StopsWhereAMotionIsNoNumber) {
  Mechanism m = test::SliderCrank().mechanism(1.0);
  test::drive(m, "O.angle", Expr(1.0) + sqrt(Expr(0.5) - kTime) - Expr(std::sqrt(0.5)));
  MotionCurve curve(m, assemble(m), 1.0);
  EXPECT_EQ(curve.to(1.0), MotionCurve::Walk::stuck);
  EXPECT_NEAR(curve.time(), 0.5, 1e-3);
  EXPECT_GE(curve.troubleTime(), curve.time());
}

}  // namespace motion_curve_test
}  // namespace linkwork
