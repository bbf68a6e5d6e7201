#include "linkwork/study/assignment.hpp"

#include <limits>

namespace linkwork {

std::vector<int> assign(const Eigen::MatrixXd& cost) {
  const auto n = static_cast<std::size_t>(cost.rows());
  const auto costOf = [&cost](std::size_t row, std::size_t column) {
    return cost(static_cast<Eigen::Index>(row) - 1, static_cast<Eigen::Index>(column) - 1);
  };
  // Rows and columns from 1; column 0 holds the row that looks for a partner.
  std::vector<double> of_row(n + 1, 0.0);
  std::vector<double> of_column(n + 1, 0.0);
  std::vector<std::size_t> partner(n + 1, 0);
  for (std::size_t row = 1; row <= n; ++row) {
    partner[0] = row;
    std::size_t column = 0;
    std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> way(n + 1, 0);
    std::vector<bool> used(n + 1, false);
    do {
      used[column] = true;
      const std::size_t of = partner[column];
      double step = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t c = 1; c <= n; ++c) {
        if (used[c]) continue;
        const double reduced = costOf(of, c) - of_row[of] - of_column[c];
        if (reduced < least[c]) {
          least[c] = reduced;
          way[c] = column;
        }
        if (least[c] < step) {
          step = least[c];
          next = c;
        }
      }
      for (std::size_t c = 0; c <= n; ++c) {
        if (used[c]) {
          of_row[partner[c]] += step;
          of_column[c] -= step;
        } else {
          least[c] -= step;
        }
      }
      column = next;
    } while (partner[column] != 0);
    while (column != 0) {
      partner[column] = partner[way[column]];
      column = way[column];
    }
  }
  std::vector<int> out(n);
  for (std::size_t c = 1; c <= n; ++c) out[partner[c] - 1] = static_cast<int>(c) - 1;
  return out;
}

}  // namespace linkwork
