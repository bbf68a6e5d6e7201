// Euler's explicit step, x += h f(t, x): first order, one evaluation.
#pragma once

#include "linkwork/integrate/fixed_step.hpp"

namespace linkwork {

class Euler final : public FixedStep {
 public:
  Euler(const OdeSystem& system, const IntegratorOptions& options)
      : FixedStep(system, options, Dense::by_first_slope) {}

 private:
  Eval takeStep(double h) override;
};

}  // namespace linkwork
