#include "linkwork/integrate/sundials/ode_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/system/state_jacobian.hpp"

namespace linkwork::sundials {

OdeNewton::OdeNewton(const OdeSystem& system, const IntegratorOptions& options)
    : SundialsIntegrator(system, options, static_cast<std::size_t>(system.space().size())),
      newton_(context_, system.space().size()),
      solve_(makeShiftedSolve(system)) {
  if (solve_ != nullptr) return;
  jacobian_.setZero(system.space().size(), system.space().size());
  newton_.dense().resize(system.space().size(), system.space().size());
  y_moved_.resize(x_.size());
  slope_here_.resize(x_.size());
  slope_moved_.resize(x_.size());
}

Eval OdeNewton::differences(double t, std::span<const double> y) {
  static const double kRoot = std::sqrt(std::numeric_limits<double>::epsilon());
  const auto slopeAt = [&](std::span<const double> at, std::span<double> slope) {
    const Eval eval = evaluate(t, at, slope);
    return eval == Eval::ok ? checkFinite(t, slope) : eval;
  };
  if (const Eval eval = slopeAt(y, slope_here_); eval != Eval::ok) return eval;
  std::copy(y.begin(), y.end(), y_moved_.begin());
  for (std::size_t j = 0; j < static_cast<std::size_t>(space_.controlled()); ++j) {
    double move = kRoot * std::max(std::abs(y[j]), options_.atol / options_.rtol);
    y_moved_[j] = y[j] + move;
    Eval eval = slopeAt(y_moved_, slope_moved_);
    if (eval == Eval::retry) {  // perhaps a wall on this side
      move = -move;
      y_moved_[j] = y[j] + move;
      eval = slopeAt(y_moved_, slope_moved_);
    }
    if (eval != Eval::ok) return eval;
    const double by = y_moved_[j] - y[j];
    for (std::size_t i = 0; i < x_.size(); ++i)
      jacobian_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = (slope_moved_[i] - slope_here_[i]) / by;
    y_moved_[j] = y[j];
  }
  return Eval::ok;
}

int OdeNewton::lineariseSolve(double t, std::span<const double> y) {
  countEvaluation();
  const Eval eval = solve_->linearise(t, y, modes_);
  if (eval == Eval::ok) return 0;
  note(t, "", AskSystem::yes);
  ask_solve_ = true;
  return answer(eval);
}

std::string OdeNewton::describeTrouble() const {
  return ask_solve_ ? solve_->describeFailure() : SundialsIntegrator::describeTrouble();
}

int OdeNewton::fillNewton(double t, N_Vector y, bool old_will_do, booleantype& is_new, double gamma) {
  is_new = old_will_do ? SUNFALSE : SUNTRUE;
  ask_solve_ = false;
  if (solve_ != nullptr) {
    newton_.setSolve(*solve_, {.h = gamma, .real = 1 / gamma}, gamma);
    return old_will_do ? 0 : lineariseSolve(t, values(y));
  }
  if (!old_will_do) {
    if (const Eval eval = differences(t, values(y)); eval != Eval::ok) return answer(eval);
  }
  newton_.dense() = -gamma * jacobian_;
  newton_.dense().diagonal().array() += 1;
  return 0;
}

}  // namespace linkwork::sundials
