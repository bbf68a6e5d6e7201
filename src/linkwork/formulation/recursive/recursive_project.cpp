// Stabilisation of the cuts by projection: closed again after a step, and across poses of lower rank.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/formulation/recursive/recursive_work.hpp"
#include "linkwork/linalg/norm.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

namespace {

using absolute::at;

constexpr int kProjectionSweeps = 12;
// As in absolute coordinates: joints count as closed at this many units of round-off of the largest coordinate.
constexpr double kClosedRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
constexpr double kAcross = 5e-3;

}  // namespace

// Greatest violation of a cut, relative to the size of the mechanism; NaN if any is.
template <class G>
double RecursiveSystem<G>::drift(const Work& work) const {
  double worst = 0.0;
  for (std::size_t r = 0; r < row_length_.size(); ++r) {
    const double off = std::abs(work.eq.phi[r]) * row_length_[r];
    worst = std::isnan(off) ? off : std::max(worst, off);
    if (std::isnan(worst)) return worst;
  }
  return worst / length_;
}

// The same without the rows left out that need not fit, as long as they stay about as far off as they were.
template <class G>
double RecursiveSystem<G>::enforcedDrift(const Work& work) const {
  double worst = 0.0;
  for (std::size_t r = 0; r < row_length_.size(); ++r) {
    const double off = std::abs(work.eq.phi[r]) * row_length_[r];
    if (work.ldlt.dropped(static_cast<int>(r)) && off <= kMisfitGrowth * options_.misfit * length_) continue;
    worst = std::max(worst, off);
  }
  return worst / length_;
}

template <class G>
double RecursiveSystem<G>::largestCoordinate(const Work& work) const {
  double largest = length_;
  for (int b = 0; b < tree_.size(); ++b) {
    const auto& place = work.pk.body[at(b)];
    for (int c = 0; c < G::kDimension; ++c) largest = std::max(largest, std::abs(place.r[c]));
    if constexpr (!G::kSpatial) largest = std::max(largest, std::abs(place.angle) * length_);
  }
  return largest;
}

template <class G>
bool RecursiveSystem<G>::nearRankChange(const Work& work) const {
  return work.factored.smallest_kept < kNearDependentRow ||
         work.factored.dropped > static_cast<int>(options_.doubtful_rows.size());
}

// q <- q - M^-1 G^T (G M^-1 G^T)^-1 Phi, repeated until Phi is at round-off. Rows near dependence come in only where
// the others do not suffice.                                                                     [docs/theory/07,
// eq. 7.10]
template <class G>
Eval RecursiveSystem<G>::projectPositions(double t, std::span<double> q, Work& work, bool& moved) const {
  double last = std::numeric_limits<double>::infinity();
  double cut = kNearDependentRow;
  for (int sweep = 0; sweep < kProjectionSweeps; ++sweep) {
    place(t, q, work);
    if (!std::isfinite(drift(work))) return work.failNotFinite(t);
    if (!factor(t, cut, work)) return Eval::failed;
    const double closed = kClosedRoundoff * largestCoordinate(work);
    const double off = enforcedDrift(work) * length_;
    const bool settled = off <= closed;
    if (!settled && cut > kDependentRow && off > 0.5 * last && nearRankChange(work)) {
      cut = kDependentRow;
      last = std::numeric_limits<double>::infinity();
      (void)factor(t, cut, work);
    }
    if (settled || (off > 0.5 * last && off <= 1e4 * closed)) return Eval::ok;
    if (off > 4.0 * last) break;
    last = off;
    for (std::size_t r = 0; r < work.rest.size(); ++r) work.rest[r] = -work.eq.phi[r];
    stepOf(work.rest, work);
    moveJoints<G>(tree_, work.step, q);
    moved = true;
  }
  const auto worst = std::max_element(work.eq.phi.begin(), work.eq.phi.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.eq.phi.begin()), Eval::retry);
}

// work.step = M^-1 G^T (G M^-1 G^T)^-1 rest
template <class G>
void RecursiveSystem<G>::stepOf(std::span<double> rest, Work& work) const {
  if (lacks_inertia_) {
    stepDense(rest, work);
    return;
  }
  work.ldlt.solve(rest);
  std::fill(work.loads.begin(), work.loads.end(), typename G::Wrench{});
  addReactions(rest, work);
  for (int k = 0; k < tree_.size(); ++k) {
    work.solve.p[at(k)] = {};
    work.solve.p[at(k)] -= linkForce<G>(tree_, work.pk, k, work.loads[at(tree_.links[at(k)].body)]);
  }
  solveInwards<G>(tree_, work.pk, work.inertia, {}, {}, work.solve);
  solveOutwards<G>(tree_, work.pk, work.inertia, {}, {}, work.solve, work.step);
  ++work.projection_solves;
}

// u <- u - M^-1 G^T (G M^-1 G^T)^-1 (Phi_q v + Phi_t) with the factors that projectPositions left; once more with all
// rows where one near dependence was left out and misses.
template <class G>
Eval RecursiveSystem<G>::projectVelocities(double t, std::span<double> u, Work& work, bool& moved) const {
  for (int sweep = 0; sweep < 2; ++sweep) {
    move(u, work);
    velocityResidual(work);
    const double largest = normInf(work.velocity);
    const double off = normInf(work.velocity_residual);
    if (!std::isfinite(largest) || !std::isfinite(off)) return work.failNotFinite(t);
    if (off <= kClosedRoundoff * largest) return Eval::ok;
    if (sweep > 0) {
      const double nearest = std::max(work.factored.largest_dropped, kDependentRow);
      if (off * std::sqrt(nearest) <= kClosedRoundoff * largest) return Eval::ok;
      (void)factor(t, kDependentRow, work);
    }
    for (std::size_t r = 0; r < work.rest.size(); ++r) work.rest[r] = -work.velocity_residual[r];
    stepOf(work.rest, work);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += work.step[k];
    moved = true;
    if (!nearRankChange(work)) return Eval::ok;
  }
  return Eval::ok;
}

