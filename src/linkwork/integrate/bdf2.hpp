// Backward differences of order 2 for constrained motion, index 3, with a fixed step; the first is backward Euler's.
//
// With M a = f(t, q, v) + Phi_q^T lambda and Phi(t, q) = 0 at the end of each step, r = h/h_before and
// c = h (1 + r)/(1 + 2 r), which is 2 h/3 for equal steps:
//   (1)  v_1 = v_0 + r^2/(1 + 2 r) (v_0 - v_before) + c a_1
//   (2)  q_1 = retract(q_0, d),  d = r^2/(1 + 2 r) d_before + c v_1,   d_before: the motion of the step before
// In the plane (2) is q_1 = (4 q_0 - q_before)/3 + (2 h/3) v_1. Equal steps are what the method is for: r differs from
// 1 in the last one, cut to end on time, after which its own lambda is of first order. [docs/theory/05, eq. 5.18]
#pragma once

#include "linkwork/integrate/fixed_step.hpp"
#include "linkwork/integrate/index3_newton.hpp"

namespace linkwork {

class Bdf2 final : public FixedStep {
 public:
  Bdf2(const OdeSystem& system, const IntegratorOptions& options);
  bool remembers() const override { return false; }  // not the matrix of its iterations
  std::span<const double> multipliers() const override {
    return {lambda_.data(), static_cast<std::size_t>(lambda_.size())};
  }

 private:
  StepStatus start() override;
  Eval takeStep(double h) override;
  void finishStep(double h, std::span<const double> end_slope) override;
  std::string describeTrouble() const override {
    return newton_.failed() ? newton_.describeFailure() : Integrator::describeTrouble();
  }

  Index3Newton newton_;
  Index3Step step_;
  double h_before_ = 0;  // 0: the first step
  Eigen::VectorXd d_before_, v_before_;
  Eigen::VectorXd v_, a_, lambda_, a_new_, lambda_new_;
};

}  // namespace linkwork
