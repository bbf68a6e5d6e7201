// HamiltonianSystem: a mechanism in the joint coordinates of a spanning tree and in impulses, x = [q, p*, work*,
// turns]; joints that close loops are cut and come back as rows on the velocities, with impulses eta for multipliers.
//
//   (1)  p = dK/du = M u + p_0                     p_0: what prescribed joints bring               [docs/theory/09]
//   (2)  p = p* + J^T eta,  J u = -Phi_t - Phi_q v_0     J = Phi_q S, velocities of the bodies v = S u + v_0
//   (3)  (J M^-1 J^T) eta = -Phi_t - Phi_q v*      v*: velocities with p = p*
//   (4)  p*' = dK/dq + Q - J'^T eta                then eta' is the multiplier lambda of the accelerations
//   (5)  p* <- p, eta <- 0                         before each step, so that eta does not grow: restate
//
// K the kinetic energy, Q the loads by the freedoms. (4) has no accelerations and no multipliers in it; the closure is
// held at the level of velocities by (3), and `projection` moves q back to it after each step. Of (4) every gauge c
// gives the same motion: p* - J^T c with eta + c. Loops may be opened by splitting bodies (split_bodies.hpp) instead of
// cutting joints: that is another mechanism with the same motion, and what is observed is the user's own. Where rows
// depend on others, eta is the solution of (3) of least norm, in the units in which reactions have theirs; but where
// lengths do not quite fit, rows that depend on others are left out: they move, and an impulse in them would do work.
//
// Near a pose of lower rank eta is hardly determined: the stages of a step are off the cuts by more than round-off. A
// step that begins near one has
//   (4') p*' = dK/dq + Q + J^T lambda - J'^T c     lambda: of the accelerations, with which eta stays c as it was then,
//        p = p* + J^T c                            so that (3) is not needed
// from accelerations on both sides of the pose, as joint coordinates with velocities do (projection.hpp), and one that
// would run into it from farther away is cut short.
//
// The work of drives needs their efforts, which are rates of impulses. By parts,
//   (6)  work = work* + sum over prescribed columns of p*_c f' + eta^T (-Phi_t)
//        work*' = power of loads - sum of (p*_c f'' + r_c f') - eta^T (-Phi_t)',   r_c: (4) of that column
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/hamiltonian/paper_loops.hpp"
#include "linkwork/formulation/hamiltonian/split_bodies.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/system/canonical_system.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {

enum class Regauge { every_step, never };

struct HamiltonianOptions : StabilisationOptions {
  Regauge regauge = Regauge::every_step;
  LoopOpening opening = LoopOpening::cut_joints;
  // As the paper has it, for study: paper_loops.hpp.
  ImpulseRates variant = ImpulseRates::corrected;
  LoopSolver solver = LoopSolver::factor;
  double image_share = 0.0;  // of the inertia of a split body, for each image; 0: equal shares
};

// G is Planar<double> or Spatial<double>. Stabilisations: none, projection.
template <class G>
class HamiltonianSystem final : public MechanismSystem, private StateJacobian {
 public:
  HamiltonianSystem(const Mechanism& mechanism, const HamiltonianOptions& options);

  StateSpace space() const override { return joints_.space(); }
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Modes startModes() const override;
  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override;

  // What belongs to a step: whether it has (4'), and with which c.                     [hamiltonian_step_impl.hpp]
  Restated restate(double t, std::span<double> x, Modes& modes, Workspace& work) const override;
  void beginStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override;
  void enterStep(double /*t*/, std::span<const double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {}
  AfterStep afterStep(double t, std::span<double> x, const Modes& modes, Workspace& work) const override;

  int eventCount() const override { return joints_.eventCount(); }
  Eval eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                   std::span<double> values) const override;
  EventSense eventSense(int event, const Modes& /*modes*/) const override {
    return joints_.eventSense(event, joint_modes_);
  }
  Jump jump(double /*t*/, std::span<const LocatedEvent> /*events*/, std::span<double> /*x*/, Modes& /*modes*/,
            Workspace& /*work*/) const override {
    return {};
  }
  const DaeSystem* dae() const override { return nullptr; }
  const MechanicalSystem* mechanical() const override { return nullptr; }
  // With ordinary impulses: p* = p, eta = 0.
  const CanonicalSystem* canonical() const override { return canonical_.get(); }
  // J d of (4), exact where no row depends on others; none of the paper's own forms, some of which iterate. No solve.
  const StateJacobian* jacobian() const override { return paper_ ? nullptr : this; }
  std::string describeFailure(const Workspace& work) const override;

