#include "linkwork/geometry/quaternion_of.hpp"

#include <algorithm>
#include <cmath>

namespace linkwork {

std::array<double, 4> quaternionOf(const Rotation3<double>& axes) {
  // From the largest of the four components, so that no division is by a small number.
  const double trace = axes.x.x + axes.y.y + axes.z.z;
  const std::array<double, 4> squares{1.0 + trace, 1.0 + 2.0 * axes.x.x - trace, 1.0 + 2.0 * axes.y.y - trace,
                                      1.0 + 2.0 * axes.z.z - trace};  // four times the squared components
  const auto largest = std::max_element(squares.begin(), squares.end()) - squares.begin();
  const double twice = std::sqrt(squares[static_cast<std::size_t>(largest)]);
  const double w = axes.y.z - axes.z.y;  // 4 qw qx, and so on
  const double v = axes.z.x - axes.x.z;
  const double u = axes.x.y - axes.y.x;
  const double xy = axes.x.y + axes.y.x;
  const double xz = axes.x.z + axes.z.x;
  const double yz = axes.y.z + axes.z.y;
  std::array<double, 4> q{};
  switch (largest) {
    case 0: q = {twice * twice, w, v, u}; break;
    case 1: q = {w, twice * twice, xy, xz}; break;
    case 2: q = {v, xy, twice * twice, yz}; break;
    default: q = {u, xz, yz, twice * twice}; break;
  }
  const double size = (q[0] < 0.0 ? -1.0 : 1.0) * std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {q[0] / size, q[1] / size, q[2] / size, q[3] / size};
}

}  // namespace linkwork
