// MechanicalSystem: constrained mechanical equations with their structure kept, for methods that live on it.
//
//   (1)  q' = T(q) v                             q on a manifold (a unit quaternion has 4 numbers, moves in 3)
//   (2)  M(q) v' = f(t, q, v) + Phi_q^T lambda   Phi_q acts on motions, as long as v
//   (3)  0 = Phi(t, q)                           of the hard rows that have a Phi; of others that do
//        0 = Phi + compliance lambda + relaxation (Phi_q v + Phi_t)
//   (4)  0 = Phi_q v + Phi_t                     of all hard rows;
//                                                of those of velocities alone Phi_q and -Phi_t
//                                                are the two sides themselves (base/row_level.hpp)
//   (5)  w' = g(t, q, v, lambda)                 quadratures; f sees them only through whole turns of angles
//
//   (3') 0 = lambda_r                            instead of (3) and (4), for rows r that do not act in these modes
//
// The state is x = [q, v, w] and the modes are those of the OdeSystem it belongs to. Only rows that are independent at
// the assembled start are here: redundant ones add no condition, and what they carry is found afterwards, by the
// index-1 equations.
//
// All calls are const and may come from many threads, each with its own Workspace. Nothing throws.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/base/row_level.hpp"
#include "linkwork/linalg/sparse_lu.hpp"
#include "linkwork/system/ode_system.hpp"

namespace linkwork {

// The law (3) of a row. Without compliance it is hard: relaxation then means nothing. With it, lambda is the force of a
// spring of stiffness k = 1/compliance on Phi with a damper of relaxation * k, in a form that does not lose its digits
// as k grows.                                                                             [docs/theory/04, eq. 4.16]
struct MechanicalRow {
  double compliance = 0.0;  // 1/k
  double relaxation = 0.0;  // s
  bool hard() const { return compliance == 0.0; }
};

struct MechanicalValues {
  SparseMatrix mass;             // M(q), where it is not constant; the pattern never changes
  Eigen::VectorXd force;         // f
  Eigen::VectorXd phi;           // Phi; zero for rows of velocities alone
  Eigen::VectorXd phi_velocity;  // Phi_q v + Phi_t
  SparseMatrix phi_q;            // rows x velocities; the pattern never changes
  // 1 for each row with (3'), whose Phi and Phi_q are zero, in their patterns. Empty where all rows always act: a
  // system says one or the other for good.
  std::vector<std::uint8_t> idle;
};

// Derivatives at one state. Columns "by motion" are per small motion d of retract(q, d). Patterns never change.
struct MechanicalTangent {
  SparseMatrix K;  // d(M a - f - Phi_q^T lambda)/d(motion)
  SparseMatrix C;  // -df/dv
};

// How numbers q and motions go together at one q: T, a left inverse S (S T = 1), and d(T v)/dq. In the plane 1, 1 and
// 0.
struct PositionChart {
  SparseMatrix T;           // positions x velocities
  SparseMatrix S;           // velocities x positions
  SparseMatrix rates_by_q;  // positions x positions
};

class MechanicalSystem {
 public:
  MechanicalSystem() = default;
  MechanicalSystem(const MechanicalSystem&) = delete;
  MechanicalSystem& operator=(const MechanicalSystem&) = delete;
  virtual ~MechanicalSystem() = default;

  virtual StateSpace space() const = 0;  // of x
  virtual int rows() const = 0;          // of Phi: the independent ones
  // Of each row; empty where all are hard.
  virtual std::span<const MechanicalRow> laws() const = 0;
  // M where it is constant; null where it depends on q, and values() says it.
  virtual const SparseMatrix* constantMass() const = 0;
  // r <- M(q)^-1 r at the state of the last values(), where M depends on q; false where M is singular.
  virtual bool solveMass(std::span<double> r, Workspace& work) const = 0;
  // A mass of the size of the largest in M, whatever q is: multipliers are measured by it.
  virtual double typicalMass() const = 0;
  virtual std::unique_ptr<Workspace> makeWorkspace() const = 0;

  virtual Eval values(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                      MechanicalValues& out) const = 0;
  // With accelerations a and multipliers lambda; a matters only where M depends on q, and may be empty elsewhere.
  virtual Eval tangent(double t, std::span<const double> x, std::span<const double> a, std::span<const double> lambda,
                       const Modes& modes, Workspace& work, MechanicalTangent& out) const = 0;
  // (5), at the state of the last values().
  virtual void quadratureRates(std::span<const double> lambda, Workspace& work, std::span<double> wdot) const = 0;

  virtual void positionRates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const = 0;
  virtual void chart(std::span<const double> q, std::span<const double> v, PositionChart& out) const = 0;
  // q_new = q moved by the motion d; d and v are in the same axes, so that retract(q, h v) = q + h T(q) v + O(h^2).
  virtual void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const = 0;
  // The motion d with retract(from, d) = to.
  virtual void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const = 0;

  virtual RowLevel level(int r) const = 0;
  // The name of row r of Phi as the user knows it, for messages.
  virtual std::string rowName(int r) const = 0;
  virtual std::string describeFailure(const Workspace& work) const = 0;
};

// M at the state of the last values().
inline const SparseMatrix& massOf(const MechanicalSystem& system, const MechanicalValues& values) {
  const SparseMatrix* constant = system.constantMass();
  return constant != nullptr ? *constant : values.mass;
}

}  // namespace linkwork
