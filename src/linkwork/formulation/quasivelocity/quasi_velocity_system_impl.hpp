// The text of QuasiVelocitySystem, for the sources in which it is instantiated.
#pragma once

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/quasivelocity/quasi_velocity_dynamics_impl.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_names_impl.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_observe_impl.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_step_impl.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
QuasiVelocitySystem<G>::QuasiVelocitySystem(const Mechanism& mechanism, const StabilisationOptions& options)
    : options_(options),
      joints_(mechanism, options),
      joint_modes_(joints_.startModes()),
      cut_tree_(joints_.cutTree()),
      equations_(cut_tree_.equations()),
      own_axes_(cut_tree_.tree()),
      forms_(mechanism),
      named_(forms_.count()),
      units_(at(freedoms()), 1.0) {
  for (const TreeColumn& column : tree().columns) {
    const TreeLink<G>& link = tree().links[at(column.link)];
    const bool turns = &column - &tree().columns[at(link.first_column)] >= link.slides;
    if (column.freedom >= 0 && turns) units_[at(column.freedom)] = referenceLength();
  }
  for (const TreeLink<G>& link : tree().links) mass_ += link.inertia.mass;
  const auto& elements = cuts().elements();
  const bool moved = equations_.prescribes() || !cuts().makeWork().motions.empty();
  timed_ = moved || !elements.relations.empty() || !elements.laws.empty() || named_ > 0;
  for (const NamedVelocity& named : mechanism.named_velocities) names_.push_back(named.name);
  chooseForStart();
}

template <class G>
std::unique_ptr<Workspace> QuasiVelocitySystem<G>::makeWorkspace() const {
  return std::make_unique<Work>(*this);
}

template <class G>
StateSpace QuasiVelocitySystem<G>::space() const {
  // Where nothing is left free, the work is all there is to choose steps by: it comes under error control.
  if (quasi_velocities_ == 0) return StateSpace::firstOrder(tree().coordinates + 1 + cuts().turns());
  return {tree().coordinates, quasi_velocities_, 1 + cuts().turns()};
}

template <class G>
std::span<const double> QuasiVelocitySystem<G>::quasiVelocitiesOf(std::span<const double> x) const {
  return x.subspan(at(tree().coordinates), at(quasi_velocities_));
}

template <class G>
std::size_t QuasiVelocitySystem<G>::workAt() const {
  return at(tree().coordinates + quasi_velocities_);
}

template <class G>
auto QuasiVelocitySystem<G>::choiceIn(const Modes& modes) const -> Choice {
  const std::span<const std::uint8_t> flags(modes.flags);
  return {flags.subspan(1, at(freedoms())), flags.subspan(1 + at(freedoms()), at(rowCount()))};
}

// --- a state becomes velocities

template <class G>
void QuasiVelocitySystem<G>::fillRows(std::span<const double> q, const typename CutTree<G>::Work& work,
                                      const Rows& of) const {
  RowElimination& rows = of.rows;
  rows.clear();
  for (int r = 0; r < cuts().rows(); ++r) {
    equations_.addRow(r, work, rows.row(r));
    own_axes_.turnIn(q, rows.row(r));
  }
  if (named_ == 0) return;
  forms_.place(work.eq, of.named);
  for (int k = 0; k < named_; ++k) {
    const auto row = rows.row(cuts().rows() + k);
    forms_.addRow(tree(), work.pk, k, of.named, row);
    own_axes_.turnIn(q, row);
  }
}

// With the bodies placed. Down to the pivot `least`: nearer to where the rows do not determine the dependent velocities
// nothing is solved.
template <class G>
Eval QuasiVelocitySystem<G>::eliminate(double t, std::span<const double> q, const Modes& modes, double least,
                                       Work& work) const {
  const Choice choice = choiceIn(modes);
  fillRows(q, work, {work.rows, work.named});
  const RowElimination::Pivot smallest = work.rows.factor(choice.left_out, choice.independent);
  if (smallest.size > least) return Eval::ok;
  if (!std::isfinite(smallest.size)) return work.failNotFinite(t, work.eq);
  std::copy(choice.left_out.begin(), choice.left_out.end(), work.tried_without.begin());
  return work.fail(FailureNote::Failure::not_closed, t, smallest.row, Eval::retry);
}

// work.right = g = -Phi_t - Phi_q v_0, with the bodies placed: what the rows ask of u. Those of names ask for omega
// besides.
template <class G>
void QuasiVelocitySystem<G>::wantedOfRows(Work& work) const {
  std::fill(work.right.begin(), work.right.end(), 0.0);
  if (!timed_) return;
  std::fill(work.u.begin(), work.u.end(), 0.0);
  equations_.move(work.u, work);
  cut_tree_.velocityResidual(work);
  for (std::size_t r = 0; r < work.lambda.size(); ++r) work.right[r] = -work.velocity_residual[r];
  if (named_ == 0) return;
  forms_.place(work.eq, work.named);
  forms_.move(work.eq, work.named);
  for (int k = 0; k < named_; ++k)
    work.right[work.lambda.size() + at(k)] =
        forms_.minusRest(k, work.named) - forms_.timesRow(k, work.velocity, work.named);
}

