// CutSolve: motions and multipliers of the cuts of a tree under any right-hand sides, by the factors of a CutTree.
//
//   (1)  M x - G^T y = right,   G x = wanted                                            [docs/theory/07, eq. 7.15]
//
// Rows that depend on others are left out, as the factors have it: their y is zero.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linkwork/formulation/recursive/cut_tree.hpp"
#include "linkwork/linalg/as_vector.hpp"

namespace linkwork {

// G is Planar<double> or Spatial<double>. `tree` must outlive this.
template <class G>
class CutSolve {
 public:
  explicit CutSolve(const CutTree<G>& tree)
      : right(at(tree.tree().freedoms)),
        wanted(at(tree.cuts().rows())),
        x(right),
        y(wanted),
        tree_(tree),
        rows_(tree.cuts().rows(), tree.tree().freedoms) {}

  // After CutTree::factor, once for all right-hand sides.
  void prepare(const typename CutTree<G>::Work& work) {
    rows_.setZero();
    for (int r = 0; r < tree_.cuts().rows(); ++r) {
      tree_.equations().addRow(r, work, {rows_.row(r).data(), x.size()});
    }
  }
  void solve(typename CutTree<G>::Work& work) {
    solveFree(work);
    std::fill(y.begin(), y.end(), 0.0);
    // The second sweep takes away what the first left of round-off.
    for (int sweep = 0; sweep < 2 && !y.empty(); ++sweep) {
      asVector(work.rest) = asVector(wanted);
      asVector(work.rest).noalias() -= rows_ * asVector(x);
      work.ldlt.solve(work.rest);
      asVector(y) += asVector(work.rest);
      tree_.motionOf(work.rest, work);
      asVector(x) += asVector(work.step);
    }
  }

  std::vector<double> right, wanted;  // of (1): by freedoms, by rows of the cuts
  std::vector<double> x, y;

 private:
  // x without y (where links lack inertia: but for `wanted`).
  void solveFree(typename CutTree<G>::Work& work) {
    if (tree_.lacksInertia()) {
      work.massless->right = asVector(right);
      tree_.solveHeld(wanted, x, work);
      return;
    }
    std::fill(work.solve.p.begin(), work.solve.p.end(), typename LinkAxes<G>::Force{});
    solveInwards<G>(tree_.tree(), work.pk, work.inertia, right, {}, work.solve);
    solveOutwards<G>(tree_.tree(), work.pk, work.inertia, {}, {}, work.solve, x);
  }

  const CutTree<G>& tree_;
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows_;  // G
};

}  // namespace linkwork
