#include "linkwork/report/stand_in.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace linkwork {
namespace stand_in_test {

Body bodyOf(double mass, const Tensor& tensor) {
  Body body;
  body.mass = mass;
  body.com = {0.1, 0.2, 0.3};
  body.tensor = tensor;
  return body;
}

// Row k of R(q): the components along axis k of the body of the solid's axes.
double along(const Quaternion& q, int body_axis, int own_axis) {
  const auto [w, x, y, z] = q;
  const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                          {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                          {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  return R[body_axis][own_axis];
}

constexpr double kRounding = 1e-12;

TEST(StandIn, IsTheBoxWithTheInertiaOfABox) {
  const double m = 3.0;
  const double a = 0.2;
  const double b = 0.5;
  const double c = 0.9;
  const auto shape =
      standIn(bodyOf(m, {m * (b * b + c * c) / 12, m * (a * a + c * c) / 12, m * (a * a + b * b) / 12, 0.0, 0.0, 0.0}));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->kind, ShapeKind::box);
  EXPECT_EQ(shape->from, (std::array{0.1, 0.2, 0.3}));
  // Sides from the longest on, each along the right axis of the body.
  EXPECT_NEAR(shape->size[0], c, kRounding);
  EXPECT_NEAR(shape->size[1], b, kRounding);
  EXPECT_NEAR(shape->size[2], a, kRounding);
  EXPECT_NEAR(std::abs(along(shape->rotation, 2, 0)), 1.0, kRounding);
  EXPECT_NEAR(std::abs(along(shape->rotation, 1, 1)), 1.0, kRounding);
  EXPECT_NEAR(std::abs(along(shape->rotation, 0, 2)), 1.0, kRounding);
}

TEST(StandIn, IsACylinderAboutTheOddAxisWhetherFlatOrLong) {
  const double m = 2.0;
  const double r = 0.3;
  for (const double h : {0.1, 2.0}) {
    const double axial = m * r * r / 2;
    const double across = m * (3 * r * r + h * h) / 12;
    const auto shape = standIn(bodyOf(m, {across, axial, across, 0.0, 0.0, 0.0}));  // about y
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->kind, ShapeKind::disc);
    EXPECT_NEAR(shape->radius, r, kRounding);
    EXPECT_NEAR(shape->size[2], h, kRounding);
    EXPECT_NEAR(std::abs(along(shape->rotation, 1, 2)), 1.0, kRounding);
  }
}

TEST(StandIn, IsASphereWhereAllMomentsAreEqual) {
  const auto shape = standIn(bodyOf(1.5, {0.6, 0.6, 0.6, 0.0, 0.0, 0.0}));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->kind, ShapeKind::sphere);
  EXPECT_NEAR(shape->radius, 1.0, kRounding);
}

TEST(StandIn, FollowsTheProductsOfInertia) {
  // A rod along (1, 1, 0): moments 0, 1, 1 about its principal axes.
  const auto shape = standIn(bodyOf(1.0, {0.5, 0.5, 1.0, -0.5, 0.0, 0.0}));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->kind, ShapeKind::disc);
  EXPECT_NEAR(shape->size[2], std::sqrt(12.0), kRounding);
  EXPECT_NEAR(std::abs(along(shape->rotation, 0, 2)), std::sqrt(0.5), kRounding);
  EXPECT_NEAR(along(shape->rotation, 0, 2), along(shape->rotation, 1, 2), kRounding);
  EXPECT_GT(shape->radius, 0.0);  // what has no thickness is still seen
}

TEST(StandIn, IsNothingForABodyWithoutMassOrInertia) {
  EXPECT_FALSE(standIn(bodyOf(0.0, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0})));
  EXPECT_FALSE(standIn(bodyOf(1.0, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0})));
  Body planar;
  planar.mass = 1.0;
  EXPECT_FALSE(standIn(planar));
}

}  // namespace stand_in_test
}  // namespace linkwork
