#include "linkwork/simulate/step_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

// A pole this near to the start, as a share of the run, is one at the start: the first evaluation finds no value there.
constexpr double kAtStart = 1e-9;

}  // namespace

std::string StepPlan::whyEnd(double t) const {
  if (pole.empty()) return {};
  return fmt::format("t = {:.9g} s: {}, and no motion passes that. {}", t, pole, hint);
}

StepPlan planSteps(const Mechanism& mechanism, double until, const std::vector<ActingFormula>& others) {
  const QuickStretches found = findQuickStretches(mechanism, until, others);
  StepPlan out;
  out.end = until;
  for (const QuickStretches::Pole& pole : found.poles) {
    const PoleApproach way(pole.time, until);
    if (!(pole.time > kAtStart * until) || way.end >= out.end) continue;
    out.end = way.end;
    out.near_pole = way.near;
    const int digits = std::clamp(static_cast<int>(std::log10(pole.time / way.place)), 1, 9);
    out.pole = fmt::format("{} grows beyond all bounds at t = {:.{}g} s", pole.owner, pole.time, digits);
    out.hint = fmt::format("Change its formula, or end the run before (--until {:.6g}).", 0.99 * pole.time);
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
