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

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/observer.hpp"
#include "linkwork/formulation/recursive/cut_tree.hpp"
#include "linkwork/formulation/recursive/recursive_mechanical.hpp"
#include "linkwork/formulation/stabilised_system.hpp"

namespace linkwork {

using RecursiveOptions = StabilisationOptions;

// G is Planar<double> or Spatial<double>.
template <class G>
class RecursiveSystem final : public StabilisedSystem<RecursiveSystem<G>> {
 public:
  RecursiveSystem(const Mechanism& mechanism, const RecursiveOptions& options);

  StateSpace space() const override;
  std::string describeFailure(const Workspace& work) const override;
  std::vector<double> fromAbsolute(double t, std::span<const double> absolute) const override;
  std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const override;
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  std::string rowName(int row) const override { return cut_tree_.rowName(row); }
  std::string problem() const override;

  // Shows what another formulation with this tree solved for, as this one shows its own.
  struct Solved {
    const typename TreeEquations<G>::Work& at;             // placed, moving, with its loads
    std::span<const double> acceleration;                  // of the bodies
    std::span<const double> lambda;                        // of the cuts
    std::span<const typename LinkAxes<G>::Force> carried;  // by the joint of each link
  };
  void show(double t, std::span<const double> turns, const Solved& solved,
            std::unique_ptr<typename Observer<G>::Work>& seen, Observation& out) const;

  const Mechanism& mechanism() const { return mechanism_; }
  const TreePlan& plan() const { return plan_; }
  const CutTree<G>& cutTree() const { return cut_tree_; }
  const Tree<G>& tree() const { return tree_; }
  const AbsoluteEquations<G>& cuts() const { return cuts_; }

 private:
  struct Work;
  struct Surface;
  struct Penalty;
  struct Parts;
  struct Tangent;
  using Base = StabilisedSystem<RecursiveSystem>;
  friend Base;
  friend Lent<RecursiveSystem>;
  friend PartsOf<Surface>;
  using Base::length;
  using Base::options_;

  static constexpr bool kInside = true;
  bool actsInside() const { return rows() > 0; }
  int coordinates() const { return tree_.coordinates; }
  int freedoms() const { return tree_.freedoms; }
  int rows() const { return cuts_.rows(); }
  const AbsoluteEquations<G>& bodyEquations() const { return cuts_; }
  bool normalise(std::span<double> q) const;
  void putRates(std::span<const double> q, std::span<const double> u, std::span<double> out) const;
  RowRank fullRank() const { return cut_tree_.rank({}); }
  RankReport report(const Work& work) const;

  void sweepUnderLoads(Work& work) const;
  void solveFree(Work& work) const;
  void solveFreeHeld(Work& work) const;
  void react(std::span<const double> lambda, Work& work) const;
  void reactHeld(std::span<const double> lambda, Work& work) const;
  void bodyAccelerations(Work& work) const;
  void wantedOf(const Pull& pull, Work& work) const;
  void restOf(Work& work) const;
  void solve(Work& work) const;
  void show(double t, std::span<const double> x, Work& work, Observation& out) const;
  void absoluteState(const typename TreeEquations<G>::Work& work, std::span<double> q, std::span<double> v) const;
  void multipliersOfAllRows(const Solved& solved, const typename Observer<G>::Work& seen,
                            std::span<double> lambda) const;
  std::unique_ptr<MechanicalSystem> makeMechanical() const;
  std::vector<int> independentCuts() const;

  Observer<G> observer_;
  const Mechanism& mechanism_;
  TreePlan plan_;
  CutTree<G> cut_tree_;
  const TreeEquations<G>& equations_;
  const Tree<G>& tree_;
  const AbsoluteEquations<G>& cuts_;
  std::vector<double> row_compliance_;  // of the cuts, augmented_lagrangian: 1 / penalty
  std::vector<int> full_row_;           // of the cuts: their place among all rows
};

using PlanarRecursiveSystem = RecursiveSystem<Planar<double>>;
using SpatialRecursiveSystem = RecursiveSystem<Spatial<double>>;

}  // namespace linkwork