// (1), with the rows eliminated and what they ask for at hand: work.v, work.u.
template <class G>
void QuasiVelocitySystem<G>::velocitiesHere(std::span<const double> q, std::span<const double> omega,
                                            Work& work) const {
  if (rowCount() > 0) {
    const auto independent = work.rows.independent();
    for (std::size_t k = 0; k < independent.size(); ++k) work.v[at(independent[k])] = omega[at(named_) + k];
    for (int k = 0; k < named_; ++k) work.right[work.lambda.size() + at(k)] += omega[at(k)];
    work.rows.complete(work.right, work.v);
  } else {
    std::copy(omega.begin(), omega.end(), work.v.begin());
  }
  std::copy(work.v.begin(), work.v.end(), work.u.begin());
  own_axes_.turnOut(q, work.u);
}

// At rest in a pose of lower rank, with rows that ask for no motion: nothing is to be solved for, and accelerations are
// those of joint coordinates.
template <class G>
bool QuasiVelocitySystem<G>::restsAtLowerRank(std::span<const double> omega, const Modes& modes, Work& work) const {
  work.by_joints = isNear(modes) && normInf(omega) == 0.0 && normInf(work.right) == 0.0 && !equations_.prescribes();
  if (!work.by_joints) return false;
  work.failure = FailureNote::Failure::none;
  std::fill(work.u.begin(), work.u.end(), 0.0);
  return true;
}

// Bodies where q puts them, moving as omega and the rows say: work.u.
template <class G>
Eval QuasiVelocitySystem<G>::velocities(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  const auto fail = [&](FailureNote::Failure why, int index) { return work.fail(why, t, index, Eval::retry); };
  work.failure = FailureNote::Failure::none;
  work.failed = nullptr;
  const auto q = positionsOf(x);
  const auto omega = quasiVelocitiesOf(x);
  if (!allFinite(q) || !allFinite(omega)) return fail(FailureNote::Failure::state_not_finite, 0);
  cut_tree_.setTurns(x, work);
  equations_.place(t, q, work);
  if (work.eq.left_place >= 0) return fail(FailureNote::Failure::left_place, work.eq.left_place);
  if (work.badMotion(work.eq) >= 0) return work.failNotFinite(t, work.eq);
  work.by_joints = false;
  Eval eval = Eval::ok;
  if (isNear(modes)) {
    eval = velocitiesNear(t, x, modes, work);
  } else {
    // With projection a step that begins as near to where the rows leave more free takes another way: this one is to
    // end before.
    if (rowCount() > 0) {
      wantedOfRows(work);
      eval = eliminate(t, q, modes, projects() ? kTooNear : kDependent, work);
    }
    if (eval == Eval::ok) velocitiesHere(q, omega, work);
  }
  if (eval != Eval::ok) return eval;
  if (!allFinite(work.u)) return fail(FailureNote::Failure::state_not_finite, 0);
  equations_.move(work.u, work);
  return Eval::ok;
}

// work.state = [q, u, work, turns] of x.
template <class G>
Eval QuasiVelocitySystem<G>::asVelocities(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  if (const Eval eval = velocities(t, x, modes, work); eval != Eval::ok) return eval;
  const auto after_q = std::copy_n(x.begin(), tree().coordinates, work.state.begin());
  const auto after_u = std::copy(work.u.begin(), work.u.end(), after_q);
  std::copy(x.begin() + static_cast<std::ptrdiff_t>(workAt()), x.end(), after_u);
  return Eval::ok;
}

// --- and rates

template <class G>
Evaluation QuasiVelocitySystem<G>::derivative(double t, std::span<const double> x, const Modes& given,
                                              Workspace& workspace, std::span<double> xdot) const {
  Work& work = static_cast<Work&>(workspace);
  const Modes& modes = placed(t, x, given, work);
  const auto q = positionsOf(x);
  const Choice choice = choiceIn(modes);
  if (const Eval eval = asVelocities(t, x, modes, work); eval != Eval::ok) return eval;
  if (work.by_joints) {
    const Evaluation found = joints_.derivative(t, work.state, joint_modes_, *work.beside, work.state_rate);
    if (work.checked(found.eval) != Eval::ok) return found.eval;
    const auto udot = cut_tree_.velocitiesOf(work.state_rate);
    std::copy(udot.begin(), udot.end(), work.udot.begin());
    work.power = work.state_rate[at(tree().coordinates + freedoms())];
  } else {
    if (const Eval eval = accelerations(t, x, Wanted::rates, work); eval != Eval::ok) return eval;
    if (const Eval eval = checkRowsLeftOut(t, choice, work); eval != Eval::ok) return eval;
  }
  coordinateRates<G>(tree(), q, work.u, xdot.first(q.size()));
  takeQuasiRates(q, work.udot, choice, work, xdot.subspan(q.size(), at(quasi_velocities_)));
  xdot[workAt()] = work.power;
  for (int k = 0; k < cuts().turns(); ++k) xdot[workAt() + 1 + at(k)] = cuts().turnRate(k, work.eq);
  return Eval::ok;
}

}  // namespace linkwork
