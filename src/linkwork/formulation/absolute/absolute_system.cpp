#include "linkwork/formulation/absolute/absolute_system.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_work.hpp"
#include "linkwork/formulation/augmented.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// Of the largest part in a dependence: less is round-off.
constexpr double kTakesPart = 1e-6;

}  // namespace

template <class G>
BasicAbsoluteSystem<G>::BasicAbsoluteSystem(const Mechanism& mechanism, const AbsoluteOptions& options)
    : options_(options),
      observer_(mechanism, options),
      mechanism_(observer_.mechanism()),
      equations_(observer_.equations()),
      rows_(observer_.rows()),
      row_compliance_(penaltyCompliance(mechanism, options_.penalty, rows_.reactionScale())),
      length_(rows_.length()) {
  if (options_.keepsConstraints()) {
    mechanical_ = std::make_unique<AbsoluteMechanical<G>>(mechanism, options_.doubtful_rows);
    dae_ = std::make_unique<MechanicalDae>(
        *mechanical_, *this, options_.stabilisation == Stabilisation::ggl ? DaeKind::ggl : DaeKind::index3);
  }
}

template <class G>
const MechanicalSystem* BasicAbsoluteSystem<G>::mechanical() const {
  return options_.stabilisation == Stabilisation::index3 ? mechanical_.get() : nullptr;
}

template <class G>
StateSpace BasicAbsoluteSystem<G>::space() const {
  return {equations_.coordinates(), equations_.freedoms(), 1 + equations_.turns()};
}

template <class G>
std::unique_ptr<Workspace> BasicAbsoluteSystem<G>::makeWorkspace() const {
  auto work = std::make_unique<Work>(*this);
  if (options_.stabilisation == Stabilisation::augmented_lagrangian) {
    work->aside = std::make_unique<KktSolver>(rows_.makeSolver());
  } else if (options_.stabilisation == Stabilisation::partitioning) {
    KktStructure held = rows_.structure();
    held.mass = MassMatrix::definite;  // its weights are
    work->aside = std::make_unique<KktSolver>(std::move(held));
    work->parting = std::make_unique<PartitionWork>(equations_.freedoms(), equations_.rows(), equations_.coordinates(),
                                                    space().size(), independentAtMost());
  }
  return work;
}

template <class G>
std::span<const double> BasicAbsoluteSystem<G>::positionsOf(std::span<const double> x) const {
  return x.first(at(equations_.coordinates()));
}

template <class G>
std::span<const double> BasicAbsoluteSystem<G>::velocitiesOf(std::span<const double> x) const {
  return x.subspan(at(equations_.coordinates()), at(equations_.freedoms()));
}

// Hands the references of the counted turns over to the equations.
template <class G>
void BasicAbsoluteSystem<G>::setTurns(std::span<const double> x, Work& work) const {
  const auto turns = x.last(at(equations_.turns()));
  std::copy(turns.begin(), turns.end(), work.eq.turns.begin());
}

// Factors the system at the positions in work.eq; false when a body has no inertia in a free direction.
template <class G>
bool BasicAbsoluteSystem<G>::factor(double t, Work& work, double cut) const {
  work.factored = rows_.factor(work.eq, cut, work.kkt);
  if (work.factored.singular_body < 0) return true;
  work.kkt.freeMotion(work.factored.singular_unknown, work.f);
  std::copy_n(&work.f[at(G::kFreedoms * work.factored.singular_body)], G::kFreedoms, work.free_motion.begin());
  work.fail(Work::Failure::massless_body, t, work.factored.singular_body, Eval::failed);
  return false;
}

// work.velocity_residual = Phi_q v + Phi_t
template <class G>
void BasicAbsoluteSystem<G>::velocityResidual(std::span<const double> v, Work& work) const {
  rows_.velocityResidual(v, work.eq, work.velocity_residual);
}

