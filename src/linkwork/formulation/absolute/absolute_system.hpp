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
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/linalg/kkt.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

// A row is dependent when its distance from the rows before it is below 1e-5 of its own length: its relative pivot is
// the square. Near a pose of lower rank a closure error of round-off size, 1e-16, turns the velocities by 1e-16 over
// the pivot. Above the cut that stays below 1e-6; below it the row is left out, and projection makes good afterwards
// what it lagged meanwhile.
inline constexpr double kDependentRow = 1e-10;

// Nearer to a pose of lower rank than this (2e-3 of a row's length) projection would turn the round-off of closure
// into motion, and leaves such a row out where it is not violated by more. Accelerations come from states on both sides
// of the pose, from a little farther on: a closure error e turns them by e over the third power of the distance.
//                                                                                       [docs/theory/01, eq. 1.32]
inline constexpr double kNearDependentRow = 4e-6;

enum class Stabilisation {
  none,
  baumgarte,
  projection,
  augmented_lagrangian,
  partitioning,
  ggl,     // stabilised index 2: for methods that take dae()
  index3,  // for methods that take dae() or mechanical()
};

struct AbsoluteOptions {
  Stabilisation stabilisation = Stabilisation::projection;
  double alpha = 5.0;  // 1/s, baumgarte only
  double beta = 5.0;   // 1/s
  // augmented_lagrangian only. The penalty of a row in metres; one in radians has it times the reaction length squared.
  double penalty = 0.0;  // kg; 0: kPenaltyPerMass times the mean mass of the bodies
  double omega = 10.0;   // 1/s
  double mu = 1.0;       // a damping ratio
  // Rows known to be dependent at the assembled start. Off the constraint surface such rows look independent; there
  // they are dropped by a cut that grows with the drift.
  std::vector<int> doubtful_rows;
  double reaction_length = 0.0;  // m; 0: that of the drawn pose, referenceLength
  // How far those rows are from fitting at the start, relative to the reference length. Above zero they are not closed,
  // only watched: they may stay open by up to kMisfitGrowth times as much.
  double misfit = 0.0;
};

inline constexpr double kMisfitGrowth = 100.0;
inline constexpr double kPenaltyPerMass = 1e6;
// Partitioning compares the allowed motions pair by pair in every step: beyond this many degrees of freedom that costs
// more than everything else.
inline constexpr int kMostIndependent = 200;

using PlanarEquations = AbsoluteEquations<Planar<double>>;
using SpatialEquations = AbsoluteEquations<Spatial<double>>;

// The bodies that a group of rows joins, as topology/spanning_tree.hpp names them. A relation is no edge of a tree.
Connection connectionOf(const RowGroup& group, int bodies);

// The sparsity and elimination order of (1). For Planar<double> and Spatial<double>.
template <class G>
KktStructure kktStructure(const AbsoluteEquations<G>& equations);

// The mass entries of every body, in the order of that structure.
template <class G>
void fillMass(const AbsoluteEquations<G>& equations, std::span<double> mass);

// One length for the whole model: the rms distance of the joints from their centroid in the drawn pose; where they are
// all in one place the longest arm from a joint to a centre of mass; 1 m if that is zero too.
double referenceLength(const Mechanism& mechanism);
// The same in the pose q, coordinates as in AbsoluteEquations.
double referenceLength(const Mechanism& mechanism, std::span<const double> q);

// G is Planar<double> or Spatial<double>; a planar mechanism may be given to either.
template <class G>
class BasicAbsoluteSystem final : public MechanismSystem {
 public:
  BasicAbsoluteSystem(const Mechanism& mechanism, const AbsoluteOptions& options);

  StateSpace space() const override;
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Eval derivative(double t, std::span<const double> x, Workspace& work, std::span<double> xdot) const override;
  void beginStep(double t, std::span<const double> x, Workspace& work) const override;
  AfterStep afterStep(double t, std::span<double> x, Workspace& work) const override;
  int eventCount() const override;
  Eval eventValues(double t, std::span<const double> x, Workspace& work, std::span<double> values) const override;
  const MechanicalSystem* mechanical() const override;
  const DaeSystem* dae() const override { return dae_.get(); }
  std::string describeFailure(const Workspace& work) const override;

  std::vector<double> cornerTimes() const override { return corner_times_; }
  Eval observe(double t, std::span<const double> x, Workspace& work, Observation& out) const override;
  Violation violation(double t, std::span<const double> x, Workspace& work) const override;
  void factorRows(double t, std::span<const double> x, Workspace& work) const override;
  RankReport rank(const Workspace& work) const override;
  long projectionSolves(const Workspace& work) const override;
  long penaltyIterations(const Workspace& work) const override;
  long repartitions(const Workspace& work) const override;
  double worstResidual(const Workspace& work) const override;
  int degreesOfFreedom(const Workspace& work) const override;
  double smallestPivot(const Workspace& work) const override;
  std::string problem() const override;
  double referenceLength() const override { return length_; }
  double reactionLength() const override { return reaction_length_; }

