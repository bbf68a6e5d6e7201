#include "linkwork/integrate/jumps.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace linkwork {
namespace {

// Jumps nearer to each other than so many units in the last place of t do not let time go on; so many of them in a row
// never will.
constexpr double kSameTime = 64 * std::numeric_limits<double>::epsilon();
constexpr int kMostCrowded = 100;

}  // namespace

Jumps::Jumps(const OdeSystem& system, int subintervals)
    : system_(system),
      locator_(system, subintervals),
      work_(system.makeWorkspace()),
      x_(static_cast<std::size_t>(system.space().size())),
      modes_(system.startModes()) {}

Jumps::Found Jumps::look(Integrator& integrator) {
  const double t = locator_.events().front().time;
  integrator.interpolate(t, x_);
  modes_ = integrator.modes();
  const Jump jump = system_.jump(t, locator_.events(), x_, modes_, *work_);
  if (jump.eval != Eval::ok) return fail(t, *work_);
  if (!jump.changed) return Found::nothing;
  crowded_ = count_ > 0 && t - t_ <= kSameTime * std::abs(t) ? crowded_ + 1 : 0;
  t_ = t;
  jump_energy_ = jump.energy;
  if (crowded_ < kMostCrowded) return Found::jump;
  failure_ = fmt::format(
      "t = {:.6g} s: events follow each other without end, and time does not go on: what they do should come to rest",
      t);
  return Found::failed;
}

Jumps::Found Jumps::fail(double t, const Workspace& work) {
  failure_ = fmt::format("t = {:.6g} s: {}", t, system_.describeFailure(work));
  return Found::failed;
}

StepStatus Jumps::land(Integrator& integrator) {
  ++count_;
  energy_ += jump_energy_;
  const StepStatus status = integrator.resumeAt(t_, x_, modes_);
  if (status != StepStatus::ok) return status;
  if (locator_.start(integrator) == EventSearch::none) return status;
  (void)fail(t_, integrator.workspace());
  return StepStatus::failed;
}

void Jumps::transfer(Archive& archive) {
  archive(t_);
  archive(count_);
  archive(crowded_);
  archive(energy_);
}

StepStatus Jumps::step(Integrator& integrator) {
  const StepStatus status = integrator.step();
  if (status != StepStatus::ok && status != StepStatus::finished) return status;
  switch (search(integrator, [](std::span<const LocatedEvent>) { return Halt::no; })) {
    case Found::jump: return land(integrator);
    case Found::failed: return StepStatus::failed;
    default: return status;
  }
}

}  // namespace linkwork
