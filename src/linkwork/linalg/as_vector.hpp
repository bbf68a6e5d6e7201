// Plain number arrays as vectors of Eigen, without a copy.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace linkwork {

inline Eigen::Map<Eigen::VectorXd> asVector(std::vector<double>& list) {
  return {list.data(), static_cast<Eigen::Index>(list.size())};
}
inline Eigen::Map<const Eigen::VectorXd> asVector(std::span<const double> list) {
  return {list.data(), static_cast<Eigen::Index>(list.size())};
}

}  // namespace linkwork
