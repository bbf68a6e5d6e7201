// RATTLE: coordinates and impulses with constraints on the coordinates; second order, symmetric, symplectic; a fixed
// step, cubic Hermite dense output.
//
// With H(t, q, p), rows Phi(t, q) = 0 and their J, r = -H_q:
//   (1)  p_h = p_0 + h/2 r(t_0, q_0, p_h) + J_0^T mu_0
//   (2)  q_1 = q_0 + h/2 (H_p(t_0, q_0, p_h) + H_p(t_1, q_1, p_h)),   mu_0 such that Phi(t_1, q_1) = 0
//   (3)  p_1 = p_h + h/2 r(t_1, q_1, p_h) + J_1^T mu_1,               mu_1 such that J_1 H_p(t_1, q_1, p_1) = -Phi_t
// The step maps the motions that the constraints allow onto each other and keeps the symplectic form there. H. C.
// Andersen, J. Comput. Phys. 52 (1983) 24-34; E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, section
// VII.1.4.                                                                                       [docs/theory/09]
//
// A ball has a unit quaternion o for coordinates. It is taken for any quaternion with the row |o| = 1, in the four
// canonical coordinates of o and their impulses P = 2 o (s, p); the impulse s of its stretching, which is zero at both
// ends of a step, has some inertia I of its own, and
//   (4)  o' = o (s/I, u)/2,    p' = r - (p x u)/2 + (s u - p s/I)/2,    s by the row |o| = 1
// where r is that of CanonicalSystem, with the momentum in the axes that turn. From q_0 to q_1 P stays, not (s, p):
//   (5)  (s, p)_1 = conj(o_1) o_0 (s, p)_0
#pragma once

#include <memory>

#include "linkwork/integrate/fixed_step.hpp"
#include "linkwork/system/canonical_system.hpp"

namespace linkwork {

class Rattle final : public FixedStep {
 public:
  Rattle(const OdeSystem& system, const IntegratorOptions& options);

 private:
  // One end of a step: the pose, p_h there (that of balls by (5)), and what follows from them.
  struct End {
    std::unique_ptr<Workspace> work;
    std::vector<double> p, u, rate;
    std::vector<double> stretch;  // of each ball: s
    double power = 0.0;
  };

  StepStatus start() override;
  Eval takeStep(double h) override;
  AfterStep settle(double t_new) override;
  Eval slopeAt(double t, std::span<const double> x, std::span<double> xdot) override;
  void finishStep(double h, std::span<const double> end_slope) override;
  bool restate() override { return false; }  // impulses are those of the motion at both ends of a step
  std::string describeTrouble() const override;
  std::vector<double> methodMemory() const override;
  void recallMethod(std::span<const double> was) override;

  Eval placeStart();
  void guess(double h);
  Eval iterate(double h, double& change, double& motion);
  Eval finishImpulses(double h);
  void closeStart(double h);
  void moveTo(double h);
  void carryImpulses();
  Eval ratesAt(double t, End& end);
  Eval troubleAt(double t, Eval eval, const End& end);

  const CanonicalSystem& canonical_;
  std::span<const CanonicalSystem::Ball> balls_;
  End first_, last_;
  bool placed_ = false;                   // first_ is at (t_, x_)
  const Workspace* failed_in_ = nullptr;  // null: the integrator's own
  double h_before_ = 0;                   // of mu_1; 0: there is none
  double work_0_ = 0, work_1_ = 0;        // of mu_0 and mu_1
  std::vector<double> mu_0_, mu_1_, rest_;
  std::vector<double> q_, p_;  // of the iteration: anew
};

}  // namespace linkwork
