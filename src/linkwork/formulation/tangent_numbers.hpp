// Numbers that carry derivatives along as many directions at once as the kernels are compiled for, from directions of a
// state and back: what J times a vector is made with.
#pragma once

#include <span>

#include "linkwork/formulation/with_dual.hpp"

namespace linkwork {

inline constexpr int kTangentDirections = 8;
using TangentNumber = Dual<kTangentDirections>;

// Holds the values, without a direction.
inline void hold(std::span<const double> values, std::span<TangentNumber> out) {
  for (std::size_t k = 0; k < values.size(); ++k) out[k] = TangentNumber(values[k]);
}

// x, and d in it: directions one behind the other, each of the size of x.
inline void holdAlong(std::span<const double> x, std::span<const double> d, std::span<TangentNumber> out) {
  hold(x, out);
  const std::size_t n = x.size();
  for (std::size_t k = 0; k < d.size() / n; ++k) {
    for (std::size_t i = 0; i < n; ++i) out[i].derivatives[k] = d[k * n + i];
  }
}
// What became of them.
inline void putAlong(std::span<const TangentNumber> numbers, std::span<double> out) {
  const std::size_t n = numbers.size();
  for (std::size_t k = 0; k < out.size() / n; ++k) {
    for (std::size_t i = 0; i < n; ++i) out[k * n + i] = numbers[i].derivatives[k];
  }
}

}  // namespace linkwork
