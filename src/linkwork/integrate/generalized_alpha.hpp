// Generalized-alpha for constrained motion: second order, index 3, on the manifold of the positions.
//
// With M a = f(t, q, v) + Phi_q^T lambda and Phi(t, q) = 0 at the end of each step, and auxiliary accelerations A:
//   (1)  q_1 = retract(q_0, h v_0 + h^2 ((1/2 - beta) A_0 + beta A_1))
//   (2)  v_1 = v_0 + h ((1 - gamma) A_0 + gamma A_1)
//   (3)  (1 - alpha_m) A_1 + alpha_m A_0 = (1 - alpha_f) a_1 + alpha_f a_0
//   (4)  alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), gamma = 1/2 - D, beta = (gamma + 1/2)^2/4,
//        D = alpha_m - alpha_f; rho in [0, 1): what is left of an infinitely fast swing after a step
// A_0 stands for the acceleration at t_0 + D h, and v_0 has a defect Phi_q v_0 + Phi_t of h^2 times a smooth function:
// both belong to a step size. Where it changes (and at the start, found by a trial step) they are made to fit the new
// one, else lambda is of first order only for some steps:
//   (5)  A_0 <- a_0 + (h/h_before) (A_0 - a_0),    defect <- (h/h_before)^2 defect
// J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993) 371-375; M. Arnold, O. Bruels, Multibody Syst. Dyn. 18 (2007)
// 185-202; O. Bruels, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121-137.            [docs/theory/05]
#pragma once

#include "linkwork/integrate/adaptive_integrator.hpp"
#include "linkwork/integrate/fixed_step.hpp"
#include "linkwork/integrate/index3_newton.hpp"

namespace linkwork {

struct GeneralizedAlphaCoefficients {
  double alpha_m, alpha_f, gamma, beta, shift;  // shift: D
};
GeneralizedAlphaCoefficients generalizedAlphaCoefficients(double rho);

// One step of it from any state, and what it hands to the next one. It knows nothing of step control.
class GeneralizedAlphaScheme {
 public:
  GeneralizedAlphaScheme(const MechanicalSystem& system, const Modes& modes, double rho);

  // Begins at (t, x) with the accelerations of the index-1 equations; lambda() is then that of (t, x).
  Eval start(double t, std::span<const double> x, std::span<const double> slope);
  // True until the trial step was learned from: attempt() a step, then learn() from it, then attempt() it again.
  bool wantsTrial() const { return wants_trial_; }
  Eval learn(std::span<const double> trial_x, std::span<const double> trial_slope);

  // x_new = [q, v, w] at t_new = t + h from x, whose slope is given; w is advanced by the trapezoidal rule later.
  Eval attempt(double t, std::span<const double> x, std::span<const double> slope, double t_new, double h,
               std::span<double> x_new);
  // The last attempt becomes history.
  void accept();

  // What the last attempt took for the velocity at its start, by (5).
  const Eigen::VectorXd& startVelocity() const { return v_start_; }
  // At the last accepted point.
  std::span<const double> lambda() const { return {lambda_.data(), static_cast<std::size_t>(lambda_.size())}; }
  Index3Newton& newton() { return newton_; }
  const Index3Newton& newton() const { return newton_; }

 private:
  Eval fitToStep(double t, std::span<const double> x, double h);

  StateSpace space_;
  GeneralizedAlphaCoefficients c_;
  Index3Newton newton_;
  Index3Step step_;
  bool wants_trial_ = true;
  bool defect_known_ = false;

  // At the start of the step. A_ and the wanted defect belong to the step h_before_.
  Eigen::VectorXd A_, a_, lambda_, a_before_;
  Eigen::VectorXd defect_;         // of x
  Eigen::VectorXd wanted_defect_;  // for h_before_; after the first step that of x itself
  double h_before_ = 0;            // 0: the trial step
  // Of the attempt.
  Eigen::VectorXd A_start_, v_start_, A_new_, a_new_, lambda_new_, shift_;
  double h_ = 0;
};

// With a fixed step.
class GeneralizedAlphaFixed final : public FixedStep {
 public:
  GeneralizedAlphaFixed(const OdeSystem& system, const IntegratorOptions& options);
  bool remembers() const override { return false; }  // the scheme has a history
  std::span<const double> multipliers() const override { return scheme_.lambda(); }

 private:
  StepStatus start() override;
  Eval takeStep(double h) override;
  void finishStep(double h, std::span<const double> end_slope) override;
  std::string describeTrouble() const override {
    return scheme_.newton().failed() ? scheme_.newton().describeFailure() : Integrator::describeTrouble();
  }

  GeneralizedAlphaScheme scheme_;
  std::vector<double> trial_slope_;
};

// With steps chosen by the error: the difference of x_1 from
//   (6)  x_0 + h/2 (f_0 + f_1) - h^3/6 f[t_before, t_0, t_1]
// the integral of the parabola through three slopes of the index-1 equations, whose own error is O(h^4); in the first
// step Simpson's rule. It is sent through the step's matrix, which takes out what the constraints undo and what stiff
// forces damp. Positions and velocities count alike: greatest of estimate / (atol + rtol size), as in dopri5.
//   h <- h clamp(0.9 err^(-1/3), 0.2, 2); a step is kept where it would grow by less than a fifth
class GeneralizedAlphaAdaptive final : public AdaptiveIntegrator {
 public:
  GeneralizedAlphaAdaptive(const OdeSystem& system, const IntegratorOptions& options);
  bool remembers() const override { return false; }
  std::span<const double> multipliers() const override { return scheme_.lambda(); }

 private:
  StepStatus start() override;
  StepStatus restart() override { return start(); }
  StepStatus advance() override;
  std::string describeTrouble() const override {
    return scheme_.newton().failed() ? scheme_.newton().describeFailure() : Integrator::describeTrouble();
  }

  Eval tryStep(double t_new, double h, double& error);
  Eval estimate(double t_new, double h, double& error);
  Eval integrateSlopes(double h);
  StepStatus accept(double t_new, double h);

  GeneralizedAlphaScheme scheme_;
  double h_ = 0;         // what the controller wants next
  double h_before_ = 0;  // of slope_before_; 0: there is none
  // Where a step begins: x_ and slope_, but after a restart with velocities on their constraints. There the defect of
  // the steps before has no meaning, and its effect on the slope would pass for an error of the first step.
  std::vector<double> x_from_, slope_from_;
  std::vector<double> slope_before_, end_slope_, middle_, error_;
  Eigen::VectorXd error_motion_, filtered_;
  PositionChart chart_;
  AfterStep after_;
};

}  // namespace linkwork
