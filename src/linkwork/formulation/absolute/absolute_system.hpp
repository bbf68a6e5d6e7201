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

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/absolute_mechanical.hpp"
#include "linkwork/formulation/observer.hpp"
#include "linkwork/formulation/stabilisation.hpp"
#include "linkwork/system/mechanical_dae.hpp"

namespace linkwork {

using AbsoluteOptions = StabilisationOptions;

// G is Planar<double> or Spatial<double>; a planar mechanism may be given to either.
template <class G>
class BasicAbsoluteSystem final : public MechanismSystem {
 public:
  BasicAbsoluteSystem(const Mechanism& mechanism, const AbsoluteOptions& options);

  StateSpace space() const override;
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Evaluation derivative(double t, std::span<const double> x, Workspace& work, std::span<double> xdot) const override;
  Restated restate(double /*t*/, std::span<double> /*x*/, Workspace& /*work*/) const override { return Restated::no; }
  void beginStep(double t, std::span<const double> x, Workspace& work) const override;
  std::vector<double> fixedInStep(const Workspace& /*work*/) const override { return {}; }
  void fixInStep(std::span<const double> /*fixed*/, Workspace& /*work*/) const override {}
  AfterStep afterStep(double t, std::span<double> x, Workspace& work) const override;
  int eventCount() const override;
  Eval eventValues(double t, std::span<const double> x, Workspace& work, std::span<double> values) const override;
  const MechanicalSystem* mechanical() const override;
  const DaeSystem* dae() const override { return dae_.get(); }
  const CanonicalSystem* canonical() const override { return nullptr; }
  std::string describeFailure(const Workspace& work) const override;

  std::vector<double> fromAbsolute(double /*t*/, std::span<const double> absolute) const override {
    return {absolute.begin(), absolute.end()};
  }
  std::vector<double> toAbsolute(double /*t*/, std::span<const double> x) const override {
    return {x.begin(), x.end()};
  }
  std::vector<double> cornerTimes() const override { return observer_.events().cornerTimes(); }
  Evaluation observe(double t, std::span<const double> x, Workspace& work, Observation& out) const override;
  Violation violation(double t, std::span<const double> x, Workspace& work) const override;
  RowRank factorRows(double t, std::span<const double> x, Workspace& work) const override;
  RankReport rankReport(double t, std::span<const double> x, Workspace& work) const override;
  std::string rowName(int row) const override { return rows_.name(row); }
  SolveCounts solveCounts(const Workspace& work) const override;
  std::string problem() const override;
  bool asWritten(const Workspace& /*work*/) const override { return true; }
  double referenceLength() const override { return length_; }
  double reactionLength() const override { return rows_.reactionLength(); }

  const AbsoluteEquations<G>& equations() const { return equations_; }
  // Rows that depend on others at (t, x).
  std::vector<int> dependentRows(double t, std::span<const double> x, Workspace& work) const;
  // The method's own multipliers in the last evaluation with this workspace.
  std::span<const double> ownMultipliers(const Workspace& work) const;
  // Partitioning: 1 for each component of v that is integrated, as chosen where the last step began.
  std::span<const std::uint8_t> independent(const Workspace& work) const;

 private:
  struct Work;
  struct Surface;
  struct Penalty;
  struct Parts;
  std::span<const double> positionsOf(std::span<const double> x) const;
  std::span<const double> velocitiesOf(std::span<const double> x) const;
  void setTurns(std::span<const double> x, Work& work) const;
  bool factor(double t, Work& work, double cut = kDependentRow) const;
  Eval evaluate(double t, std::span<const double> x, Work& work) const;
  void pullBack(std::span<const double> v, const Pull& pull, Work& work) const;
  void setPower(Work& work) const;
  Eval accelerations(double t, std::span<const double> x, Work& work) const;
  Eval accelerationsHere(double t, std::span<const double> x, Work& work) const;
  bool nearRankChange(Work& work) const;
  bool accelerationsAcross(double t, std::span<const double> x, Work& work) const;
  Eval checkDroppedRows(double t, Work& work) const;
  Eval accelerationsAugmented(double t, std::span<const double> x, Work& work) const;
  int independentAtMost() const;
  void beginPartition(double t, std::span<const double> x, Work& work) const;
  Eval closeAfterStep(double t, std::span<double> x, Work& work, bool& changed) const;
  Eval accelerationsPartitioned(double t, std::span<const double> x, Work& work) const;
  double largestCoordinate(std::span<const double> q) const;
  void moveBy(std::span<const double> d, std::span<double> q) const;
  void noteFighting(int row, Work& work) const;
  Eval project(double t, std::span<double> x, Work& work, bool& moved) const;
  // Velocities alone, with the factors at hand.
  Eval alongJoints(double t, std::span<double> x, Work& work) const;
  void velocityResidual(std::span<const double> v, Work& work) const;

  AbsoluteOptions options_;
  Observer<G> observer_;
  const Mechanism& mechanism_;
  const AbsoluteEquations<G>& equations_;
  const ConstraintRows<G>& rows_;
  std::vector<double> row_compliance_;  // augmented_lagrangian: 1 / penalty of the row
  double length_ = 1.0;
  std::unique_ptr<AbsoluteMechanical<G>> mechanical_;  // with ggl and index3
  std::unique_ptr<MechanicalDae> dae_;                 // likewise
};

using AbsoluteSystem = BasicAbsoluteSystem<Planar<double>>;
using SpatialAbsoluteSystem = BasicAbsoluteSystem<Spatial<double>>;

}  // namespace linkwork
