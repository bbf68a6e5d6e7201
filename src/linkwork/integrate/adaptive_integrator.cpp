#include "linkwork/integrate/adaptive_integrator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {
namespace {

constexpr double kStretch = 1.01;  // how much longer than wanted a step may be to save a further one at the end

}  // namespace

double AdaptiveIntegrator::limit(double h) const { return std::min({h, t_end_ - t_, longestStep()}); }

double AdaptiveIntegrator::longestStep() const {
  const double longest = limits_.from(t_);
  return options_.max_step > 0 ? std::min(longest, options_.max_step) : longest;
}

double AdaptiveIntegrator::smallestStep() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), t_end_ - t_begin_);
}

AdaptiveIntegrator::Reach AdaptiveIntegrator::reach(double wanted) const {
  const double remaining = t_end_ - t_;
  const double h = std::max(limit(wanted), smallestStep());
  if (remaining <= kStretch * h && remaining <= std::max(longestStep(), smallestStep())) return {remaining, t_end_};
  const double even = remaining < 2 * h ? 0.5 * remaining : h;
  return {even, t_ + even};
}

// A first guess moves x by a hundredth of itself; the change of the slope over it bounds the second derivative.
// E. Hairer, S. P. Norsett, G. Wanner: Solving Ordinary Differential Equations I, section II.4.
Eval AdaptiveIntegrator::chooseFirstStep(double rtol, double atol, int order, double& h) {
  if (options_.initial_step > 0) {
    h = limit(options_.initial_step);
    return Eval::ok;
  }
  const auto controlled = static_cast<std::size_t>(space_.controlled());
  const auto scale = [&](std::size_t i) { return atol + rtol * std::abs(x_[i]); };
  double size = 0;
  double slope = 0;
  for (std::size_t i = 0; i < controlled; ++i) {
    size = std::max(size, std::abs(x_[i]) / scale(i));
    slope = std::max(slope, std::abs(slope_[i]) / scale(i));
  }
  // A state below its tolerance is zero but for round-off: a hundredth of that would be no step at all.
  const double guess = limit(size < 1.0 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope);
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + guess * slope_[i];
  Eval eval = evaluate(t_ + guess, x_new_, raw_x_new_);
  if (eval == Eval::ok) eval = checkFinite(t_ + guess, raw_x_new_);
  if (eval != Eval::ok) {
    h = kRetryShrink * guess;
    return eval;
  }
  double curvature = 0;
  for (std::size_t i = 0; i < controlled; ++i) {
    curvature = std::max(curvature, std::abs(raw_x_new_[i] - slope_[i]) / scale(i) / guess);
  }
  const double rate = std::max(slope, curvature);
  const double by_error = rate <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / rate, 1. / order);
  h = limit(std::min(100 * guess, by_error));
  return Eval::ok;
}

void AdaptiveIntegrator::noteErrorTooLarge() {
  note(t_,
       "the error stays above the tolerance however small the step: here the equations jump or have no solution, or "
       "rtol and atol are too tight",
       AskSystem::no);
}

}  // namespace linkwork