// Positions, velocities and forces of the state, ready to be solved with: work.f = Q, work.g = Gamma.
template <class G>
Eval BasicAbsoluteSystem<G>::evaluate(double t, std::span<const double> x, Work& work) const {
  const auto q = positionsOf(x);
  const auto v = velocitiesOf(x);
  work.failure = Work::Failure::none;
  if (!allFinite(q) || !allFinite(v)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  setTurns(x, work);
  equations_.positions(t, q, work.eq);
  if (work.eq.left_curve >= 0) return work.fail(Work::Failure::left_curve, t, work.eq.left_curve, Eval::retry);
  equations_.velocities(v, work.eq);
  equations_.forces(work.eq);
  if (const Eval eval = work.checkGiven(t, work.eq); eval != Eval::ok) return eval;
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::put(work.eq.Q[at(b)], std::span(work.f).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
  std::copy(work.eq.gamma.begin(), work.eq.gamma.end(), work.g.begin());
  return Eval::ok;
}

// work.g -= rate (Phi_q v + Phi_t) + stiffness Phi
template <class G>
void BasicAbsoluteSystem<G>::pullBack(std::span<const double> v, const Pull& pull, Work& work) const {
  velocityResidual(v, work);
  for (std::size_t r = 0; r < work.g.size(); ++r) {
    work.g[r] -= pull.rate * work.velocity_residual[r] + pull.stiffness * work.eq.phi[r];
  }
}

// Drives do work at the rate -lambda^T Phi_t; joints do none.
template <class G>
void BasicAbsoluteSystem<G>::setPower(Work& work) const {
  work.power = work.eq.supplied_power;
  for (std::size_t r = 0; r < work.lambda.size(); ++r) work.power += work.lambda[r] * work.eq.minus_phi_t[r];
}

template <class G>
Eval BasicAbsoluteSystem<G>::accelerationsHere(double t, std::span<const double> x, Work& work) const {
  const Eval eval = evaluate(t, x, work);
  if (eval != Eval::ok) return eval;
  if (!factor(t, work)) return Eval::failed;
  if (options_.stabilisation == Stabilisation::baumgarte) pullBack(velocitiesOf(x), baumgartePull(options_), work);
  const auto solved = work.kkt.solve(work.f, work.g);
  work.counts.worst_residual = std::max(work.counts.worst_residual, solved.residual);
  work.acceleration = work.f;
  for (std::size_t r = 0; r < work.g.size(); ++r) work.lambda[r] = -work.g[r];
  if (!allFinite(work.acceleration)) return work.fail(Work::Failure::state_not_finite, t, 0, Eval::retry);
  setPower(work);
  return work.factored.dropped_rows == 0 ? Eval::ok : checkDroppedRows(t, work);
}

template <class G>
Eval BasicAbsoluteSystem<G>::accelerations(double t, std::span<const double> x, Work& work) const {
  const Eval eval = accelerationsHere(t, x, work);
  const bool evaluated = eval == Eval::ok || work.failure == Work::Failure::contradiction;
  if (!evaluated || options_.stabilisation != Stabilisation::projection || !nearRankChange(work)) return eval;
  return accelerationsAcross(t, x, work) ? Eval::ok : eval;
}

// A dropped row must hold by itself, up to what the drift explains; if not, the constraints contradict each other.
template <class G>
Eval BasicAbsoluteSystem<G>::checkDroppedRows(double t, Work& work) const {
  // A row left out just below the cut lags by 1e-5 of its length, times accelerations of up to a hundred times its own
  // terms.
  const double allowed = 1e-3 + 1e3 * rows_.drift(work.eq);
  for (int r = 0; r < equations_.rows(); ++r) {
    if (!work.kkt.rowDropped(r)) continue;
    const auto [rest, size] = rows_.balance(r, work.eq.gamma[at(r)], work.acceleration, work.eq);
    if (std::abs(rest) > allowed * size && options_.stabilisation != Stabilisation::baumgarte) {
      noteFighting(r, work);
      return work.fail(Work::Failure::contradiction, t, r, Eval::retry);
    }
  }
  return Eval::ok;
}

// Which drives and joints have a part in the dependence of a dropped row.
template <class G>
void BasicAbsoluteSystem<G>::noteFighting(int row, Work& work) const {
  const auto& set = equations_.elements();
  work.kkt.dependence(row, work.g);
  const auto partOf = [&](const RowGroup& group) {
    double part = 0.0;
    for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
      part = std::max(part, std::abs(work.g[at(r)]) / rows_.rowLength(r));
    }
    return part;
  };
  double largest = 0.0;
  for (const RowGroup& group : set.groups) largest = std::max(largest, partOf(group));
  work.fighting.fill(-1);
  std::size_t count = 0;
  for (const bool drives : {true, false}) {
    for (std::size_t g = 0; g < set.groups.size() && count < work.fighting.size(); ++g) {
      if (set.groups[g].is_drive == drives && partOf(set.groups[g]) > kTakesPart * largest)
        work.fighting[count++] = static_cast<int>(g);
    }
  }
}

template <class G>
Evaluation BasicAbsoluteSystem<G>::derivative(double t, std::span<const double> x, Workspace& workspace,
                                              std::span<double> xdot) const {
  Work& work = static_cast<Work&>(workspace);
  Eval eval = Eval::ok;
  std::span<const double> state = x;
  switch (options_.stabilisation) {
    case Stabilisation::augmented_lagrangian: eval = accelerationsAugmented(t, x, work); break;
    case Stabilisation::partitioning:
      eval = accelerationsPartitioned(t, x, work);
      state = work.parting->closed;
      break;
    default: eval = accelerations(t, x, work); break;
  }
  if (eval != Eval::ok) return eval;
  const auto q = positionsOf(state);
  const auto v = velocitiesOf(state);
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::coordinateRate(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                      v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)),
                      xdot.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
  }
  std::copy(work.acceleration.begin(), work.acceleration.end(), xdot.begin() + static_cast<std::ptrdiff_t>(q.size()));
  xdot[q.size() + v.size()] = work.power;
  for (int k = 0; k < equations_.turns(); ++k) xdot[q.size() + v.size() + 1 + at(k)] = equations_.turnRate(k, work.eq);
  // The augmented Lagrangian solves without the rank.
  if (options_.stabilisation == Stabilisation::augmented_lagrangian) return Eval::ok;
  return {Eval::ok, rows_.rank(work.factored)};
}

