// Slow to compile: BDCSVD alone is three quarters of it (33 s of 43 s on a busy machine). Nothing else takes it.
#include "linkwork/linalg/rank.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "linkwork/base/index.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

// A share this small is round-off.
constexpr double kNoShare = 1e-9;
// The sparse way looks at one singular value after the other, so it has one cut, in the middle of the doubtful range.
constexpr double kSparseCut = 1e-8;
// An entry of R this small is round-off.
constexpr double kSparseZero = 1e-12;
constexpr int kIterations = 12;

MatrixXd denseTransposed(const SparseRows& a) {
  MatrixXd out = MatrixXd::Zero(a.columns, a.rows());
  for (int r = 0; r < a.rows(); ++r) {
    for (int p = a.start[at(r)]; p < a.start[at(r) + 1]; ++p) out(a.column[at(p)], r) += a.value[at(p)];
  }
  return out;
}

// The given rows of A as columns.
Sparse transposed(const SparseRows& a, const std::vector<int>& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (int p = a.start[at(rows[k])]; p < a.start[at(rows[k]) + 1]; ++p) {
      entries.emplace_back(a.column[at(p)], static_cast<int>(k), a.value[at(p)]);
    }
  }
  Sparse out(a.columns, static_cast<Index>(rows.size()));
  out.setFromTriplets(entries.begin(), entries.end());
  out.makeCompressed();
  return out;
}

// Largest singular value by the power method; within a few per cent is enough for a scale.
double largestSingularValue(const Sparse& a) {
  VectorXd x = VectorXd::Ones(a.cols());
  double value = 0.0;
  for (int k = 0; k < kIterations && x.norm() > 0.0; ++k) {
    x.normalize();
    const VectorXd y = a * x;
    value = y.norm();
    x = a.transpose() * y;
  }
  return value;
}

std::vector<RowShare> sharesOf(int row, const std::vector<int>& kept, const VectorXd& z) {
  std::vector<RowShare> out{{row, 1.0}};
  const double size = std::max(1.0, z.size() > 0 ? z.cwiseAbs().maxCoeff() : 0.0);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const double share = z(static_cast<Index>(k));
    if (std::abs(share) > kNoShare * size) out.push_back({kept[k], share});
  }
  std::sort(out.begin(), out.end(), [](const RowShare& a, const RowShare& b) { return a.row < b.row; });
  return out;
}

std::vector<int> othersThan(const std::vector<int>& kept, int rows) {
  std::vector<char> is_kept(at(rows), 0);
  for (const int r : kept) is_kept[at(r)] = 1;
  std::vector<int> out;
  for (int r = 0; r < rows; ++r) {
    if (is_kept[at(r)] == 0) out.push_back(r);
  }
  return out;
}

RankDecision decideDense(const MatrixXd& transposed_rows) {
  RankDecision out;
  out.rows = static_cast<int>(transposed_rows.cols());
  const VectorXd values = Eigen::BDCSVD<MatrixXd>(transposed_rows).singularValues();
  const std::vector<double> list(values.data(), values.data() + values.size());
  out.rank = rankByGap(list);
  if (out.rank > 0) out.smallest_kept = list[at(out.rank - 1)] / list[0];
  if (out.rank > 0 && at(out.rank) < list.size()) out.largest_dropped = list[at(out.rank)] / list[0];
  return out;
}

RowDependence dependenceDense(const SparseRows& a) {
  const MatrixXd columns = denseTransposed(a);
  RowDependence out;
  out.decision = decideDense(columns);
  const int rank = out.decision.rank;
  if (rank == a.rows()) return out;
  // The rows to keep: those that column pivoting of the transpose takes first.
  const Eigen::ColPivHouseholderQR<MatrixXd> order(columns);
  std::vector<int> kept;
  kept.reserve(at(rank));
  for (int k = 0; k < rank; ++k) kept.push_back(static_cast<int>(order.colsPermutation().indices()(k)));
  std::sort(kept.begin(), kept.end());
  MatrixXd basis(columns.rows(), rank);
  for (int k = 0; k < rank; ++k) basis.col(k) = columns.col(kept[at(k)]);
  const Eigen::HouseholderQR<MatrixXd> qr(basis);
  for (const int row : othersThan(kept, a.rows())) {
    const VectorXd z = rank > 0 ? VectorXd(qr.solve(-columns.col(row))) : VectorXd();
    out.relations.push_back(sharesOf(row, kept, z));
  }
  return out;
}

using SparseRow = std::vector<std::pair<int, double>>;  // columns ascending

