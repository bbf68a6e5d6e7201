// The Dormand-Prince 5(4) pair: seven stages of which the last is the next step's first, and a quartic dense output.
//
//   k_s   = f(t + c_s h, x + h sum_j a_sj k_j),   x_new = x + h sum_j b_j k_j (order 5, carried on: local
//   extrapolation) error = h sum_j e_j k_j,                      e = b - b^ (b^ of order 4)
// J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19-26; the
// dense output is that of Hairer, Norsett & Wanner, Solving ODEs I, section II.6.
#pragma once

#include <array>

#include "linkwork/integrate/integrator.hpp"

namespace linkwork {

class DormandPrince : public Integrator {
 protected:
  DormandPrince(const OdeSystem& system, const IntegratorOptions& options);

  // All stages of a step from t_ to t_new, and x_new_. retry also where a number is not finite.
  Eval takeStages(double t_new, double h);
  // sum_j e_j k_j of one entry after takeStages: the error estimate over h.
  double errorRate(std::size_t i) const;
  std::size_t controlled() const { return static_cast<std::size_t>(space_.controlled()); }

  // Lets the system correct x_new_ and, if it agrees, makes (t_new, x_new_) the state. Otherwise changes nothing.
  Eval accept(double t_new, double h, StepStatus& status);

  static constexpr int kStages = 7;

 private:
  std::array<std::vector<double>, kStages> k_;  // k_[0] stays empty: the first stage is slope_
  std::vector<double> x_stage_;
};

}  // namespace linkwork
