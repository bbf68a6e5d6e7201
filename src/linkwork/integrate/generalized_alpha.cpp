#include "linkwork/integrate/generalized_alpha.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace {

constexpr double kSafety = 0.9;
constexpr double kMostGrowth = 2;
constexpr double kFirstGrowth = 10;   // the first step is a guess
constexpr double kLeastGrowth = 1.2;  // below it the step stays, and with it the matrix
constexpr double kMostShrink = 0.2;
constexpr double kSameStep = 1e-12;  // steps that differ by less are equal

}  // namespace

GeneralizedAlphaCoefficients generalizedAlphaCoefficients(double rho) {
  GeneralizedAlphaCoefficients c{};
  c.alpha_m = (2 * rho - 1) / (rho + 1);
  c.alpha_f = rho / (rho + 1);
  c.shift = c.alpha_m - c.alpha_f;
  c.gamma = 0.5 - c.shift;
  c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
  return c;
}

GeneralizedAlphaScheme::GeneralizedAlphaScheme(const MechanicalSystem& system, const Modes& modes, double rho)
    : space_(system.space()), c_(generalizedAlphaCoefficients(rho)), newton_(system, modes) {}

Eval GeneralizedAlphaScheme::start(double t, std::span<const double> x, std::span<const double> slope) {
  a_ = Eigen::Map<const Eigen::VectorXd>(slope.data() + space_.velocityOffset(), space_.velocities());
  A_ = a_before_ = a_;
  h_before_ = 0;
  wants_trial_ = true;
  if (const Eval eval = newton_.multipliersAt(t, x, a_, lambda_); eval != Eval::ok) return eval;
  if (const Eval eval = newton_.velocityDefect(t, x, defect_); eval != Eval::ok) return eval;
  defect_known_ = true;
  return Eval::ok;
}

// The trial step began with A = a_0, wrong by -D h a', and with the defect r_0 of x_0. From its defect r_1 at the end
// follows the one to begin with; d = D h^2 Phi_q a'.  [docs/theory/05, eq. 5.11]
//   wanted = r_0 + (beta/gamma) (r_1 - r_0 + (1 - gamma) d) - (1/2 - beta) d
Eval GeneralizedAlphaScheme::learn(std::span<const double> trial_x, std::span<const double> trial_slope) {
  if (const Eval eval = newton_.velocityDefect(step_.t, trial_x, wanted_defect_); eval != Eval::ok) return eval;
  const Eigen::Map<const Eigen::VectorXd> a_end(trial_slope.data() + space_.velocityOffset(), space_.velocities());
  A_ = a_ + c_.shift * (a_end - a_);
  newton_.rowsTimes(h_ * (A_ - a_), shift_);
  wanted_defect_ =
      defect_ + c_.beta / c_.gamma * (wanted_defect_ - defect_ + (1 - c_.gamma) * shift_) - (0.5 - c_.beta) * shift_;
  h_before_ = h_;
  wants_trial_ = false;
  return Eval::ok;
}

// (5)
Eval GeneralizedAlphaScheme::fitToStep(double t, std::span<const double> x, double h) {
  v_start_ = Eigen::Map<const Eigen::VectorXd>(x.data() + space_.velocityOffset(), space_.velocities());
  A_start_ = A_;
  if (h_before_ == 0) return Eval::ok;
  const double ratio = h / h_before_;
  const bool same = std::abs(ratio - 1) < kSameStep;
  if (!same) A_start_ = a_ + ratio * (A_ - a_);
  if (!defect_known_ && same) return Eval::ok;
  if (!defect_known_) {
    if (const Eval eval = newton_.velocityDefect(t, x, defect_); eval != Eval::ok) return eval;
    wanted_defect_ = defect_;
    defect_known_ = true;
  }
  if (const Eval eval = newton_.normalMotion(t, x, ratio * ratio * wanted_defect_ - defect_, shift_); eval != Eval::ok)
    return eval;
  v_start_ += shift_;
  return Eval::ok;
}

Eval GeneralizedAlphaScheme::attempt(double t, std::span<const double> x, std::span<const double> slope, double t_new,
                                     double h, std::span<double> x_new) {
  if (const Eval eval = fitToStep(t, x, h); eval != Eval::ok) return eval;
  h_ = h;
  step_.t = t_new;
  step_.q_start = x.first(static_cast<std::size_t>(space_.positions()));
  // (3): A_1 = A_known + share a_1
  const double share = (1 - c_.alpha_f) / (1 - c_.alpha_m);
  A_new_ = (c_.alpha_f * a_ - c_.alpha_m * A_start_) / (1 - c_.alpha_m);
  step_.cv = h * c_.gamma * share;
  step_.cd = h * h * c_.beta * share;
  step_.v_base = v_start_ + h * ((1 - c_.gamma) * A_start_ + c_.gamma * A_new_);
  step_.d_base = h * v_start_ + h * h * ((0.5 - c_.beta) * A_start_ + c_.beta * A_new_);
  a_new_ = a_;
  if (h_before_ > 0) a_new_ += h / h_before_ * (a_ - a_before_);
  lambda_new_ = lambda_;
  for (std::size_t i = static_cast<std::size_t>(space_.quadratureOffset()); i < x.size(); ++i)
    x_new[i] = x[i] + h * slope[i];
  const Eval eval = newton_.solve(step_, x_new, a_new_, lambda_new_);
  A_new_ += share * a_new_;
  return eval;
}

