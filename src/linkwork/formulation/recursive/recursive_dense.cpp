// Trees with links that have no inertia of their own: what a cut holds needs none. The tree's mass matrix is then
// singular, but
//
//   (M + rho G^T G) u' = f + rho G^T gamma + G^T lambda,  G u' = gamma
//
// has the solution of M u' = f + G^T lambda, G u' = gamma, whatever rho is, and a definite matrix as soon as every
// motion that the cuts allow has inertia. [docs/theory/07, eq. 7.11]
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/recursive/recursive_work.hpp"

namespace linkwork {

namespace {

using absolute::at;

// A pivot below this share of the largest is round-off: nothing resists that motion.
constexpr double kNoInertia = 1e-14;

Eigen::Map<Eigen::VectorXd> asVector(std::vector<double>& list) {
  return {list.data(), static_cast<Eigen::Index>(list.size())};
}
Eigen::Map<const Eigen::VectorXd> asVector(std::span<const double> list) {
  return {list.data(), static_cast<Eigen::Index>(list.size())};
}

}  // namespace

template <class G>
RecursiveSystem<G>::Dense::Dense(const RecursiveSystem& system)
    : mass(system.tree_),
      inverse(system.tree_),
      rows(system.cuts_.rows(), system.tree_.freedoms),
      parts(system.tree_.freedoms, system.cuts_.rows()),
      sum(system.tree_.freedoms, system.tree_.freedoms),
      factor(system.tree_.freedoms),
      right(system.tree_.freedoms) {}

template <class G>
bool RecursiveSystem<G>::factorDense(double t, Work& work) const {
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
    work.fail(Work::Failure::massless_body, t, column->link, Eval::failed);
    return false;
  }
  dense.parts = dense.rows.transpose();
  dense.factor.matrixL().solveInPlace(dense.parts);
  return true;
}

// A and F of the links for work.udot under the loads, and what the bodies make of it.
template <class G>
void RecursiveSystem<G>::sweepUnderLoads(Work& work) const {
  InverseDynamics<G>& inverse = work.dense->inverse;
  inverseDynamics<G>(tree_, work.pk, work.vk, work.udot, {{}, work.loads}, inverse);
  std::copy(inverse.A.begin(), inverse.A.end(), work.solve.A.begin());
  std::copy(inverse.F.begin(), inverse.F.end(), work.solve.F.begin());
  bodyAccelerations(work);
}

template <class G>
void RecursiveSystem<G>::solveFreeDense(Work& work) const {
  Dense& dense = *work.dense;
  std::fill(work.udot.begin(), work.udot.end(), 0.0);
  sweepUnderLoads(work);
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom >= 0) dense.right[tree_.columns[c].freedom] = -dense.inverse.tau[c];
  }
  restOf(work);  // gamma
  dense.right.noalias() += dense.rho * dense.rows.transpose() * asVector(work.rest);
  dense.factor.solveInPlace(dense.right);
  asVector(work.udot) = dense.right;
  sweepUnderLoads(work);
}

template <class G>
void RecursiveSystem<G>::reactDense(std::span<const double> lambda, Work& work) const {
  Dense& dense = *work.dense;
  dense.right.noalias() = dense.rows.transpose() * asVector(lambda);
  dense.factor.solveInPlace(dense.right);
  asVector(work.udot) += dense.right;
  sweepUnderLoads(work);
}

template <class G>
void RecursiveSystem<G>::stepDense(std::span<double> rest, Work& work) const {
  work.ldlt.solve(rest);
  Dense& dense = *work.dense;
  dense.right.noalias() = dense.rows.transpose() * asVector(std::span<const double>(rest));
  dense.factor.solveInPlace(dense.right);
  asVector(work.step) = dense.right;
  ++work.projection_solves;
}

template RecursiveSystem<Planar<double>>::Dense::Dense(const RecursiveSystem&);
template bool RecursiveSystem<Planar<double>>::factorDense(double, Work&) const;
template void RecursiveSystem<Planar<double>>::sweepUnderLoads(Work&) const;
template void RecursiveSystem<Planar<double>>::solveFreeDense(Work&) const;
template void RecursiveSystem<Planar<double>>::reactDense(std::span<const double>, Work&) const;
template void RecursiveSystem<Planar<double>>::stepDense(std::span<double>, Work&) const;
template RecursiveSystem<Spatial<double>>::Dense::Dense(const RecursiveSystem&);
template bool RecursiveSystem<Spatial<double>>::factorDense(double, Work&) const;
template void RecursiveSystem<Spatial<double>>::sweepUnderLoads(Work&) const;
template void RecursiveSystem<Spatial<double>>::solveFreeDense(Work&) const;
template void RecursiveSystem<Spatial<double>>::reactDense(std::span<const double>, Work&) const;
template void RecursiveSystem<Spatial<double>>::stepDense(std::span<double>, Work&) const;

}  // namespace linkwork
