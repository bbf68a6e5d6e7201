// Accelerations of trees with links that have no inertia of their own (cut_tree_massless.cpp).
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
void RecursiveSystem<G>::solveFreeHeld(Work& work) const {
  auto& massless = *work.massless;
  std::fill(work.udot.begin(), work.udot.end(), 0.0);
  sweepUnderLoads(work);
  for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
    if (tree_.columns[c].freedom >= 0) massless.right[tree_.columns[c].freedom] = -work.inverse->tau[c];
  }
  restOf(work);  // gamma
  cut_tree_.solveHeld(work.rest, work.udot, work);
  sweepUnderLoads(work);
}

template <class G>
void RecursiveSystem<G>::reactHeld(std::span<const double> lambda, Work& work) const {
  auto& loads = work.massless->loads;
  std::copy(work.loads.begin(), work.loads.end(), loads.begin());
  cut_tree_.motionOf(lambda, work);
  std::copy(loads.begin(), loads.end(), work.loads.begin());
  asVector(work.udot) += asVector(work.step);
  sweepUnderLoads(work);
}

}  // namespace linkwork
