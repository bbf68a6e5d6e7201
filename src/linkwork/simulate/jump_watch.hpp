// JumpWatch: which corners of the loads in the last step are jumps, and what is seen on their two sides.
//
// A corner is looked at from both sides, as near to it as round-off allows: at a time known beforehand a little earlier
// and later with the same state; where the motion switches, at the states of the step just before and behind. It is a
// jump if what is seen differs, and goes on to differ as much when the two sides are brought nearer: a kink does not.
#pragma once

#include <functional>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/integrate/events.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/simulate/recorder.hpp"

namespace linkwork {

// How a run looks at a state of its last step; false where it cannot.
struct StepView {
  std::function<void(double t, std::span<double> x)> interpolate;
  // Makes x consistent, as samples are.
  std::function<bool(double t, std::span<double> x)> correct;
  std::function<bool(double t, std::span<const double> x, Observation& out)> observe;
  std::function<bool(double t, std::span<const double> x, std::span<double> values)> switches;  // event functions
};

class JumpWatch {
 public:
  JumpWatch(const MechanismSystem& system, double until, double output_step);

  // Corners of the last step, in rising order: a time known beforehand, or a switch found by its change of sign.
  void add(double known_time) { corners_.push_back({known_time, -1, EventDirection::rising}); }
  void add(const LocatedEvent& hit) { corners_.push_back(hit); }
  void clear() { corners_.clear(); }

  // The first corner that has not been looked at; infinity where there is none.
  double next() const;
  // Looks at it, within a step from `from` to `to`; true: a jump, and left() and right() are what is seen there.
  bool look(const StepView& view, const Recorder& recorder, double from, double to);
  // s from a corner at which its two sides are looked at.
  double roundOff() const { return round_off_; }
  const Observation& left() const { return near_.left; }
  const Observation& right() const { return near_.right; }

  void transfer(Archive& archive) { archive(last_jump_); }  // what it keeps between steps

 private:
  struct Sides {
    Observation left, right;
    double away = 0.0;  // s, of both from the corner
  };
  void stateAt(const StepView& view, double t, double from, double to);  // into x_
  bool lookAtTime(const StepView& view, double t, double away, Sides& sides);
  // Each side at a state at which the switch has its sign there: the correction of a state may move it across.
  bool lookAtSwitch(const StepView& view, const LocatedEvent& hit, double from, double to, double away, Sides& sides);

  double round_off_;  // s
  double crowded_;    // s: nearer to the last one none is recorded
  std::vector<LocatedEvent> corners_;
  std::vector<double> x_, inside_, values_;
  Sides near_, far_;
  double last_jump_ = -1.0;
};

}  // namespace linkwork