// Turns two rows with the same leading column so that the second loses it.
void rotate(SparseRow& r, SparseRow& x) {
  const double size = std::hypot(r.front().second, x.front().second);
  const double c = r.front().second / size;
  const double s = x.front().second / size;
  SparseRow top;
  SparseRow rest;
  top.reserve(r.size() + x.size());
  rest.reserve(r.size() + x.size());
  top.emplace_back(r.front().first, size);
  for (std::size_t i = 1, j = 1; i < r.size() || j < x.size();) {
    const bool from_r = i < r.size() && (j >= x.size() || r[i].first <= x[j].first);
    const bool from_x = j < x.size() && (i >= r.size() || x[j].first <= r[i].first);
    const int column = from_r ? r[i].first : x[j].first;
    const double a = from_r ? r[i++].second : 0.0;
    const double b = from_x ? x[j++].second : 0.0;
    top.emplace_back(column, c * a + s * b);
    rest.emplace_back(column, c * b - s * a);
  }
  r = std::move(top);
  x = std::move(rest);
}

// The kept rows K of a large matrix, with A_K^T = Q R by rotations, column of A after column, Q not kept; least-squares
// solves go through R alone, refined once. A row whose diagonal in R stays empty depends on those before it.
//
// Written out because Eigen's SparseQR takes far longer for the same: in its place, with the same order of rows, it
// came to the same ranks and smallest singular values of the N-four-bar, upright, flat and in space, but its time
// grows with the cube of N and not with N. Seconds for decideRank of an upright row of N windows (-O3, one core):
//
//   N                           50      100     200     500
//   plane, 6 N + 2 rows         0.001   0.001   0.001   0.002
//     by Eigen::SparseQR        0.006   0.04    0.26    3.9
//   space, 15 N + 5 rows        0.003   0.007   0.013
//     by Eigen::SparseQR        0.09    0.54    3.5
class SparseBasis {
 public:
  explicit SparseBasis(const SparseRows& a) : a_(a) {
    kept_.resize(at(a.rows()));
    std::iota(kept_.begin(), kept_.end(), 0);
    const Sparse everything = transposed(a, kept_);
    largest_ = largestSingularValue(everything);
    if (largest_ == 0.0) {
      kept_.clear();
      return;
    }
    // Little fill: the order is that of a sparse Cholesky factor of A A^T.
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::COLAMDOrdering<int>()(everything, order);
    for (Index k = 0; k < order.size(); ++k) kept_[at(static_cast<int>(order.indices()(k)))] = static_cast<int>(k);
    // Empty diagonals reveal most dependent rows at once; inverse iteration finds what they missed.
    factor();
    while (!kept_.empty()) {
      const auto [value, worst] = smallest();
      smallest_ = value;
      if (value > kSparseCut * largest_) break;
      kept_.erase(kept_.begin() + worst);
      factor();
    }
  }

  const std::vector<int>& kept() const { return kept_; }
  double largest() const { return largest_; }
  double smallestKept() const { return smallest_; }

  // z with A_K^T z = -a_row in least squares; the norm of what remains, for (z, 1) of length one, comes with it.
  std::pair<VectorXd, double> dependence(int row) const {
    const VectorXd target = -VectorXd(transposed(a_, {row}).col(0));
    VectorXd z = VectorXd::Zero(columns_.cols());
    VectorXd rest = target;
    for (int sweep = 0; sweep < 2 && z.size() > 0; ++sweep) {
      z += seminormal(columns_.transpose() * rest);
      rest = target - columns_ * z;
    }
    return {z, rest.norm() / std::sqrt(1.0 + z.squaredNorm())};
  }

