#include "linkwork/integrate/ode45.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace linkwork {
namespace {

constexpr double kPower = 1. / 5;

// Distance from |t| to the next larger double.
double spacing(double t) {
  const double magnitude = std::abs(t);
  return std::nextafter(magnitude, std::numeric_limits<double>::infinity()) - magnitude;
}

}  // namespace

double Ode45::leastStep() const { return 16 * spacing(t_); }

StepStatus Ode45::start() {
  const double span = t_end_ - t_begin_;
  h_max_ = options_.max_step > 0 ? std::min(span, options_.max_step) : 0.1 * span;
  if (options_.initial_step > 0) {
    h_ = options_.initial_step;
  } else {
    double rate = 0;
    for (std::size_t i = 0; i < controlled(); ++i) {
      rate = std::max(rate, std::abs(slope_[i] / std::max(std::abs(x_[i]), floorOf())));
    }
    rate /= 0.8 * std::pow(options_.rtol, kPower);
    h_ = h_max_ * rate > 1 ? 1 / rate : h_max_;
  }
  return StepStatus::ok;
}

double Ode45::errorNorm(double h) const {
  double norm = 0;
  for (std::size_t i = 0; i < controlled(); ++i) {
    const double scale = std::max({std::abs(x_[i]), std::abs(x_new_[i]), floorOf()});
    const double error = std::abs(errorRate(i) / scale);
    if (std::isnan(error)) return error;
    norm = std::max(norm, error);
  }
  return h * norm;
}

StepStatus Ode45::advance() {
  const double h_min = leastStep();
  const double longest = std::max(limits_.from(t_), h_min);
  h_ = std::min({h_max_, longest, std::max(h_min, h_)});
  bool last = 1.1 * h_ >= t_end_ - t_ && t_end_ - t_ <= longest;
  if (last) h_ = t_end_ - t_;
  bool rejected = false;
  for (;;) {
    const double t_new = last ? t_end_ : t_ + h_;
    const Attempt attempt = tryStep(t_new, h_, options_.rtol);
    if (attempt.taken) {
      if (!rejected) h_ /= std::max(0.2, 1.25 * std::pow(attempt.error / options_.rtol, kPower));
      return attempt.status;
    }
    if (attempt.eval == Eval::failed) return fail(StepStatus::failed);
    countRejection();
    if (h_ <= h_min) return failUnderflow(h_min);
    const double error = attempt.eval == Eval::retry ? std::numeric_limits<double>::infinity() : attempt.error;
    const double factor = rejected ? 0.5 : std::max(0.1, 0.8 * std::pow(options_.rtol / error, kPower));
    h_ = std::max(h_min, factor * h_);
    rejected = true;
    last = false;
  }
}

}  // namespace linkwork
