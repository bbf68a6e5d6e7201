// RecursiveSystem: a mechanism in the joint coordinates of a spanning tree, x = [q, u, work, turns]; joints that close
// loops are cut and come back as rows with multipliers, with a choice of stabilisation.
//
//   (1)  M u' = tau + G^T lambda,  G = Phi_q S      S: velocities of the bodies per u                  [docs/theory/07]
//   (2)  G u' = Gamma* - Phi_q a_0                  a_0: accelerations of the bodies at u' = 0
//   (3)  (G M^-1 G^T) lambda = Gamma* - Phi_q a_free    a_free: accelerations without the cuts
//   none:       Gamma* = Gamma
//   baumgarte:  Gamma* = Gamma - 2 alpha (Phi_q v + Phi_t) - beta^2 Phi
//   projection: Gamma* = Gamma; after each step q and u are moved to the nearest point (metric M) of Phi = 0 and of
//               Phi_q v + Phi_t = 0
//   augmented_lagrangian: Gamma* as baumgarte with 2 mu omega and omega^2; instead of (3) the rows are pulled by
//               penalties, and again until the accelerations settle
//   partitioning: only as many coordinates as there are degrees of freedom are integrated; the others follow from
//               Phi = 0 and Phi_q v + Phi_t = 0 inside every evaluation
//   ggl, index3: (3) with Gamma* = Gamma for what is observed; the method itself takes mechanical() or dae()
//
// Phi are the rows of the cuts alone; what the tree's joints hold, holds by itself. Drives of tree joints prescribe
// their coordinates. Rows that depend on others are left out of (3), as in absolute coordinates.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/observer.hpp"
#include "linkwork/formulation/recursive/cut_tree.hpp"
#include "linkwork/formulation/recursive/recursive_mechanical.hpp"
#include "linkwork/formulation/stabilisation.hpp"
#include "linkwork/system/mechanical_dae.hpp"

namespace linkwork {

using RecursiveOptions = StabilisationOptions;

// G is Planar<double> or Spatial<double>.
template <class G>
class RecursiveSystem final : public MechanismSystem {
 public:
  RecursiveSystem(const Mechanism& mechanism, const RecursiveOptions& options);

  StateSpace space() const override;
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Evaluation derivative(double t, std::span<const double> x, Workspace& work, std::span<double> xdot) const override;
  Restated restate(double /*t*/, std::span<double> /*x*/, Workspace& /*work*/) const override { return Restated::no; }
  void beginStep(double t, std::span<const double> x, Workspace& work) const override;
  std::vector<double> fixedInStep(const Workspace& /*work*/) const override { return {}; }
  void fixInStep(std::span<const double> /*fixed*/, Workspace& /*work*/) const override {}
  AfterStep afterStep(double t, std::span<double> x, Workspace& work) const override;
  int eventCount() const override { return observer_.events().count(); }
  Eval eventValues(double t, std::span<const double> x, Workspace& work, std::span<double> values) const override;
  const MechanicalSystem* mechanical() const override;
  const DaeSystem* dae() const override { return dae_.get(); }
  const CanonicalSystem* canonical() const override { return nullptr; }
  std::string describeFailure(const Workspace& work) const override;

  std::vector<double> fromAbsolute(double t, std::span<const double> absolute) const override;
  std::vector<double> toAbsolute(double t, std::span<const double> x) const override;
  std::vector<double> cornerTimes() const override { return observer_.events().cornerTimes(); }
  Evaluation observe(double t, std::span<const double> x, Workspace& work, Observation& out) const override;
  Violation violation(double t, std::span<const double> x, Workspace& work) const override;
  RowRank factorRows(double t, std::span<const double> x, Workspace& work) const override;
  RankReport rankReport(double t, std::span<const double> x, Workspace& work) const override;
  std::string rowName(int row) const override { return cut_tree_.rowName(row); }
  SolveCounts solveCounts(const Workspace& work) const override;
  std::string problem() const override;
  bool asWritten(const Workspace& /*work*/) const override { return true; }
  double referenceLength() const override { return cut_tree_.length(); }
  double reactionLength() const override { return observer_.rows().reactionLength(); }

  const Mechanism& mechanism() const { return mechanism_; }
  const TreePlan& plan() const { return plan_; }
  const CutTree<G>& cutTree() const { return cut_tree_; }
  const Tree<G>& tree() const { return tree_; }
  const AbsoluteEquations<G>& cuts() const { return cuts_; }
  // Partitioning: 1 for each u that is integrated, as chosen where the last step began.
  std::span<const std::uint8_t> independent(const Workspace& work) const;

 private:
  struct Work;
  struct Surface;
  struct Penalty;
  struct Parts;
  void sweepUnderLoads(Work& work) const;
  void solveFree(Work& work) const;
  void solveFreeDense(Work& work) const;
  void react(std::span<const double> lambda, Work& work) const;
  void reactDense(std::span<const double> lambda, Work& work) const;
  void solveWithCuts(Work& work) const;
  void bodyAccelerations(Work& work) const;
  void wantedOf(const Pull& pull, Work& work) const;
  void restOf(Work& work) const;
  void setPower(Work& work) const;
  Eval evaluate(double t, std::span<const double> x, Work& work) const;
  Eval accelerations(double t, std::span<const double> x, Work& work) const;
  Eval accelerationsHere(double t, std::span<const double> x, Work& work) const;
  Eval accelerationsAugmented(double t, std::span<const double> x, Work& work) const;
  int independentAtMost() const;
  void beginPartition(double t, std::span<const double> x, Work& work) const;
  Eval closeAfterStep(double t, std::span<double> x, Work& work, bool& changed) const;
  Eval accelerationsPartitioned(double t, std::span<const double> x, Work& work) const;
  void keepConstraints();
  std::vector<int> independentCuts() const;
  Eval alongCuts(double t, std::span<double> x, Work& work) const;
  Eval checkDroppedRows(double t, Work& work) const;
  bool accelerationsAcross(double t, std::span<const double> x, Work& work) const;
  void absoluteState(const Work& work, std::span<double> q, std::span<double> v) const;
  void multipliersOfAllRows(Work& work, std::span<double> lambda) const;

  RecursiveOptions options_;
  Observer<G> observer_;
  const Mechanism& mechanism_;
  TreePlan plan_;
  CutTree<G> cut_tree_;
  const TreeEquations<G>& equations_;
  const Tree<G>& tree_;
  const AbsoluteEquations<G>& cuts_;
  std::vector<double> row_compliance_;                  // of the cuts, augmented_lagrangian: 1 / penalty
  std::vector<int> full_row_;                           // of the cuts: their place among all rows
  std::unique_ptr<RecursiveMechanical<G>> mechanical_;  // with ggl and index3
  std::unique_ptr<MechanicalDae> dae_;                  // likewise
};

using PlanarRecursiveSystem = RecursiveSystem<Planar<double>>;
using SpatialRecursiveSystem = RecursiveSystem<Spatial<double>>;

}  // namespace linkwork
