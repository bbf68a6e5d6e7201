#include "linkwork/integrate/rk4.hpp"

namespace linkwork {

Rk4::Rk4(const OdeSystem& system, const IntegratorOptions& options)
    : FixedStep(system, options, Dense::by_both_slopes),
      x_stage_(x_.size()),
      k2_(x_.size()),
      k3_(x_.size()),
      k4_(x_.size()) {}

Eval Rk4::takeStep(double h) {
  const std::size_t n = x_.size();
  for (std::size_t i = 0; i < n; ++i) x_stage_[i] = x_[i] + 0.5 * h * slope_[i];
  if (const Eval eval = evaluate(t_ + 0.5 * h, x_stage_, k2_); eval != Eval::ok) return eval;
  for (std::size_t i = 0; i < n; ++i) x_stage_[i] = x_[i] + 0.5 * h * k2_[i];
  if (const Eval eval = evaluate(t_ + 0.5 * h, x_stage_, k3_); eval != Eval::ok) return eval;
  for (std::size_t i = 0; i < n; ++i) x_stage_[i] = x_[i] + h * k3_[i];
  if (const Eval eval = evaluate(t_ + h, x_stage_, k4_); eval != Eval::ok) return eval;
  // x_new = x + h/6 (k1 + 2 k2 + 2 k3 + k4)
  for (std::size_t i = 0; i < n; ++i) x_new_[i] = x_[i] + h / 6 * (slope_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]);
  return Eval::ok;
}

}  // namespace linkwork
