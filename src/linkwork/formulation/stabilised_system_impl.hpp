// The text of StabilisedSystem, for the sources in which formulations are instantiated.
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/augmented.hpp"
#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/stabilised_system.hpp"
#include "linkwork/formulation/stabilised_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class Own>
std::unique_ptr<Workspace> StabilisedSystem<Own>::makeWorkspace() const {
  return std::make_unique<typename Own::Work>(own());
}

template <class Own>
Modes StabilisedSystem<Own>::startModes() const {
  Modes out;
  if (partitions()) out.flags.resize(partitionLayout().size());
  return out;
}

template <class Own>
PartitionLayout StabilisedSystem<Own>::partitionLayout() const {
  return {own().freedoms(), own().rows(), own().bodyEquations().velocityRows()};
}

template <class Own>
double StabilisedSystem<Own>::length() const {
  return own().observer_.rows().length();
}

template <class Own>
int StabilisedSystem<Own>::independentAtMost() const {
  const int position_rows = own().rows() - own().bodyEquations().velocityRows();
  return std::max(0, own().freedoms() - position_rows + static_cast<int>(options_.doubtful_rows.size()));
}

template <class Own>
void StabilisedSystem<Own>::keepConstraints(std::unique_ptr<MechanicalSystem> mechanical) {
  mechanical_ = std::move(mechanical);
  dae_ = std::make_unique<MechanicalDae>(*mechanical_, *this,
                                         stabilises(Stabilisation::ggl) ? DaeKind::ggl : DaeKind::index3);
}

template <class Own>
const MechanicalSystem* StabilisedSystem<Own>::mechanical() const {
  return stabilises(Stabilisation::index3) ? mechanical_.get() : nullptr;
}

// --- a state becomes rates

// Hands the references of the counted turns over to the equations.
template <class Own>
void StabilisedSystem<Own>::setTurns(std::span<const double> x, auto& work) const {
  const auto turns = x.last(at(own().bodyEquations().turns()));
  std::copy(turns.begin(), turns.end(), work.eq.turns.begin());
}

template <class Own>
void StabilisedSystem<Own>::placeBodies(double t, std::span<const double> x, auto& surface) const {
  setTurns(x, surface.work);
  surface.place(t, positionsOf(x));
  surface.move(velocitiesOf(x));
}

template <class Own>
Eval StabilisedSystem<Own>::evaluate(double t, std::span<const double> x, auto& surface) const {
  auto& work = surface.work;
  work.failure = FailureNote::Failure::none;
  if (!allFinite(positionsOf(x)) || !allFinite(velocitiesOf(x))) {
    return surface.fail(FailureNote::Failure::state_not_finite, t, 0);
  }
  setTurns(x, work);
  surface.place(t, positionsOf(x));
  if (work.eq.left_place >= 0) return surface.fail(FailureNote::Failure::left_place, t, work.eq.left_place);
  surface.move(velocitiesOf(x));
  surface.forces();
  return work.checkGiven(t, work.eq);
}

template <class Own>
Eval StabilisedSystem<Own>::accelerationsHere(double t, std::span<const double> x, auto& surface, double cut) const {
  if (const Eval eval = surface.evaluate(t, x); eval != Eval::ok) return eval;
  if (!surface.factor(t, cut)) return surface.cannotFactor();
  surface.solve(velocitiesOf(x));
  if (!allFinite(surface.acceleration())) return surface.fail(FailureNote::Failure::state_not_finite, t, 0);
  surface.setPower();
  return surface.droppedRows() == 0 ? Eval::ok : checkDroppedRows(t, surface);
}

template <class Own>
Eval StabilisedSystem<Own>::accelerations(double t, std::span<const double> x, auto& surface) const {
  const Eval eval = surface.accelerationsHere(t, x);
  const bool evaluated = eval == Eval::ok || surface.work.failure == FailureNote::Failure::contradiction;
  if (!evaluated || !stabilises(Stabilisation::projection) || !nearRankChange(surface)) return eval;
  if (accelerationsAcross(surface, t, x)) return Eval::ok;
  // Where two branches turn away from each other there is no way straight on: every row counts. A drive that goes on
  // where the others have come to their end is a contradiction, and said to be that.
  return eval == Eval::ok || surface.timed() ? eval : surface.accelerationsHere(t, x, kTurningRow);
}

// Baumgarte's rows are pulled: none need hold as it is.
template <class Own>
Eval StabilisedSystem<Own>::checkDroppedRows(double t, auto& surface) const {
  if (stabilises(Stabilisation::baumgarte)) return Eval::ok;
  const int row = contradictedRow(
      own().rows(), std::max(surface.drift(), options_.misfit), [&](int r) { return surface.dropped(r); },
      [&](int r) { return surface.balance(r, surface.gamma()[at(r)]); });
  if (row < 0) return Eval::ok;
  surface.noteContradiction(row);
  return surface.fail(FailureNote::Failure::contradiction, t, row);
}

