// BasicAbsoluteSystem: a mechanism as an index-1 system in absolute coordinates, x = [q, v, work, turns], with a choice
// of stabilisation. `turns`, in space only, follow the angles whose whole turns are counted.
//
//   (1)  [ M  Phi_q^T ; Phi_q  0 ] [ a ; -lambda ] = [ Q ; Gamma* ]
//   none:       Gamma* = Gamma
//   baumgarte:  Gamma* = Gamma - 2 alpha (Phi_q v + Phi_t) - beta^2 Phi
//   projection: Gamma* = Gamma; after each step q and v are moved to the nearest point (metric M) of Phi = 0 and of
//               Phi_q v + Phi_t = 0                                            [docs/theory/01, eq. 1.12 to 1.15]
//   augmented_lagrangian: Gamma* as baumgarte with 2 mu omega and omega^2; instead of (1) the rows are pulled by
//               penalties, and again until the accelerations settle                            [eq. 1.38, 1.39]
//   partitioning: only as many coordinates as there are degrees of freedom are integrated; the others follow from
//               Phi = 0 and Phi_q v + Phi_t = 0 inside every evaluation                        [eq. 1.40 to 1.42]
//   ggl, index3: (1) with Gamma* = Gamma for what is observed; the method itself takes mechanical() or dae()
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/absolute_mechanical.hpp"
#include "linkwork/formulation/observer.hpp"
#include "linkwork/formulation/stabilised_system.hpp"

namespace linkwork {

using AbsoluteOptions = StabilisationOptions;

// G is Planar<double> or Spatial<double>; a planar mechanism may be given to either.
template <class G>
class BasicAbsoluteSystem final : public StabilisedSystem<BasicAbsoluteSystem<G>> {
 public:
  BasicAbsoluteSystem(const Mechanism& mechanism, const AbsoluteOptions& options);

  StateSpace space() const override;
  std::string describeFailure(const Workspace& work) const override;
  std::vector<double> fromAbsolute(double /*t*/, std::span<const double> absolute) const override {
    return {absolute.begin(), absolute.end()};
  }
  std::vector<double> toAbsolute(double /*t*/, std::span<const double> x, const Modes& /*modes*/) const override {
    return {x.begin(), x.end()};
  }
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  std::string rowName(int row) const override { return rows_.name(row); }
  std::string problem() const override;

  const AbsoluteEquations<G>& equations() const { return equations_; }
  // Rows that depend on others at (t, x).
  std::vector<int> dependentRows(double t, std::span<const double> x, Workspace& work) const;
  // The method's own multipliers in the last evaluation with this workspace.
  std::span<const double> ownMultipliers(const Workspace& work) const;

 private:
  struct Work;
  struct Surface;
  struct Penalty;
  struct Parts;
  struct Tangent;
  struct Words;
  using Base = StabilisedSystem<BasicAbsoluteSystem>;
  friend Base;
  friend Lent<BasicAbsoluteSystem>;
  friend PartsOf<Surface>;
  using Base::length;
  using Base::options_;

  static constexpr bool kInside = true;
  bool actsInside() const { return true; }  // also without rows: there is no other text for that
  int coordinates() const { return equations_.coordinates(); }
  int freedoms() const { return equations_.freedoms(); }
  int rows() const { return equations_.rows(); }
  const AbsoluteEquations<G>& bodyEquations() const { return equations_; }
  bool normalise(std::span<double> q) const;
  void putRates(std::span<const double> q, std::span<const double> v, std::span<double> out) const;
  RowRank fullRank() const { return rows_.rank({}); }
  RankReport report(const Work& work) const;

  Eval noInertia(double t, const KktSolver::Factored& factored, KktSolver& kkt, Work& work) const;
  void setRightSides(Work& work) const;
  void pullBack(std::span<const double> v, const Pull& pull, Work& work) const;
  void solve(std::span<const double> v, Work& work) const;
  void noteFighting(int row, Work& work) const;
  double largestCoordinate(std::span<const double> q) const;
  void moveBy(std::span<const double> d, std::span<double> q) const;

  Observer<G> observer_;
  const Mechanism& mechanism_;
  const AbsoluteEquations<G>& equations_;
  const ConstraintRows<G>& rows_;
  std::vector<double> row_compliance_;  // augmented_lagrangian: 1 / penalty of the row
};

using AbsoluteSystem = BasicAbsoluteSystem<Planar<double>>;
using SpatialAbsoluteSystem = BasicAbsoluteSystem<Spatial<double>>;

}  // namespace linkwork
