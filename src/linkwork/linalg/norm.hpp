// Norms of plain number arrays.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace linkwork {

inline double norm2(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

// NaN if any value is.
inline double normInf(std::span<const double> values) {
  double worst = 0.0;
  for (const double value : values) worst = std::isnan(value) ? value : std::max(worst, std::abs(value));
  return worst;
}

inline bool allFinite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace linkwork
