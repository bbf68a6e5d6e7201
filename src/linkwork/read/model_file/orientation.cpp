#include "linkwork/read/model_file/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace linkwork::model_file {

namespace {

constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

double clean(double entry) {
  for (const double exact : {-1.0, 0.0, 1.0}) {
    if (std::abs(entry - exact) <= kRounding) return exact;
  }
  return entry;
}

// The shortest turn from one unit direction to another; half a turn about `spare` if they are opposite.
Quaternion shortestTurn(const Direction& from, const Direction& to, const Direction& spare) {
  const Direction half = from + to;
  const double size = lengthOf(half);
  if (size <= 1e-8) return {0.0, spare.x, spare.y, spare.z};
  const Direction middle = half * (1.0 / size);
  const Direction axis = cross(from, middle);
  return normalised({dot(from, middle), axis.x, axis.y, axis.z});
}

// The part of b at right angles to the unit direction a, of unit length.
Direction partAcross(const Direction& a, const Direction& b) { return unit(b - a * dot(a, b)); }

// matrix[k] = sum over l of entry(k, l) point[l]; zeros and ones leave no trace.
template <class Entry>
Point timesMatrix(const Entry& entry, const Point& point) {
  double scale = 0.0;
  for (const Value& value : point) scale += std::abs(value.number);
  Point out{};
  for (int k = 0; k < 3; ++k) {
    Value sum(0.0);
    for (int l = 0; l < 3; ++l) {
      const double factor = entry(k, l);
      const Value& value = point[static_cast<std::size_t>(l)];
      if (factor == 0.0) continue;
      sum.number += factor * value.number;
      sum.expr += factor == 1.0 ? value.expr : (factor == -1.0 ? -value.expr : Expr(factor) * value.expr);
    }
    if (sum.expr.isNumber() && std::abs(sum.number) <= kRounding * scale) sum = Value(0.0);
    out[static_cast<std::size_t>(k)] = sum;
  }
  return out;
}

}  // namespace

Quaternion normalised(const Quaternion& q) {
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}

Quaternion aboutAxis(const Direction& unit_axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * unit_axis.x, s * unit_axis.y, s * unit_axis.z};
}

Rotation3<double> matrixOf(const Quaternion& q) {
  Rotation3<double> out = Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
  for (Direction* column : {&out.x, &out.y, &out.z}) *column = {clean(column->x), clean(column->y), clean(column->z)};
  return out;
}

double lengthOf(const Direction& a) { return std::hypot(a.x, a.y, a.z); }
Direction unit(const Direction& a) { return a * (1.0 / lengthOf(a)); }

Quaternion frameWithX(const Direction& x) { return shortestTurn({1, 0, 0}, x, {0, 0, 1}); }
Quaternion frameWithZ(const Direction& z) { return shortestTurn({0, 0, 1}, z, {1, 0, 0}); }

Quaternion frameWithXy(const Direction& x, const Direction& y) {
  const Direction across_x = partAcross(x, y);
  return quaternionOf({x, across_x, cross(x, across_x)});
}
Quaternion frameWithXz(const Direction& x, const Direction& z) {
  const Direction across_x = partAcross(x, z);
  return quaternionOf({x, cross(across_x, x), across_x});
}
Quaternion frameWithYx(const Direction& y, const Direction& x) {
  const Direction across_y = partAcross(y, x);
  return quaternionOf({across_y, y, cross(across_y, y)});
}
Quaternion frameWithYz(const Direction& y, const Direction& z) {
  const Direction across_y = partAcross(y, z);
  return quaternionOf({cross(y, across_y), y, across_y});
}

bool areParallel(const Direction& a, const Direction& b) {
  return lengthOf(cross(a, b)) <= 1e-9 * lengthOf(a) * lengthOf(b);
}

Point turned(const Quaternion& q, const Point& point) {
  if (q == kNoTurn) return point;
  const Rotation3<double> R = matrixOf(q);
  const std::array<Direction, 3> columns{R.x, R.y, R.z};
  return timesMatrix([&](int k, int l) { return columns[static_cast<std::size_t>(l)][k]; }, point);
}

Point turnedBack(const Quaternion& q, const Point& point) { return turned(conjugate(q), point); }

}  // namespace linkwork::model_file
