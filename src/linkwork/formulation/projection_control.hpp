// The decisions of projection, for every formulation that closes its joints after a step: when they count as closed,
// which rows take part, when to give up; and the way across poses of lower rank.
#pragma once

#include <cmath>
#include <limits>

#include "linkwork/formulation/constraint_rows.hpp"

namespace linkwork {

// Joints count as closed at this many units of round-off of the largest coordinate.
inline constexpr double kClosedRoundoff = 16.0 * std::numeric_limits<double>::epsilon();
// Round-off of the solves: a remainder that gets no smaller is accepted up to this many times what counts as closed.
inline constexpr double kStalledRoundoff = 1e4;

// Newton's method for Phi = 0. Rows near dependence would turn the round-off of Phi into motion: they come in only
// where the others do not suffice. In each sweep: rows at the positions, factored with cut(); then next().
class PositionClosing {
 public:
  enum class Next {
    closed,
    factor_all,  // with cut() again, then ask once more
    step,
    give_up
  };

  double cut() const { return cut_; }

  // off: the greatest violation that has to be closed, m; largest: coordinate, m.
  Next next(double off, double largest, bool near_rank_change) {
    const double closed = kClosedRoundoff * largest;
    if (off > closed && cut_ > kDependentRow && off > 0.5 * last_ && near_rank_change) {
      cut_ = kDependentRow;
      last_ = std::numeric_limits<double>::infinity();
      return Next::factor_all;
    }
    if (off <= closed || (off > 0.5 * last_ && off <= kStalledRoundoff * closed)) return Next::closed;
    if (off > 4.0 * last_ || ++sweeps_ == kMostSweeps) return Next::give_up;
    last_ = off;
    return Next::step;
  }

 private:
  static constexpr int kMostSweeps = 12;
  double last_ = std::numeric_limits<double>::infinity();
  double cut_ = kNearDependentRow;
  int sweeps_ = 0;
};

// The same for Phi_q v + Phi_t = 0, which is linear: one step with the factors that the positions left, and one more
// with all rows where one near dependence was left out and misses by more than round-off, which the distance from
// dependence has lifted.
class VelocityClosing {
 public:
  enum class Next { closed, step, factor_all_and_step };

  bool done() const { return sweeps_ == kMostSweeps; }

  // off: the greatest residual, largest: velocity, both as the rows have them; largest_dropped: relative pivot.
  Next next(double off, double largest, double largest_dropped) {
    const bool again = sweeps_++ > 0;
    if (off <= kClosedRoundoff * largest) return Next::closed;
    if (!again) return Next::step;
    const double nearest = largest_dropped > kDependentRow ? largest_dropped : kDependentRow;
    return off * std::sqrt(nearest) <= kClosedRoundoff * largest ? Next::closed : Next::factor_all_and_step;
  }

 private:
  static constexpr int kMostSweeps = 2;
  int sweeps_ = 0;
};

// A motion through a pose of lower rank is smooth, but there the equations do not say how it goes on. So:
//   a(0) = (4 a(e) + 4 a(-e) - a(2 e) - a(-2 e)) / 6 + O(e^4)
// along any smooth path of consistent states through this one.                           [docs/theory/01, eq. 1.32]
// add(e, weight) evaluates the state e further along and adds its share; false: there is no such path. `rate`: how fast
// the path is, in radians or reference lengths per second.
template <class Add>
bool sumAcross(double rate, Add&& add) {
  // How far to both sides. What four states leave of error is of the fourth power, 1e-10; round-off falls with the
  // third.
  constexpr double kAcross = 5e-3;
  if (!(rate > 0.0) || !std::isfinite(kAcross / rate)) return false;
  for (const int step : {1, -1, 2, -2}) {
    if (!add(step * kAcross / rate, (step == 1 || step == -1 ? 4.0 : -1.0) / 6.0)) return false;
  }
  return true;
}

}  // namespace linkwork
