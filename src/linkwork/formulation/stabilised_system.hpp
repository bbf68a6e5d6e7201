// StabilisedSystem: what formulations with velocities among their unknowns share, x = [q, u, work, turns]: how rates
// follow from a state under every stabilisation, what is done where a step begins and ends, events, observations and
// reports. One text for all that have rows G of constraints on their own u:
//
//   (1)  u' as the formulation solves for it; near a pose of lower rank from both sides of it      [projection.hpp]
//   (2)  augmented_lagrangian: u' from penalties                                                    [augmented.hpp]
//   (3)  partitioning: (1) at the state with its dependent part solved for                       [partitioning.hpp]
//
// A formulation derives from it with itself as the parameter, and lends, to this friend alone:
//
//   Work                        its workspace: also StabilisedWork, FailureNote, SolveCounts `counts`; `eq` of the
//                               bodies, `factored` and `velocity_residual` of the rows, scratch for `events`
//   observer_                   of the whole mechanism
//   coordinates(), freedoms(), rows()    of q, u and G
//   bodyEquations()             in absolute coordinates: those whose turns are counted
//   normalise(q)                quaternions; says whether it changed any
//   putRates(q, u, out)         q'
//   kInside, actsInside()       are there (2) and (3), and have they anything to act on?
//   fullRank(), report(work)    where no row depends on others; of the factors, with names
//   Surface                     itself with one workspace: all that projection needs, and
//     place(t, q), move(u), forces()         bodies, rows and loads
//     placeBodies(t, x), evaluate(t, x)      the first two; the three, all finite
//     cannotFactor()                         how a factor that cannot be had ends
//     solve(u)                               (1), after factor; u for rows that are pulled back
//     setPower()                             of loads and drives
//     rank(), dropped(r), drift(), balance(r, wanted)    of the rows
//     show(t, x, out)                        fills an observation, after (1)
//   Penalty, Parts              the same for (2), with prepare(t, u), and for (3)
//   Tangent                     (1) with Dual numbers, for J d; see stabilised_product.hpp
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/formulation/stabilisation.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {

struct PartitionLayout;
template <class System>
struct Lent;
template <class Surface>
struct PartsOf;

template <class Own>
class StabilisedSystem : public MechanismSystem, private StateJacobian {
 public:
  std::unique_ptr<Workspace> makeWorkspace() const override;
  Modes startModes() const override;
  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override;

  // What belongs to a step. Only a partitioning is fixed throughout one, and follows from t and x.
  Restated restate(double /*t*/, std::span<double> /*x*/, Modes& /*modes*/, Workspace& /*work*/) const override {
    return Restated::no;
  }
  void beginStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override;
  void enterStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override {
    beginStep(t, x, modes, work);
  }
  AfterStep afterStep(double t, std::span<double> x, const Modes& modes, Workspace& work) const override;

  int eventCount() const override;
  Eval eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                   std::span<double> values) const override;
  EventSense eventSense(int event, const Modes& modes) const override;
  Jump jump(double /*t*/, std::span<const LocatedEvent> /*events*/, std::span<double> /*x*/, Modes& /*modes*/,
            Workspace& /*work*/) const override {
    return {};
  }
  const DaeSystem* dae() const override { return dae_.get(); }
  const MechanicalSystem* mechanical() const override;
  const CanonicalSystem* canonical() const override { return nullptr; }
  // J d of (1) is exact. (2) and (3) iterate within an evaluation: there is none of them. No solve is offered.
  const StateJacobian* jacobian() const override { return iterates() ? nullptr : this; }

  std::vector<double> cornerTimes() const override;
  Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                     Observation& out) const override;
  bool asWritten(const Modes& /*modes*/) const override { return true; }
  RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  bool turnsAway(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  SolveCounts solveCounts(const Workspace& work) const override;
  double referenceLength() const override;
  double reactionLength() const override;

  // Partitioning: 1 for each u that is integrated, as chosen where the step began.
  std::span<const std::uint8_t> independent(const Modes& modes) const;

 protected:
  explicit StabilisedSystem(const StabilisationOptions& options) : options_(options) {}

  std::span<const double> positionsOf(std::span<const double> x) const { return x.first(at(own().coordinates())); }
  std::span<const double> velocitiesOf(std::span<const double> x) const {
    return x.subspan(at(own().coordinates()), at(own().freedoms()));
  }
  std::size_t workAt() const { return at(own().coordinates() + own().freedoms()); }
  double length() const;  // m: of the mechanism, by which turns count
  // How many motions the rows of positions leave where as many rows depend on others as at the start.
  int independentAtMost() const;
  PartitionLayout partitionLayout() const;  // of the flags of modes
  // For ggl and index3.
  void keepConstraints(std::unique_ptr<MechanicalSystem> mechanical);

  // The rest of the text is with a Surface, which is not known here.
  void setTurns(std::span<const double> x, auto& work) const;
  // Factors the rows of a level at (t, x).
  RowRank rankAt(double t, std::span<const double> x, auto& work, RowLevel level = RowLevel::velocity) const;
  void placeBodies(double t, std::span<const double> x, auto& surface) const;
  Eval evaluate(double t, std::span<const double> x, auto& surface) const;
  Eval accelerationsHere(double t, std::span<const double> x, auto& surface, double cut) const;

  StabilisationOptions options_;

 private:
  class Product;
  std::unique_ptr<JacobianProduct> makeProduct() const override;
  std::unique_ptr<ShiftedSolve> makeSolve() const override { return nullptr; }

  const Own& own() const { return static_cast<const Own&>(*this); }
  bool partitions() const {
    if constexpr (Own::kInside) return stabilises(Stabilisation::partitioning) && own().actsInside();
    return false;
  }
  bool penalises() const {
    if constexpr (Own::kInside) return stabilises(Stabilisation::augmented_lagrangian) && own().actsInside();
    return false;
  }
  bool iterates() const { return penalises() || partitions(); }
  bool stabilises(Stabilisation way) const { return options_.stabilisation == way; }
  Eval accelerations(double t, std::span<const double> x, auto& surface) const;
  Eval accelerationsAugmented(double t, std::span<const double> x, auto& work) const;
  Eval accelerationsPartitioned(double t, std::span<const double> x, const Modes& modes, auto& work) const;
  Eval checkDroppedRows(double t, auto& surface) const;

  std::unique_ptr<MechanicalSystem> mechanical_;  // with ggl and index3
  std::unique_ptr<MechanicalDae> dae_;            // likewise
};

}  // namespace linkwork
