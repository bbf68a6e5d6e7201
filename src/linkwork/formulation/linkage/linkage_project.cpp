// Stabilisation by projection: back to closed loops after a step, and across poses of lower rank.
#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/formulation/linkage/linkage_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using linkage::at;

constexpr int kProjectionSweeps = 12;
// Loops count as closed at this many units of round-off of the largest coordinate.
constexpr double kClosedRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
// How far to both sides of a pose of lower rank, in radians. What four states (1 and 2 steps to both sides) leave of
// error is of the fourth power, 1e-10; round-off falls with the third.
constexpr double kAcross = 5e-3;

}  // namespace

// Coefficients and rows at these angles and rates, without loads.
void LinkageSystem::placeRows(double t, std::span<const double> angle, std::span<const double> rate, Work& work) const {
  linkage::LinkageInputs<double> in;
  in.angle = angle;
  in.rate = rate;
  if (!plan_.drives.empty()) free_.positions(t, work.eq);  // their motions; the bodies do not matter
  linkage::equations(linkage::Form::rud, linkage::Trig::vectors, linkage::Bias::sweep, plan_.tree, constants_, in,
                     work.form, Unnamed{});
  linkage::closure(plan_.tree, constants_, work.form, Unnamed{});
  closeRows(angle, work);
}

// The same as drift() without rows that do not quite fit, as long as they stay about as far off as they were.
double LinkageSystem::enforcedDrift(const Work& work) const {
  if (options_.misfit <= 0.0) return drift(work);
  double worst = 0.0;
  for (int row = 0; row < plan_.rows(); ++row) {
    const double off = std::abs(work.phi[at(row)]) * (at(row) < work.form.f.size() ? 1.0 : length_);
    const bool watched = doubtful_[at(row)] != 0 && work.kkt.rowDropped(row);
    if (watched && off <= kMisfitGrowth * options_.misfit * length_) continue;
    worst = std::isnan(off) ? off : std::max(worst, off);
  }
  return worst / length_;
}

// In metres. Turns count too: the sine of an angle of many turns has the round-off of the angle.
double LinkageSystem::largestCoordinate(std::span<const double> angle) const {
  return std::max(length_, reach_) * std::max(1.0, normInf(angle));
}

// A row is lost or nearly so that was independent at the start.
bool LinkageSystem::nearRankChange(const Work& work) const {
  if (plan_.rows() == 0 || work.factored.singular_body >= 0) return false;
  if (work.factored.smallest_kept < kNearDependentRow) return true;
  return work.factored.dropped_rows > static_cast<int>(options_.doubtful_rows.size());
}

// A motion through a pose of lower rank is smooth, but there the equations do not say how it goes on: accelerations
// come from four states beside it, on the path al + e w, projected. [docs/theory/01, eq. 1.32]
bool LinkageSystem::accelerationsAcross(double t, std::span<const double> x, Work& work) const {
  const double rate = normInf(ratesOf(x));
  if (!(rate > 0.0) || !std::isfinite(kAcross / rate)) return false;
  const std::size_t n = at(plan_.tree.links());
  const long solves = work.projection_solves;
  const int dropped_here = work.factored.dropped_rows;
  std::fill(work.across.begin(), work.across.end(), 0.0);
  double power = 0.0;
  bool good = true;
  for (const int step : {1, -1, 2, -2}) {
    const double e = step * kAcross / rate;
    const double when = mechanism_.drives.empty() ? t : t + e;  // without drives the joints do not know the time
    std::copy(x.begin(), x.end(), work.beside.begin());
    const auto angle = std::span(work.beside).first(n);
    const auto rates = std::span(work.beside).subspan(n, n);
    for (std::size_t k = 0; k < n; ++k) angle[k] += e * rates[k];
    bool moved = false;
    good = projectPositions(when, angle, work, moved) == Eval::ok &&
           projectVelocities(when, rates, work, moved) == Eval::ok &&
           accelerationsHere(when, work.beside, work) == Eval::ok && !nearRankChange(work) &&
           work.factored.dropped_rows <= dropped_here;
    if (!good) break;
    const double weight = (step == 1 || step == -1 ? 4.0 : -1.0) / 6.0;
    for (std::size_t k = 0; k < n; ++k) work.across[k] += weight * work.acceleration[k];
    power += weight * work.power;
  }
  work.projection_solves = solves;
  (void)accelerationsHere(t, x, work);  // a dropped row that does not hold here is no contradiction: all hold beside it
  if (!good) return false;
  work.failure = Work::Failure::none;
  work.acceleration = work.across;
  work.power = power;
  return true;
}

// al <- al - H^-1 P^T (P H^-1 P^T)^-1 f, repeated until f is at round-off. Rows near dependence would turn the
// round-off of f into motion: they come in only where the others do not suffice.
Eval LinkageSystem::projectPositions(double t, std::span<double> angle, Work& work, bool& moved) const {
  double last = std::numeric_limits<double>::infinity();
  double cut = kNearDependentRow;
  const double largest = largestCoordinate(angle);
  for (int sweep = 0; sweep < kProjectionSweeps; ++sweep) {
    placeRows(t, angle, {}, work);
    if (!std::isfinite(drift(work))) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
    if (!factor(t, work, cut)) return Eval::failed;
    const double off = enforcedDrift(work) * length_;
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
    for (std::size_t row = 0; row < work.g.size(); ++row) work.g[row] = -work.phi[row];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    for (std::size_t k = 0; k < angle.size(); ++k) angle[k] += work.f[angle.size() - 1 - k];
    moved = true;
  }
  const auto worst =
      std::max_element(work.phi.begin(), work.phi.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  return work.fail(Work::Failure::projection, t, static_cast<int>(worst - work.phi.begin()), Eval::retry);
}

// w <- w - H^-1 P^T (P H^-1 P^T)^-1 (P w - P_t) with the factor that projectPositions left; and again with all rows
// where one near dependence was left out.
Eval LinkageSystem::projectVelocities(double t, std::span<double> rate, Work& work, bool& moved) const {
  for (int sweep = 0; sweep < 2; ++sweep) {
    velocityResidual(rate, work);
    const double largest = normInf(rate) * std::max(length_, reach_);
    const double off = normInf(work.velocity_residual);
    if (!std::isfinite(largest) || !std::isfinite(off)) {
      return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
    }
    if (off <= kClosedRoundoff * largest) return Eval::ok;
    if (sweep > 0) {
      const double nearest = std::max(work.factored.largest_dropped, kDependentRow);
      if (off * std::sqrt(nearest) <= kClosedRoundoff * largest) return Eval::ok;
      if (!factor(t, work)) return Eval::failed;
    }
    std::fill(work.f.begin(), work.f.end(), 0.0);
    for (std::size_t row = 0; row < work.g.size(); ++row) work.g[row] = -work.velocity_residual[row];
    work.kkt.solve(work.f, work.g);
    ++work.projection_solves;
    for (std::size_t k = 0; k < rate.size(); ++k) rate[k] += work.f[rate.size() - 1 - k];
    moved = true;
    if (!nearRankChange(work)) return Eval::ok;
  }
  return Eval::ok;
}

AfterStep LinkageSystem::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  AfterStep out;
  if (options_.stabilisation != Stabilisation::projection || plan_.rows() == 0) return out;
  const std::size_t n = at(plan_.tree.links());
  out.eval = projectPositions(t, x.first(n), work, out.changed);
  if (out.eval == Eval::ok) out.eval = projectVelocities(t, x.subspan(n, n), work, out.changed);
  return out;
}

}  // namespace linkwork
