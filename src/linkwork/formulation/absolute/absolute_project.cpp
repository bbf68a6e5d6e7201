// Stabilisation by projection: back to the constraint surface after a step, and across poses of lower rank.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;
using absolute::kClosedRoundoff;

constexpr int kProjectionSweeps = 12;
// Nearer to a pose of lower rank than this relative pivot, 3e-3 of a row's length, accelerations come from both sides
// of it. A wider zone costs accuracy instead: the stages of one step then fall on both sides of its border, where the
// equations off the constraints are not the same.
constexpr double kNearRankChange = 1e-5;
// How far to both sides of a pose of lower rank, in radians or reference lengths. What eight states (1 to 4 steps to
// both sides) leave of error is of the eighth power, 4e-16; round-off, which long chains of loops lift by the square of
// their length, falls with the third.
constexpr double kAcross = 2e-2;
// Of these states, from near to far.
constexpr double kAcrossWeight[4] = {56.0 / 70.0, -28.0 / 70.0, 8.0 / 70.0, -1.0 / 70.0};

}  // namespace

// A row is lost or nearly so that was independent at the start.
template <class G>
bool BasicAbsoluteSystem<G>::nearRankChange(const Work& work) const {
  if (work.factored.singular_body >= 0) return false;
  if (work.factored.smallest_kept < kNearRankChange) return true;
  if (work.factored.dropped_rows == 0) return false;
  for (int r = 0; r < equations_.rows(); ++r) {
    if (work.kkt.rowDropped(r) && !rows_.doubtful(r)) return true;
  }
  return false;
}

// A motion through a pose of lower rank is smooth, but there the equations do not say how it goes on. So:
//   a(0) = (56 (a(e) + a(-e)) - 28 (a(2 e) + a(-2 e)) + 8 (a(3 e) + a(-3 e)) - a(4 e) - a(-4 e)) / 70 + O(e^8)
// along any smooth path of consistent states through this one; ours is q + e v, projected.     [docs/theory/01,
// eq. 1.32] False where there is no such path: at rest, at the end of the mechanism's reach, or if the rank stays low
// along it.
template <class G>
bool BasicAbsoluteSystem<G>::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  const auto v = velocitiesOf(x);
  double rate = 0.0;
  for (std::size_t u = 0; u < v.size(); ++u) {
    const bool turn = u % G::kFreedoms >= G::kDimension;
    rate = std::max(rate, std::abs(v[u]) / (turn ? 1.0 : length_));
  }
  if (!(rate > 0.0) || !std::isfinite(kAcross / rate)) return false;
  const long solves = work.projection_solves;
  const int dropped_here = work.factored.dropped_rows;
  std::fill(work.across.begin(), work.across.end(), 0.0);
  double power = 0.0;
  bool good = true;
  for (const int step : {1, -1, 2, -2, 3, -3, 4, -4}) {
    const double e = step * kAcross / rate;
    // Without drives the joints do not know the time, and a load that changes fast is not smeared.
    const double when = mechanism_.drives.empty() ? t : t + e;
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto q = std::span(work.beside).first(at(equations_.coordinates()));
    const auto rates = std::span(work.beside).subspan(q.size(), v.size());
    for (std::size_t u = 0; u < v.size(); ++u) work.f[u] = e * v[u];
    moveBy(work.f, q);
    bool moved = false;
    good = projectPositions(when, q, work, moved) == Eval::ok &&
           projectVelocities(when, rates, work, moved) == Eval::ok &&
           accelerationsHere(when, work.beside, work) == Eval::ok && !nearRankChange(work) &&
           work.factored.dropped_rows <= dropped_here;
    if (!good) break;
    const double weight = kAcrossWeight[std::abs(step) - 1];
    for (std::size_t u = 0; u < work.across.size(); ++u) work.across[u] += weight * work.acceleration[u];
    power += weight * work.power;
  }
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

// q <- q - M^-1 P^T (P M^-1 P^T)^-1 Phi, repeated until Phi is at round-off. Rows near dependence would turn the
// round-off of Phi into motion: they come in only where the others do not suffice.
template <class G>
Eval BasicAbsoluteSystem<G>::projectPositions(double t, std::span<double> q, Work& work, bool& moved) const {
  double last = std::numeric_limits<double>::infinity();
  double cut = kNearDependentRow;
  for (int sweep = 0; sweep < kProjectionSweeps; ++sweep) {
    equations_.positions(t, q, work.eq);
    const double largest = largestCoordinate(q);
    if (!std::isfinite(rows_.drift(work.eq))) return work.failNotFinite(t);
    if (!factor(t, work, cut)) return Eval::failed;
    const double off = rows_.enforcedDrift(work.eq, work.kkt) * length_;
    const bool settled = off <= kClosedRoundoff * largest;
    if (!settled && cut > kDependentRow && off > 0.5 * last && nearRankChange(work)) {
      cut = kDependentRow;
      last = std::numeric_limits<double>::infinity();
      if (!factor(t, work, cut)) return Eval::failed;
    }
    const bool stalled = off > 0.5 * last && off <= 1e4 * kClosedRoundoff * largest;
    if (settled || stalled) return Eval::ok;
    if (off > 4.0 * last) break;
    last = off;
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

// v <- v - M^-1 P^T (P M^-1 P^T)^-1 (P v + Phi_t) with the factor that projectPositions left; and again with all rows
// where one near dependence was left out and misses by more than round-off, which the distance from dependence has
// lifted.
template <class G>
Eval BasicAbsoluteSystem<G>::projectVelocities(double t, std::span<double> v, Work& work, bool& moved) const {
  equations_.velocities(v, work.eq);
  for (int sweep = 0; sweep < 2; ++sweep) {
    velocityResidual(v, work);
    const double largest = normInf(v);
    const double off = normInf(work.velocity_residual);
    if (!std::isfinite(largest) || !std::isfinite(off)) return work.failNotFinite(t);
    if (off <= kClosedRoundoff * largest) return Eval::ok;
    if (sweep > 0) {
      const double nearest = std::max(work.factored.largest_dropped, kDependentRow);
      if (off * std::sqrt(nearest) <= kClosedRoundoff * largest) return Eval::ok;
      if (!factor(t, work)) return Eval::failed;
    }
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t r = 0; r < work.g.size(); ++r) work.g[r] = -work.velocity_residual[r];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    for (std::size_t u = 0; u < v.size(); ++u) v[u] += work.f[u];
    moved = true;
    if (!nearRankChange(work)) return Eval::ok;
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
