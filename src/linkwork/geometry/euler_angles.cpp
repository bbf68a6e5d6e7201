#include "linkwork/geometry/euler_angles.hpp"

#include <cmath>
#include <numbers>

#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

namespace {

constexpr double kOpen = 1e-9;

double nearest(double angle, double to) {
  return angle + 2.0 * std::numbers::pi * std::round((to - angle) / (2.0 * std::numbers::pi));
}

std::array<double, 3> unwrapped(std::array<double, 3> angles, const std::array<double, 3>& near) {
  for (std::size_t k = 0; k < 3; ++k) angles[k] = nearest(angles[k], near[k]);
  return angles;
}

double distance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace

std::array<double, 3> eulerAngles(EulerOrder order, const std::array<double, 4>& quaternion,
                                  const std::array<double, 3>& near) {
  const auto R = Rotation3<double>::fromQuaternion(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  const bool zxz = order == EulerOrder::zxz;
  // The lone entry of R: cos a1 (zxz), -sin a1 (zyx), and the length of what stands beside it in its column.
  const double beside = zxz ? std::hypot(R.z.x, R.z.y) : std::hypot(R.x.x, R.x.y);
  const double middle = zxz ? std::atan2(beside, R.z.z) : std::atan2(-R.x.z, beside);
  std::array<double, 3> one{};
  std::array<double, 3> two{};
  if (beside < kOpen) {
    // With a0 held the rest is Rz(-a0) R, a turn by a1 and then by a2.
    const auto rest = Rotation3<double>::aboutZ(-near[0]) * R;
    one = {near[0], middle, zxz ? std::atan2(-rest.y.x, rest.x.x) : std::atan2(-rest.z.y, rest.y.y)};
    one = unwrapped(one, near);
    two = unwrapped({one[0], zxz ? -middle : std::numbers::pi - middle, one[2]}, near);
    return std::abs(two[1] - near[1]) < std::abs(one[1] - near[1]) ? two : one;
  }
  if (zxz) {
    one = {std::atan2(R.z.x, -R.z.y), middle, std::atan2(R.x.z, R.y.z)};
    two = {one[0] + std::numbers::pi, -middle, one[2] + std::numbers::pi};
  } else {
    one = {std::atan2(R.x.y, R.x.x), middle, std::atan2(R.y.z, R.z.z)};
    two = {one[0] + std::numbers::pi, std::numbers::pi - middle, one[2] + std::numbers::pi};
  }
  one = unwrapped(one, near);
  two = unwrapped(two, near);
  return distance(two, near) < distance(one, near) ? two : one;
}

}  // namespace linkwork
