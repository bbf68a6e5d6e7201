// EmbeddedPair: explicit Runge-Kutta steps with an error estimate from the same stages, for any tableau.
//
//   k_s   = f(t + c_s h, x + h sum_j a_sj k_j),   x_new = x + h sum_j b_j k_j
//   error = h sum_j e_j k_j
// Stage 0 is the slope at the start, the last stage stands at x_new (a_last = b) and is the next step's first. Further
// stages, taken only in accepted steps, serve the dense output alone.
#pragma once

#include <span>
#include <vector>

#include "linkwork/integrate/adaptive_integrator.hpp"

namespace linkwork {

struct Tableau {
  // Whether the error estimate needs the slope at x_new: then it is taken before the system corrects x_new, else after,
  // so that a correction costs no further evaluation.
  enum class EndSlopeTaken { before_correction, after_correction };

  int order = 0;                               // of x_new
  std::span<const double> c;                   // of all stages, those for the dense output last
  std::span<const std::span<const double>> a;  // row s holds the s (or fewer) coefficients of stage s; row 0 is empty
  int stages = 0;                              // up to the one at x_new; the one before it must stand at t_new too
  EndSlopeTaken end_slope = EndSlopeTaken::before_correction;
  std::span<const std::span<const double>> error;  // one estimate, or two: see errorNorm of PiStepping
  std::span<const std::span<const double>> dense;  // of the terms of the dense output above the cubic ones
};

class EmbeddedPair : public AdaptiveIntegrator {
 protected:
  // The tableau must outlive the integrator.
  EmbeddedPair(const OdeSystem& system, const IntegratorOptions& options, const Tableau& tableau);

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
  double errorRate(std::size_t i, std::size_t estimate = 0) const { return combine(tableau_.error[estimate], i); }
  std::size_t controlled() const { return static_cast<std::size_t>(space_.controlled()); }

  const Tableau& tableau_;

 private:
  Eval takeStage(std::size_t s, double t_stage, double h);
  // All stages of a step from t_ to t_new, and x_new_. retry also where a number is not finite.
  Eval takeStages(double t_new, double h);
  // Lets the system correct x_new_ and, if it agrees, makes (t_new, x_new_) the state. Otherwise changes nothing.
  Eval accept(double t_new, double h, StepStatus& status);
  void setDense(double h, const AfterStep& after);
  // Whether something much faster than the motion keeps the step short: stiffness. The last two stages, both at t_new,
  // tell how fast the equations answer a small change, |f(x_new) - f(x_stage)| / |x_new - x_stage|, and the first and
  // the last slope how fast the motion changes. (The first is the test of E. Hairer, G. Wanner: Solving Ordinary
  // Differential Equations II, section IV.2, which asks for stability alone; accuracy can be lost to a stiff force long
  // before.)
  bool isStiff(double h) const;
  double combine(std::span<const double> row, std::size_t i) const;
  std::size_t end() const { return static_cast<std::size_t>(tableau_.stages) - 1; }

  std::vector<std::vector<double>> k_;  // k_[0] stays empty: the first stage is slope_
  std::vector<double> x_stage_;
};

}  // namespace linkwork
