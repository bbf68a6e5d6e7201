// What belongs to a step of a QuasiVelocitySystem: which velocities are independent in it, how it begins near a pose of
// lower rank, and what is done at its end.
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/partitioning.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

// What moving coordinates back onto the rows takes (projection.hpp).
template <class G>
struct QuasiVelocitySystem<G>::Positions {
  const QuasiVelocitySystem& system;
  typename CutTree<G>::Work& work;

  void place(double t, std::span<const double> q) { system.equations_.place(t, q, work); }
  double drift() const { return system.cut_tree_.drift(work); }
  bool finite() const { return std::isfinite(drift()); }
  bool factor(double t, double cut, RowLevel level) { return system.cut_tree_.factor(t, cut, work, level); }
  double open() const { return system.cut_tree_.enforcedDrift(work) * system.referenceLength(); }
  double largest(std::span<const double> /*q*/) const { return system.cut_tree_.largestCoordinate(work); }
  double smallestKept() const { return work.factored.smallest_kept; }
  bool lostRows() const { return system.cut_tree_.lostRows(work); }
  void closePositions(std::span<double> q) {
    for (std::size_t r = 0; r < work.rest.size(); ++r) work.rest[r] = -work.eq.phi[r];
    system.cut_tree_.stepOf(work.rest, work);
    moveJoints<G>(system.tree(), work.step, q);
  }
  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t) {
    return work.fail(FailureNote::Failure::projection, t, worstRow(work.eq.phi), Eval::retry);
  }
};

// --- which velocities are independent

// Those that the rows at q allow best, with the rows that depend on others left out; false where they leave another
// number of velocities than there are quasi-velocities.
template <class G>
bool QuasiVelocitySystem<G>::choose(double t, std::span<const double> q, double cut, typename CutTree<G>::Work& work,
                                    const Rows& rows, Modes& modes) const {
  equations_.place(t, q, work);
  if (!cut_tree_.factor(t, cut, work)) return false;
  if (cuts().rows() - work.factored.dropped != freedoms() - quasi_velocities_) return false;
  fillRows(q, work, rows);
  const std::span<std::uint8_t> flags(modes.flags);
  const auto left_out = flags.subspan(1 + at(freedoms()), at(cuts().rows()));
  for (int r = 0; r < cuts().rows(); ++r) left_out[at(r)] = work.ldlt.dropped(r) ? 1 : 0;
  return rows.rows.choose(flags.subspan(1 + at(freedoms()), at(rowCount())), flags.subspan(1, at(freedoms()))) > 0.0;
}

// At the start, or where the drawing has the bodies. Rows that depend on others there, but on no way from there, count
// as independent: the choice is made on such a way.
template <class G>
void QuasiVelocitySystem<G>::chooseForStart() {
  constexpr int kWays = 3;
  start_modes_.flags.resize(1 + at(freedoms() + rowCount()));
  start_modes_.numbers.resize(cuts().rows() > 0 ? at(freedoms()) + 1 : 0);
  quasi_velocities_ = freedoms();
  std::fill_n(start_modes_.flags.begin() + 1, freedoms(), std::uint8_t{1});
  if (rowCount() == 0) return;
  std::vector<double> x = joints_.fromAbsolute(0.0, options_.start.empty() ? drawnState() : options_.start);
  const auto u = cut_tree_.velocitiesOf(x);
  if (cuts().rows() > 0) std::copy(u.begin(), u.end(), start_modes_.numbers.begin());
  typename CutTree<G>::Work work(cut_tree_);
  RowElimination rows(rowCount(), units_);
  typename NamedForms<G>::Work named = forms_.makeWork();
  (void)cut_tree_.factorRows(0.0, x, work);
  int dropped = work.factored.dropped;
  std::vector<double> best(x.begin(), x.begin() + tree().coordinates);
  Mixer mixer;
  for (int way = 0; way < kWays && dropped > 0; ++way) {
    std::vector<double> beside = x;
    if (!moveAside(mixer, beside, work)) continue;
    (void)cut_tree_.factorRows(0.0, beside, work);
    if (work.factored.dropped >= dropped) continue;
    dropped = work.factored.dropped;
    std::copy_n(beside.begin(), tree().coordinates, best.begin());
  }
  quasi_velocities_ = freedoms() - cuts().rows() + dropped;
  (void)choose(0.0, best, kDependentRow, work, {rows, named}, start_modes_);
  if (named_ > 0) checkNames(std::span(start_modes_.flags).subspan(1 + at(freedoms())), rows);
  if (problem_.empty() || named_ == 0) return;
  named_ = 0;
  chooseForStart();
}

