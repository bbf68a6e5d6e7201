// What the augmented Lagrangian needs of joint coordinates (formulation/augmented.hpp). Its system, less M:
//
//   (G M^-1 G^T + 1/c) m = -(Gamma* - Phi_q a),   lambda <- lambda - m                         [docs/theory/07,
//   eq. 7.12]
#include <algorithm>

#include "linkwork/formulation/augmented.hpp"
#include "linkwork/formulation/recursive/recursive_work.hpp"

namespace linkwork {

// With the factors in work.aside, Gamma* in work.wanted and the accelerations without cuts.
template <class G>
struct RecursiveSystem<G>::Penalty {
  const RecursiveSystem& system;
  Work& work;

  Settling again() {
    work.before = work.acceleration;
    system.restOf(work);
    work.aside->solve(work.rest);
    system.react(work.rest, work);
    ++work.counts.penalty_iterations;
    return settlingOf<G>(work.acceleration, work.before, system.cut_tree_.length());
  }
  int rows() const { return system.cuts_.rows(); }
  RowBalance balance(int r) const {
    return balanceOfRow(system.cuts_, r, work.wanted[at(r)], work.acceleration, work.eq,
                        system.cut_tree_.length() / system.cut_tree_.rowLength(r));
  }
  Eval notFinite(double t) { return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry); }
  Eval notSettled(double t, int row) { return work.fail(Work::Failure::not_settled, t, row, Eval::retry); }
};

template <class G>
Eval RecursiveSystem<G>::accelerationsAugmented(double t, std::span<const double> x, Work& work) const {
  if (const Eval eval = evaluate(t, x, work); eval != Eval::ok) return eval;
  if (!cut_tree_.factorMass(t, work)) return cut_tree_.cannotFactor(work);
  cut_tree_.productsOfRows(*work.aside, work);
  for (int r = 0; r < cuts_.rows(); ++r) (*work.aside)(r, r) += row_compliance_[at(r)];
  work.aside->factor({});
  wantedOf(penaltyPull(options_), work);
  solveFree(work);
  Penalty penalty{*this, work};
  const Eval eval = settleAccelerations(penalty, t);
  setPower(work);
  return eval;
}

template Eval RecursiveSystem<Planar<double>>::accelerationsAugmented(double, std::span<const double>, Work&) const;
template Eval RecursiveSystem<Spatial<double>>::accelerationsAugmented(double, std::span<const double>, Work&) const;

}  // namespace linkwork
