// The classical Runge-Kutta step with four stages: fourth order, fixed step, cubic Hermite dense output.
#pragma once

#include "linkwork/integrate/fixed_step.hpp"

namespace linkwork {

class Rk4 final : public FixedStep {
 public:
  Rk4(const OdeSystem& system, const IntegratorOptions& options);

 private:
  Eval takeStep(double h) override;

  std::vector<double> x_stage_, k2_, k3_, k4_;
};

}  // namespace linkwork
