#include "linkwork/formulation/partition.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// Of coordinates that are nearly as good the last is taken, so that round-off does not decide between equals. (Pivots
// of Phi_q would take the first ones as dependent.)
constexpr double kAsGood = 0.99;

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

void orthonormalise(std::span<double> basis, int count, std::size_t n) {
  for (int i = 0; i < count; ++i) {
    const auto own = basis.subspan(at(i) * n, n);
    for (int sweep = 0; sweep < 2; ++sweep) {  // the second takes away what round-off left of the first
      for (int j = 0; j < i; ++j) {
        const auto other = basis.subspan(at(j) * n, n);
        const double share = product(own, other);
        for (std::size_t k = 0; k < n; ++k) own[k] -= share * other[k];
      }
      const double length = std::sqrt(product(own, own));
      if (!(length > 0.0)) break;
      for (double& value : own) value /= length;
    }
  }
}

}  // namespace

double chooseIndependent(std::span<double> basis, int count, std::span<double> direction,
                         std::span<std::uint8_t> independent) {
  const std::size_t n = independent.size();
  std::fill(independent.begin(), independent.end(), std::uint8_t{0});
  orthonormalise(basis, count, n);
  double shortest = 1.0;
  const auto entry = [&](int i, std::size_t row) -> double& { return basis[at(i) * n + row]; };
  const auto squaredLength = [&](std::size_t row) {
    double sum = 0.0;
    for (int i = 0; i < count; ++i) sum += entry(i, row) * entry(i, row);
    return sum;
  };
  for (int pick = 0; pick < count; ++pick) {
    double longest = 0.0;
    for (std::size_t row = 0; row < n; ++row) {
      if (independent[row] == 0) longest = std::max(longest, squaredLength(row));
    }
    if (!(longest > 0.0)) return 0.0;
    std::size_t best = n - 1;
    while (independent[best] != 0 || squaredLength(best) < kAsGood * longest) --best;
    independent[best] = 1;
    const double length = std::sqrt(squaredLength(best));
    shortest = std::min(shortest, length);
    for (int i = 0; i < count; ++i) direction[at(i)] = entry(i, best) / length;
    for (std::size_t row = 0; row < n; ++row) {
      double share = 0.0;
      for (int i = 0; i < count; ++i) share += direction[at(i)] * entry(i, row);
      for (int i = 0; i < count; ++i) entry(i, row) -= share * direction[at(i)];
    }
  }
  return shortest;
}

}  // namespace linkwork
