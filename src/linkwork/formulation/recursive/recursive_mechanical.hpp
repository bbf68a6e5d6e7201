// RecursiveMechanical: a mechanism in the joint coordinates of a tree as a MechanicalSystem, with exact derivatives.
//
//   (1)  M(q) u' = f + G^T lambda,   f = tau - b
//   (2)  R(q, u, a) = M a + b - tau - G^T lambda = 0   at a = u':   K = dR/d(motion),  C = dR/du
//                                                                                           [docs/theory/07, eq. 7.14]
// dR is inverse dynamics with Dual numbers, eight directions at once. Where links lack inertia, M is M + rho G^T G and
// R has rho G^T (G a - gamma) in addition, which is zero on every motion that keeps the cuts closed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/formulation/with_dual.hpp"
#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

struct RecursiveMechanicalOptions {
  std::vector<int> rows;    // of the cuts: those that do not depend on the others
  double mass = 1.0;        // the mean of the links
  std::vector<double> rho;  // of each row of the cuts; empty: no link lacks inertia
};

// G is Planar<double> or Spatial<double>.
template <class G>
class RecursiveMechanical final : public MechanicalSystem {
 public:
  RecursiveMechanical(const Mechanism& mechanism, const TreePlan& plan, RecursiveMechanicalOptions options);

  StateSpace space() const override;
  int rows() const override { return static_cast<int>(options_.rows.size()); }
  std::span<const MechanicalRow> laws() const override { return {}; }
  const SparseMatrix* constantMass() const override { return nullptr; }
  bool solveMass(std::span<double> r, Workspace& work) const override;
  double typicalMass() const override { return options_.mass; }
  std::unique_ptr<Workspace> makeWorkspace() const override;

  Eval values(double t, std::span<const double> x, const Modes& modes, Workspace& work,
              MechanicalValues& out) const override;
  Eval tangent(double t, std::span<const double> x, std::span<const double> a, std::span<const double> lambda,
               const Modes& modes, Workspace& work, MechanicalTangent& out) const override;
  void quadratureRates(std::span<const double> lambda, Workspace& work, std::span<double> wdot) const override;

  void positionRates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const override;
  void chart(std::span<const double> q, std::span<const double> v, PositionChart& out) const override;
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override;
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override;

  RowLevel level(int r) const override { return equations_.cuts().level(options_.rows[static_cast<std::size_t>(r)]); }
  std::string rowName(int r) const override;
  std::string describeFailure(const Workspace& work) const override;

 private:
  using GD = typename WithDual<G>::type;
  struct Work;
  Eval evaluate(double t, std::span<const double> x, Work& work) const;
  bool factorMass(Work& work) const;
  void setLambda(std::span<const double> lambda, Work& work) const;
  void solveFor(std::span<const double> lambda, Work& work) const;
  void derivativesOf(int first, int count, Work& work) const;
  template <class Put>
  void forEachChartEntry(std::span<const double> q, std::span<const double> v, Put&& put) const;

  Mechanism mechanism_;
  RecursiveMechanicalOptions options_;
  TreeEquations<G> equations_;
  TreeEquations<GD> dual_;
  const Tree<G>& tree_;
  SparseMatrix phi_q_pattern_;
  PositionChart chart_pattern_;
};

extern template class RecursiveMechanical<Planar<double>>;
extern template class RecursiveMechanical<Spatial<double>>;

}  // namespace linkwork
