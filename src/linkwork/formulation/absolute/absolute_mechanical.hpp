// AbsoluteMechanical: a mechanism in absolute coordinates as a MechanicalSystem, with exact derivatives of its forces.
//
//   f = Q(t, q, v), with Euler's term -w x J w in space; rows of Phi without those that repeat others
//   K = -d(Q + Phi_q^T lambda)/d(motion),  C = -dQ/dv      by Dual numbers, groups of bodies at once (body_coupling)
//   w = [work, turns], as in BasicAbsoluteSystem
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/body_coupling.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/formulation/with_dual.hpp"
#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

// G is Planar<double> or Spatial<double>; a planar mechanism may be given to either.
template <class G>
class AbsoluteMechanical final : public MechanicalSystem {
 public:
  // Rows of Phi that depend on the others are left out.
  AbsoluteMechanical(const Mechanism& mechanism, const std::vector<int>& dependent_rows);

  StateSpace space() const override;
  int rows() const override { return static_cast<int>(kept_rows_.size()); }
  std::span<const MechanicalRow> laws() const override { return {}; }
  const SparseMatrix* constantMass() const override { return &mass_; }
  bool solveMass(std::span<double> /*r*/, Workspace& /*work*/) const override { return false; }  // M is constant
  double typicalMass() const override { return mass_.diagonal().cwiseAbs().maxCoeff(); }
  std::unique_ptr<Workspace> makeWorkspace() const override;

  Eval values(double t, std::span<const double> x, const Modes& modes, Workspace& work,
              MechanicalValues& out) const override;
  Eval tangent(double t, std::span<const double> x, std::span<const double> a, std::span<const double> lambda,
               const Modes& modes, Workspace& work, MechanicalTangent& out) const override;
  void quadratureRates(std::span<const double> lambda, Workspace& work, std::span<double> wdot) const override;

  void positionRates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const override;
  void chart(std::span<const double> q, std::span<const double> v, PositionChart& out) const override;
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override;
  // In space the shortest turn: `to` and its opposite quaternion are the same pose.
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override;

  RowLevel level(int r) const override { return equations_.level(kept_rows_[static_cast<std::size_t>(r)]); }
  std::string rowName(int r) const override;
  std::string describeFailure(const Workspace& work) const override;

 private:
  using GD = typename WithDual<G>::type;
  struct Work;
  void fillPhiQ(const Work& work, SparseMatrix& out) const;
  void makePatterns();
  Eval checkFinite(double t, Work& work) const;
  enum class Seeds { motions, velocities, both };
  void seed(std::span<const double> q, const std::vector<int>& group, Seeds seeds, double size, Work& work) const;
  void gather(const std::vector<int>& group, Seeds seeds, Work& work, MechanicalTangent& out) const;

  AbsoluteEquations<G> equations_;
  AbsoluteEquations<GD> dual_;
  std::vector<int> kept_rows_;  // of AbsoluteEquations, in their order
  BodyCoupling coupling_;
  SparseMatrix mass_;
  SparseMatrix phi_q_pattern_, K_pattern_, C_pattern_;
  std::vector<int> phi_q_place_;  // where an entry of AbsoluteEquations' jacobian stands in phi_q; -1: left out
  PositionChart chart_pattern_;
};

extern template class AbsoluteMechanical<Planar<double>>;
extern template class AbsoluteMechanical<Spatial<double>>;

}  // namespace linkwork
