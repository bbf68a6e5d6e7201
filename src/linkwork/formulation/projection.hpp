// Stabilisation by projection: back to the constraint surface after a step, and across poses of lower rank. One text
// for every formulation that has rows G of constraints on its own velocities u, with a mass matrix M:
//
//   (1)  q <- q - M^-1 G^T (G M^-1 G^T)^-1 Phi                      until Phi is at round-off; rows that have a Phi
//   (2)  u <- u - M^-1 G^T (G M^-1 G^T)^-1 (G u + Phi_t)                          [docs/theory/01, eq. 1.12 to 1.15]
//   (3)  a(0) = (56 (a(e) + a(-e)) - 28 (a(2 e) + a(-2 e)) + 8 (a(3 e) + a(-3 e)) - a(4 e) - a(-4 e)) / 70 + O(e^8)
//        along a path of consistent states through a pose of lower rank                              [eq. 1.32]
//
// A formulation lends itself as a `Surface`, a small struct over itself and one workspace:
//
//   place(t, q)                 rows at q
//   finite()                    is Phi?
//   factor(t, cut, level)       G M^-1 G^T, rows nearer to dependence than the cut left out; false: cannot. At the
//                               level of positions without the rows that hold velocities alone; by default with all
//   velocityRows()              how many those are
//   open(), largest(q)          m: of the rows that must hold, the farthest off; the largest coordinate
//   smallestKept(), lostRows()  relative pivot of the row nearest to dependence; rows left out that were independent
//   largestDropped()            relative pivot of the rows left out
//   closePositions(q)           (1) once
//   VelocityMiss missOf(u)      of G u + Phi_t
//   closeVelocities(u)          (2) once
//   notFinite(t), notClosed(t)  how each ends
// and for (3)
//   rateOf(x)                   1/s: of the fastest motion
//   rateFor(x)                  the same, for velocities that the workspace need not have
//   beside(x, e)                the state x moved by e u; positions() and velocities() are its parts
//   timed()                     do the rows know the time?
//   accelerationsHere(t, x, cut)   a, and the power of loads and drives; by default rows are dependent as ever
//   droppedRows(), acceleration(), power(), take(a, power), across()
//   solves()                    a count of (1) and (2)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "linkwork/formulation/constraint_rows.hpp"
#include "linkwork/system/eval.hpp"