template <class G>
AfterStep BasicAbsoluteSystem<G>::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  const auto q = x.first(at(equations_.coordinates()));
  AfterStep out;
  for (int b = 0; b < equations_.bodies(); ++b) {
    const bool off = normalise(G{}, q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
    out.changed = out.changed || off;
  }
  setTurns(x, work);
  if (options_.stabilisation == Stabilisation::projection && equations_.rows() > 0) {
    out.eval = project(t, x, work, out.changed);
    out.rows = rows_.rank(work.factored);
  } else if (options_.stabilisation == Stabilisation::partitioning) {
    out.eval = closeAfterStep(t, x, work, out.changed);
    out.rows = rows_.rank(work.factored);
  } else if (options_.stabilisation == Stabilisation::augmented_lagrangian) {
    out.rows = factorRows(t, x, work);
  }
  // The references may not fall behind; nothing but the count of turns depends on them.
  if (equations_.turns() > 0 && out.eval == Eval::ok) {
    equations_.positions(t, q, work.eq);
    equations_.followTurns(work.eq);
    std::copy(work.eq.turns.begin(), work.eq.turns.end(), x.end() - equations_.turns());
  }
  return out;
}

template <class G>
RowRank BasicAbsoluteSystem<G>::factorRows(double t, std::span<const double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  if (!allFinite(positionsOf(x))) return rows_.rank({});
  setTurns(x, work);
  equations_.positions(t, positionsOf(x), work.eq);
  (void)factor(t, work);
  return rows_.rank(work.factored);
}

template <class G>
RankReport BasicAbsoluteSystem<G>::rankReport(double t, std::span<const double> x, Workspace& work) const {
  (void)factorRows(t, x, work);
  return observer_.report(static_cast<const Work&>(work));
}

template <class G>
std::vector<int> BasicAbsoluteSystem<G>::dependentRows(double t, std::span<const double> x, Workspace& work) const {
  (void)factorRows(t, x, work);
  return rows_.dependent(static_cast<const Work&>(work).kkt);
}

template <class G>
void BasicAbsoluteSystem<G>::beginStep(double t, std::span<const double> x, Workspace& workspace) const {
  if (options_.stabilisation == Stabilisation::partitioning) beginPartition(t, x, static_cast<Work&>(workspace));
}

template <class G>
int BasicAbsoluteSystem<G>::eventCount() const {
  return observer_.events().count();
}

template <class G>
Eval BasicAbsoluteSystem<G>::eventValues(double t, std::span<const double> x, Workspace& workspace,
                                         std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  setTurns(x, work);
  equations_.positions(t, positionsOf(x), work.eq);
  equations_.velocities(velocitiesOf(x), work.eq);
  const int bad = observer_.events().evaluate(work.eq, work.events, values);
  if (bad >= 0) return work.fail(Work::Failure::event_not_finite, t, bad, Eval::retry);
  return Eval::ok;
}

template <class G>
Evaluation BasicAbsoluteSystem<G>::observe(double t, std::span<const double> accepted, Workspace& workspace,
                                           Observation& out) const {
  Work& work = static_cast<Work&>(workspace);
  const double velocity_off = violation(t, accepted, work).velocity;
  // Index 3 leaves velocities across the joints, of lower order than all else; reactions would take them up with the
  // centripetal terms. So what is observed goes along the joints; the violation is that of the method.
  std::vector<double> closed;
  std::span<const double> x = accepted;
  if (options_.stabilisation == Stabilisation::index3 && equations_.rows() > 0 && factor(t, work)) {
    closed.assign(x.begin(), x.end());
    if (const Eval eval = alongJoints(t, closed, work); eval != Eval::ok) return eval;
    x = closed;
  }
  if (const Eval eval = accelerations(t, x, work); eval != Eval::ok) return eval;
  const typename Observer<G>::State state{positionsOf(x), velocitiesOf(x), x.last(at(equations_.turns()))};
  observer_.observe(state, work.acceleration, work.lambda, work, out);
  out.violation.velocity = velocity_off;
  out.supplied_work = x[at(equations_.coordinates() + equations_.freedoms())];
  return {Eval::ok, rows_.rank(work.factored)};
}

template <class G>
Violation BasicAbsoluteSystem<G>::violation(double t, std::span<const double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  setTurns(x, work);
  equations_.positions(t, positionsOf(x), work.eq);
  equations_.velocities(velocitiesOf(x), work.eq);
  return observer_.violation(velocitiesOf(x), work);
}

template class BasicAbsoluteSystem<Planar<double>>;
template class BasicAbsoluteSystem<Spatial<double>>;

}  // namespace linkwork
