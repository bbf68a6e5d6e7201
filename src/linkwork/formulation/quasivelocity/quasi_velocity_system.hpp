// QuasiVelocitySystem: a mechanism in the joint coordinates of a spanning tree and independent quasi-velocities,
// x = [q, omega, work, turns]; the rows of joints that close loops, and rows of velocities alone, are eliminated.
//
//   (1)  u = N(q) omega + u_p(q, t),   q' = z(q, u)       G N = 0, G u_p = -Phi_t - Phi_q v_0        [docs/theory/11]
//   (2)  N^T [M (N omega' + c) + h - f] = 0               Boltzmann and Hamel's equations, with their symbols
//   contracted
//        A omega' = B,  A = N^T M N,  B = -N^T (M c + h - f)
//        c: u' at omega' = 0, G c = Gamma - Phi_q a_0
//   (3)  G_D^T lambda = (M u' + h - f)_D                  reactions, of the dependent velocities
//
// G = Phi_q S are the rows by the velocities u of the tree's joints, of which links that move freely have theirs along
// axes of their own (own_axes.hpp). omega are the independent ones among these: which, is chosen where the rows allow
// it best, stays so throughout a step, and is chosen anew between two steps where it has become ill conditioned
// (restate). Rows that depend on others are left out, as everywhere; the modes say which. No velocity can drift; with
// `projection` positions in loops are moved back onto the rows after each step.
//
// Velocities that the user names come first among omega: rows of their own, which are not zero but omega, stand below
// G.
//
//   (4)  [G; W] u = [g; omega_named - f_0]                                                     (named_forms.hpp)
//
// Near a pose of lower rank (1) is ill conditioned, and in it not determined, but the motion is smooth. A step that
// begins near one takes u from states on both sides of it, along the velocities where it began, and the accelerations
// likewise (projection.hpp, eq. 1.32); but (1) as it is wherever the two differ by more than round-off explains
// [docs/theory/11, eq. 11.12].
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/formulation/quasivelocity/named_forms.hpp"
#include "linkwork/formulation/quasivelocity/own_axes.hpp"
#include "linkwork/formulation/quasivelocity/row_elimination.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {

class Mixer;

// G is Planar<double> or Spatial<double>. Stabilisations: none, projection.
template <class G>
class QuasiVelocitySystem final : public MechanismSystem, private StateJacobian {
 public:
  QuasiVelocitySystem(const Mechanism& mechanism, const StabilisationOptions& options);

  StateSpace space() const override;
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Modes startModes() const override { return start_modes_; }
  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override;

  // What belongs to a step.                                                            [quasi_velocity_step_impl.hpp]
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
  const CanonicalSystem* canonical() const override { return nullptr; }
  // J d of (1) and (2) is exact, but near a pose of lower rank. No solve.
  const StateJacobian* jacobian() const override { return this; }
  std::string describeFailure(const Workspace& work) const override;