namespace linkwork {

// Joints count as closed at this many units of round-off of the largest coordinate.
inline constexpr double kClosedRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
// Round-off of the solves: a remainder that gets no smaller is accepted up to this many times what counts as closed.
inline constexpr double kStalledRoundoff = 1e4;
inline constexpr int kProjectionSweeps = 12;
// Nearer to a pose of lower rank than this relative pivot, 3e-3 of a row's length, accelerations come from both sides
// of it. A wider zone costs accuracy instead: the stages of one step then fall on both sides of its border, where the
// equations off the constraints are not the same.
inline constexpr double kNearRankChange = 1e-5;
// How far to both sides of a pose of lower rank, in radians or reference lengths. What eight states (1 to 4 steps to
// both sides) leave of error is of the eighth power, 4e-16; round-off, which long chains of loops lift by the square of
// their length, falls with the third.
inline constexpr double kAcross = 2e-2;
// Where many loops come to lie flat together, states so near are still near the pose of lower rank: twice as far, and
// again, at the most. The error is then 3e-11 if loads and motion are smooth on that way; the six nearer states, whose
// error is of the sixth power, tell whether they are.
inline constexpr double kFarthestAcross = 4.0 * kAcross;
inline constexpr std::array<double, 4> kAcrossWeight{56.0 / 70.0, -28.0 / 70.0, 8.0 / 70.0, -1.0 / 70.0};
inline constexpr std::array<double, 4> kCoarserWeight{15.0 / 20.0, -6.0 / 20.0, 1.0 / 20.0, 0.0};
inline constexpr double kSmoothAcross = 1e-6;  // of accelerations, between the two

// A motion that only comes near a pose of lower rank keeps the row to this relative pivot, 1e-7 of its length: nearer,
// the pivot itself is round-off.
inline constexpr double kTurningRow = 1e-14;
// It does so where accelerations differ from those of (3) by more than this many units of the closure's round-off
// explain.
inline constexpr double kMissRoundoff = 5.0;

struct VelocityMiss {
  double off = 0.0;      // greatest entry of G u + Phi_t
  double largest = 0.0;  // velocity, in the same unit
};

// A row is lost or nearly so that was independent at the start.
inline bool nearRankChange(double smallest_kept, bool lost_rows) {
  return smallest_kept < kNearRankChange || lost_rows;
}
template <class Surface>
bool nearRankChange(const Surface& surface) {
  return nearRankChange(surface.smallestKept(), surface.lostRows());
}

// Rows near dependence would turn the round-off of Phi into motion: they come in only where the others do not suffice.
template <class Surface>
Eval projectPositions(Surface& surface, double t, std::span<double> q, bool& moved) {
  double last = std::numeric_limits<double>::infinity();
  double cut = kNearDependentRow;
  for (int sweep = 0; sweep < kProjectionSweeps; ++sweep) {
    surface.place(t, q);
    if (!surface.finite()) return surface.notFinite(t);
    if (!surface.factor(t, cut, RowLevel::position)) return Eval::failed;
    const double closed = kClosedRoundoff * surface.largest(q);
    const double off = surface.open();
    const bool settled = off <= closed;
    if (!settled && cut > kDependentRow && off > 0.5 * last && nearRankChange(surface)) {
      cut = kDependentRow;
      last = std::numeric_limits<double>::infinity();
      if (!surface.factor(t, cut, RowLevel::position)) return Eval::failed;
    }
    const bool stalled = off > 0.5 * last && off <= kStalledRoundoff * closed;
    if (settled || stalled) return Eval::ok;
    if (cut == kDependentRow && off > 0.5 * last && surface.lostRows()) {
      cut = kTurningRow;
      last = std::numeric_limits<double>::infinity();
      if (!surface.factor(t, cut, RowLevel::position)) return Eval::failed;
    }
    if (off > 4.0 * last) break;
    last = off;
    surface.closePositions(q);
    moved = true;
  }
  return surface.notClosed(t);
}

// With the factors of all rows at hand; and again with all rows where one near dependence was left out and misses by
// more than round-off, which the distance from dependence has lifted.
template <class Surface>
Eval projectVelocities(Surface& surface, double t, std::span<double> u, bool& moved) {
  for (int sweep = 0; sweep < 2; ++sweep) {
    const VelocityMiss miss = surface.missOf(u);
    const double closed = kClosedRoundoff * miss.largest;
    if (!std::isfinite(miss.largest) || !std::isfinite(miss.off)) return surface.notFinite(t);
    if (miss.off <= closed) return Eval::ok;
    if (sweep > 0) {
      const double nearest = std::max(surface.largestDropped(), kDependentRow);
      if (miss.off * std::sqrt(nearest) <= closed) return Eval::ok;
      if (!surface.factor(t, nearest > kDependentRow ? kDependentRow : kTurningRow)) return Eval::failed;
    }
    surface.closeVelocities(u);
    moved = true;
    if (!nearRankChange(surface)) return Eval::ok;
  }
  return Eval::ok;
}

template <class Surface>
Eval projectState(Surface& surface, double t, std::span<double> q, std::span<double> u, bool& moved) {
  const Eval eval = projectPositions(surface, t, q, moved);
  if (eval != Eval::ok) return eval;
  // Where all rows have a Phi, the factors that closed the positions are those of all rows.
  if (surface.velocityRows() > 0 && !surface.factor(t, kNearDependentRow)) return Eval::failed;
  return projectVelocities(surface, t, u, moved);
}

// Two branches of poses that cross in a pose of lower rank part from each other when a length changes by d: at a
// distance r from there a branch then turns from one to the other, and its acceleration differs from (3), which goes
// straight on, by 2 d rate^2 / r^3. What closure leaves open, e, does the same by round-off: 2 e rate^2 / r^3. So d is
// seen above e, however near.                                                        [docs/theory/01, eq. 1.46]
template <class Surface>
bool turnsAway(Surface& surface, double t, std::span<const double> x, std::span<const double> straight) {
  const std::span<double> state = surface.beside(x, 0.0);
  bool moved = false;
  if (projectState(surface, t, surface.positions(state), surface.velocities(state), moved) != Eval::ok) return false;
  if (surface.accelerationsHere(t, state, kTurningRow) != Eval::ok || surface.lostRows()) return false;
  const double distance = std::sqrt(surface.smallestKept());
  const double round_off = kClosedRoundoff * surface.largest(surface.positions(state)) / surface.length();
  const double rate = surface.rateFor(state);
  const std::span<double> u = surface.velocities(state);
  const std::span<const double> a = surface.acceleration();
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = a[k] - straight[k];
  const double apart = surface.rateFor(state);
  return apart > kMissRoundoff * round_off * rate * rate / (distance * distance * distance);
}

// A motion through a pose of lower rank is smooth, but there the equations do not say how it goes on: (3), on the path
// q + e u, projected. There is no such path at rest, at the end of the mechanism's reach, or if the rank stays low
// along it; and where the motion only comes near such a pose it turns away from that path.
enum class WayOn { none, straight, turns };

// (3) into across(), from states `stride` apart, in seconds; `power` is that of loads and drives.
enum class Path { smooth, too_near, none };
template <class Surface>
Path goAcross(Surface& surface, double t, std::span<const double> x, double stride, int dropped_here, double& power) {
  std::vector<double>& across = surface.across();
  std::vector<double>& coarser = surface.coarser();
  std::fill(across.begin(), across.end(), 0.0);
  std::fill(coarser.begin(), coarser.end(), 0.0);
  power = 0.0;
  for (const int step : {1, -1, 2, -2, 3, -3, 4, -4}) {
    const double e = step * stride;
    // Rows that do not know the time are followed at this moment, so that a load that changes fast is not smeared.
    const double when = surface.timed() ? t + e : t;
    const std::span<double> state = surface.beside(x, e);
    bool moved = false;
    const bool there =
        projectState(surface, when, surface.positions(state), surface.velocities(state), moved) == Eval::ok &&
        surface.accelerationsHere(when, state) == Eval::ok && !surface.lostRows() &&
        surface.droppedRows() <= dropped_here;
    if (!there) return Path::none;
    if (nearRankChange(surface)) return Path::too_near;
    const double weight = kAcrossWeight[static_cast<std::size_t>(std::abs(step)) - 1];
    const double coarser_weight = kCoarserWeight[static_cast<std::size_t>(std::abs(step)) - 1];
    const std::span<const double> a = surface.acceleration();
    for (std::size_t k = 0; k < across.size(); ++k) {
      across[k] += weight * a[k];
      coarser[k] += coarser_weight * a[k];
    }
    power += weight * surface.power();
  }
  return Path::smooth;
}

// Whether six states say nearly the same as eight.
template <class Surface>
bool isSmoothAcross(Surface& surface) {
  const std::vector<double>& across = surface.across();
  double size = 0.0;
  double off = 0.0;
  for (std::size_t k = 0; k < across.size(); ++k) {
    size = std::max(size, std::abs(across[k]));
    off = std::max(off, std::abs(across[k] - surface.coarser()[k]));
  }
  return off <= kSmoothAcross * size;
}

// Where the way is straight, across() holds (3), and `power` that of loads and drives.
template <class Surface>
WayOn wayOn(Surface& surface, double t, std::span<const double> x, double& power) {
  const double rate = surface.rateOf(x);
  if (!(rate > 0.0) || !std::isfinite(kFarthestAcross / rate)) return WayOn::none;
  const long solves = surface.solves();
  const int dropped_here = surface.droppedRows();
  Path path = Path::too_near;
  for (double far = kAcross; path == Path::too_near && far <= kFarthestAcross; far *= 2.0) {
    path = goAcross(surface, t, x, far / rate, dropped_here, power);
    if (path == Path::smooth && far > kAcross && !isSmoothAcross(surface)) path = Path::none;
  }
  const WayOn out = path != Path::smooth                         ? WayOn::none
                    : turnsAway(surface, t, x, surface.across()) ? WayOn::turns
                                                                 : WayOn::straight;
  surface.solves() = solves;
  return out;
}

// Whether accelerations could be had: (3), or the equations as they are where the motion turns.
template <class Surface>
bool accelerationsAcross(Surface& surface, double t, std::span<const double> x) {
  double power = 0.0;
  const WayOn way = wayOn(surface, t, x, power);
  if (way == WayOn::turns) return surface.accelerationsHere(t, x, kTurningRow) == Eval::ok;
  // A dropped row that does not hold by itself is no contradiction here: the path shows that all hold.
  (void)surface.accelerationsHere(t, x);
  if (way == WayOn::straight) surface.take(surface.across(), power);
  return way == WayOn::straight;
}

}  // namespace linkwork
