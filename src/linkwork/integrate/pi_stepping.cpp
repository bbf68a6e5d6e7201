#include "linkwork/integrate/pi_stepping.hpp"

#include <algorithm>
#include <cmath>

namespace linkwork {
namespace {

constexpr double kSafety = 0.9;
constexpr double kLeastError = 1e-4;

}  // namespace

StepStatus PiStepping::start() {
  error_before_ = kLeastError;
  const Eval eval = chooseFirstStep(options_.rtol, options_.atol, tableau_.order, h_);
  return eval == Eval::failed ? fail(StepStatus::failed) : StepStatus::ok;
}

StepStatus PiStepping::restart() {
  error_before_ = kLeastError;
  return StepStatus::ok;
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
    const auto [h, t_new] = reach(h_);

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
