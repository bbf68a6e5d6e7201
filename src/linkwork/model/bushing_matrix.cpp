#include "linkwork/model/bushing_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace linkwork {

namespace {

// Relative to the entries on the diagonal: what rounding of numbers written with nine digits may leave.
constexpr double kRoundoff = 1e-9;

}  // namespace

std::string bushingProblem(const BushingMatrix& matrix, Space space) {
  const std::vector<std::size_t> directions =
      space == Space::spatial ? std::vector<std::size_t>{0, 1, 2, 3, 4, 5} : std::vector<std::size_t>{0, 1, 5};
  const std::size_t n = directions.size();
  std::vector<std::vector<double>> a(n, std::vector<double>(n));
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) a[r][c] = matrix[directions[r]][directions[c]].number;
  }
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < r; ++c) {
      const double size = std::max(std::abs(a[r][c]), std::abs(a[c][r]));
      if (std::abs(a[r][c] - a[c][r]) > kRoundoff * size)
        return fmt::format("is not symmetric: row {} column {} is {:g}, row {} column {} is {:g}", c + 1, r + 1,
                           a[c][r], r + 1, c + 1, a[r][c]);
    }
  }
  // Rows and columns scaled to a diagonal of ones (metres and radians differ in size), then elimination: every pivot
  // must be positive, or zero with nothing beside it.
  std::vector<double> scale(n);
  for (std::size_t r = 0; r < n; ++r) {
    if (a[r][r] < 0.0)
      return fmt::format("is not positive semi-definite: row {} column {} is {:g}", r + 1, r + 1, a[r][r]);
    scale[r] = a[r][r] > 0.0 ? 1.0 / std::sqrt(a[r][r]) : 0.0;
  }
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t c = 0; c < n; ++c) {
      if (scale[r] * scale[c] == 0.0 && a[r][c] != 0.0)
        return fmt::format("is not positive semi-definite: row {} column {} is {:g} beside a zero on the diagonal",
                           r + 1, c + 1, a[r][c]);
      a[r][c] *= scale[r] * scale[c];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    // The greatest of the diagonal first: then what is left beside a pivot of zero is round-off.
    std::size_t best = k;
    for (std::size_t r = k; r < n; ++r) {
      if (a[r][r] > a[best][best]) best = r;
    }
    std::swap(a[k], a[best]);
    for (auto& row : a) std::swap(row[k], row[best]);
    if (a[k][k] <= kRoundoff) {
      double worst = 0.0;
      for (std::size_t r = k; r < n; ++r) {
        for (std::size_t c = k; c < n; ++c) worst = std::max(worst, r == c ? -a[r][c] : std::abs(a[r][c]));
      }
      return worst > kRoundoff ? "is not positive semi-definite: some displacement would gain energy" : "";
    }
    for (std::size_t r = k + 1; r < n; ++r) {
      const double factor = a[r][k] / a[k][k];
      for (std::size_t c = k; c < n; ++c) a[r][c] -= factor * a[k][c];
    }
  }
  return {};
}

}  // namespace linkwork