// q of [q, u, work, turns] moved by any motion that the rows allow, and back onto them.
template <class G>
bool QuasiVelocitySystem<G>::moveAside(Mixer& mixer, std::span<double> x, typename CutTree<G>::Work& work) const {
  // Far enough for a row that only passes dependence to be told from one that stays dependent, in radians or reference
  // lengths.
  constexpr double kAside = 3e-2;
  const auto q = x.first(at(tree().coordinates));
  std::vector<double> step(units_.size());
  for (std::size_t k = 0; k < step.size(); ++k) step[k] = kAside * mixer.next() * referenceLength() / units_[k];
  cut_tree_.setTurns(x, work);
  equations_.place(0.0, q, work);
  if (!cut_tree_.factor(0.0, kDependentRow, work)) return false;
  std::vector<double> row(step.size());
  for (int r = 0; r < cuts().rows(); ++r) {
    std::fill(row.begin(), row.end(), 0.0);
    equations_.addRow(r, work, row);
    work.rest[at(r)] = 0.0;
    for (std::size_t k = 0; k < step.size(); ++k) work.rest[at(r)] -= row[k] * step[k];
  }
  cut_tree_.stepOf(work.rest, work);
  for (std::size_t k = 0; k < step.size(); ++k) step[k] += work.step[k];
  moveJoints<G>(tree(), step, q);
  bool moved = false;
  Positions positions{*this, work};
  return projectPositions(positions, 0.0, q, moved) == Eval::ok;
}

// Between two steps: where some motion of omega alone moves another velocity by far more than itself, others may do
// better.
template <class G>
Restated QuasiVelocitySystem<G>::restate(double t, std::span<double> x, Modes& modes, Workspace& workspace) const {
  constexpr double kTooFar = 10.0;
  constexpr double kBetter = 0.5;
  Work& work = static_cast<Work&>(workspace);
  if (rowCount() == 0 || quasi_velocities_ == 0) return Restated::no;
  if (velocities(t, x, modes, work) != Eval::ok || work.by_joints) return Restated::no;
  const double now = work.rows.greatestOfMotions(cuts().rows(), work.v);
  if (now <= kTooFar) return Restated::no;
  const auto q = positionsOf(x);
  std::copy_n(modes.flags.begin(), work.modes.flags.size(), work.modes.flags.begin());
  // A motion that turns away from a pose of lower rank is followed however near it comes.
  const Rows rows{work.rows, work.named};
  if (!choose(t, q, isNear(modes) ? kTurningRow : kDependentRow, work, rows, work.modes)) return Restated::no;
  const Choice next = choiceIn(work.modes);
  if (std::ranges::equal(next.independent, choiceIn(modes).independent)) return Restated::no;
  (void)work.rows.factor(next.left_out, next.independent);
  if (!(work.rows.greatestOfMotions(cuts().rows(), work.v) < kBetter * now)) return Restated::no;
  std::copy(work.modes.flags.begin(), work.modes.flags.end(), modes.flags.begin());
  ++work.repartitions;
  takeQuasiVelocities(t, choiceIn(modes), work, x);
  return Restated::anew;
}

// omega of work.u, at the coordinates and turns in x.
template <class G>
void QuasiVelocitySystem<G>::takeQuasiVelocities(double t, const Choice& choice, Work& work,
                                                 std::span<double> x) const {
  const std::span<const double> q = positionsOf(x);
  std::size_t next = at(tree().coordinates);
  if (named_ > 0) {
    cut_tree_.setTurns(x, work);
    equations_.place(t, q, work);
    equations_.move(work.u, work);
    equations_.bodyVelocities(work, work.velocity);
    forms_.place(work.eq, work.named);
    forms_.move(work.eq, work.named);
  }
  for (int k = 0; k < named_; ++k)
    x[next++] = forms_.timesRow(k, work.velocity, work.named) - forms_.minusRest(k, work.named);
  std::copy(work.u.begin(), work.u.end(), work.v.begin());
  own_axes_.turnIn(q, work.v);
  for (std::size_t k = 0; k < work.v.size(); ++k) {
    if (choice.independent[k] != 0) x[next++] = work.v[k];
  }
}

