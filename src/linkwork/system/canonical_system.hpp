// CanonicalSystem: motion in coordinates and their impulses, with its constraints, in the pieces from which a method
// that keeps the structure of such motions makes its step.
//
//   (1)  q' = u,  u = dH/dp = M^-1 (p - p_0)       whatever the constraints say                 [docs/theory/09]
//        a ball: o' = o (0, u)/2 with a unit quaternion o, u in the axes that turn
//   (2)  p' = r(t, q, p) + J^T lambda              r = -dH/dq and what loads add that come from no potential
//        a ball: r = p x u - (the change of H with a turn, p kept in the axes that turn), likewise
//   (3)  0 = Phi(t, q),  0 = J u + Phi_t           J: of Phi, by turns where there are balls
//   (4)  w' = power + (what impulses J^T mu do)    quadratures; only whole turns of angles among them act back
//
// The state is x = [q, p, w] and the modes are those of the OdeSystem it belongs to. Rows that depend on others are
// left out of solves.
//
// All calls are const and may come from many threads, each with its own Workspace. Nothing throws or allocates in
// those of a step.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "linkwork/system/ode_system.hpp"

namespace linkwork {

class CanonicalSystem {
 public:
  struct Ball {
    int coordinate = 0;    // the first of four
    int freedom = 0;       // the first of three
    double inertia = 1.0;  // of the size of those that the ball's turns have
  };

  CanonicalSystem() = default;
  CanonicalSystem(const CanonicalSystem&) = delete;
  CanonicalSystem& operator=(const CanonicalSystem&) = delete;
  virtual ~CanonicalSystem() = default;

  virtual StateSpace space() const = 0;  // of x
  virtual int rows() const = 0;          // of Phi
  virtual std::span<const Ball> balls() const = 0;
  // What of (1) to (4) does not hold, and what to take instead, as the end of a sentence; empty: all holds.
  virtual std::string obstacle() const = 0;
  virtual std::unique_ptr<Workspace> makeWorkspace() const = 0;

  // A pose, and M there. Everything below needs it, in the same workspace.
  virtual Eval place(double t, std::span<const double> x, const Modes& modes, Workspace& work) const = 0;
  virtual std::span<const double> phi(const Workspace& work) const = 0;
  // J M^-1 J^T, for solveRows. Closed: a pose where Phi does not vanish is answered with retry.
  enum class Pose { any, closed };
  virtual Eval factorRows(double t, Pose pose, Workspace& work) const = 0;

  // (1)
  virtual void velocities(std::span<const double> p, Workspace& work, std::span<double> u) const = 0;
  // (2) and (4) without impulses, at the p of velocities.
  virtual Eval rates(double t, Workspace& work, std::span<double> r, double& power) const = 0;
  // J u + Phi_t, at the p of velocities.
  virtual void velocityMiss(Workspace& work, std::span<double> miss) const = 0;

  // rest <- (J M^-1 J^T)^-1 rest
  virtual void solveRows(std::span<double> rest, const Workspace& work) const = 0;
  // p <- p + J^T mu; answers the work that it does, as (4) counts it. After velocities at the pose, of any p.
  virtual double push(std::span<const double> mu, Workspace& work, std::span<double> p) const = 0;

  // x' with (2) as it stands, lambda from the accelerations.
  virtual Evaluation slope(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                           std::span<double> xdot) const = 0;
  // Whole turns of angles at the pose, into x.
  virtual void followTurns(Workspace& work, std::span<double> x) const = 0;

  virtual std::string describeFailure(const Workspace& work) const = 0;
};

}  // namespace linkwork
