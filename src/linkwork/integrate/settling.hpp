// Settling: when an iteration that is to end at round-off has done so.
//
// Its changes shrink by a factor each time until round-off takes over; from there on they stay as they are. So an
// iteration goes on until nothing changes, or until a change is no smaller than the one before: ended earlier, what is
// left of every step would point to the same side and add up.
#pragma once

#include <cmath>
#include <limits>

namespace linkwork {

class Settling {
 public:
  enum class State { goes_on, settled, lost };

  // change: the largest of this iteration, beside the size of what is iterated. motion: how far that moves anything, in
  // m or rad; what is zero but for round-off never settles beside its own size.
  State look(double change, double motion = std::numeric_limits<double>::infinity()) {
    if (!std::isfinite(change) || ++looks_ > kMostLooks) return State::lost;
    if (change == 0.0) return State::settled;
    if (change >= before_) ++stalls_;
    before_ = change;
    if (stalls_ >= 1 && change <= kRoundOff) return State::settled;
    if (stalls_ >= 3 && motion <= kRoundOff) return State::settled;
    if (stalls_ >= 3) return change <= kLoose ? State::settled : change > kWild ? State::lost : State::goes_on;
    return State::goes_on;
  }

 private:
  static constexpr int kMostLooks = 100;
  static constexpr double kRoundOff = 64 * std::numeric_limits<double>::epsilon();
  static constexpr double kLoose = 1e-10;  // where the equations themselves have more round-off than that
  static constexpr double kWild = 1e3;

  int looks_ = 0;
  int stalls_ = 0;
  double before_ = std::numeric_limits<double>::infinity();
};

// The largest difference, as a share of a size; of nothing at all: zero.
inline double shareOf(double difference, double size) { return difference == 0.0 ? 0.0 : difference / size; }

}  // namespace linkwork
