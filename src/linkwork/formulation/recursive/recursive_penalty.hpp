// What the augmented Lagrangian needs of joint coordinates (formulation/augmented.hpp). Its system, less M:
//
//   (G M^-1 G^T + 1/c) m = -(Gamma* - Phi_q a),   lambda <- lambda - m                         [docs/theory/07,
//   eq. 7.12]
#pragma once

#include "linkwork/formulation/augmented.hpp"
#include "linkwork/formulation/recursive/recursive_surface.hpp"

namespace linkwork {

// With the factors in work.aside, Gamma* in work.wanted and the accelerations without cuts: prepare.
template <class G>
struct RecursiveSystem<G>::Penalty : Surface {
  using Surface::Surface;
  using Surface::system;
  using Surface::work;

  Eval prepare(double t, std::span<const double> /*u*/) {
    const CutTree<G>& cut_tree = system.cut_tree_;
    if (!cut_tree.factorMass(t, work)) return cut_tree.cannotFactor(work);
    cut_tree.productsOfRows(*work.aside, work);
    for (int r = 0; r < system.rows(); ++r) (*work.aside)(r, r) += system.row_compliance_[at(r)];
    work.aside->factor({});
    system.wantedOf(penaltyPull(system.options_), work);
    system.solveFree(work);
    return Eval::ok;
  }

  Settling again() {
    work.before = work.acceleration;
    system.restOf(work);
    work.aside->solve(work.rest);
    system.react(work.rest, work);
    ++work.counts.penalty_iterations;
    return settlingOf<G>(work.acceleration, work.before, system.length());
  }
  double compliance(int r) const { return system.row_compliance_[at(r)]; }
  RowBalance balance(int r) const { return Surface::balance(r, work.wanted[at(r)]); }
  Eval notFinite(double t) { return this->fail(FailureNote::Failure::state_not_finite, t, 0); }
  Eval notSettled(double t, int row) { return this->fail(FailureNote::Failure::not_settled, t, row); }
};

}  // namespace linkwork
