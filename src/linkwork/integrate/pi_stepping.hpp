// PiStepping: adaptive steps of an embedded pair under a proportional-integral controller.
//
//   err = max_i |h sum_j e_j k_ji| / (atol + rtol max(|x_i|, |x_new_i|)),  accepted when err <= 1
// The maximum, not the mean square: a mean dilutes the error of one fast body by all those that stand still, so that a
// model stepped more coarsely the more idle parts it had. With the maximum two copies of a mechanism step like one.
// Where a pair has two estimates, err5 and err3, of orders far apart, err = err5^2 / sqrt(err5^2 + 0.01 err3^2).
//   h <- h clamp(0.9 err^-alpha err_before^beta, shrink, growth); no growth right after a rejection
// PI control after Gustafsson, with the constants of Hairer, Norsett & Wanner, Solving ODEs I, sections II.4 and II.10.
#pragma once

#include "linkwork/integrate/embedded_pair.hpp"

namespace linkwork {

struct PiConstants {
  double alpha = 0;
  double beta = 0;
  double most_shrink = 0;
  double most_growth = 0;
};

class PiStepping : public EmbeddedPair {
 public:
  bool remembers() const override { return true; }

 protected:
  PiStepping(const OdeSystem& system, const IntegratorOptions& options, const Tableau& tableau,
             const PiConstants& constants)
      : EmbeddedPair(system, options, tableau), constants_(constants) {}

 private:
  std::vector<double> methodMemory() const override { return {h_, error_before_}; }
  void recallMethod(std::span<const double> was) override {
    h_ = was[0];
    error_before_ = was[1];
  }
  StepStatus start() override;
  StepStatus restart() override;
  StepStatus advance() override;

  double errorNorm(double h) const override;
  double scaledError(double h, std::size_t estimate) const;

  const PiConstants constants_;
  double h_ = 0;  // what the controller wants next
  double error_before_ = 1e-4;
};

}  // namespace linkwork
