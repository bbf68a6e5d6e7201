// What the augmented Lagrangian needs of absolute coordinates (formulation/augmented.hpp).
#include <algorithm>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/augmented.hpp"

namespace linkwork {

// With the factors of (1) in work.aside, Q in work.applied and Gamma* in work.wanted.
template <class G>
struct BasicAbsoluteSystem<G>::Penalty {
  const BasicAbsoluteSystem& system;
  Work& work;

  Settling again() {
    const auto& start = system.equations_.rowStart();
    const auto& bodies = system.equations_.rowBodies();
    work.f = work.applied;
    for (int r = 0; r < rows(); ++r) {
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
    const Settling out = settlingOf<G>(work.f, work.acceleration, system.length_);
    work.acceleration = work.f;
    return out;
  }
  int rows() const { return system.equations_.rows(); }
  RowBalance balance(int r) const { return system.rows_.balance(r, work.wanted[at(r)], work.acceleration, work.eq); }
  Eval notFinite(double t) { return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry); }
  Eval notSettled(double t, int row) { return work.fail(Work::Failure::not_settled, t, row, Eval::retry); }
};

template <class G>
Eval BasicAbsoluteSystem<G>::accelerationsAugmented(double t, std::span<const double> x, Work& work) const {
  if (const Eval eval = evaluate(t, x, work); eval != Eval::ok) return eval;
  KktSolver& kkt = *work.aside;
  std::copy(work.eq.jacobian.begin(), work.eq.jacobian.end(), kkt.jacobian().begin());
  const auto factored = kkt.factor({.row_compliance = row_compliance_});
  if (factored.singular_body >= 0) {
    kkt.freeMotion(factored.singular_unknown, work.f);
    std::copy_n(&work.f[at(G::kFreedoms * factored.singular_body)], G::kFreedoms, work.free_motion.begin());
    return work.fail(Work::Failure::massless_body, t, factored.singular_body, Eval::failed);
  }
  pullBack(velocitiesOf(x), penaltyPull(options_), work);
  work.applied = work.f;
  work.wanted = work.g;
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  Penalty penalty{*this, work};
  const Eval eval = settleAccelerations(penalty, t);
  setPower(work);
  return eval;
}

template Eval BasicAbsoluteSystem<Planar<double>>::accelerationsAugmented(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::accelerationsAugmented(double, std::span<const double>,
                                                                           Work&) const;

}  // namespace linkwork
