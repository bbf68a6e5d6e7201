// Rank of a sparse matrix by the gap in its singular values, and the ways in which its rows depend on each other.
//
// Few rows: all singular values, dense. Many: sparse QR of the transpose by rotations, with the
// smallest singular value of what was kept found by inverse iteration, so that a rank is never trusted to pivots alone.
// [docs/theory/02, eq. 2.3 and 2.4]
#pragma once

#include <vector>

namespace linkwork {

struct SparseRows {
  int columns = 0;
  std::vector<int> start{0};  // entries of row r: start[r] to start[r + 1]
  std::vector<int> column;
  std::vector<double> value;

  int rows() const { return static_cast<int>(start.size()) - 1; }
};

// A singular value above kSurelyKept of the greatest is kept, one below kSurelyZero is zero; between them the widest
// gap decides.
inline constexpr double kSurelyKept = 1e-6;
inline constexpr double kSurelyZero = 1e-11;
// A decision is clear when the values on its two sides are at least so far apart.
inline constexpr double kClearGap = 1e3;
// Up to so many rows all singular values are computed; beyond, the sparse way is used.
inline constexpr int kDenseRows = 120;

struct RankDecision {
  int rows = 0;
  int rank = 0;
  double smallest_kept = 1.0;    // singular values relative to the greatest
  double largest_dropped = 0.0;  // for many rows an upper bound, and in decideRank that of a sample of them

  bool clear() const { return rank == rows || largest_dropped * kClearGap <= smallest_kept; }
};

RankDecision decideRank(const SparseRows& matrix);

struct RowShare {
  int row = 0;
  double share = 0.0;
};

// A basis of null(A^T), one vector for each row left out: that row with share 1 and the kept rows it depends on. Shares
// below 1e-9 of the greatest are left out.
struct RowDependence {
  RankDecision decision;
  std::vector<std::vector<RowShare>> relations;  // rows ascending
};

RowDependence rowDependence(const SparseRows& matrix);

// How many of the singular values (descending) are not zero; see the constants above.
int rankByGap(const std::vector<double>& singular_values);

}  // namespace linkwork
