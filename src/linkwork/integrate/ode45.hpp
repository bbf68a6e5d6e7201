// Dormand-Prince 5(4) under the step control of MATLAB's ode45, for results that carry its fingerprint.
//
//   floor = atol / rtol,  h_max = (t_end - t0) / 10,  h_min = 16 eps(t)
//   first step   h = min(h_max, 1 / r),  r = max|f0 / max(|x0|, floor)| / (0.8 rtol^0.2)
//   each step    1.1 h >= t_end - t: h = t_end - t, the last one
//   err = h max|sum_j e_j k_j / max(|x|, |x_new|, floor)|,  accepted when err <= rtol
//   rejected     first h *= max(0.1, 0.8 (rtol / err)^0.2), then h /= 2
//   accepted     at once: h /= max(0.2, 1.25 (err / rtol)^0.2); after a rejection h is kept
// L. F. Shampine, M. W. Reichelt: The MATLAB ODE suite, SIAM J. Sci. Comput. 18 (1997) 1-22. A system's wish to retry
// and numbers that are not finite count as a rejection with an infinite error. After resumeAt the last step size is
// kept.
#pragma once

#include "linkwork/integrate/dormand_prince.hpp"

namespace linkwork {

class Ode45 final : public EmbeddedPair {
 public:
  Ode45(const OdeSystem& system, const IntegratorOptions& options) : EmbeddedPair(system, options, dormandPrince54()) {}

  bool remembers() const override { return true; }

 private:
  std::vector<double> methodMemory() const override { return {h_, h_max_}; }
  void recallMethod(std::span<const double> was) override {
    h_ = was[0];
    h_max_ = was[1];
  }
  StepStatus start() override;
  StepStatus restart() override { return StepStatus::ok; }
  StepStatus advance() override;

  double floorOf() const { return options_.atol / options_.rtol; }
  double leastStep() const;
  double errorNorm(double h) const override;

  double h_ = 0;
  double h_max_ = 0;
};

}  // namespace linkwork
