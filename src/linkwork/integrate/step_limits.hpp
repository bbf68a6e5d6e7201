// StepLimits: how long a step may be, where that is known beforehand to depend on time.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace linkwork {

class StepLimits {
 public:
  struct Stretch {
    double from = 0, to = 0;  // s
    double step = 0;          // s: the longest step within
  };

  StepLimits() = default;
  // In rising order, without overlap.
  explicit StepLimits(std::vector<Stretch> stretches) : stretches_(std::move(stretches)) {}

  bool empty() const { return stretches_.empty(); }

  // The longest step that may begin at t: in every stretch that it meets no longer than the step of that stretch,
  // unless it ends where the stretch begins.
  double from(double t) const {
    double longest = std::numeric_limits<double>::infinity();
    auto next = std::upper_bound(stretches_.begin(), stretches_.end(), t,
                                 [](double time, const Stretch& stretch) { return time < stretch.to; });
    for (; next != stretches_.end(); ++next) {
      const double gap = std::max(next->from - t, 0.0);
      if (gap >= longest) break;
      longest = std::min(longest, std::max(gap, next->step));
    }
    return longest;
  }

 private:
  std::vector<Stretch> stretches_;
};

}  // namespace linkwork