 private:
  // R of the kept rows; rows with an empty diagonal are no longer kept afterwards.
  void factor() {
    std::vector<SparseRow> R = triangle(transposed(a_, kept_));
    std::vector<int> left;
    for (std::size_t k = 0; k < R.size(); ++k) {
      if (!R[k].empty()) left.push_back(kept_[k]);
    }
    if (left.size() < kept_.size()) {
      kept_ = std::move(left);
      factor();
      return;
    }
    columns_ = transposed(a_, kept_);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < R.size(); ++k) {
      for (const auto& [column, value] : R[k]) entries.emplace_back(static_cast<int>(k), column, value);
    }
    const auto size = static_cast<Index>(kept_.size());
    R_.resize(size, size);
    R_.setFromTriplets(entries.begin(), entries.end());
    R_.makeCompressed();
  }

  // Rows go in by their leading column, so that each meets few others on its way down.
  std::vector<SparseRow> triangle(const Sparse& matrix) const {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows = matrix;
    std::vector<SparseRow> rows(static_cast<std::size_t>(by_rows.rows()));
    for (Index r = 0; r < by_rows.rows(); ++r) {
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator e(by_rows, r); e; ++e) {
        rows[static_cast<std::size_t>(r)].emplace_back(static_cast<int>(e.col()), e.value());
      }
    }
    const auto lead = [](const SparseRow& row) {
      return row.empty() ? std::pair{-1, -1} : std::pair{row.front().first, row.back().first};
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const SparseRow& a, const SparseRow& b) { return lead(a) < lead(b); });
    std::vector<SparseRow> R(static_cast<std::size_t>(matrix.cols()));
    const double nothing = kSparseZero * largest_;
    for (SparseRow& x : rows) {
      while (!x.empty()) {
        if (std::abs(x.front().second) <= nothing) {
          x.erase(x.begin());
          continue;
        }
        SparseRow& r = R[at(x.front().first)];
        if (r.empty()) {
          r = std::move(x);
          break;
        }
        rotate(r, x);
      }
    }
    return R;
  }

  // (A_K A_K^T)^-1 b = R^-1 R^-T b
  VectorXd seminormal(VectorXd b) const {
    R_.transpose().triangularView<Eigen::Lower>().solveInPlace(b);
    R_.triangularView<Eigen::Upper>().solveInPlace(b);
    return b;
  }

  // Smallest singular value of A_K, and the place of the row with the greatest part in it.
  std::pair<double, Index> smallest() const {
    VectorXd x(columns_.cols());
    for (Index k = 0; k < x.size(); ++k) x(k) = std::cos(1.0 + 2.0 * static_cast<double>(k));  // any vector will do
    double growth = 1.0;
    for (int k = 0; k < kIterations; ++k) {
      x.normalize();
      x = seminormal(x);
      growth = x.norm();
    }
    Index worst = 0;
    x.cwiseAbs().maxCoeff(&worst);
    return {1.0 / std::sqrt(growth), worst};
  }

  const SparseRows& a_;
  std::vector<int> kept_;
  Sparse columns_, R_;
  double largest_ = 0.0;
  double smallest_ = 0.0;
};

// Of so many rows left out it is measured how far from dependent they are, where only the rank is asked for.
constexpr std::size_t kDroppedMeasured = 64;

RankDecision decisionOf(const SparseRows& a, SparseBasis& basis) {
  RankDecision out;
  out.rows = a.rows();
  out.rank = static_cast<int>(basis.kept().size());
  if (out.rank > 0) out.smallest_kept = basis.smallestKept() / basis.largest();
  return out;
}

RowDependence dependenceSparse(const SparseRows& a) {
  SparseBasis basis(a);
  RowDependence out;
  out.decision = decisionOf(a, basis);
  for (const int row : othersThan(basis.kept(), a.rows())) {
    const auto [z, rest] = basis.dependence(row);
    if (basis.largest() > 0.0) {
      out.decision.largest_dropped = std::max(out.decision.largest_dropped, rest / basis.largest());
    }
    out.relations.push_back(sharesOf(row, basis.kept(), z));
  }
  return out;
}

}  // namespace

int rankByGap(const std::vector<double>& singular_values) {
  if (singular_values.empty() || !(singular_values[0] > 0.0)) return 0;
  const double scale = singular_values[0];
  std::size_t rank = 0;
  while (rank < singular_values.size() && singular_values[rank] > kSurelyKept * scale) ++rank;
  // Between the two bounds: cut where the ratio of neighbours is greatest.
  double widest = 0.0;
  std::size_t cut = rank;
  for (std::size_t k = rank; k <= singular_values.size(); ++k) {
    const double above = singular_values[k - 1];
    const double below = k < singular_values.size() ? singular_values[k] : 0.0;
    const double ratio = above / std::max(below, kSurelyZero * scale);
    if (ratio > widest) {
      widest = ratio;
      cut = k;
    }
    if (below <= kSurelyZero * scale) break;
  }
  return static_cast<int>(cut);
}

RankDecision decideRank(const SparseRows& matrix) {
  if (matrix.rows() == 0) return {};
  if (matrix.rows() <= kDenseRows) return decideDense(denseTransposed(matrix));
  SparseBasis basis(matrix);
  RankDecision out = decisionOf(matrix, basis);
  if (basis.largest() == 0.0) return out;
  const std::vector<int> dropped = othersThan(basis.kept(), matrix.rows());
  const std::size_t stride = dropped.size() / kDroppedMeasured + 1;
  for (std::size_t k = 0; k < dropped.size(); k += stride) {
    out.largest_dropped = std::max(out.largest_dropped, basis.dependence(dropped[k]).second / basis.largest());
  }
  return out;
}

RowDependence rowDependence(const SparseRows& matrix) {
  if (matrix.rows() == 0) return {};
  return matrix.rows() <= kDenseRows ? dependenceDense(matrix) : dependenceSparse(matrix);
}

}  // namespace linkwork