template <class G>
AfterStep RecursiveSystem<G>::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  const auto q = x.first(at(tree_.coordinates));
  AfterStep out;
  out.changed = normaliseJoints<G>(tree_, q);
  setTurns(x, work);
  if (options_.stabilisation == CutStabilisation::projection && cuts_.rows() > 0) {
    out.eval = projectPositions(t, q, work, out.changed);
    if (out.eval == Eval::ok) {
      out.eval = projectVelocities(t, x.subspan(q.size(), at(tree_.freedoms)), work, out.changed);
    }
  }
  if (cuts_.turns() > 0 && out.eval == Eval::ok) {
    place(t, q, work);
    cuts_.followTurns(work.eq);
    std::copy(work.eq.turns.begin(), work.eq.turns.end(), x.end() - cuts_.turns());
  }
  return out;
}

// Along a path of consistent states through a pose of lower rank the motion is smooth: its acceleration there is that
// of states on both sides.                                                                           [docs/theory/01,
// eq. 1.32]
template <class G>
bool RecursiveSystem<G>::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  const auto u = velocitiesOf(x);
  double rate = 0.0;
  for (int b = 0; b < tree_.size(); ++b) {
    const auto& v = work.vk.body[at(b)];
    rate = std::max(rate, std::sqrt(dot(v.v, v.v)) / length_);
    if constexpr (G::kSpatial) {
      rate = std::max(rate, std::sqrt(dot(v.w, v.w)));
    } else {
      rate = std::max(rate, std::abs(v.w));
    }
  }
  if (!(rate > 0.0) || !std::isfinite(kAcross / rate)) return false;
  const long solves = work.projection_solves;
  const int dropped_here = work.factored.dropped;
  std::fill(work.across.begin(), work.across.end(), 0.0);
  double power = 0.0;
  bool good = true;
  for (const int side : {1, -1, 2, -2}) {
    const double e = side * kAcross / rate;
    const double when = mechanism_.drives.empty() ? t : t + e;
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto q = std::span(work.beside).first(at(tree_.coordinates));
    for (std::size_t k = 0; k < u.size(); ++k) work.step[k] = e * u[k];
    moveJoints<G>(tree_, work.step, q);
    bool moved = false;
    good = projectPositions(when, q, work, moved) == Eval::ok &&
           projectVelocities(when, std::span(work.beside).subspan(q.size(), u.size()), work, moved) == Eval::ok &&
           accelerationsHere(when, work.beside, work) == Eval::ok && !nearRankChange(work) &&
           work.factored.dropped <= dropped_here;
    if (!good) break;
    const double weight = (side == 1 || side == -1 ? 4.0 : -1.0) / 6.0;
    for (std::size_t k = 0; k < work.across.size(); ++k) work.across[k] += weight * work.udot[k];
    power += weight * work.power;
  }
  work.projection_solves = solves;
  const Eval here = accelerationsHere(t, x, work);
  if (!good) return false;
  (void)here;  // a dropped row that does not hold by itself is no contradiction here: the path shows that all hold
  work.failure = Work::Failure::none;
  work.udot = work.across;
  linkwork::accelerations<G>(tree_, work.pk, work.vk, work.udot, {}, work.solve.A);
  bodyAccelerations(work);
  work.power = power;
  return true;
}

template double RecursiveSystem<Planar<double>>::drift(const Work&) const;
template double RecursiveSystem<Planar<double>>::enforcedDrift(const Work&) const;
template double RecursiveSystem<Planar<double>>::largestCoordinate(const Work&) const;
template bool RecursiveSystem<Planar<double>>::nearRankChange(const Work&) const;
template Eval RecursiveSystem<Planar<double>>::projectPositions(double, std::span<double>, Work&, bool&) const;
template void RecursiveSystem<Planar<double>>::stepOf(std::span<double>, Work&) const;
template Eval RecursiveSystem<Planar<double>>::projectVelocities(double, std::span<double>, Work&, bool&) const;
template AfterStep RecursiveSystem<Planar<double>>::afterStep(double, std::span<double>, Workspace&) const;
template bool RecursiveSystem<Planar<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;
template double RecursiveSystem<Spatial<double>>::drift(const Work&) const;
template double RecursiveSystem<Spatial<double>>::enforcedDrift(const Work&) const;
template double RecursiveSystem<Spatial<double>>::largestCoordinate(const Work&) const;
template bool RecursiveSystem<Spatial<double>>::nearRankChange(const Work&) const;
template Eval RecursiveSystem<Spatial<double>>::projectPositions(double, std::span<double>, Work&, bool&) const;
template void RecursiveSystem<Spatial<double>>::stepOf(std::span<double>, Work&) const;
template Eval RecursiveSystem<Spatial<double>>::projectVelocities(double, std::span<double>, Work&, bool&) const;
template AfterStep RecursiveSystem<Spatial<double>>::afterStep(double, std::span<double>, Workspace&) const;
template bool RecursiveSystem<Spatial<double>>::accelerationsAcross(double, std::span<const double>, Work&) const;

}  // namespace linkwork
