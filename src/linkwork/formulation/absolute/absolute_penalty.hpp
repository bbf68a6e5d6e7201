// What the augmented Lagrangian needs of absolute coordinates (formulation/augmented.hpp).
#pragma once

#include <algorithm>

#include "linkwork/formulation/absolute/absolute_surface.hpp"
#include "linkwork/formulation/augmented.hpp"

namespace linkwork {

// With the factors of (1) in work.aside, Q in work.applied and Gamma* in work.wanted: prepare.
template <class G>
struct BasicAbsoluteSystem<G>::Penalty : Surface {
  using Surface::Surface;
  using Surface::system;
  using Surface::work;

  Eval prepare(double t, std::span<const double> v) {
    KktSolver& kkt = *work.aside;
    std::copy(work.eq.jacobian.begin(), work.eq.jacobian.end(), kkt.jacobian().begin());
    const auto factored = kkt.factor({.row_compliance = system.row_compliance_});
    if (factored.singular_body >= 0) return system.noInertia(t, factored, kkt, work);
    system.setRightSides(work);
    system.pullBack(v, penaltyPull(system.options_), work);
    work.applied = work.f;
    work.wanted = work.g;
    std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
    return Eval::ok;
  }

  Settling again() {
    const auto& start = system.equations_.rowStart();
    const auto& bodies = system.equations_.rowBodies();
    work.f = work.applied;
    for (int r = 0; r < system.rows(); ++r) {
      for (int p = start[at(r)]; p < start[at(r) + 1]; ++p) {
        for (int k = 0; k < G::kFreedoms; ++k) {
          work.f[at(G::kFreedoms * bodies[at(p)] + k)] +=
              work.eq.jacobian[at(G::kFreedoms * p + k)] * work.lambda[at(r)];
        }
      }
    }
    work.g = work.wanted;
    work.aside->solveDamped(work.f, work.g);
    ++work.counts.penalty_iterations;
    for (std::size_t r = 0; r < work.g.size(); ++r) work.lambda[r] -= work.g[r];
    const Settling out = settlingOf<G>(work.f, work.acceleration, system.length());
    work.acceleration = work.f;
    return out;
  }
  double compliance(int r) const { return system.row_compliance_[at(r)]; }
  RowBalance balance(int r) const { return Surface::balance(r, work.wanted[at(r)]); }
  Eval notFinite(double t) { return this->fail(FailureNote::Failure::state_not_finite, t, 0); }
  Eval notSettled(double t, int row) { return this->fail(FailureNote::Failure::not_settled, t, row); }
};

}  // namespace linkwork
