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

  struct Attempt {
    bool taken = false;  // then (t_new, x_new_) is the state and status what advance() answers; else nothing changed
    StepStatus status = StepStatus::ok;
    Eval eval = Eval::ok;  // ok but not taken: the error is too large
    double error = 0;
  };
  // Tries a step from t_ to t_new and takes it if its errorNorm is at most `most_error` and the system agrees.
  Attempt tryStep(double t_new, double h, double most_error);

  // The controller's measure of the error of the stages just taken, in which NaN must survive.
  virtual double errorNorm(double h) const = 0;
  // sum_j e_j k_j of one entry: the error estimate over h.
  double errorRate(std::size_t i) const;
  std::size_t controlled() const { return static_cast<std::size_t>(space_.controlled()); }

 private:
  // All stages of a step from t_ to t_new, and x_new_. retry also where a number is not finite.
  Eval takeStages(double t_new, double h);
  // Lets the system correct x_new_ and, if it agrees, makes (t_new, x_new_) the state. Otherwise changes nothing.
  Eval accept(double t_new, double h, StepStatus& status);

  static constexpr int kStages = 7;
  std::array<std::vector<double>, kStages> k_;  // k_[0] stays empty: the first stage is slope_
  std::vector<double> x_stage_;
};

}  // namespace linkwork
