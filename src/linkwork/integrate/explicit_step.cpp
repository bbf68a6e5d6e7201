#include "linkwork/integrate/explicit_step.hpp"

#include "linkwork/base/contract.hpp"

namespace linkwork {

ExplicitStep::ExplicitStep(const OdeSystem& system, const IntegratorOptions& options)
    : FixedStep(system, options, Dense::by_first_slope) {
  expect(space_.velocities() > 0 && space_.positions() == space_.velocities(),
         "explicit_step needs a velocity for every position");
}

Eval ExplicitStep::takeStep(double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + h * slope_[i];
  const auto velocities = static_cast<std::size_t>(space_.velocityOffset());
  // q' comes from the slope, not from v: where v are not the rates of q the step stays consistent, if only of first
  // order.
  for (std::size_t i = 0; i < velocities; ++i) {
    x_new_[i] = x_[i] + h * slope_[i] + 0.5 * h * h * slope_[velocities + i];
  }
  return Eval::ok;
}

}  // namespace linkwork
