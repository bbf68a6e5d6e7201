// Stabilisation by projection: back to the constraint surface after a step, and across poses of lower rank.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/projection_control.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;
}  // namespace

// A row is lost or nearly so that was independent at the start.
template <class G>
bool BasicAbsoluteSystem<G>::nearRankChange(const Work& work) const {
  if (work.factored.singular_body >= 0) return false;
  if (work.factored.smallest_kept < kNearDependentRow) return true;
  if (work.factored.dropped_rows == 0) return false;
  for (int r = 0; r < equations_.rows(); ++r) {
    if (work.kkt.rowDropped(r) && !rows_.doubtful(r)) return true;
  }
  return false;
}

// Along q + e v, projected. False where there is no such path: at rest, at the end of the mechanism's reach, or if the
// rank stays low along it.
template <class G>
bool BasicAbsoluteSystem<G>::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  const auto v = velocitiesOf(x);
  double rate = 0.0;
  for (std::size_t u = 0; u < v.size(); ++u) {
    const bool turn = u % G::kFreedoms >= G::kDimension;
    rate = std::max(rate, std::abs(v[u]) / (turn ? 1.0 : length_));
  }
  const long solves = work.projection_solves;
  const int dropped_here = work.factored.dropped_rows;
  std::fill(work.across.begin(), work.across.end(), 0.0);
  double power = 0.0;
  const bool good = sumAcross(rate, [&](double e, double weight) {
    // Without drives the joints do not know the time, and a load that changes fast is not smeared.
    const double when = mechanism_.drives.empty() ? t : t + e;
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto q = std::span(work.beside).first(at(equations_.coordinates()));
    const auto rates = std::span(work.beside).subspan(q.size(), v.size());
    for (std::size_t u = 0; u < v.size(); ++u) work.f[u] = e * v[u];
    moveBy(work.f, q);
    bool moved = false;
    const bool fits = projectPositions(when, q, work, moved) == Eval::ok &&
                      projectVelocities(when, rates, work, moved) == Eval::ok &&
                      accelerationsHere(when, work.beside, work) == Eval::ok && !nearRankChange(work) &&
                      work.factored.dropped_rows <= dropped_here;
    if (!fits) return false;
    for (std::size_t u = 0; u < work.across.size(); ++u) work.across[u] += weight * work.acceleration[u];
    power += weight * work.power;
    return true;
  });
  work.projection_solves = solves;
  const Eval here = accelerationsHere(t, x, work);
  if (!good) return false;
  (void)here;  // a dropped row that does not hold by itself is no contradiction here: the path shows that all hold
  work.failure = Work::Failure::none;
  work.acceleration = work.across;
  work.power = power;
  return true;
}

// In metres, turns by the reference length; at least that length.
template <class G>
double BasicAbsoluteSystem<G>::largestCoordinate(std::span<const double> q) const {
  double largest = length_;
  for (int u = 0; u < static_cast<int>(q.size()); ++u) {
    const bool turn = u % G::kCoordinates >= G::kDimension;
    largest = std::max(largest, std::abs(q[at(u)]) * (turn ? length_ : 1.0));
  }
  return largest;
}

template <class G>
void BasicAbsoluteSystem<G>::moveBy(std::span<const double> d, std::span<double> q) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    retract(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
            d.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
}

// q <- q - M^-1 P^T (P M^-1 P^T)^-1 Phi, repeated until Phi is at round-off.
template <class G>
Eval BasicAbsoluteSystem<G>::projectPositions(double t, std::span<double> q, Work& work, bool& moved) const {
  using Next = PositionClosing::Next;
  PositionClosing closing;
  while (true) {
    equations_.positions(t, q, work.eq);
    if (!std::isfinite(rows_.drift(work.eq))) return work.failNotFinite(t, work.eq);
    if (!factor(t, work, closing.cut())) return Eval::failed;
    const double off = rows_.enforcedDrift(work.eq, work.kkt) * length_;
    const double largest = largestCoordinate(q);
    Next next = closing.next(off, largest, nearRankChange(work));
    if (next == Next::factor_all) {
      if (!factor(t, work, closing.cut())) return Eval::failed;
      next = closing.next(off, largest, nearRankChange(work));
    }
    if (next == Next::closed) return Eval::ok;
    if (next == Next::give_up) break;
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -work.eq.phi[r];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    moveBy(work.f, q);
    moved = true;
  }
  const auto worst = std::max_element(work.eq.phi.begin(), work.eq.phi.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.eq.phi.begin()), Eval::retry);
}

// v <- v - M^-1 P^T (P M^-1 P^T)^-1 (P v + Phi_t) with the factor that projectPositions left.
template <class G>
Eval BasicAbsoluteSystem<G>::projectVelocities(double t, std::span<double> v, Work& work, bool& moved) const {
  using Next = VelocityClosing::Next;
  VelocityClosing closing;
  equations_.velocities(v, work.eq);
  while (!closing.done()) {
    velocityResidual(v, work);
    const double largest = normInf(v);
    const double off = normInf(work.velocity_residual);
    if (!std::isfinite(largest) || !std::isfinite(off)) return work.failNotFinite(t, work.eq);
    const Next next = closing.next(off, largest, work.factored.largest_dropped);
    if (next == Next::closed) return Eval::ok;
    if (next == Next::factor_all_and_step && !factor(t, work)) return Eval::failed;
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -work.velocity_residual[r];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
    moved = true;
    if (!nearRankChange(work)) break;
  }
  return Eval::ok;
}

template bool BasicAbsoluteSystem<Planar<double>>::nearRankChange(const Work&) const;
template bool BasicAbsoluteSystem<Planar<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::projectPositions(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Planar<double>>::projectVelocities(double, std::span<double>, Work&, bool&) const;
template bool BasicAbsoluteSystem<Spatial<double>>::nearRankChange(const Work&) const;
template bool BasicAbsoluteSystem<Spatial<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::projectPositions(double, std::span<double>, Work&, bool&) const;
template Eval BasicAbsoluteSystem<Spatial<double>>::projectVelocities(double, std::span<double>, Work&, bool&) const;
template double BasicAbsoluteSystem<Planar<double>>::largestCoordinate(std::span<const double>) const;
template void BasicAbsoluteSystem<Planar<double>>::moveBy(std::span<const double>, std::span<double>) const;
template double BasicAbsoluteSystem<Spatial<double>>::largestCoordinate(std::span<const double>) const;
template void BasicAbsoluteSystem<Spatial<double>>::moveBy(std::span<const double>, std::span<double>) const;

}  // namespace linkwork
