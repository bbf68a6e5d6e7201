// SparseLdlt: A = L D L^T of a symmetric matrix whose pattern and elimination order are fixed once; no pivoting, no
// allocation after construction. Unknowns whose pivot vanishes can be dropped (held at zero) instead of divided by.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace linkwork {

class SparseLdlt {
 public:
  struct Entry {  // of the lower or the upper triangle; entries at the same place add up
    int row;
    int column;
  };

  // order[k] is the unknown eliminated k-th. values given to factor() follow `entries`.
  SparseLdlt(int size, const std::vector<Entry>& entries, std::vector<int> order);

  // Which pivots count as zero. An unknown u is dropped when |pivot| <= drop_below[u]. The pivot of an unknown with
  // relative[u] is measured by what the positive pivots before it have brought to it, and what the negative ones have
  // left of that is compared: its round-off is of the order of those terms. Dividing by a small relative pivot lifts
  // the round-off of all later ones by its inverse, so that u is dropped as well when its relative pivot <= noise[u] /
  // (smallest relative pivot kept so far).
  struct PivotRule {
    std::span<const double> drop_below;
    std::span<const std::uint8_t> relative{};  // empty: none is
    std::span<const double> noise{};           // as long as relative
    std::span<const double> floor{};           // likewise: a pivot up to this is zero, whatever was brought
  };
  void factor(std::span<const double> values, const PivotRule& rule);

  // x = A^-1 x on the unknowns that were not dropped; the dropped ones come out as zero.
  void solve(std::span<double> x);

  int size() const { return static_cast<int>(order_.size()); }
  std::size_t fill() const { return rows_of_L_.size(); }
  double pivot(int unknown) const { return D_[static_cast<std::size_t>(place_[static_cast<std::size_t>(unknown)])]; }
  double relativePivot(int unknown) const {
    return relative_[static_cast<std::size_t>(place_[static_cast<std::size_t>(unknown)])];
  }
  bool dropped(int unknown) const {
    return inverse_D_[static_cast<std::size_t>(place_[static_cast<std::size_t>(unknown)])] == 0.0;
  }

 private:
  struct Scatter {  // A(k, column) gets values[value]
    int column;
    int value;
  };
  struct RowTerm {  // L(k, column) stands at `position` of column's storage
    int column;
    int position;
  };
  void planRows(const std::vector<Entry>& entries);

  std::vector<int> order_, place_;
  std::vector<int> scatter_start_;
  std::vector<Scatter> scatter_;
  std::vector<int> term_start_;
  std::vector<RowTerm> terms_;
  std::vector<int> column_start_;
  std::vector<int> rows_of_L_;
  std::vector<double> L_, D_, inverse_D_, relative_, y_;
  std::vector<double> permuted_;
};

}  // namespace linkwork
