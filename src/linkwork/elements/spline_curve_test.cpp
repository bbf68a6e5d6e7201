#include "linkwork/elements/spline_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/scalar/dual.hpp"

namespace linkwork {
namespace spline_curve_test {

std::vector<std::array<double, 2>> circle(int n, double radius) {
  std::vector<std::array<double, 2>> points;
  for (int k = 0; k < n; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / n;
    points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return points;
}

const std::vector<std::array<double, 2>> kHill{{0.0, 0.0}, {0.3, 0.1}, {0.7, 0.4}, {1.1, 0.3}, {1.6, -0.1}};

TEST(SplineCurve, PassesThroughItsPointsWithContinuousCurvature) {
  for (const bool closed : {false, true}) {
    const SplineCurve curve(kHill, closed);
    double s = 0.0;
    for (std::size_t k = 0; k < kHill.size(); ++k) {
      const auto here = curve.at(s);
      EXPECT_NEAR(here.c.x, kHill[k][0], 1e-15);
      EXPECT_NEAR(here.c.y, kHill[k][1], 1e-15);
      // Left and right of the knot: third derivatives of some ten, so 1e-9 of a step shows below 1e-7.
      const auto before = curve.at(s - 1e-9);
      const auto after = curve.at(s + 1e-9);
      EXPECT_NEAR(before.d.x, after.d.x, 1e-7);
      EXPECT_NEAR(before.d.y, after.d.y, 1e-7);
      EXPECT_NEAR(before.dd.x, after.dd.x, 1e-6);
      EXPECT_NEAR(before.dd.y, after.dd.y, 1e-6);
      const auto& next = kHill[(k + 1) % kHill.size()];
      s += std::hypot(next[0] - kHill[k][0], next[1] - kHill[k][1]);
    }
  }
}

TEST(SplineCurve, OpenCurveIsStraightAtAndBeyondItsEnds) {
  const SplineCurve curve(kHill, false);
  for (const double s : {0.0, curve.length()}) {
    EXPECT_NEAR(curve.at(s).dd.x, 0.0, 1e-12);
    EXPECT_NEAR(curve.at(s).dd.y, 0.0, 1e-12);
  }
  const auto end = curve.at(curve.length());
  const auto past = curve.at(curve.length() + 0.5);
  EXPECT_NEAR(past.c.x, end.c.x + 0.5 * end.d.x, 1e-15);
  EXPECT_NEAR(past.c.y, end.c.y + 0.5 * end.d.y, 1e-15);
  EXPECT_TRUE(curve.beyond(past.c.x, past.c.y));
  EXPECT_FALSE(curve.beyond(end.c.x, end.c.y));
  EXPECT_FALSE(curve.beyond(0.7, 0.45));
  EXPECT_TRUE(curve.beyond(-0.1, -0.05));
}

// A spline of n points on a circle is off by the fourth power of the step: (2 pi / 48)^4 / 384 times the radius.
TEST(SplineCurve, ACircleHasItsRadiusAndCurvature) {
  const SplineCurve curve(circle(48, 0.7), true);
  EXPECT_GT(curve.turningSense(), 0.0);
  for (int k = 0; k < 100; ++k) {
    const double angle = 0.0628 * k;
    const double r = 0.4 + 0.006 * k;
    const auto at = curve.distance(r * std::cos(angle), r * std::sin(angle));
    EXPECT_NEAR(at.d, 0.7 - r, 2e-6);  // to the left, inside, is positive
    EXPECT_NEAR(at.n_x, -std::cos(angle), 1e-4);
    EXPECT_NEAR(at.bend, 1.0 / r, 2e-2 / r);
  }
  EXPECT_NEAR(curve.sharpestLeft().curvature, 1.0 / 0.7, 0.01);
  EXPECT_EQ(curve.sharpestRight().curvature, 0.0);
}

// The nearest of all points of the curve, whichever way it is looked for.
TEST(SplineCurve, FootIsTheNearestPointOfTheWholeCurve) {
  for (const bool closed : {false, true}) {
    const SplineCurve curve(kHill, closed);
    for (int k = 0; k < 400; ++k) {
      const int row = k / 20;
      const double x = -0.2 + 0.1 * (k % 20);
      const double y = -0.5 + 0.06 * row;
      const auto foot = curve.at(curve.foot(x, y));
      const double found = std::hypot(x - foot.c.x, y - foot.c.y);
      double nearest = 1e9;
      for (int i = -4000; i <= 8000; ++i) {
        const auto c = curve.at(curve.length() * i / 4000.0).c;
        nearest = std::min(nearest, std::hypot(x - c.x, y - c.y));
      }
      EXPECT_LE(found, nearest + 1e-12);
      EXPECT_GE(found, nearest - 1e-3);
    }
  }
}

TEST(SplineCurve, GradientAndHessianOfTheDistanceAreThoseOfDual) {
  using D1 = Dual<2>;
  using D2 = Dual<2, D1>;
  for (const bool closed : {false, true}) {
    const SplineCurve curve(kHill, closed);
    for (int k = 0; k < 30; ++k) {
      const auto on = curve.at(curve.length() * (0.01 + 0.0327 * k));
      const double off = 0.02 * (k % 5 - 2);
      const double size = std::hypot(on.d.x, on.d.y);
      const double x = on.c.x - off * on.d.y / size;
      const double y = on.c.y + off * on.d.x / size;
      const auto at = curve.distance(x, y);
      EXPECT_NEAR(at.d, off, 1e-13);
      const auto dual = curve.distance(D2::variable(D1::variable(x, 0), 0), D2::variable(D1::variable(y, 1), 1));
      EXPECT_NEAR(dual.d.derivatives[0].value, at.n_x, 1e-12);
      EXPECT_NEAR(dual.d.derivatives[1].value, at.n_y, 1e-12);
      const double t_x = at.n_y;
      const double t_y = -at.n_x;
      EXPECT_NEAR(dual.d.derivatives[0].derivatives[0], -at.bend * t_x * t_x, 1e-9 * (1.0 + std::abs(at.bend)));
      EXPECT_NEAR(dual.d.derivatives[0].derivatives[1], -at.bend * t_x * t_y, 1e-9 * (1.0 + std::abs(at.bend)));
      EXPECT_NEAR(dual.d.derivatives[1].derivatives[1], -at.bend * t_y * t_y, 1e-9 * (1.0 + std::abs(at.bend)));
    }
  }
}

}  // namespace spline_curve_test
}  // namespace linkwork