template <class G>
bool QuasiVelocitySystem<G>::chooseInstead(double t, std::span<const std::uint8_t> independent, std::span<double> x,
                                           Modes& modes) const {
  const auto work = std::make_unique<Work>(*this);
  if (velocities(t, x, modes, *work) != Eval::ok) return false;
  Modes instead = modes;
  std::copy(independent.begin(), independent.end(), instead.flags.begin() + 1);
  const auto count = std::count(independent.begin(), independent.end(), std::uint8_t{1});
  if (count != quasi_velocities_ - named_) return false;
  const Choice choice = choiceIn(instead);
  if (!(work->rows.factor(choice.left_out, choice.independent).size > kDependentRow)) return false;
  takeQuasiVelocities(t, choice, *work, x);
  modes = instead;
  return true;
}

// --- near a pose of lower rank

// 1/s: of the fastest motion, moving as the workspace has it.
template <class G>
double QuasiVelocitySystem<G>::fastest(Work& work) const {
  double rate = 0.0;
  for (int b = 0; b < tree().size(); ++b) {
    const auto& v = work.vk.body[at(b)];
    rate = std::max(rate, std::sqrt(dot(v.v, v.v)) / referenceLength());
    if constexpr (G::kSpatial) {
      rate = std::max(rate, std::sqrt(dot(v.w, v.w)));
    } else {
      rate = std::max(rate, std::abs(v.w));
    }
  }
  return rate;
}

// work.u from states on both sides of (t, x), along the velocities where the step began; false where there is no such
// path.                                                                                    [docs/theory/01, eq. 1.32]
template <class G>
bool QuasiVelocitySystem<G>::velocitiesAcross(double t, std::span<const double> x, const Modes& modes,
                                              Work& work) const {
  const auto q = positionsOf(x);
  const auto direction = directionIn(modes);
  equations_.move(direction, work);
  const double rate = fastest(work);
  std::fill(work.udot.begin(), work.udot.end(), 0.0);  // the sum
  if (!(rate > 0.0) || !std::isfinite(kAcross / rate)) return false;
  const bool timed = !work.eq.motions.empty();
  Positions positions{*this, work};
  const long solves = work.counts.projections;
  bool good = true;
  for (const int step : {1, -1, 2, -2, 3, -3, 4, -4}) {
    const double e = step * kAcross / rate;
    const double when = timed ? t + e : t;
    for (std::size_t k = 0; k < work.still.size(); ++k) work.still[k] = e * direction[k];
    std::copy(q.begin(), q.end(), work.moved_q.begin());
    moveJoints<G>(tree(), work.still, work.moved_q);
    bool moved = false;
    good = projectPositions(positions, when, std::span<double>(work.moved_q), moved) == Eval::ok &&
           eliminate(when, work.moved_q, modes, kTooNear, work) == Eval::ok;
    if (!good) break;
    wantedOfRows(work);
    velocitiesHere(work.moved_q, quasiVelocitiesOf(x), work);
    const double weight = kAcrossWeight[static_cast<std::size_t>(std::abs(step)) - 1];
    for (std::size_t k = 0; k < work.u.size(); ++k) work.udot[k] += weight * work.u[k];
  }
  work.counts.projections = solves;
  std::copy(work.udot.begin(), work.udot.end(), work.u.begin());
  return good;
}

