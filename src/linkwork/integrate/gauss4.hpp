// Gauss's method with two stages: fourth order, symmetric, symplectic; a fixed step, cubic Hermite dense output.
//
//   (1)  k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x_1 = x + h (k_1 + k_2)/2
//        c = 1/2 -+ sqrt(3)/6,   a = [1/4, 1/4 - sqrt(3)/6; 1/4 + sqrt(3)/6, 1/4]
//
// On canonical variables x = [q, p] the step keeps the symplectic form, and so, up to terms that are smaller than any
// power of h, an energy near the true one: its error stays bounded where it grows with explicit methods.
// E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, chapters VI, VIII and IX.    [docs/theory/09]
//
// (1) is iterated to round-off, from the cubic through the slopes of the step before; x is summed with what round-off
// left of it, as their errors would add up over millions of steps.
#pragma once

#include "linkwork/integrate/fixed_step.hpp"

namespace linkwork {

class Gauss4 final : public FixedStep {
 public:
  Gauss4(const OdeSystem& system, const IntegratorOptions& options);

 private:
  StepStatus start() override;
  Eval takeStep(double h) override;
  void finishStep(double h, std::span<const double> end_slope) override;
  std::vector<double> methodMemory() const override;
  void recallMethod(std::span<const double> was) override;

  void guess(double h);
  Eval iterate(double h, double& change);
  void sum(double h);

  double h_before_ = 0;              // of the slopes below; 0: there are none
  std::vector<double> slope_first_;  // where the step before began
  std::vector<double> k1_, k2_;      // of the last step, or as far as they are known
  std::vector<double> f1_, f2_, stage_;
  std::vector<double> rest_, rest_new_;  // what x_ and x_new_ lack of their sums
};

}  // namespace linkwork
