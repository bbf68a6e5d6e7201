// Trees with links that have no inertia of their own: what a cut holds needs none. The tree's mass matrix is then
// singular, but
//
//   (M + rho G^T G) u' = f + rho G^T gamma + G^T lambda,  G u' = gamma
//
// has the solution of M u' = f + G^T lambda, G u' = gamma, whatever rho is, and a definite matrix as soon as every
// motion that the cuts allow has inertia. [docs/theory/07, eq. 7.11]
#include <algorithm>

#include "linkwork/formulation/recursive/cut_tree.hpp"
#include "linkwork/linalg/as_vector.hpp"

namespace linkwork {

namespace {

// A pivot below this share of the largest is round-off: nothing resists that motion.
constexpr double kNoInertia = 1e-14;

}  // namespace

template <class G>
CutTree<G>::Dense::Dense(const CutTree& tree)
    : mass(tree.tree_),
      rows(tree.cuts_.rows(), tree.tree_.freedoms),
      parts(tree.tree_.freedoms, tree.cuts_.rows()),
      sum(tree.tree_.freedoms, tree.tree_.freedoms),
      factor(tree.tree_.freedoms),
      right(tree.tree_.freedoms) {}

template <class G>
bool CutTree<G>::factorDense(double t, Work& work) const {
  Dense& dense = *work.dense;
  const Eigen::Index n = tree_.freedoms;
  massMatrix<G>(tree_, work.pk, dense.mass);
  dense.rows.setZero();
  for (int r = 0; r < cuts_.rows(); ++r) {
    equations_.addRow(r, work, {dense.rows.row(r).data(), at(tree_.freedoms)});
  }
  dense.sum = Eigen::Map<const Eigen::MatrixXd>(dense.mass.entries.data(), n, n);
  const double size = dense.rows.squaredNorm();
  dense.rho = size > 0.0 ? dense.sum.trace() / size : 0.0;
  dense.sum.noalias() += dense.rho * dense.rows.transpose() * dense.rows;
  dense.factor.compute(dense.sum);
  const auto pivots = dense.factor.matrixLLT().diagonal();
  for (Eigen::Index k = 0; k < n; ++k) {
    if (dense.factor.info() == Eigen::Success && pivots[k] * pivots[k] > kNoInertia * dense.sum.trace()) continue;
    const auto column = std::find_if(tree_.columns.begin(), tree_.columns.end(),
                                     [&](const TreeColumn& c) { return c.freedom == static_cast<int>(k); });
    work.fail(FailureNote::Failure::massless_body, t, column->link, Eval::failed);
    return false;
  }
  dense.parts = dense.rows.transpose();
  dense.factor.matrixL().solveInPlace(dense.parts);
  return true;
}

template <class G>
void CutTree<G>::motionDense(std::span<const double> impulses, Work& work) const {
  Dense& dense = *work.dense;
  dense.right.noalias() = dense.rows.transpose() * asVector(impulses);
  dense.factor.solveInPlace(dense.right);
  asVector(work.step) = dense.right;
}

template CutTree<Planar<double>>::Dense::Dense(const CutTree&);
template bool CutTree<Planar<double>>::factorDense(double, Work&) const;
template void CutTree<Planar<double>>::motionDense(std::span<const double>, Work&) const;
template CutTree<Spatial<double>>::Dense::Dense(const CutTree&);
template bool CutTree<Spatial<double>>::factorDense(double, Work&) const;
template void CutTree<Spatial<double>>::motionDense(std::span<const double>, Work&) const;

}  // namespace linkwork