// Whether (1) as it is, at the state brought to the rows of positions, differs from what is on both sides, in
// work.udot, by more than the round-off of closure explains.                                          [docs/theory/11,
// eq. 11.11]
template <class G>
bool QuasiVelocitySystem<G>::turnsFromAcross(double t, std::span<const double> x, const Modes& modes,
                                             Work& work) const {
  const auto q = positionsOf(x);
  std::copy(q.begin(), q.end(), work.moved_q.begin());
  Positions positions{*this, work};
  const long solves = work.counts.projections;
  bool moved = false;
  const bool closed = projectPositions(positions, t, std::span<double>(work.moved_q), moved) == Eval::ok;
  work.counts.projections = solves;
  if (!closed || !cut_tree_.factor(t, kTurningRow, work) || cut_tree_.lostRows(work)) return false;
  if (eliminate(t, work.moved_q, modes, kDependent, work) != Eval::ok) return false;
  wantedOfRows(work);
  velocitiesHere(work.moved_q, quasiVelocitiesOf(x), work);
  equations_.move(work.u, work);
  const double rate = fastest(work);
  for (std::size_t k = 0; k < work.u.size(); ++k) work.u[k] -= work.udot[k];
  equations_.move(work.u, work);
  const double round_off = kClosedRoundoff * cut_tree_.largestCoordinate(work) / referenceLength();
  return fastest(work) > kMissRoundoff * round_off * rate / work.factored.smallest_kept;
}

// In a step that begins near a pose of lower rank, with the bodies placed: (1) as it is, where the state is away from
// such a pose or turns away from it; otherwise what is on both sides.
template <class G>
Eval QuasiVelocitySystem<G>::velocitiesNear(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  const auto q = positionsOf(x);
  const auto omega = quasiVelocitiesOf(x);
  wantedOfRows(work);
  const bool here = eliminate(t, q, modes, kDependent, work) == Eval::ok;
  const bool clear = here && cut_tree_.factor(t, kTurningRow, work) && isFull(work) &&
                     work.factored.smallest_kept >= modes.numbers.back();
  if (!clear) {
    work.failure = FailureNote::Failure::none;
    work.by_joints = velocitiesAcross(t, x, modes, work) && !turnsFromAcross(t, x, modes, work);
    work.failure = FailureNote::Failure::none;
    equations_.place(t, q, work);
    if (work.by_joints) {
      std::copy(work.udot.begin(), work.udot.end(), work.u.begin());
      return Eval::ok;
    }
    wantedOfRows(work);
    const Eval again = eliminate(t, q, modes, kDependent, work);
    if (again != Eval::ok) return restsAtLowerRank(omega, modes, work) ? Eval::ok : again;
  }
  velocitiesHere(q, omega, work);
  return Eval::ok;
}

// After factoring: as many rows are independent as at the start.
template <class G>
bool QuasiVelocitySystem<G>::isFull(const Work& work) const {
  return cuts().rows() - work.factored.dropped == freedoms() - quasi_velocities_;
}

// Which of rows that depend on each other are left out may have to change with the pose. omega means the same.
template <class G>
void QuasiVelocitySystem<G>::refreshRows(std::span<const double> q, Modes& modes, Work& work) const {
  constexpr double kPoor = 2e-2;
  const Choice choice = choiceIn(modes);
  fillRows(q, work, {work.rows, work.named});
  const double now = work.rows.factor(choice.left_out, choice.independent).size;
  if (now >= kPoor || work.factored.dropped == 0) return;
  std::copy(choice.left_out.begin(), choice.left_out.end(), work.left_out.begin());
  const auto rows = std::span(modes.flags).subspan(1 + at(freedoms()), work.left_out.size());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = work.ldlt.dropped(static_cast<int>(r)) ? 1 : 0;
  if (work.rows.factor(choice.left_out, choice.independent).size > now) return;
  std::copy(work.left_out.begin(), work.left_out.end(), rows.begin());
}

// What the step that begins at (t, x) is to go along: its velocities; from rest, its accelerations.
template <class G>
bool QuasiVelocitySystem<G>::takeDirection(double t, std::span<const double> x, Modes& modes, Work& work) const {
  if (asVelocities(t, x, modes, work) != Eval::ok) return false;
  if (fastest(work) > 0.0) {
    std::copy(work.u.begin(), work.u.end(), modes.numbers.begin());
    return true;
  }
  const Eval eval = joints_.derivative(t, work.state, joint_modes_, *work.beside, work.state_rate).eval;
  if (eval != Eval::ok) return false;
  const auto udot = cut_tree_.velocitiesOf(work.state_rate);
  std::copy(udot.begin(), udot.end(), modes.numbers.begin());
  return true;
}

