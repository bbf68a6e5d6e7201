// SemidefiniteLdlt: a small dense symmetric matrix without negative eigenvalues, factored so that rows which depend on
// others are found and left out.
//
//   S A S = P L D L^T P^T,  S = diag(A)^-1/2
//
// With A = R R^T a pivot is the squared distance of a row of R from those taken before it, as a share of its own
// length: the next row taken is the farthest one (of those about as far, the first), and what is left when all are near
// depends on the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace linkwork {

class SemidefiniteLdlt {
 public:
  explicit SemidefiniteLdlt(int size);

  int size() const { return size_; }
  // The entries to be filled in before factor(): row by row, of which the lower triangle is read.
  std::span<double> entries() { return entries_; }
  double& operator()(int i, int j) { return entries_[place(i, j)]; }

  struct Cut {
    double row = 0.0;       // rows nearer than this are left out
    double doubtful = 0.0;  // the same for the last `doubtful_rows` of them
    int doubtful_rows = 0;
    // Rows marked here are taken after all others that are not left out, so that whether one of the others depends on
    // the rest does not depend on them; `doubtful_last` of them may be dependent. Empty: none.
    std::span<const std::uint8_t> last{};
    int doubtful_last = 0;
  };
  struct Factored {
    int dropped = 0;
    int dropped_last = 0;  // of the rows marked as last
    double smallest_kept = 1.0;
    double largest_dropped = 0.0;
    int nearest_row = -1;  // the one with the smallest pivot kept
  };
  // squared_lengths: of the rows; empty: their own.
  Factored factor(const Cut& cut, std::span<const double> squared_lengths = {});

  bool dropped(int row) const { return dropped_[static_cast<std::size_t>(row)] != 0; }

  // A x = b for the rows kept, with x = 0 for the others.
  void solve(std::span<double> b) const;
  // Of all solutions for which A x is the same: that for which the sum of (x_i / units_i)^2 is least.
  void makeLeast(std::span<double> x, std::span<const double> units);

 private:
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j);
  }
  double& at(int i, int j) { return entries_[place(i, j)]; }
  double at(int i, int j) const { return entries_[place(i, j)]; }
  void swapRows(int a, int b);
  int farthest(int from, std::span<const std::uint8_t> last, bool taking_last) const;
  void combineDropped(std::span<const double> units);

  int size_ = 0;
  int rank_ = 0;
  std::vector<double> entries_;  // L and D of the rows kept; above and beside them scratch of makeLeast
  std::vector<double> scale_;
  std::vector<int> order_;
  std::vector<std::uint8_t> dropped_;
  std::vector<double> taken_;  // scratch of makeLeast: by the rows left out
};

}  // namespace linkwork
