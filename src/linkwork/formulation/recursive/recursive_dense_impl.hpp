// Accelerations of trees with links that have no inertia of their own (cut_tree_dense.cpp).
#pragma once

#include <algorithm>

#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/as_vector.hpp"

namespace linkwork {

// A and F of the links for work.udot under the loads, and what the bodies make of it.
template <class G>
void RecursiveSystem<G>::sweepUnderLoads(Work& work) const {
  InverseDynamics<G>& inverse = *work.inverse;
  inverseDynamics<G>(tree_, work.pk, work.vk, work.udot, {{}, work.loads}, inverse);
  std::copy(inverse.A.begin(), inverse.A.end(), work.solve.A.begin());
  std::copy(inverse.F.begin(), inverse.F.end(), work.solve.F.begin());
  bodyAccelerations(work);
}

template <class G>
void RecursiveSystem<G>::solveFreeDense(Work& work) const {
  auto& dense = *work.dense;
  std::fill(work.udot.begin(), work.udot.end(), 0.0);
  sweepUnderLoads(work);
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom >= 0) dense.right[tree_.columns[c].freedom] = -work.inverse->tau[c];
  }
  restOf(work);  // gamma
  dense.right.noalias() += dense.rho * dense.rows.transpose() * asVector(work.rest);
  dense.factor.solveInPlace(dense.right);
  asVector(work.udot) = dense.right;
  sweepUnderLoads(work);
}

template <class G>
void RecursiveSystem<G>::reactDense(std::span<const double> lambda, Work& work) const {
  auto& dense = *work.dense;
  dense.right.noalias() = dense.rows.transpose() * asVector(lambda);
  dense.factor.solveInPlace(dense.right);
  asVector(work.udot) += dense.right;
  sweepUnderLoads(work);
}

}  // namespace linkwork
