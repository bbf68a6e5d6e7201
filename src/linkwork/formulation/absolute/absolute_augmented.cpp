// Stabilisation by an augmented Lagrangian: accelerations from penalties, again until they settle.
//
//   (1)  [ M  Phi_q^T ; Phi_q  -1/c ] [ a ; m ] = [ Q + Phi_q^T lambda ; Gamma* ],   lambda <- lambda - m
//
// which is (M + c Phi_q^T Phi_q) a_new = M a + c Phi_q^T Gamma*, without forming the product.  [docs/theory/01,
// eq. 1.38]
#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;

// Accelerations have settled when an iteration changes them by less than this share of the greatest.
constexpr double kSettled = 1e-12;
// Where round-off does not let them come so far, they have settled when they get no nearer and are within this.
constexpr double kSettledRoundly = 1e-8;
constexpr int kMostIterations = 40;
// What a row may miss by, as a share of the terms in it; more is a contradiction.
constexpr double kRowHolds = 1e-3;

}  // namespace

template <class G>
Eval BasicAbsoluteSystem<G>::accelerationsAugmented(double t, std::span<const double> x, Work& work) const {
  const Eval eval = evaluate(t, x, work);
  if (eval != Eval::ok) return eval;
  const auto& start = equations_.rowStart();
  const auto& bodies = equations_.rowBodies();
  KktSolver& kkt = *work.aside;
  std::copy(work.eq.jacobian.begin(), work.eq.jacobian.end(), kkt.jacobian().begin());
  const auto factored = kkt.factor({.row_compliance = row_compliance_});
  if (factored.singular_body >= 0) {
    kkt.freeMotion(factored.singular_unknown, work.f);
    std::copy_n(&work.f[at(G::kFreedoms * factored.singular_body)], G::kFreedoms, work.free_motion.begin());
    return work.fail(Work::Failure::massless_body, t, factored.singular_body, Eval::failed);
  }
  pullBack(velocitiesOf(x), 2.0 * options_.mu * options_.omega, options_.omega * options_.omega, work);
  work.applied = work.f;
  work.wanted = work.g;
  std::fill(work.lambda.begin(), work.lambda.end(), 0.0);
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 1; iteration <= kMostIterations; ++iteration) {
    work.f = work.applied;
    for (int r = 0; r < equations_.rows(); ++r) {
      for (int p = start[at(r)]; p < start[at(r) + 1]; ++p) {
        for (int k = 0; k < G::kFreedoms; ++k) {
          work.f[at(G::kFreedoms * bodies[at(p)] + k)] +=
              work.eq.jacobian[at(G::kFreedoms * p + k)] * work.lambda[at(r)];
        }
      }
    }
    work.g = work.wanted;
    kkt.solveDamped(work.f, work.g);
    ++work.penalty_iterations;
    for (std::size_t r = 0; r < work.g.size(); ++r) work.lambda[r] -= work.g[r];
    double size = 0.0;
    double change = 0.0;
    for (std::size_t u = 0; u < work.f.size(); ++u) {
      const double unit = u % G::kFreedoms >= G::kDimension ? length_ : 1.0;
      size = std::max(size, unit * std::abs(work.f[u]));
      change = std::max(change, unit * std::abs(work.f[u] - work.acceleration[u]));
    }
    work.acceleration = work.f;
    if (!allFinite(work.acceleration)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
    if (iteration > 1 && (change <= kSettled * size || (change > 0.5 * last && change <= kSettledRoundly * size)))
      break;
    if (iteration > 1) last = change;
  }
  setPower(work);
  return checkRowsHold(t, work);
}

// Rows that contradict each other settle on a compromise; a direction near dependence may not have settled at all.
template <class G>
Eval BasicAbsoluteSystem<G>::checkRowsHold(double t, Work& work) const {
  double worst = 0.0;
  int worst_row = 0;
  for (int r = 0; r < equations_.rows(); ++r) {
    const auto [rest, size] = rows_.balance(r, work.wanted[at(r)], work.acceleration, work.eq);
    if (std::abs(rest) > worst * size) {
      worst = std::abs(rest) / size;
      worst_row = r;
    }
  }
  return worst > kRowHolds ? work.fail(Work::Failure::not_settled, t, worst_row, Eval::retry) : Eval::ok;
}

template Eval BasicAbsoluteSystem<Planar<double>>::accelerationsAugmented(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::accelerationsAugmented(double, std::span<const double>,
                                                                           Work&) const;

}  // namespace linkwork
