#include "linkwork/simulate/corners.hpp"

#include <algorithm>

namespace linkwork {

namespace {

// Corners nearer to each other than this share of the run are not told apart.
constexpr double kCrowded = 1e-9;

// A corner within this share of a step from its start needs no step of its own: so near to it the step's interpolation,
// which starts with the right slope, is exact enough.
constexpr double kNearStart = 1e-3;
// A fixed step is not shortened for what it passes, and its interpolation errs by a jump times the square of the way.
constexpr double kNearStartOfFixed = 3e-5;

// A fixed step that would pass a corner ends at this part of the way to it from there. Three times leave less than
// kNearStartOfFixed.
constexpr double kShortOf = 0.03;
// Stages beyond the corner mislead the search for it: some steps end behind it and are taken once more.
constexpr int kApproaches = 8;
// Behind the corner fixed steps go on, as a share of the run: beyond the round-off of the state.
constexpr double kBeside = 1e-11;

}  // namespace

CornerWalk::CornerWalk(const MechanismSystem& system, double until, Steps steps)
    : system_(system),
      x_(static_cast<std::size_t>(system.space().size())),
      least_(kCrowded * until),
      round_off_(kCornerRoundOff * until),
      steps_(steps),
      beside_(kBeside * until) {
  for (const double t : system.cornerTimes()) {
    const double before = ends_.empty() ? 0.0 : ends_.back();
    if (t > before + least_ && t < until - least_) ends_.push_back(t);
    corner_at_end_ = corner_at_end_ || std::abs(t - until) <= round_off_;
  }
  ends_.push_back(until);
}

bool CornerWalk::isKnown(double t) const {
  return t < ends_.back() && std::binary_search(ends_.begin(), ends_.end(), t);
}

void CornerWalk::transfer(Archive& archive) {
  archive(last_);
  archive(approached_);
  archive(approaches_);
}

StepStatus CornerWalk::nextLeg(Integrator& integrator, EventLocator& locator) {
  const auto next = std::upper_bound(ends_.begin(), ends_.end(), integrator.time());
  if (next == ends_.end()) return StepStatus::finished;
  const StepStatus status = integrator.continueTo(*next);
  tellOfEnd(*next, integrator);
  if (status == StepStatus::ok) locator.start(integrator);
  return status;
}

void CornerWalk::tellOfEnd(double t_end, Integrator& integrator) const {
  if (isKnown(t_end) || (t_end == ends_.back() && corner_at_end_)) integrator.endBeforeJump(round_off_);
}

StepStatus CornerWalk::land(Jumps& jumps, Integrator& integrator) {
  const StepStatus status = jumps.land(integrator);
  return status == StepStatus::finished ? nextLeg(integrator, jumps.locator()) : status;
}

bool CornerWalk::wants(double t, const Integrator& integrator) const {
  return t < integrator.time() && t > last_ + least_;
}

bool CornerWalk::takesBack(double t, const Integrator& integrator) const {
  const double from = integrator.previousTime();
  // A clock that only adds steps cannot be made to strike at t.
  const double near = steps_ == Steps::fixed ? kNearStartOfFixed : kNearStart;
  return integrator.options().time_rule == TimeRule::multiples && t - from > near * (integrator.time() - from);
}

bool CornerWalk::comesNearer(double t, const Integrator& integrator) {
  if (steps_ != Steps::fixed) return false;
  if (t > approached_ + integrator.options().step) approaches_ = 0;
  approached_ = t;
  return ++approaches_ <= kApproaches;
}

StepStatus CornerWalk::resume(double t, Integrator& integrator, EventLocator& locator, Workspace& work) {
  if (takesBack(t, integrator)) {
    const double from = integrator.previousTime();
    if (comesNearer(t, integrator))
      return retake(from, t - kShortOf * (t - from), At::smooth, integrator, locator, work);
    last_ = t;
    return retake(from, t, At::corner, integrator, locator, work);
  }
  last_ = t;
  const double behind = steps_ == Steps::fixed ? std::min(t + beside_, integrator.time()) : t;
  const StepStatus status = resumeFrom(behind, integrator, work);
  if (status == StepStatus::ok) locator.start(integrator);
  return status;
}

StepStatus CornerWalk::retake(double from, double to, At what, Integrator& integrator, EventLocator& locator,
                              Workspace& work) {
  StepStatus status = resumeFrom(from, integrator, work);
  if (status == StepStatus::ok) status = integrator.continueTo(to);
  if (what == At::corner) {
    integrator.endBeforeJump(round_off_);
  } else {
    tellOfEnd(to, integrator);
  }
  if (status == StepStatus::ok) locator.start(integrator);
  return status;
}

StepStatus CornerWalk::resumeFrom(double t, Integrator& integrator, Workspace& work) {
  integrator.interpolate(t, x_);
  if (t > integrator.previousTime()) {
    modes_ = integrator.modes();
    system_.enterStep(t, x_, modes_, work);
    // A state that cannot be corrected is kept: the next step says what is wrong.
    (void)system_.afterStep(t, x_, modes_, work);
  }
  return integrator.resumeAt(t, x_);
}

}  // namespace linkwork
