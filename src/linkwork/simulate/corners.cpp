#include "linkwork/simulate/corners.hpp"

#include <algorithm>

namespace linkwork {

namespace {

// Corners nearer to each other than this share of the run are not told apart.
constexpr double kCrowded = 1e-9;

}  // namespace

CornerWalk::CornerWalk(const MechanismSystem& system, double until)
    : system_(system), x_(static_cast<std::size_t>(system.space().size())), least_(kCrowded * until) {
  for (const double t : system.cornerTimes()) {
    const double before = ends_.empty() ? 0.0 : ends_.back();
    if (t > before + least_ && t < until - least_) ends_.push_back(t);
  }
  ends_.push_back(until);
}

StepStatus CornerWalk::nextLeg(Integrator& integrator, EventLocator& locator) {
  const auto next = std::upper_bound(ends_.begin(), ends_.end(), integrator.time());
  if (next == ends_.end()) return StepStatus::finished;
  const StepStatus status = integrator.continueTo(*next);
  if (status == StepStatus::ok) locator.start(integrator);
  return status;
}

bool CornerWalk::wants(double t, const Integrator& integrator) const {
  return t < integrator.time() && t > last_ + least_;
}

StepStatus CornerWalk::resume(double t, Integrator& integrator, EventLocator& locator, Workspace& work) {
  integrator.interpolate(t, x_);
  // A state that cannot be corrected is kept: the next step says what is wrong.
  (void)system_.afterStep(t, x_, work);
  last_ = t;
  const StepStatus status = integrator.resumeAt(t, x_);
  if (status == StepStatus::ok) locator.start(integrator);
  return status;
}

}  // namespace linkwork