void GeneralizedAlphaScheme::accept() {
  a_before_.swap(a_);
  a_.swap(a_new_);
  A_.swap(A_new_);
  lambda_.swap(lambda_new_);
  h_before_ = h_;
  defect_known_ = false;
}

namespace {

const MechanicalSystem& mechanicalOf(const OdeSystem& system) {
  expect(system.mechanical() != nullptr, "generalized_alpha needs a system that keeps its constraints");
  return *system.mechanical();
}

}  // namespace

GeneralizedAlphaFixed::GeneralizedAlphaFixed(const OdeSystem& system, const IntegratorOptions& options)
    : FixedStep(system, options, Dense::by_both_slopes),
      scheme_(mechanicalOf(system), modes_, options.rho),
      trial_slope_(x_.size()) {}

StepStatus GeneralizedAlphaFixed::start() {
  if (const StepStatus status = FixedStep::start(); status != StepStatus::ok) return status;
  if (scheme_.start(t_, x_, slope_) != Eval::ok) {
    note(t_, "", AskSystem::yes);
    return fail(StepStatus::failed);
  }
  return StepStatus::ok;
}

Eval GeneralizedAlphaFixed::takeStep(double h) {
  const double t_new = t_ + h;
  while (true) {
    Eval eval = scheme_.attempt(t_, x_, slope_, timeAsked(t_new), h, x_new_);
    countEvaluation(scheme_.newton().takeEvaluations());
    if (eval != Eval::ok) {
      const double reached = scheme_.newton().seekDeadPoint(t_, x_, t_new);
      note(reached, "", AskSystem::yes);
      return reached < t_new ? Eval::failed : eval;  // no smaller step gets there either
    }
    if (!scheme_.wantsTrial()) return Eval::ok;
    if (eval = evaluate(t_new, x_new_, trial_slope_); eval != Eval::ok) return eval;
    if (eval = scheme_.learn(x_new_, trial_slope_); eval != Eval::ok) {
      note(t_new, "", AskSystem::yes);
      return eval;
    }
  }
}

void GeneralizedAlphaFixed::finishStep(double h, std::span<const double> end_slope) {
  finishQuadratures(h, end_slope);
  scheme_.accept();
}

GeneralizedAlphaAdaptive::GeneralizedAlphaAdaptive(const OdeSystem& system, const IntegratorOptions& options)
    : AdaptiveIntegrator(system, options),
      scheme_(mechanicalOf(system), modes_, options.rho),
      x_from_(x_.size()),
      slope_from_(x_.size()),
      slope_before_(x_.size()),
      end_slope_(x_.size()),
      middle_(x_.size()),
      error_(x_.size()) {}

StepStatus GeneralizedAlphaAdaptive::start() {
  h_before_ = 0;
  x_from_ = x_;
  slope_from_ = slope_;
  bool moved = false;
  Eval eval = scheme_.newton().closeVelocities(t_, x_from_, moved);
  if (eval == Eval::ok && moved) {
    if (evaluate(t_, x_from_, slope_from_) != Eval::ok || checkFinite(t_, slope_from_) != Eval::ok)
      return fail(StepStatus::failed);
  }
  if (eval == Eval::ok) eval = scheme_.start(t_, x_from_, slope_from_);
  if (eval != Eval::ok) {
    note(t_, "", AskSystem::yes);
    return fail(StepStatus::failed);
  }
  return chooseFirstStep(options_.rtol, options_.atol, 3, h_) == Eval::failed ? fail(StepStatus::failed)
                                                                              : StepStatus::ok;
}

StepStatus GeneralizedAlphaAdaptive::advance() {
  bool rejected = false;
  for (;;) {
    const auto [h, t_new] = reach(h_);
    const bool first = h_before_ == 0;
    double error = 0;
    Eval eval = tryStep(t_new, h, error);
    if (eval == Eval::ok && error <= 1) {
      const double factor = kSafety / std::cbrt(error);
      if (factor < 1) {
        h_ = h * std::max(factor, kMostShrink);
      } else if (rejected || factor < kLeastGrowth) {
        h_ = h;
      } else {
        h_ = h * std::min(factor, first ? kFirstGrowth : kMostGrowth);
      }
      return accept(t_new, h);
    }
    if (eval == Eval::failed) return fail(StepStatus::failed);
    countRejection();
    rejected = true;
    h_ = h * (eval == Eval::retry ? kRetryShrink : std::clamp(kSafety / std::cbrt(error), kMostShrink, 1.));
    if (h_ < smallestStep()) return failUnderflow(smallestStep());
  }
}

