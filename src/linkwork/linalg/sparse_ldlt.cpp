#include "linkwork/linalg/sparse_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"

namespace linkwork {

SparseLdlt::SparseLdlt(int size, const std::vector<Entry>& entries, std::vector<int> order)
    : order_(std::move(order)), place_(at(size), -1) {
  expect(static_cast<int>(order_.size()) == size, "SparseLdlt: the order must name every unknown once");
  for (int k = 0; k < size; ++k) place_[at(order_[at(k)])] = k;
  expect(std::find(place_.begin(), place_.end(), -1) == place_.end(),
         "SparseLdlt: the order must name every unknown once");
  planRows(entries);
  L_.resize(rows_of_L_.size());
  D_.assign(at(size), 0.0);
  inverse_D_.assign(at(size), 0.0);
  relative_.assign(at(size), 0.0);
  y_.assign(at(size), 0.0);
  permuted_.assign(at(size), 0.0);
}

void SparseLdlt::planRows(const std::vector<Entry>& entries) {
  const int n = size();
  // Entries of each permuted row k, columns <= k.
  scatter_start_.assign(at(n) + 1, 0);
  for (const Entry& e : entries) ++scatter_start_[at(std::max(place_[at(e.row)], place_[at(e.column)])) + 1];
  for (int k = 0; k < n; ++k) scatter_start_[at(k) + 1] += scatter_start_[at(k)];
  scatter_.resize(entries.size());
  std::vector<int> next(scatter_start_.begin(), scatter_start_.end() - 1);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int a = place_[at(entries[e].row)];
    const int b = place_[at(entries[e].column)];
    scatter_[at(next[at(std::max(a, b))]++)] = {std::min(a, b), static_cast<int>(e)};
  }

  // Elimination tree and pattern of each row of L: climb from every entry until a marked column is met.
  std::vector<int> parent(at(n), -1);
  std::vector<int> mark(at(n), -1);
  std::vector<int> column_count(at(n), 0);
  std::vector<int> pattern;
  term_start_.assign(1, 0);
  for (int k = 0; k < n; ++k) {
    pattern.clear();
    mark[at(k)] = k;
    for (int s = scatter_start_[at(k)]; s < scatter_start_[at(k) + 1]; ++s) {
      for (int i = scatter_[at(s)].column; mark[at(i)] != k; i = parent[at(i)]) {
        if (parent[at(i)] == -1) parent[at(i)] = k;
        mark[at(i)] = k;
        pattern.push_back(i);
      }
    }
    std::sort(pattern.begin(), pattern.end());
    for (const int i : pattern) terms_.push_back({i, column_count[at(i)]++});
    term_start_.push_back(static_cast<int>(terms_.size()));
  }

  column_start_.assign(at(n) + 1, 0);
  for (int k = 0; k < n; ++k) column_start_[at(k) + 1] = column_start_[at(k)] + column_count[at(k)];
  rows_of_L_.resize(terms_.size());
  for (int k = 0; k < n; ++k) {
    for (int p = term_start_[at(k)]; p < term_start_[at(k) + 1]; ++p) {
      RowTerm& term = terms_[at(p)];
      term.position += column_start_[at(term.column)];
      rows_of_L_[at(term.position)] = k;
    }
  }
}

void SparseLdlt::factor(std::span<const double> values, const PivotRule& rule) {
  const int n = size();
  double smallest = 1.0;  // relative pivot kept so far
  for (int k = 0; k < n; ++k) {
    double pivot = 0.0;
    double brought = 0.0;  // by positive pivots
    for (int s = scatter_start_[at(k)]; s < scatter_start_[at(k) + 1]; ++s) {
      const Scatter& entry = scatter_[at(s)];
      (entry.column == k ? pivot : y_[at(entry.column)]) += values[at(entry.value)];
    }
    // Row k of L:  L_11 D y = a_k, one column after the other; then d_k = a_kk - y^T D y.
    for (int p = term_start_[at(k)]; p < term_start_[at(k) + 1]; ++p) {
      const RowTerm& term = terms_[at(p)];
      const double yi = std::exchange(y_[at(term.column)], 0.0);
      for (int q = column_start_[at(term.column)]; q < term.position; ++q) y_[at(rows_of_L_[at(q)])] -= L_[at(q)] * yi;
      const double l = yi * inverse_D_[at(term.column)];
      pivot -= l * yi;
      if (D_[at(term.column)] > 0.0) brought += l * yi;
      L_[at(term.position)] = l;
    }
    D_[at(k)] = pivot;
    const int unknown = order_[at(k)];
    const bool is_relative = !rule.relative.empty() && rule.relative[at(unknown)] != 0;
    const double relative = !is_relative                                ? std::abs(pivot)
                            : std::abs(pivot) > rule.floor[at(unknown)] ? std::abs(pivot) / brought
                                                                        : 0.0;
    relative_[at(k)] = relative;
    bool drop = !(relative > rule.drop_below[at(unknown)]);
    if (is_relative) {
      drop = drop || relative * smallest <= rule.noise[at(unknown)];
      if (!drop) smallest = std::min(smallest, relative);
    }
    inverse_D_[at(k)] = drop ? 0.0 : 1.0 / pivot;
  }
}

void SparseLdlt::solve(std::span<double> x) {
  const int n = size();
  for (int k = 0; k < n; ++k) permuted_[at(k)] = x[at(order_[at(k)])];
  for (int k = 0; k < n; ++k) {
    const double xk = permuted_[at(k)];
    for (int q = column_start_[at(k)]; q < column_start_[at(k) + 1]; ++q)
      permuted_[at(rows_of_L_[at(q)])] -= L_[at(q)] * xk;
  }
  for (int k = 0; k < n; ++k) permuted_[at(k)] *= inverse_D_[at(k)];
  for (int k = n - 1; k >= 0; --k) {
    // A dropped unknown is held at zero; the others do not see it.
    double sum = permuted_[at(k)];
    for (int q = column_start_[at(k)]; q < column_start_[at(k) + 1]; ++q)
      sum -= L_[at(q)] * permuted_[at(rows_of_L_[at(q)])];
    permuted_[at(k)] = inverse_D_[at(k)] == 0.0 ? 0.0 : sum;
  }
  for (int k = 0; k < n; ++k) x[at(order_[at(k)])] = permuted_[at(k)];
}

}  // namespace linkwork
