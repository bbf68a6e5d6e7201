#include "linkwork/simulate/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwork/elements/quick_stretches.hpp"

namespace linkwork {

namespace {

// A run comes as near to a pole as this share of it; nearer to it a body that is to turn beyond all bounds takes more
// steps than anyone waits for.
constexpr double kBeforePole = 1e-3;

}  // namespace

StepPlan planSteps(const Mechanism& mechanism, double until) {
  const QuickStretches found = findQuickStretches(mechanism, until);
  StepPlan out;
  out.end = until;
  for (const QuickStretches::Pole& pole : found.poles) {
    const double before = pole.time - kBeforePole * until;
    // At the very start there is no value: the first evaluation says so.
    if (!(before > kBeforePole * until) || before >= out.end) continue;
    out.end = before;
    out.why_end = fmt::format(
        "t = {:.6g} s: {} grows beyond all bounds at t = {:.9g} s, and no motion passes that. Change its formula, or "
        "end "
        "the run before (--until {:.6g}).",
        before, pole.owner, pole.time, 0.99 * pole.time);
  }
  std::vector<StepLimits::Stretch> stretches;
  for (const StepStretch& stretch : found.stretches) {
    if (stretch.from < out.end) stretches.push_back({stretch.from, stretch.to, stretch.step});
  }
  out.limits = StepLimits(std::move(stretches));
  for (const QuickStretches::Loose& loose : found.loose)
    out.loose.push_back({loose.owner, loose.stretch.from, loose.stretch.to, loose.stretch.step});
  return out;
}

}  // namespace linkwork
