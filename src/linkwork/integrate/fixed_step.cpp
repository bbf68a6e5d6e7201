#include "linkwork/integrate/fixed_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

// A span that holds a whole number of steps to within this part of a step is not given a further, tiny one.
constexpr double kWhole = 1e-9;

}  // namespace

FixedStep::FixedStep(const OdeSystem& system, const IntegratorOptions& options, Dense dense)
    : Integrator(system, options), dense_kind_(dense), end_slope_(x_.size()) {
  expect(options.step > 0, "a fixed-step method needs a step: give step in seconds");
}

// The step, halved as often as the limits ask.
double FixedStep::fittingStep() const {
  double h = options_.max_step > 0 ? std::min(options_.step, options_.max_step) : options_.step;
  const double longest = std::max(limits_.from(t_), 64 * kEps * std::max(std::abs(t_), std::abs(t_end_)));
  while (h > longest) h *= 0.5;
  return h;
}

StepStatus FixedStep::start() {
  h_ = fittingStep();
  grid_start_ = t_;
  steps_done_ = 0;
  const double time_scale = std::max(std::abs(t_), std::abs(t_end_));
  if (h_ < 16 * kEps * time_scale) {
    note(t_, "the clock cannot tell such steps apart: give a larger step", AskSystem::no);
    return failUnderflow(16 * kEps * time_scale);
  }
  const double ratio = (t_end_ - t_) / h_;
  const double whole = std::round(ratio);
  // t_end - t and the quotient carry a few units of round-off in t, here counted in steps.
  const double slack = std::max(kWhole, 4 * kEps * time_scale / h_);
  steps_total_ = std::max(1L, static_cast<long>(std::abs(ratio - whole) <= slack ? whole : std::ceil(ratio)));
  return StepStatus::ok;
}

StepStatus FixedStep::advance() {
  if (!limits_.empty() && fittingStep() != h_) {
    if (const StepStatus status = start(); status != StepStatus::ok) return status;
  }
  double h = h_;
  double t_new = 0;
  if (options_.time_rule == TimeRule::accumulate_time) {
    t_new = t_ + h_;
  } else if (steps_done_ + 1 < steps_total_) {
    t_new = grid_start_ + static_cast<double>(steps_done_ + 1) * h_;
  } else {
    t_new = t_end_;
    // A last step that is a whole one but for round-off is taken with h itself, like all the others.
    const double round_off = 8 * kEps * std::max(std::abs(grid_start_), std::abs(t_end_));
    if (std::abs(t_end_ - t_ - h_) > round_off) h = t_end_ - t_;
  }

  Eval eval = takeStep(h);
  if (eval == Eval::ok) eval = checkFinite(t_new, x_new_);
  if (eval != Eval::ok) return failStep(eval, h);
  const AfterStep after = settle(t_new);
  if (after.eval != Eval::ok) return failStep(after.eval, h);
  if (dense_kind_ == Dense::by_both_slopes) {
    eval = slopeAt(t_new, x_new_, end_slope_);
    if (eval == Eval::ok) eval = checkFinite(t_new, end_slope_);
    if (eval != Eval::ok) return failStep(eval, h);
  }

  finishStep(h, end_slope_);
  dense_.setEnds(h, x_, slope_, raw_x_new_);
  if (dense_kind_ == Dense::by_both_slopes) dense_.setLastSlope(h, end_slope_);
  if (after.changed) dense_.addCorrection(raw_x_new_, x_new_);
  ++steps_done_;
  if (dense_kind_ == Dense::by_first_slope) return commit(t_new, h, EndSlope::unknown, after);
  slope_.swap(end_slope_);
  return commit(t_new, h, EndSlope::known, after);
}

StepStatus FixedStep::failStep(Eval eval, double h) {
  if (eval == Eval::failed) return fail(StepStatus::failed);
  return fail(StepStatus::failed,
              "a fixed step of {:g} s cannot be taken here; try a smaller one or an adaptive method: ", h);
}

}  // namespace linkwork
