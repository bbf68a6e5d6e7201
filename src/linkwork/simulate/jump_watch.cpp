#include "linkwork/simulate/jump_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/simulate/corners.hpp"

namespace linkwork {

namespace {

// A load that flutters about its corner would fill the record: so near to each other, as a share of the output step,
// jumps are not told apart.
constexpr double kCrowdedJumps = 1e-3;

// What is seen has round-off, more so reactions of redundant joints: a jump is greater than this share of the greatest
// value of its unit.
constexpr double kJump = 1e-7;

// A unit may have nothing but round-off in all its columns: angular accelerations on a slide, say.
// That is less than this share of the greatest force in the equations, well above round-off of sums and solutions
// (1e-16 times a condition number), and so far below kJump that small parts of great machines still have their jumps.
constexpr double kForceRoundOff = 1e-10;

// Looked at from four times as far away, a kink differs four times as much, and a jump by no more than it did.
constexpr double kFarther = 4.0;
constexpr double kGrowsLike = 2.0;

// A state of the step is put on the right side of its switch within this share of the step, or not at all.
constexpr double kNear = 1e-3;

}  // namespace

JumpWatch::JumpWatch(const MechanismSystem& system, double until, double output_step)
    : round_off_(kCornerRoundOff * until),
      crowded_(kCrowdedJumps * output_step),
      x_(static_cast<std::size_t>(system.space().size())),
      values_(static_cast<std::size_t>(system.eventCount())) {}

double JumpWatch::next() const {
  return corners_.empty() ? std::numeric_limits<double>::infinity() : corners_.front().time;
}

bool JumpWatch::look(const StepView& view, const Recorder& recorder, double from, double to) {
  const LocatedEvent corner = corners_.front();
  corners_.erase(corners_.begin());
  if (corner.time < last_jump_ + crowded_) return false;
  const auto lookFrom = [&](double away, Sides& sides) {
    return corner.index < 0 ? lookAtTime(view, corner.time, away, sides)
                            : lookAtSwitch(view, corner, from, to, away, sides);
  };
  if (!lookFrom(round_off_, near_)) return false;
  const auto near = recorder.apart(near_.left, near_.right);
  const auto differs = [](const Recorder::Apart& unit) {
    return unit.difference > kJump * unit.greatest && unit.force_difference > kForceRoundOff * unit.greatest_force;
  };
  if (std::none_of(near.begin(), near.end(), differs) || !lookFrom(kFarther * near_.away, far_)) return false;
  const auto far = recorder.apart(far_.left, far_.right);
  for (std::size_t unit = 0; unit < near.size(); ++unit) {
    if (!differs(near[unit]) || far[unit].difference > kGrowsLike * near[unit].difference) continue;
    last_jump_ = corner.time;
    return true;
  }
  return false;
}

// Straight on beyond the ends of the step: a step that landed on the corner may leave no room on one side.
void JumpWatch::stateAt(const StepView& view, double t, double from, double to) {
  view.interpolate(std::clamp(t, from, to), x_);
  if (t >= from && t <= to) return;
  const double end = t > to ? to : from;
  const double inside = end + (t > to ? -kNear : kNear) * (to - from);
  inside_.resize(x_.size());
  view.interpolate(inside, inside_);
  for (std::size_t k = 0; k < x_.size(); ++k) x_[k] += (t - end) * (x_[k] - inside_[k]) / (end - inside);
}

bool JumpWatch::lookAtTime(const StepView& view, double t, double away, Sides& sides) {
  sides.away = away;
  for (const bool before : {true, false}) {
    view.interpolate(t, x_);
    const double beside = before ? t - away : t + away;
    if (!view.correct(beside, x_) || !view.observe(beside, x_, before ? sides.left : sides.right)) return false;
  }
  return true;
}

bool JumpWatch::lookAtSwitch(const StepView& view, const LocatedEvent& hit, double from, double to, double away,
                             Sides& sides) {
  sides.away = away;
  for (const bool before : {true, false}) {
    const double limit = kNear * (to - from);
    const double direction = before ? -1.0 : 1.0;
    const double wanted = hit.direction == EventDirection::rising ? direction : -direction;
    for (double distance = away;; distance *= kFarther) {
      const double t = hit.time + direction * distance;
      stateAt(view, t, from, to);
      if (!view.correct(t, x_) || !view.switches(t, x_, values_)) return false;
      if (wanted * values_[static_cast<std::size_t>(hit.index)] > 0.0) {
        if (!view.observe(t, x_, before ? sides.left : sides.right)) return false;
        sides.away = std::max(sides.away, distance);
        break;
      }
      if (distance >= limit) return false;
    }
  }
  return true;
}

}  // namespace linkwork