// The modes, or for one who looks at a single state those of a step that begins there.
template <class G>
const Modes& QuasiVelocitySystem<G>::placed(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  if (!projects() || modes.flags[0] != unknown) return modes;
  std::copy_n(modes.flags.begin(), work.modes.flags.size(), work.modes.flags.begin());
  std::copy_n(modes.numbers.begin(), work.modes.numbers.size(), work.modes.numbers.begin());
  beginStep(t, x, work.modes, work);
  return work.modes;
}

// What is taken as it is where the step begins is so at states that are not much nearer to a pose of lower rank.
template <class G>
void QuasiVelocitySystem<G>::beginStep(double t, std::span<const double> x, Modes& modes, Workspace& workspace) const {
  // A step that begins nearer to a pose of lower rank than this relative pivot takes velocities from both sides of it:
  // so far away that a step of the other kind, which ends where pivots become small, can begin.
  constexpr double kNear = 1e-4;
  constexpr double kNotMuchNearer = 0.1;  // as a pivot, a square
  Work& work = static_cast<Work&>(workspace);
  if ((!projects() && cuts().rows() == 0) || !allFinite(positionsOf(x)) || !allFinite(quasiVelocitiesOf(x))) return;
  cut_tree_.setTurns(x, work);
  equations_.place(t, positionsOf(x), work);
  const bool full = cut_tree_.factor(t, kDependentRow, work) && isFull(work);
  if (full) refreshRows(positionsOf(x), modes, work);
  if (!projects()) return;
  const Place before = static_cast<Place>(modes.flags[0]);
  modes.flags[0] = away;
  // Rows may be near dependence by their entries and not by the motion of the masses.
  const bool solvable =
      full && work.factored.smallest_kept >= kNear && eliminate(t, positionsOf(x), modes, kTooNear, work) == Eval::ok;
  work.failure = FailureNote::Failure::none;
  if (solvable) return;
  modes.flags[0] = near;
  double& least = modes.numbers.back();
  if (before == away) std::fill(modes.numbers.begin(), modes.numbers.end(), 0.0);
  if (!takeDirection(t, x, modes, work)) std::fill(modes.numbers.begin(), modes.numbers.end(), 0.0);
  least = kNear;
  if (velocities(t, x, modes, work) != Eval::ok || work.by_joints) return;
  if (!cut_tree_.factor(t, kTurningRow, work) || !isFull(work)) return;
  least = std::min(kNear, kNotMuchNearer * work.factored.smallest_kept);
}

// --- at its end

// Projection moves q; omega stays, and the other velocities follow. Near a pose of lower rank they would follow with
// the move divided by the square of the distance: there u is brought to the rows where q is then, in the metric of the
// masses.
template <class G>
AfterStep QuasiVelocitySystem<G>::afterStep(double t, std::span<double> x, const Modes& modes,
                                            Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const bool with_velocities = isNear(modes) && asVelocities(t, x, modes, work) == Eval::ok && !work.by_joints;
  work.failed = nullptr;
  const auto coordinates = static_cast<std::ptrdiff_t>(tree().coordinates);
  if (!with_velocities) {
    std::fill(work.state.begin(), work.state.end(), 0.0);
    std::copy_n(x.begin(), coordinates, work.state.begin());
    std::copy(x.end() - cuts().turns(), x.end(), work.state.end() - cuts().turns());
  }
  AfterStep out = joints_.afterStep(t, work.state, joint_modes_, *work.beside);
  if (work.checked(out.eval) != Eval::ok) return out;
  std::copy_n(work.state.begin(), coordinates, x.begin());
  std::copy(work.state.end() - cuts().turns(), work.state.end(), x.end() - cuts().turns());
  if (with_velocities) {
    std::ranges::copy(cut_tree_.velocitiesOf(work.state), work.u.begin());
    takeQuasiVelocities(t, choiceIn(modes), work, x);
  }
  out.rows = factorRows(t, x, modes, workspace);
  return out;
}

}  // namespace linkwork