  std::vector<double> fromAbsolute(double t, std::span<const double> absolute) const override;
  std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const override;
  std::vector<double> cornerTimes() const override { return joints_.cornerTimes(); }
  Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                     Observation& out) const override;
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  bool asWritten(const Modes& modes) const override { return !isNear(modes); }
  RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  bool turnsAway(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  std::string rowName(int row) const override { return cut_tree_.rowName(row); }
  SolveCounts solveCounts(const Workspace& work) const override;
  // Named quasi-velocities that depend on each other; the system then takes none of the names.
  std::string problem() const override { return problem_; }
  double referenceLength() const override { return joints_.referenceLength(); }
  double reactionLength() const override { return joints_.reactionLength(); }

  const Tree<G>& tree() const { return cut_tree_.tree(); }
  const AbsoluteEquations<G>& cuts() const { return cut_tree_.cuts(); }
  int quasiVelocities() const { return quasi_velocities_; }
  int namedVelocities() const { return named_; }  // the first of them
  // 1 for each velocity of the tree's joints that is one of omega.
  std::span<const std::uint8_t> independent(const Modes& modes) const { return choiceIn(modes).independent; }
  // The state with other independent velocities, and modes that say so: for those who look whether anything depends on
  // them. False where the rows do not allow it.
  bool chooseInstead(double t, std::span<const std::uint8_t> independent, std::span<double> x, Modes& modes) const;

 private:
  struct Work;
  struct Positions;
  class Product;
  std::unique_ptr<JacobianProduct> makeProduct() const override;
  std::unique_ptr<ShiftedSolve> makeSolve() const override { return nullptr; }

  // The flags of modes: where the step begins, then those of all velocities and of all rows, the names' too. Their
  // numbers: where it begins near a pose of lower rank, its velocities u, and the relative pivot of the rows down to
  // which (1) is taken as it is without a look at what is on both sides.
  enum Place : std::uint8_t {
    unknown,  // before the first step
    away,     // from poses of lower rank
    near      // one
  };
  struct Choice {
    std::span<const std::uint8_t> independent;  // velocities
    std::span<const std::uint8_t> left_out;     // rows that depend on the others; of names none is
  };
  static bool isNear(const Modes& modes) { return modes.flags[0] == near; }
  static std::span<const double> directionIn(const Modes& modes) {
    return std::span(modes.numbers).first(modes.numbers.size() - 1);
  }
  Choice choiceIn(const Modes& modes) const;
  // What the rows are made of; the scratch of a system has it, and so has the choice at the start.
  struct Rows {
    RowElimination& rows;
    typename NamedForms<G>::Work& named;
  };
  bool choose(double t, std::span<const double> q, double cut, typename CutTree<G>::Work& work, const Rows& rows,
              Modes& modes) const;
  void chooseForStart();
  // [quasi_velocity_names_impl.hpp]
  std::vector<std::vector<double>> formsAlongMotions(std::span<const std::uint8_t> left_out,
                                                     RowElimination& rows) const;
  void checkNames(std::span<const std::uint8_t> left_out, RowElimination& rows);
  std::string namesToBlame(const Work& work) const;
  bool moveAside(Mixer& mixer, std::span<double> x, typename CutTree<G>::Work& work) const;
  const Modes& placed(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  void fillRows(std::span<const double> q, const typename CutTree<G>::Work& work, const Rows& rows) const;

  std::span<const double> positionsOf(std::span<const double> x) const { return cut_tree_.positionsOf(x); }
  std::span<const double> quasiVelocitiesOf(std::span<const double> x) const;
  std::size_t workAt() const;
  int freedoms() const { return tree().freedoms; }
  int rowCount() const { return cuts().rows() + named_; }  // rows of the cuts, then the forms of the names
  bool projects() const { return options_.stabilisation == Stabilisation::projection && cuts().rows() > 0; }
  bool byTree() const { return rowCount() == 0 && !cut_tree_.lacksInertia(); }

  // Pivots of (1): nearer to where the rows do not determine the dependent velocities than the first nothing is solved.
  // With projection a step that begins away from there is to end before the second.
  static constexpr double kDependent = 1e-8;
  static constexpr double kTooNear = 3e-3;
  Eval eliminate(double t, std::span<const double> q, const Modes& modes, double least, Work& work) const;
  void wantedOfRows(Work& work) const;
  void velocitiesHere(std::span<const double> q, std::span<const double> omega, Work& work) const;
  bool restsAtLowerRank(std::span<const double> omega, const Modes& modes, Work& work) const;
  bool velocitiesAcross(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  bool turnsFromAcross(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  bool isFull(const Work& work) const;
  Eval velocitiesNear(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  Eval velocities(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  Eval asVelocities(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  void refreshRows(std::span<const double> q, Modes& modes, Work& work) const;
  bool takeDirection(double t, std::span<const double> x, Modes& modes, Work& work) const;
  double fastest(Work& work) const;

  enum class Wanted { rates, reactions };
  Eval accelerations(double t, std::span<const double> x, Wanted wanted, Work& work) const;
  void accelerationsByTree(Work& work) const;
  bool accelerationsByRows(double t, std::span<const double> q, Work& work) const;
  bool factorInertia(double t, Work& work) const;
  std::pair<int, double> movedMost(const Eigen::VectorXd& motion) const;
  void sweep(Work& work) const;
  void react(std::span<const double> q, Work& work) const;
  Eval checkRowsLeftOut(double t, const Choice& choice, Work& work) const;
  void takeQuasiRates(std::span<const double> q, std::span<const double> udot, const Choice& choice, Work& work,
                      std::span<double> out) const;
  void takeQuasiVelocities(double t, const Choice& choice, Work& work, std::span<double> x) const;
  std::vector<double> drawnState() const;

  StabilisationOptions options_;
  RecursiveSystem<G> joints_;  // the same tree and cuts, with velocities u
  const Modes joint_modes_;    // of joints_: none change
  const CutTree<G>& cut_tree_;
  const TreeEquations<G>& equations_;
  OwnAxes<G> own_axes_;
  NamedForms<G> forms_;
  int named_ = 0;  // of them, those taken: all, or none where there is a problem
  std::vector<std::string> names_;
  std::string problem_;
  std::vector<double> units_;  // of the velocities: 1, or the reference length for what turns
  double mass_ = 0.0;          // of all bodies
  bool timed_ = false;         // rows may ask for velocities of their own
  int quasi_velocities_ = 0;
  Modes start_modes_;
};

using PlanarQuasiVelocitySystem = QuasiVelocitySystem<Planar<double>>;
using SpatialQuasiVelocitySystem = QuasiVelocitySystem<Spatial<double>>;

}  // namespace linkwork
