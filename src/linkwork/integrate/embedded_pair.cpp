#include "linkwork/integrate/embedded_pair.hpp"

#include <cmath>

namespace linkwork {
namespace {

// A step over which the equations could answer so far is one that a fast part limits, where the motion is so much
// slower. On mechanisms that are not stiff the two rates are alike (the shipped ones: 0.3 to 5 times each other).
constexpr double kLeastAnswer = 0.3;
constexpr double kMuchFaster = 30;
constexpr double kLeastChange = 1e-3;  // of the tolerance: below, differences of stages are round-off

}  // namespace

EmbeddedPair::EmbeddedPair(const OdeSystem& system, const IntegratorOptions& options, const Tableau& tableau)
    : AdaptiveIntegrator(system, options), tableau_(tableau), k_(tableau.a.size()), x_stage_(x_.size()) {
  for (std::size_t s = 1; s < k_.size(); ++s) k_[s].resize(x_.size());
  dense_.resize(x_.size(), tableau.dense.size());
}

EmbeddedPair::Attempt EmbeddedPair::tryStep(double t_new, double h, double most_error) {
  Attempt out;
  out.eval = takeStages(t_new, h);
  if (out.eval != Eval::ok) return out;
  out.error = errorNorm(h);
  if (std::isnan(out.error)) {
    note(t_, "the equations give a value that is not a finite number", AskSystem::no);
    out.eval = Eval::retry;
  } else if (out.error <= most_error) {
    out.eval = accept(t_new, h, out.status);
    out.taken = out.eval == Eval::ok;
  } else {
    noteErrorTooLarge();
  }
  return out;
}

double EmbeddedPair::combine(std::span<const double> row, std::size_t i) const {
  double sum = row[0] * slope_[i];
  for (std::size_t j = 1; j < row.size(); ++j) {
    if (row[j] != 0) sum += row[j] * k_[j][i];
  }
  return sum;
}

Eval EmbeddedPair::takeStage(std::size_t s, double t_stage, double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) x_stage_[i] = x_[i] + h * combine(tableau_.a[s], i);
  return evaluate(t_stage, x_stage_, k_[s]);
}

Eval EmbeddedPair::takeStages(double t_new, double h) {
  for (std::size_t s = 1; s < end(); ++s) {
    if (const Eval eval = takeStage(s, t_ + tableau_.c[s] * h, h); eval != Eval::ok) return eval;
  }
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + h * combine(tableau_.a[end()], i);
  if (const Eval eval = checkFinite(t_new, x_new_); eval != Eval::ok) return eval;
  if (tableau_.end_slope == Tableau::EndSlopeTaken::after_correction) return Eval::ok;
  if (const Eval eval = evaluate(t_new, x_new_, k_[end()]); eval != Eval::ok) return eval;
  return checkFinite(t_new, k_[end()]);
}

Eval EmbeddedPair::accept(double t_new, double h, StepStatus& status) {
  const AfterStep after = correct(t_new);
  if (after.eval != Eval::ok) return after.eval;
  const bool taken_after = tableau_.end_slope == Tableau::EndSlopeTaken::after_correction;
  if (taken_after) {
    Eval eval = evaluate(t_new, x_new_, k_[end()]);
    if (eval == Eval::ok) eval = checkFinite(t_new, k_[end()]);
    if (eval != Eval::ok) return eval;
  }
  const bool stiff = isStiff(h);
  for (std::size_t s = end() + 1; s < k_.size(); ++s) {
    Eval eval = takeStage(s, t_ + tableau_.c[s] * h, h);
    if (eval == Eval::ok) eval = checkFinite(t_new, k_[s]);
    if (eval != Eval::ok) return eval;
  }
  setDense(h, after);
  // A last stage at the state before the correction is no slope of the new one where that moved.
  const bool slope_known = taken_after || !after.changed;
  if (slope_known) slope_.swap(k_[end()]);
  if (stiff) countStiffStep();
  status = commit(t_new, h, slope_known ? EndSlope::known : EndSlope::unknown, after);
  return Eval::ok;
}

bool EmbeddedPair::isStiff(double h) const {
  const std::vector<double>& last = k_[end()];
  const std::vector<double>& before = k_[end() - 1];
  double answer = 0;
  double change = 0;
  double motion = 0;
  double slope = 0;
  for (std::size_t i = 0; i < controlled(); ++i) {
    const double weight = 1 / (options_.atol + options_.rtol * std::abs(x_new_[i]));
    const auto square = [weight](double value) { return (weight * value) * (weight * value); };
    answer += square(last[i] - before[i]);
    change += square(x_new_[i] - x_stage_[i]);
    motion += square(last[i] - slope_[i]);
    slope += square(last[i]);
  }
  if (!(change > kLeastChange * kLeastChange)) return false;
  const double answered = h * std::sqrt(answer / change);
  return answered > kLeastAnswer && answered * std::sqrt(slope) > kMuchFaster * std::sqrt(motion);
}

void EmbeddedPair::setDense(double h, const AfterStep& after) {
  dense_.setEnds(h, x_, slope_, raw_x_new_);
  dense_.setLastSlope(h, k_[end()]);
  for (std::size_t term = 0; term < tableau_.dense.size(); ++term) {
    const std::span<double> out = dense_.higher(term);
    for (std::size_t i = 0; i < x_.size(); ++i) out[i] = h * combine(tableau_.dense[term], i);
  }
  if (after.changed) dense_.addCorrection(raw_x_new_, x_new_);
}

}  // namespace linkwork
