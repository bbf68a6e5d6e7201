// Dormand-Prince 5(4) with a PI step controller: the method to take unless another is asked for.
//
//   err = max_i |h sum_j e_j k_ji| / (atol + rtol max(|x_i|, |x_new_i|)),  accepted when err <= 1
// The maximum, not the mean square: a mean dilutes the error of one fast body by all those that stand still, so that a
// model stepped more coarsely the more idle parts it had. With the maximum two copies of a mechanism step like one.
//   h <- h clamp(0.9 err^-0.17 err_before^0.04, 0.2, 10); no growth right after a rejection
// PI control after Gustafsson, with the constants of Hairer, Norsett & Wanner, Solving ODEs I, section II.4 (where also
// the choice of the starting step is from).
#pragma once

#include "linkwork/integrate/dormand_prince.hpp"

namespace linkwork {

class Dopri5 final : public DormandPrince {
 public:
  Dopri5(const OdeSystem& system, const IntegratorOptions& options) : DormandPrince(system, options) {}

  bool remembers() const override { return true; }

 private:
  std::vector<double> methodMemory() const override { return {h_, error_before_}; }
  void recallMethod(std::span<const double> was) override {
    h_ = was[0];
    error_before_ = was[1];
  }
  StepStatus start() override;
  StepStatus restart() override;
  StepStatus advance() override;

  double limit(double h) const;
  double smallestStep() const;
  double errorNorm(double h) const override;
  Eval chooseStep();

  double h_ = 0;  // what the controller wants next
  double error_before_ = 1e-4;
};

}  // namespace linkwork
