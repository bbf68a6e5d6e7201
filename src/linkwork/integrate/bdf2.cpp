#include "linkwork/integrate/bdf2.hpp"

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace {

const MechanicalSystem& mechanicalOf(const OdeSystem& system) {
  expect(system.mechanical() != nullptr, "bdf2 needs a system that keeps its constraints");
  return *system.mechanical();
}

}  // namespace

Bdf2::Bdf2(const OdeSystem& system, const IntegratorOptions& options)
    : FixedStep(system, options, Dense::by_both_slopes), newton_(mechanicalOf(system), modes_) {}

StepStatus Bdf2::start() {
  if (const StepStatus status = FixedStep::start(); status != StepStatus::ok) return status;
  h_before_ = 0;
  a_ = Eigen::Map<const Eigen::VectorXd>(slope_.data() + space_.velocityOffset(), space_.velocities());
  if (newton_.multipliersAt(t_, x_, a_, lambda_) != Eval::ok) {
    note(t_, "", AskSystem::yes);
    return fail(StepStatus::failed);
  }
  return StepStatus::ok;
}

Eval Bdf2::takeStep(double h) {
  v_ = Eigen::Map<const Eigen::VectorXd>(x_.data() + space_.velocityOffset(), space_.velocities());
  double c = h;
  step_.v_base = v_;
  step_.d_base.setZero(v_.size());
  if (h_before_ > 0) {
    const double r = h / h_before_;
    const double share = r * r / (1 + 2 * r);
    c = h * (1 + r) / (1 + 2 * r);
    step_.v_base += share * (v_ - v_before_);
    step_.d_base = share * d_before_;
  }
  step_.d_base += c * step_.v_base;
  step_.cv = c;
  step_.cd = c * c;
  step_.t = timeAsked(t_ + h);
  step_.q_start = std::span<const double>(x_).first(static_cast<std::size_t>(space_.positions()));
  a_new_ = a_;
  lambda_new_ = lambda_;
  for (std::size_t i = static_cast<std::size_t>(space_.quadratureOffset()); i < x_.size(); ++i)
    x_new_[i] = x_[i] + h * slope_[i];
  const Eval eval = newton_.solve(step_, x_new_, a_new_, lambda_new_);
  countEvaluation(newton_.takeEvaluations());
  if (eval == Eval::ok) return eval;
  const double reached = newton_.seekDeadPoint(t_, x_, step_.t);
  note(reached, "", AskSystem::yes);
  return reached < step_.t ? Eval::failed : eval;  // no smaller step gets there either
}

void Bdf2::finishStep(double h, std::span<const double> end_slope) {
  finishQuadratures(h, end_slope);
  h_before_ = h;
  d_before_ = step_.d_base + step_.cd * a_new_;
  v_before_ = v_;
  a_.swap(a_new_);
  lambda_.swap(lambda_new_);
}

}  // namespace linkwork