  std::vector<double> fromAbsolute(double t, std::span<const double> absolute) const override;
  std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const override;
  std::vector<double> cornerTimes() const override { return joints_.cornerTimes(); }
  Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                     Observation& out) const override;
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  bool asWritten(const Modes& modes) const override;  // not with (4')
  RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  bool turnsAway(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  std::string rowName(int row) const override { return cut_tree_.rowName(row); }
  SolveCounts solveCounts(const Workspace& work) const override;
  std::string problem() const override;
  double referenceLength() const override { return userJoints().referenceLength(); }
  double reactionLength() const override { return userJoints().reactionLength(); }

  const Tree<G>& tree() const { return joints_.tree(); }
  const AbsoluteEquations<G>& cuts() const { return joints_.cuts(); }
  // Between [q, p*, work*, turns] and [q, u, work, turns], the state of joint coordinates and velocities. From
  // velocities: with eta = 0.
  std::vector<double> fromVelocities(double t, std::span<const double> joints) const;
  std::vector<double> toVelocities(double t, std::span<const double> x) const;
  // What the last derivative met on its way, for those who show it. Where links lack inertia, the factor is none.
  struct Seen {
    const PositionKinematics<G>& pk;
    const ArticulatedFactor<G>* factor;
    std::span<const double> u, eta;
    std::span<const double> open;                          // of the cuts: J u + Phi_q v_0 + Phi_t with eta = 0
    std::span<const double> parts;                         // of the cuts, by columns: J M^-1 J^T is parts parts^T
    std::span<const double> impulse, rate;                 // of every column: p*, and (4)
    std::span<const typename LinkAxes<G>::Force> momenta;  // of each link and what it carries, less eta's share
  };
  Seen seen(const Workspace& work) const;
  const TreePlan& plan() const { return joints_.plan(); }
  const Mechanism& opened() const { return joints_.mechanism(); }  // with its images, where bodies are split
  // For those who study loops: null where nothing is as the paper has it; iterations of its (10) in all evaluations
  // with this workspace; the tree at the pose of the last one.
  const PaperLoops<G>* paper() const { return paper_.get(); }
  long loopIterations(const Workspace& work) const;
  const CutTree<G>& cutTree() const { return cut_tree_; }
  const typename CutTree<G>::Work& treeWork(const Workspace& work) const;
  // Of the last evaluation: eta, row by row of the cuts.
  std::span<const double> loopImpulses(const Workspace& work) const;

 private:
  struct Work;
  struct Canonical;
  class Product;
  std::unique_ptr<JacobianProduct> makeProduct() const override;
  std::unique_ptr<ShiftedSolve> makeSolve() const override { return nullptr; }
  // The flags of modes; their numbers are c of (4'), of the cuts.
  enum Flag : std::size_t {
    by_forces,  // this step has (4')
    eta_known,  // this step: eta = c, and need not be found
    restated,   // from restate to beginStep: the step that begins has (4') with c = 0
    flag_count
  };
  // The mechanism as the user has it, where the one that moves has split bodies.
  struct Whole {
    Whole(const Mechanism& mechanism, const HamiltonianOptions& options) : joints(mechanism, options) {}
    RecursiveSystem<G> joints;
    std::vector<int> image_of;  // of each further body of the other: the body it is an image of
    std::vector<int> turn;      // of each counted angle: its number in the other
  };
  const RecursiveSystem<G>& userJoints() const { return whole_ ? whole_->joints : joints_; }
  std::unique_ptr<CanonicalSystem> makeCanonical() const;
  void findImages();
  std::vector<double> withImages(std::span<const double> absolute) const;
  std::vector<double> withoutImages(std::span<const double> absolute) const;
  std::span<const double> positionsOf(std::span<const double> x) const { return cut_tree_.positionsOf(x); }
  std::span<const double> impulsesOf(std::span<const double> x) const { return cut_tree_.velocitiesOf(x); }
  double& workOf(std::span<double> x) const;
  Eval velocities(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  void freeVelocities(std::span<const double> p, Work& work) const;
  void freeVelocitiesHeld(std::span<const double> p, Work& work) const;
  void closeVelocities(Work& work) const;
  void moveByImpulses(Work& work) const;
  bool nearLowerRank(const Work& work) const;
  Eval closeByPaper(double t, Work& work) const;
  Eval checkDroppedRows(double t, Work& work) const;
  void momenta(Work& work) const;
  void momentaAsSolved(Work& work) const;
  double boundWork(const Work& work) const;
  void impulsesInto(Work& work, double done, std::span<double> x) const;
  void takeLoopRates(Work& work) const;
  void rates(Work& work) const;
  void ratesUnderLoads(Work& work) const;
  Eval ratesByForces(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  void takeState(std::span<const double> x, Work& work) const;
  Eval asVelocities(double t, std::span<const double> x, const Modes& modes, Work& work) const;

  HamiltonianOptions options_;
  std::unique_ptr<Whole> whole_;  // null: nothing is split
  RecursiveSystem<G> joints_;     // the same tree and cuts, with velocities; what is observed is observed there
  const Modes joint_modes_;       // of joints_: none change
  const CutTree<G>& cut_tree_;
  const TreeEquations<G>& equations_;
  std::vector<double> impulse_unit_;      // of the cuts: eta is divided by it where its norm is taken
  std::unique_ptr<PaperLoops<G>> paper_;  // null: nothing is as the paper has it
  std::unique_ptr<CanonicalSystem> canonical_;
};

using PlanarHamiltonianSystem = HamiltonianSystem<Planar<double>>;
using SpatialHamiltonianSystem = HamiltonianSystem<Spatial<double>>;

}  // namespace linkwork
