// The textbook's explicit step for mechanical systems: first order, one evaluation; its quadratic is the dense output.
//
//   a  = v'(t, q, v)            all right-hand sides from the old values
//   q += h q' + h^2 a / 2       (q' = v; the book calls this explicit Euler, which has no h^2 term)
//   v += h a
//   w += h w'
#pragma once

#include "linkwork/integrate/fixed_step.hpp"

namespace linkwork {

class ExplicitStep final : public FixedStep {
 public:
  ExplicitStep(const OdeSystem& system, const IntegratorOptions& options);

 private:
  Eval takeStep(double h) override;
};

}  // namespace linkwork
