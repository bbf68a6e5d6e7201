// MechanicalSystem: constrained mechanical equations with their structure kept, for methods that live on it.
//
//   (1)  q' = T(q) v                             q on a manifold (a unit quaternion has 4 numbers, moves in 3)
//   (2)  M v' = f(t, q, v) + W lambda            M constant; W = Phi_q^T, which acts on motions, as long as v. Where
//   the
//                                                mass matrix depends on q, (2) is divided by it: then M = m 1 with some
//                                                m, and W = m (mass matrix)^-1 Phi_q^T
//   (3)  0 = Phi(t, q)                           of the rows that have a Phi
//   (4)  0 = Phi_q v + Phi_t                     of all rows; of those of velocities alone Phi_q and -Phi_t are the
//                                                two sides themselves (base/row_level.hpp)
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

struct MechanicalValues {
  Eigen::VectorXd force;         // f
  Eigen::VectorXd phi;           // Phi; zero for rows of velocities alone
  Eigen::VectorXd phi_velocity;  // Phi_q v + Phi_t
  SparseMatrix phi_q;            // rows x velocities; the pattern never changes
  SparseMatrix reactions;        // W, where it is not Phi_q^T; else without entries
  // 1 for each row with (3'), whose Phi, Phi_q and W are zero, in their patterns. Empty where all rows always act: a
  // system says one or the other for good.
  std::vector<std::uint8_t> idle;

  // sum += W lambda
  template <class Lambda, class Sum>
  void addReactions(const Lambda& lambda, Sum&& sum) const {
    if (reactions.nonZeros() > 0) {
      sum.noalias() += reactions * lambda;
    } else {
      sum.noalias() += phi_q.transpose() * lambda;
    }
  }
  SparseMatrix reactionMatrix() const { return reactions.nonZeros() > 0 ? reactions : SparseMatrix(phi_q.transpose()); }
};

// Derivatives at one state. Columns "by motion" are per small motion d of retract(q, d). Patterns never change.
struct MechanicalTangent {
  SparseMatrix K;  // -d(f + W lambda)/d(motion)
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
  virtual const SparseMatrix& mass() const = 0;
  virtual std::unique_ptr<Workspace> makeWorkspace() const = 0;

  virtual Eval values(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                      MechanicalValues& out) const = 0;
  virtual Eval tangent(double t, std::span<const double> x, std::span<const double> lambda, const Modes& modes,
                       Workspace& work, MechanicalTangent& out) const = 0;
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

}  // namespace linkwork
