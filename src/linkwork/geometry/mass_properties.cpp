#include "linkwork/geometry/mass_properties.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace linkwork {

std::array<double, 3> principalMoments(const Symmetric3<double>& J) {
  // The entries of an inertia can be far from 1; scaled, nothing overflows.
  const double size =
      std::max({std::abs(J.xx), std::abs(J.yy), std::abs(J.zz), std::abs(J.xy), std::abs(J.xz), std::abs(J.yz)});
  if (!(size > 0.0) || !std::isfinite(size)) return {size, size, size};
  Eigen::Matrix3d matrix;
  matrix << J.xx, J.xy, J.xz, J.xy, J.yy, J.yz, J.xz, J.yz, J.zz;
  matrix /= size;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix, Eigen::EigenvaluesOnly);
  const Eigen::Vector3d found = size * solver.eigenvalues();
  return {found[0], found[1], found[2]};
}

InertiaFault faultOf(const std::array<double, 3>& principal) {
  const double size = std::max(std::abs(principal[0]), std::abs(principal[2]));
  if (principal[0] < -1e-12 * size) return InertiaFault::negative;
  if (principal[2] > principal[0] + principal[1] + 1e-3 * size) return InertiaFault::triangle;
  return InertiaFault::none;
}

}  // namespace linkwork