  const AbsoluteEquations<G>& equations() const { return equations_; }
  // Rows dropped as dependent in the last evaluation with this workspace.
  std::vector<int> dependentRows(const Workspace& work) const;
  // The method's own multipliers in the last evaluation with this workspace.
  std::span<const double> ownMultipliers(const Workspace& work) const;
  // Partitioning: 1 for each component of v that is integrated, as chosen where the last step began.
  std::span<const std::uint8_t> independent(const Workspace& work) const;

 private:
  struct Work;
  std::span<const double> positionsOf(std::span<const double> x) const;
  std::span<const double> velocitiesOf(std::span<const double> x) const;
  void setTurns(std::span<const double> x, Work& work) const;
  double drift(const Work& work) const;
  double enforcedDrift(const Work& work) const;
  bool factor(double t, Work& work, double cut = kDependentRow) const;
  Eval evaluate(double t, std::span<const double> x, Work& work) const;
  void pullBack(std::span<const double> v, double rate, double stiffness, Work& work) const;
  void setPower(Work& work) const;
  Eval accelerations(double t, std::span<const double> x, Work& work) const;
  Eval accelerationsHere(double t, std::span<const double> x, Work& work) const;
  bool nearRankChange(const Work& work) const;
  bool accelerationsAcross(double t, std::span<const double> x, Work& work) const;
  // wanted - Phi_q a of one row, and the size of what it is made of.
  struct RowBalance {
    double rest = 0.0;
    double size = 0.0;
  };
  RowBalance rowBalance(int row, double wanted, const Work& work) const;
  Eval checkDroppedRows(double t, Work& work) const;
  Eval accelerationsAugmented(double t, std::span<const double> x, Work& work) const;
  Eval checkRowsHold(double t, Work& work) const;
  int independentAtMost() const;
  void choosePartition(double t, std::span<const double> x, Work& work) const;
  void beginPartition(double t, std::span<const double> x, Work& work) const;
  void factorHeld(Work& work) const;
  void solveHeld(std::span<const double> rest, Work& work) const;
  Eval closePositions(double t, std::span<double> q, Work& work, bool& moved) const;
  Eval closeVelocities(double t, std::span<double> v, Work& work, bool& moved) const;
  Eval close(double t, std::span<double> x, Work& work, bool& moved) const;
  Eval closeAfterStep(double t, std::span<double> x, Work& work, bool& changed) const;
  Eval accelerationsPartitioned(double t, std::span<const double> x, Work& work) const;
  double largestCoordinate(std::span<const double> q) const;
  void moveBy(std::span<const double> d, std::span<double> q) const;
  void noteFighting(int row, Work& work) const;
  Eval projectPositions(double t, std::span<double> q, Work& work, bool& moved) const;
  Eval projectVelocities(double t, std::span<double> v, Work& work, bool& moved) const;
  double rowTimes(int row, std::span<const double> v, const Work& work) const;
  void velocityResidual(std::span<const double> v, Work& work) const;
  typename G::Vector armOf(BodyIndex body, const Point& point) const;
  void observeBodies(std::span<const double> q, const Work& work, Observation& out) const;
  void observeJoints(const Work& work, Observation& out) const;
  std::vector<double> reactionScale() const;
  Reaction reactionOf(const RowGroup& group, std::span<const double> lambda, const Work& work) const;
  void observeReactions(Work& work, Observation& out) const;
  void markNotUnique(Work& work, Observation& out) const;
  void observeLoads(const Work& work, Observation& out) const;
  void observeOutputs(Work& work, Observation& out) const;

  Mechanism mechanism_;
  AbsoluteOptions options_;
  AbsoluteEquations<G> equations_;
  KktStructure structure_;
  CompiledExpressions<G> events_;  // of the mechanism, then switches of the loads
  CompiledExpressions<G> outputs_;
  std::vector<double> corner_times_;
  int spring_switches_ = 0;
  struct JointQuantities {
    NamedQuantity<G> angle, slide, angle_rate, slide_rate;
  };
  std::vector<JointQuantities> joint_quantities_;
  std::vector<std::uint8_t> doubtful_;
  std::vector<double> row_length_;      // 1 for a row in metres, the reference length for a row in radians
  std::vector<double> row_compliance_;  // augmented_lagrangian: 1 / penalty of the row
  double length_ = 1.0;
  double reaction_length_ = 1.0;
  std::unique_ptr<AbsoluteMechanical<G>> mechanical_;  // with ggl and index3
  std::unique_ptr<MechanicalDae> dae_;                 // likewise
};

using AbsoluteSystem = BasicAbsoluteSystem<Planar<double>>;
using SpatialAbsoluteSystem = BasicAbsoluteSystem<Spatial<double>>;

}  // namespace linkwork