template <class Own>
Eval StabilisedSystem<Own>::accelerationsAugmented(double t, std::span<const double> x, auto& work) const {
  typename Own::Penalty penalty(own(), work);
  if (const Eval eval = penalty.evaluate(t, x); eval != Eval::ok) return eval;
  if (const Eval eval = penalty.prepare(t, velocitiesOf(x)); eval != Eval::ok) return eval;
  const Eval eval = settleAccelerations(penalty, t);
  penalty.setPower();
  return eval;
}

template <class Own>
Eval StabilisedSystem<Own>::accelerationsPartitioned(double t, std::span<const double> x, const Modes& modes,
                                                     auto& work) const {
  typename Own::Parts parts(own(), work);
  work.failure = FailureNote::Failure::none;
  if (!allFinite(positionsOf(x)) || !allFinite(velocitiesOf(x))) {
    return parts.fail(FailureNote::Failure::state_not_finite, t, 0);
  }
  setTurns(x, work);
  const Eval eval = closeForEvaluation(parts, t, x, modes.flags, *work.parting);
  return eval != Eval::ok ? eval : parts.accelerationsHere(t, work.parting->closed);
}

template <class Own>
Evaluation StabilisedSystem<Own>::derivative(double t, std::span<const double> x, [[maybe_unused]] const Modes& modes,
                                             Workspace& workspace, std::span<double> xdot) const {
  auto& work = static_cast<typename Own::Work&>(workspace);
  typename Own::Surface surface(own(), work);
  Eval eval = Eval::ok;
  std::span<const double> state = x;
  bool ranked = true;  // penalties do without the rank
  if constexpr (Own::kInside) {
    if (penalises()) {
      eval = accelerationsAugmented(t, x, work);
      ranked = false;
    } else if (partitions()) {
      eval = accelerationsPartitioned(t, x, modes, work);
      state = work.parting->closed;
    } else {
      eval = accelerations(t, x, surface);
    }
  } else {
    eval = accelerations(t, x, surface);
  }
  if (eval != Eval::ok) return eval;
  const auto q = positionsOf(state);
  own().putRates(q, velocitiesOf(state), xdot.first(q.size()));
  const std::span<const double> udot = surface.acceleration();
  std::copy(udot.begin(), udot.end(), xdot.begin() + static_cast<std::ptrdiff_t>(q.size()));
  xdot[workAt()] = work.power;
  const auto& bodies = own().bodyEquations();
  for (int k = 0; k < bodies.turns(); ++k) xdot[workAt() + 1 + at(k)] = bodies.turnRate(k, work.eq);
  return ranked ? Evaluation(Eval::ok, surface.rank()) : Evaluation(Eval::ok);
}

// --- a step

template <class Own>
void StabilisedSystem<Own>::beginStep([[maybe_unused]] double t, [[maybe_unused]] std::span<const double> x,
                                      [[maybe_unused]] Modes& modes, [[maybe_unused]] Workspace& workspace) const {
  if constexpr (Own::kInside) {
    if (!partitions()) return;
    auto& work = static_cast<typename Own::Work&>(workspace);
    typename Own::Parts parts(own(), work);
    beginPartition(parts, t, x, modes.flags, *work.parting);
  }
}

template <class Own>
AfterStep StabilisedSystem<Own>::afterStep(double t, std::span<double> x, [[maybe_unused]] const Modes& modes,
                                           Workspace& workspace) const {
  auto& work = static_cast<typename Own::Work&>(workspace);
  typename Own::Surface surface(own(), work);
  work.failure = FailureNote::Failure::none;
  AfterStep out;
  const auto q = surface.positions(x);
  out.changed = own().normalise(q);
  setTurns(x, work);
  if (stabilises(Stabilisation::projection) && own().rows() > 0) {
    out.eval = projectState(surface, t, q, surface.velocities(x), out.changed);
    out.rows = surface.rank();
  }
  if constexpr (Own::kInside) {
    if (partitions()) {
      typename Own::Parts parts(own(), work);
      out.eval = closeAfterStep(parts, t, x, modes.flags, *work.parting, out.changed);
      out.rows = parts.rank();
    } else if (stabilises(Stabilisation::augmented_lagrangian)) {
      out.rows = rankAt(t, x, work);
    }
  }
  // Rows that a method with constraints leaves out for good are those that depend on others at the start. Where numbers
  // do not quite fit, it must not come to where others would have to be left out.
  if (options_.keepsConstraints() && options_.misfit > 0.0) {
    surface.place(t, q);
    if (surface.drift() > kMisfitGrowth * options_.misfit) out.eval = surface.notClosed(t);
  }
  // The references may not fall behind; nothing but the count of turns depends on them.
  const auto& bodies = own().bodyEquations();
  if (bodies.turns() > 0 && out.eval == Eval::ok) {
    surface.place(t, q);
    bodies.followTurns(work.eq);
    std::copy(work.eq.turns.begin(), work.eq.turns.end(), x.end() - bodies.turns());
  }
  return out;
}

