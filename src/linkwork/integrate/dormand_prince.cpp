#include "linkwork/integrate/dormand_prince.hpp"

#include <cmath>

namespace linkwork {
namespace {

constexpr double kC[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double kA[7][6] = {
    {},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},  // the last stage stands at x_new: b = a_7
};
constexpr double kE[7] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
constexpr double kD[7] = {-12715105075. / 11282082432,  0,
                          87487479700. / 32700410799,   -10690763975. / 1880347072,
                          701980252875. / 199316789632, -1453857185. / 822651844,
                          69997945. / 29380423};

}  // namespace

DormandPrince::DormandPrince(const OdeSystem& system, const IntegratorOptions& options)
    : Integrator(system, options), x_stage_(x_.size()) {
  for (std::size_t s = 1; s < k_.size(); ++s) k_[s].resize(x_.size());
}

DormandPrince::Attempt DormandPrince::tryStep(double t_new, double h, double most_error) {
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
    note(t_,
         "the error stays above the tolerance however small the step: here the equations jump or have no "
         "solution, or rtol and atol are too tight",
         AskSystem::no);
  }
  return out;
}

Eval DormandPrince::takeStages(double t_new, double h) {
  for (std::size_t s = 1; s < k_.size(); ++s) {
    const bool last = s + 1 == k_.size();
    std::vector<double>& x_stage = last ? x_new_ : x_stage_;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      double sum = kA[s][0] * slope_[i];
      for (std::size_t j = 1; j < s; ++j) sum += kA[s][j] * k_[j][i];
      x_stage[i] = x_[i] + h * sum;
    }
    const double t_stage = last ? t_new : t_ + kC[s] * h;
    if (const Eval eval = evaluate(t_stage, x_stage, k_[s]); eval != Eval::ok) return eval;
  }
  if (const Eval eval = checkFinite(t_new, x_new_); eval != Eval::ok) return eval;
  return checkFinite(t_new, k_.back());
}

double DormandPrince::errorRate(std::size_t i) const {
  double sum = kE[0] * slope_[i];
  for (std::size_t j = 1; j < k_.size(); ++j) sum += kE[j] * k_[j][i];
  return sum;
}

Eval DormandPrince::accept(double t_new, double h, StepStatus& status) {
  const AfterStep after = correct(t_new);
  if (after.eval != Eval::ok) return after.eval;
  dense_.setEnds(h, x_, slope_, raw_x_new_);
  dense_.setLastSlope(h, k_.back());
  const std::span<double> quartic = dense_.quartic();
  for (std::size_t i = 0; i < x_.size(); ++i) {
    double sum = kD[0] * slope_[i];
    for (std::size_t j = 2; j < k_.size(); ++j) sum += kD[j] * k_[j][i];
    quartic[i] = h * sum;
  }
  if (after.changed) dense_.addCorrection(raw_x_new_, x_new_);
  // The last stage stands at the state before the correction: where that moved, it is no slope of the new one.
  if (!after.changed) slope_.swap(k_.back());
  status = commit(t_new, h, after.changed ? EndSlope::unknown : EndSlope::known, after);
  return Eval::ok;
}

}  // namespace linkwork