// ok: x_new_, end_slope_ and the error are there.
Eval GeneralizedAlphaAdaptive::tryStep(double t_new, double h, double& error) {
  while (true) {
    Eval eval = scheme_.attempt(t_, x_from_, slope_from_, timeAsked(t_new), h, x_new_);
    countEvaluation(scheme_.newton().takeEvaluations());
    if (eval != Eval::ok) {
      note(t_new, "", AskSystem::yes);
      return eval;
    }
    if (eval = checkFinite(t_new, x_new_); eval != Eval::ok) return eval;
    if (!scheme_.wantsTrial()) {
      after_ = correct(t_new);
      if (after_.eval != Eval::ok) return after_.eval;
    }
    eval = evaluate(t_new, x_new_, end_slope_);
    if (eval == Eval::ok) eval = checkFinite(t_new, end_slope_);
    if (eval != Eval::ok) return eval;
    if (!scheme_.wantsTrial()) return estimate(t_new, h, error);
    if (eval = scheme_.learn(x_new_, end_slope_); eval != Eval::ok) {
      note(t_new, "", AskSystem::yes);
      return eval;
    }
  }
}

// (6), less x_1, in error_.
Eval GeneralizedAlphaAdaptive::integrateSlopes(double h) {
  if (h_before_ > 0) {
    for (std::size_t i = 0; i < error_.size(); ++i) {
      const double second =
          ((end_slope_[i] - slope_from_[i]) / h - (slope_from_[i] - slope_before_[i]) / h_before_) / (h + h_before_);
      error_[i] = 0.5 * h * (slope_from_[i] + end_slope_[i]) - h * h * h / 6 * second;
    }
  } else {
    // Simpson's rule, with the slope in the middle of the cubic through both ends.
    for (std::size_t i = 0; i < error_.size(); ++i)
      middle_[i] = 0.5 * (x_from_[i] + x_new_[i]) + 0.125 * h * (slope_from_[i] - end_slope_[i]);
    Eval eval = evaluate(t_ + 0.5 * h, middle_, error_);
    if (eval == Eval::ok) eval = checkFinite(t_ + 0.5 * h, error_);
    if (eval != Eval::ok) return eval;
    for (std::size_t i = 0; i < error_.size(); ++i)
      error_[i] = h / 6 * (slope_from_[i] + 4 * error_[i] + end_slope_[i]);
  }
  for (std::size_t i = 0; i < error_.size(); ++i) error_[i] += x_from_[i] - x_new_[i];
  return Eval::ok;
}

Eval GeneralizedAlphaAdaptive::estimate(double t_new, double h, double& error) {
  if (const Eval eval = integrateSlopes(h); eval != Eval::ok) return eval;
  const auto nq = static_cast<std::size_t>(space_.positions());
  const auto nv = static_cast<std::size_t>(space_.velocities());
  const std::span<const double> x_new(x_new_);
  const Eigen::Map<const Eigen::VectorXd> position_error(error_.data(), space_.positions());
  Eigen::Map<Eigen::VectorXd> velocity_error(error_.data() + nq, space_.velocities());
  // The step began with a velocity of its own, which differs from that of x_ where the step size changed.
  velocity_error +=
      scheme_.startVelocity() - Eigen::Map<const Eigen::VectorXd>(x_from_.data() + nq, space_.velocities());

  system_.mechanical()->chart(x_new.first(nq), x_new.subspan(nq, nv), chart_);
  error_motion_ = chart_.S * position_error;
  scheme_.newton().filter(error_motion_, filtered_);
  system_.mechanical()->positionRates(x_new.first(nq), {filtered_.data(), nv}, std::span<double>(error_).first(nq));
  error_motion_ = velocity_error;
  scheme_.newton().filter(error_motion_, filtered_);
  velocity_error = filtered_;

  error = 0;
  for (std::size_t i = 0; i < nq + nv; ++i) {
    const double scale = options_.atol + options_.rtol * std::max(std::abs(x_[i]), std::abs(x_new_[i]));
    error = std::max(error, std::abs(error_[i]) / scale);
    if (std::isnan(error_[i])) {
      note(t_new, "the equations give a value that is not a finite number", AskSystem::no);
      return Eval::retry;
    }
  }
  if (error > 1) noteErrorTooLarge();
  return Eval::ok;
}

StepStatus GeneralizedAlphaAdaptive::accept(double t_new, double h) {
  finishQuadratures(h, end_slope_);
  dense_.setEnds(h, x_, slope_, raw_x_new_);
  dense_.setLastSlope(h, end_slope_);
  if (after_.changed) dense_.addCorrection(raw_x_new_, x_new_);
  scheme_.accept();
  slope_before_.swap(slope_from_);
  slope_.swap(end_slope_);
  slope_from_ = slope_;
  x_from_ = x_new_;
  h_before_ = h;
  return commit(t_new, h, EndSlope::known, after_);
}

}  // namespace linkwork
