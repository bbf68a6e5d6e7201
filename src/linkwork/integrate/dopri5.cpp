#include "linkwork/integrate/dopri5.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {
namespace {

constexpr double kBeta = 0.04;
constexpr double kAlpha = 0.2 - 0.75 * kBeta;
constexpr double kSafety = 0.9;
constexpr double kMostGrowth = 10;
constexpr double kMostShrink = 0.2;
constexpr double kRetryShrink = 0.25;  // the system asked for a smaller step without saying how small
constexpr double kLeastError = 1e-4;
constexpr double kStretch = 1.01;  // how much longer than wanted a step may be to save a further one at the end

}  // namespace

StepStatus Dopri5::start() {
  error_before_ = kLeastError;
  if (options_.initial_step > 0) {
    h_ = limit(options_.initial_step);
  } else if (chooseStep() == Eval::failed) {
    return fail(StepStatus::failed);
  }
  return StepStatus::ok;
}

StepStatus Dopri5::restart() {
  error_before_ = kLeastError;
  return StepStatus::ok;
}

double Dopri5::limit(double h) const {
  const double limited = std::min(h, t_end_ - t_);
  return options_.max_step > 0 ? std::min(limited, options_.max_step) : limited;
}

double Dopri5::smallestStep() const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), t_end_ - t_begin_);
}

// A first guess moves x by a hundredth of itself; the change of the slope over it bounds the second derivative.
Eval Dopri5::chooseStep() {
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
  const double by_error = rate <= 1e-15 ? std::max(1e-6, guess * 1e-3) : std::pow(0.01 / rate, 1. / 5);
  h_ = limit(std::min(100 * guess, by_error));
  return Eval::ok;
}

double Dopri5::errorNorm(double h) const {
  double norm = 0;
  for (std::size_t i = 0; i < controlled(); ++i) {
    const double scale = options_.atol + options_.rtol * std::max(std::abs(x_[i]), std::abs(x_new_[i]));
    const double error = std::abs(h * errorRate(i)) / scale;
    if (std::isnan(error)) return error;
    norm = std::max(norm, error);
  }
  return norm;
}

StepStatus Dopri5::advance() {
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
      const double factor = kSafety * std::pow(attempt.error, -kAlpha) * std::pow(error_before_, kBeta);
      h_ = h * std::clamp(factor, kMostShrink, rejected ? 1. : kMostGrowth);
      error_before_ = std::max(attempt.error, kLeastError);
      return attempt.status;
    }
    if (attempt.eval == Eval::failed) return fail(StepStatus::failed);
    countRejection();
    rejected = true;
    h_ = h * (attempt.eval == Eval::retry ? kRetryShrink
                                          : std::clamp(kSafety * std::pow(attempt.error, -kAlpha), kMostShrink, 1.));
    if (h_ < smallestStep()) return failUnderflow(smallestStep());
  }
}

}  // namespace linkwork