// --- what others ask

template <class Own>
int StabilisedSystem<Own>::eventCount() const {
  return own().observer_.events().count();
}

template <class Own>
Eval StabilisedSystem<Own>::eventValues(double t, std::span<const double> x, const Modes& /*modes*/,
                                        Workspace& workspace, std::span<double> values) const {
  auto& work = static_cast<typename Own::Work&>(workspace);
  typename Own::Surface surface(own(), work);
  surface.placeBodies(t, x);
  const int bad = own().observer_.events().evaluate(work.eq, work.events, values);
  return bad < 0 ? Eval::ok : surface.fail(FailureNote::Failure::event_not_finite, t, bad);
}

template <class Own>
EventSense StabilisedSystem<Own>::eventSense(int event, const Modes& /*modes*/) const {
  return own().observer_.events().sense(event);
}

template <class Own>
std::vector<double> StabilisedSystem<Own>::cornerTimes() const {
  return own().observer_.events().cornerTimes();
}

template <class Own>
Evaluation StabilisedSystem<Own>::observe(double t, std::span<const double> accepted, const Modes& modes,
                                          Workspace& workspace, Observation& out) const {
  typename Own::Surface surface(own(), static_cast<typename Own::Work&>(workspace));
  // Index 3 leaves velocities across the joints, of lower order than all else; reactions would take them up with the
  // centripetal terms. So what is observed goes along the joints; the violation is that of the method.
  const bool across = stabilises(Stabilisation::index3);
  const double velocity_off = across ? violation(t, accepted, modes, workspace).velocity : 0.0;
  std::vector<double> closed;
  std::span<const double> x = accepted;
  if (across && own().rows() > 0 && surface.factor(t, kDependentRow)) {
    closed.assign(x.begin(), x.end());
    bool moved = false;
    const Eval eval = projectVelocities(surface, t, surface.velocities(closed), moved);
    if (eval != Eval::ok) return eval;
    x = closed;
  }
  if (const Eval eval = accelerations(t, x, surface); eval != Eval::ok) return eval;
  surface.show(t, x, out);
  if (across) out.violation.velocity = velocity_off;
  out.supplied_work = x[workAt()];
  return {Eval::ok, surface.rank()};
}

template <class Own>
RowRank StabilisedSystem<Own>::rankAt(double t, std::span<const double> x, auto& work, RowLevel level) const {
  if (!allFinite(positionsOf(x))) return own().fullRank();
  typename Own::Surface surface(own(), work);
  setTurns(x, work);
  surface.place(t, positionsOf(x));
  (void)surface.factor(t, kDependentRow, level);
  return surface.rank();
}

template <class Own>
RowRank StabilisedSystem<Own>::factorRows(double t, std::span<const double> x, const Modes& /*modes*/,
                                          Workspace& workspace) const {
  return rankAt(t, x, static_cast<typename Own::Work&>(workspace));
}

template <class Own>
RankReport StabilisedSystem<Own>::rankReport(double t, std::span<const double> x, const Modes& modes,
                                             Workspace& work) const {
  (void)factorRows(t, x, modes, work);
  return own().report(static_cast<const typename Own::Work&>(work));
}

template <class Own>
bool StabilisedSystem<Own>::turnsAway(double t, std::span<const double> x, const Modes& /*modes*/,
                                      Workspace& workspace) const {
  if (own().rows() == 0) return false;
  typename Own::Surface surface(own(), static_cast<typename Own::Work&>(workspace));
  (void)surface.accelerationsHere(t, x);
  double power = 0.0;
  return nearRankChange(surface) && wayOn(surface, t, x, power) == WayOn::turns;
}

template <class Own>
SolveCounts StabilisedSystem<Own>::solveCounts(const Workspace& workspace) const {
  const auto& work = static_cast<const typename Own::Work&>(workspace);
  SolveCounts out = work.counts;
  if (work.parting) out.repartitions = work.parting->repartitions;
  return out;
}

template <class Own>
double StabilisedSystem<Own>::referenceLength() const {
  return length();
}

template <class Own>
double StabilisedSystem<Own>::reactionLength() const {
  return own().observer_.rows().reactionLength();
}

template <class Own>
std::span<const std::uint8_t> StabilisedSystem<Own>::independent(const Modes& modes) const {
  return partitionLayout().in(modes.flags).velocities.independent;
}

}  // namespace linkwork
