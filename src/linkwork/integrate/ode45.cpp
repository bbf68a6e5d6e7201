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

double Ode45::smallestStep() const { return 16 * spacing(t_); }

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
  const double h_min = smallestStep();
  h_ = std::min(h_max_, std::max(h_min, h_));
  bool last = 1.1 * h_ >= t_end_ - t_;
  if (last) h_ = t_end_ - t_;
  bool rejected = false;
  for (;;) {
    const double t_new = last ? t_end_ : t_ + h_;
    Eval eval = takeStages(t_new, h_);
    double error = 0;
    if (eval == Eval::ok) {
      error = errorNorm(h_);
      if (std::isnan(error)) {
        note(t_, "the equations give a value that is not a finite number", AskSystem::no);
        eval = Eval::retry;
      }
    }
    if (eval == Eval::ok && error <= options_.rtol) {
      StepStatus status = StepStatus::ok;
      eval = accept(t_new, h_, status);
      if (eval == Eval::ok) {
        if (!rejected) h_ /= std::max(0.2, 1.25 * std::pow(error / options_.rtol, kPower));
        return status;
      }
    } else if (eval == Eval::ok) {
      note(t_,
           "the error stays above the tolerance however small the step: here the equations jump or have no "
           "solution, or rtol and atol are too tight",
           AskSystem::no);
    }
    if (eval == Eval::failed) return fail(StepStatus::failed);
    countRejection();
    if (h_ <= h_min) return failUnderflow(h_min);
    if (eval == Eval::retry) error = std::numeric_limits<double>::infinity();
    const double factor = rejected ? 0.5 : std::max(0.1, 0.8 * std::pow(options_.rtol / error, kPower));
    h_ = std::max(h_min, factor * h_);
    rejected = true;
    last = false;
  }
}

}  // namespace linkwork
