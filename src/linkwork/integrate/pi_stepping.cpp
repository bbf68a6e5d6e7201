#include "linkwork/integrate/pi_stepping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {
namespace {

constexpr double kSafety = 0.9;
constexpr double kRetryShrink = 0.25;  // the system asked for a smaller step without saying how small
constexpr double kLeastError = 1e-4;
constexpr double kStretch = 1.01;  // how much longer than wanted a step may be to save a further one at the end

}  // namespace

StepStatus PiStepping::start() {
  error_before_ = kLeastError;
  if (options_.initial_step > 0) {
    h_ = limit(options_.initial_step);
  } else if (chooseStep() == Eval::failed) {
    return fail(StepStatus::failed);
  }
  return StepStatus::ok;
}

StepStatus PiStepping::restart() {
  error_before_ = kLeastError;
  return StepStatus::ok;
}

double PiStepping::limit(double h) const {
  const double limited = std::min(h, t_end_ - t_);
  return options_.max_step > 0 ? std::min(limited, options_.max_step) : limited;
}

double PiStepping::smallestStep() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), t_end_ - t_begin_);
}

// A first guess moves x by a hundredth of itself; the change of the slope over it bounds the second derivative.
Eval PiStepping::chooseStep() {
  double size = 0;
  double slope = 0;
  const auto scale = [this](std::size_t i) { return options_.atol + options_.rtol * std::abs(x_[i]); };
  for (std::size_t i = 0; i < controlled(); ++i) {
    size = std::max(size, std::abs(x_[i]) / scale(i));
    slope = std::max(slope, std::abs(slope_[i]) / scale(i));
  }
  const double guess = limit(size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope);
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + guess * slope_[i];
  Eval eval = evaluate(t_ + guess, x_new_, raw_x_new_);
  if (eval == Eval::ok) eval = checkFinite(t_ + guess, raw_x_new_);
  if (eval != Eval::ok) {
    h_ = kRetryShrink * guess;
    return eval;
  }
  double curvature = 0;
  for (std::size_t i = 0; i < controlled(); ++i) {
    curvature = std::max(curvature, std::abs(raw_x_new_[i] - slope_[i]) / scale(i) / guess);
  }
  const double rate = std::max(slope, curvature);
  const double by_error = rate <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / rate, 1. / tableau_.order);
  h_ = limit(std::min(100 * guess, by_error));
  return Eval::ok;
}

double PiStepping::scaledError(double h, std::size_t estimate) const {
  double norm = 0;
  for (std::size_t i = 0; i < controlled(); ++i) {
    const double scale = options_.atol + options_.rtol * std::max(std::abs(x_[i]), std::abs(x_new_[i]));
    const double error = std::abs(h * errorRate(i, estimate)) / scale;
    if (std::isnan(error)) return error;
    norm = std::max(norm, error);
  }
  return norm;
}

double PiStepping::errorNorm(double h) const {
  const double error = scaledError(h, 0);
  if (tableau_.error.size() < 2 || error == 0) return error;
  return error / std::hypot(1, 0.1 * scaledError(h, 1) / error);
}

StepStatus PiStepping::advance() {
  bool rejected = false;
  for (;;) {
    const double remaining = t_end_ - t_;
    double h = std::max(limit(h_), smallestStep());
    const bool last = remaining <= kStretch * h && !(options_.max_step > 0 && remaining > options_.max_step);
    if (last) {
      h = remaining;
    } else if (remaining < 2 * h) {
      h = 0.5 * remaining;  // two equal steps rather than a long one and a stub
    }
    const double t_new = last ? t_end_ : t_ + h;

    const Attempt attempt = tryStep(t_new, h, 1);
    if (attempt.taken) {
      const double factor =
          kSafety * std::pow(attempt.error, -constants_.alpha) * std::pow(error_before_, constants_.beta);
      h_ = h * std::clamp(factor, constants_.most_shrink, rejected ? 1. : constants_.most_growth);
      error_before_ = std::max(attempt.error, kLeastError);
      return attempt.status;
    }
    if (attempt.eval == Eval::failed) return fail(StepStatus::failed);
    countRejection();
    rejected = true;
    h_ = h * (attempt.eval == Eval::retry
                  ? kRetryShrink
                  : std::clamp(kSafety * std::pow(attempt.error, -constants_.alpha), constants_.most_shrink, 1.));
    if (h_ < smallestStep()) return failUnderflow(smallestStep());
  }
}

}  // namespace linkwork
