#include "linkwork/report/stand_in.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

constexpr double kSame = 0.02;      // moments closer than this, relative to the largest, count as equal
constexpr double kThinnest = 0.03;  // of the largest side: what has no thickness is still seen from the side

Quaternion quaternionOf(const Eigen::Matrix3d& axes) {
  const Eigen::Quaterniond q(axes);
  return {q.w(), q.x(), q.y(), q.z()};
}

double side(double squared) { return std::sqrt(std::max(squared, 0.0)); }

}  // namespace

std::optional<Shape> standIn(const Body& body) {
  const double m = body.mass.number;
  if (!body.tensor || !(m > 0.0)) return std::nullopt;
  const Tensor& t = *body.tensor;
  Eigen::Matrix3d J;
  J << t.xx.number, t.xy.number, t.xz.number, t.xy.number, t.yy.number, t.yz.number, t.xz.number, t.yz.number,
      t.zz.number;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(J);
  const Eigen::Vector3d& I = principal.eigenvalues();  // ascending
  if (!(I[2] > 0.0) || !J.allFinite()) return std::nullopt;
  Eigen::Matrix3d axes = principal.eigenvectors();
  Shape shape;
  for (std::size_t k = 0; k < 3; ++k) shape.from[k] = body.com[k].number;
  const bool low_pair = I[1] - I[0] < kSame * I[2];
  const bool high_pair = I[2] - I[1] < kSame * I[2];
  if (low_pair && high_pair) {
    shape.kind = ShapeKind::sphere;
    shape.radius = std::sqrt(2.5 * I.mean() / m);
    return shape;
  }
  if (low_pair || high_pair) {
    const Eigen::Index axis = low_pair ? 2 : 0;
    const double across = low_pair ? (I[0] + I[1]) / 2.0 : (I[1] + I[2]) / 2.0;
    shape.kind = ShapeKind::disc;
    shape.radius = side(2.0 * I[axis] / m);
    shape.size[2] = side(12.0 * across / m - 3.0 * shape.radius * shape.radius);
    shape.radius = std::max(shape.radius, 0.5 * kThinnest * shape.size[2]);
    shape.size[2] = std::max(shape.size[2], 2.0 * kThinnest * shape.radius);
    if (low_pair) {
      axes.col(0) = axes.col(1).cross(axes.col(2));
    } else {  // the cylinder's axis becomes z
      const Eigen::Vector3d z = axes.col(0);
      axes.col(0) = axes.col(1).cross(z);
      axes.col(2) = z;
    }
    shape.rotation = quaternionOf(axes);
    return shape;
  }
  axes.col(0) = axes.col(1).cross(axes.col(2));
  shape.kind = ShapeKind::box;
  shape.size = {side(6.0 * (I[1] + I[2] - I[0]) / m), side(6.0 * (I[2] + I[0] - I[1]) / m),
                side(6.0 * (I[0] + I[1] - I[2]) / m)};
  for (double& length : shape.size) length = std::max(length, kThinnest * shape.size[0]);
  shape.rotation = quaternionOf(axes);
  return shape;
}

}  // namespace linkwork
