// The text of HamiltonianSystem, for the sources in which it is instantiated.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "linkwork/formulation/hamiltonian/hamiltonian_canonical.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_observe_impl.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_step_impl.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
HamiltonianSystem<G>::HamiltonianSystem(const Mechanism& mechanism, const HamiltonianOptions& options)
    : options_(options),
      whole_(options.opening == LoopOpening::split_bodies ? std::make_unique<Whole>(mechanism, options) : nullptr),
      joints_(whole_ ? withSplitBodies(mechanism, options.image_share) : mechanism, options),
      joint_modes_(joints_.startModes()),
      cut_tree_(joints_.cutTree()),
      equations_(cut_tree_.equations()) {
  for (const RowInfo& row : cuts().elements().row_info) {
    impulse_unit_.push_back(row.unit == RowUnit::angle ? reactionLength() : 1.0);
  }
  if (whole_) findImages();
  if (options.solver != LoopSolver::factor || options.variant != ImpulseRates::corrected) {
    paper_ = std::make_unique<PaperLoops<G>>(cut_tree_, opened(), whole_ ? &whole_->image_of : nullptr, options.solver,
                                             options.variant);
  }
  canonical_ = makeCanonical();
}

template <class G>
std::unique_ptr<Workspace> HamiltonianSystem<G>::makeWorkspace() const {
  return std::make_unique<Work>(*this);
}

template <class G>
Modes HamiltonianSystem<G>::startModes() const {
  Modes out;
  out.flags.resize(flag_count);
  out.numbers.resize(at(cuts().rows()));
  return out;
}

template <class G>
double& HamiltonianSystem<G>::workOf(std::span<double> x) const {
  return x[at(tree().coordinates + tree().freedoms)];
}

// u with p = p*, whatever the cuts say, and everything moving so.
template <class G>
void HamiltonianSystem<G>::freeVelocities(std::span<const double> p, Work& work) const {
  auto& joints = work.joints;
  if (equations_.prescribes()) prescribedVelocities<G>(tree(), joints.pk, joints.eq.motions, work.prescribed);
  std::fill(work.eta.begin(), work.eta.end(), 0.0);
  if (cut_tree_.lacksInertia()) return freeVelocitiesHeld(p, work);
  std::fill(joints.solve.p.begin(), joints.solve.p.end(), typename LinkAxes<G>::Force{});
  solveInwards<G>(tree(), joints.pk, joints.inertia, p, work.prescribed, joints.solve);
  solveOutwards<G>(tree(), joints.pk, joints.inertia, {}, work.prescribed, joints.solve, work.u);
  equations_.moveLinks(joints.solve.A, joints);
}

// (M + rho J^T J) u = p* - p_0 + rho J^T (-Phi_t - Phi_q v_0)                                 [docs/theory/07,
// eq. 7.11]
template <class G>
void HamiltonianSystem<G>::freeVelocitiesHeld(std::span<const double> p, Work& work) const {
  auto& joints = work.joints;
  auto& right = joints.massless->right;
  std::fill(work.u.begin(), work.u.end(), 0.0);
  equations_.move(work.u, joints);
  momenta(work);
  cut_tree_.velocityResidual(joints);
  for (std::size_t c = 0; c < tree().columns.size(); ++c) {
    const int freedom = tree().columns[c].freedom;
    if (freedom >= 0) right[freedom] = p[at(freedom)] - work.impulse[c];
  }
  std::transform(joints.velocity_residual.begin(), joints.velocity_residual.end(), joints.rest.begin(),
                 std::negate<>());
  cut_tree_.solveHeld(joints.rest, work.u, joints);
  equations_.move(work.u, joints);
}

// (3), with the factors at hand and the velocities without it in work.u.
template <class G>
void HamiltonianSystem<G>::closeVelocities(Work& work) const {
  // Rows that miss by more than this share of the velocities are solved for once more.
  constexpr double kRefine = 1e-14;
  // Of lengths that fit: what impulses in dependent rows do of work is below every tolerance, but for drift.
  constexpr double kFits = 1e-12;
  auto& joints = work.joints;
  double size = 0.0;
  for (int sweep = 0; sweep < 3; ++sweep) {
    cut_tree_.velocityResidual(joints);
    if (sweep == 0) std::copy(joints.velocity_residual.begin(), joints.velocity_residual.end(), work.open.begin());
    size = std::max({size, normInf(joints.velocity), normInf(joints.eq.minus_phi_t)});
    double missed = 0.0;
    for (int r = 0; r < cuts().rows(); ++r) {
      if (!joints.ldlt.dropped(r)) missed = std::max(missed, std::abs(joints.velocity_residual[at(r)]));
    }
    double& worst = joints.counts.worst_residual;
    if (sweep == 2) worst = std::max(worst, size > 0.0 ? missed / size : 0.0);
    if (sweep == 2 || missed <= kRefine * size) break;
    for (std::size_t r = 0; r < joints.rest.size(); ++r) joints.rest[r] = -joints.velocity_residual[r];
    joints.ldlt.solve(joints.rest);
    if (options_.misfit <= kFits) joints.ldlt.makeLeast(joints.rest, impulse_unit_);
    cut_tree_.motionOf(joints.rest, joints);
    for (std::size_t k = 0; k < work.u.size(); ++k) work.u[k] += joints.step[k];
    for (std::size_t r = 0; r < work.eta.size(); ++r) work.eta[r] += joints.rest[r];
    equations_.move(work.u, joints);
  }
}

// Of velocities.
template <class G>
Eval HamiltonianSystem<G>::checkDroppedRows(double t, Work& work) const {
  auto& joints = work.joints;
  const int row = contradictedRow(
      cuts().rows(), std::max(cut_tree_.drift(joints), options_.misfit), [&](int r) { return joints.ldlt.dropped(r); },
      [&](int r) {
        const double least = cut_tree_.length() / cut_tree_.rowLength(r);
        return balanceOfRow(cuts(), r, joints.eq.minus_phi_t[at(r)], joints.velocity, joints.eq, least);
      });
  return row < 0 ? Eval::ok : joints.fail(FailureNote::Failure::contradiction, t, row, Eval::retry);
}

// Bodies where q puts them, moving as p* and the cuts say: work.u, work.eta.
template <class G>
Eval HamiltonianSystem<G>::velocities(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  auto& joints = work.joints;
  joints.failure = FailureNote::Failure::none;
  work.failed = nullptr;
  if (!allFinite(positionsOf(x)) || !allFinite(impulsesOf(x))) {
    return joints.fail(FailureNote::Failure::state_not_finite, t, 0, Eval::retry);
  }
  cut_tree_.setTurns(x, joints);
  equations_.place(t, positionsOf(x), joints);
  if (joints.eq.left_place >= 0) {
    return joints.fail(FailureNote::Failure::left_place, t, joints.eq.left_place, Eval::retry);
  }
  if (joints.badMotion(joints.eq) >= 0) return joints.failNotFinite(t, joints.eq);
  if (!cut_tree_.factor(t, kDependentRow, joints)) return cut_tree_.cannotFactor(joints);
  freeVelocities(impulsesOf(x), work);
  if (modes.flags[eta_known] != 0) {
    // Within a step of (4') nothing is solved for, and what a stage is off the cuts counts no more than with
    // velocities.
    std::copy(modes.numbers.begin(), modes.numbers.end(), work.eta.begin());
    moveByImpulses(work);
  } else if (cuts().rows() > 0 && paper_ && paper_->solves()) {
    if (const Eval eval = closeByPaper(t, work); eval != Eval::ok) return eval;
  } else if (cuts().rows() > 0) {
    closeVelocities(work);
  }
  if (!allFinite(work.u)) return joints.fail(FailureNote::Failure::state_not_finite, t, 0, Eval::retry);
  return joints.factored.dropped == 0 || modes.flags[eta_known] != 0 ? Eval::ok : checkDroppedRows(t, work);
}

// u <- u + M^-1 J^T eta
template <class G>
void HamiltonianSystem<G>::moveByImpulses(Work& work) const {
  cut_tree_.motionOf(work.eta, work.joints);
  for (std::size_t k = 0; k < work.u.size(); ++k) work.u[k] += work.joints.step[k];
  equations_.move(work.u, work.joints);
}

// (3) as the paper solves it.
template <class G>
Eval HamiltonianSystem<G>::closeByPaper(double t, Work& work) const {
  auto& joints = work.joints;
  cut_tree_.velocityResidual(joints);
  std::copy(joints.velocity_residual.begin(), joints.velocity_residual.end(), work.open.begin());
  const Eval eval = paper_->solve(t, work.open, joints, work.eta, work.iterations);
  if (eval != Eval::ok) return eval;
  moveByImpulses(work);
  cut_tree_.velocityResidual(joints);
  const double size = std::max(normInf(joints.velocity), normInf(joints.eq.minus_phi_t));
  double& worst = joints.counts.worst_residual;
  if (size > 0.0) worst = std::max(worst, normInf(joints.velocity_residual) / size);
  return Eval::ok;
}

// kappa of every body, after momenta.
template <class G>
void HamiltonianSystem<G>::takeLoopRates(Work& work) const {
  loopRatesOf<G>(equations_, work.joints, work.eta, work);
}

// Momentum of each link and all that it carries, less what eta brings to it; the impulses p* of all columns.
template <class G>
void HamiltonianSystem<G>::momenta(Work& work) const {
  momentaOf<G>(equations_, work.joints, work.eta, work);
}

// The same at the velocities that freeVelocities found last: the joints passed the momenta on then.
template <class G>
void HamiltonianSystem<G>::momentaAsSolved(Work& work) const {
  if (cuts().rows() > 0 || cut_tree_.lacksInertia()) return momenta(work);
  std::copy(work.joints.solve.F.begin(), work.joints.solve.F.end(), work.h.begin());
  linkwork::impulsesOf<G>(tree(), work.joints.pk, work.h, work.impulse);
}

// work - work* of (6), after momenta.
template <class G>
double HamiltonianSystem<G>::boundWork(const Work& work) const {
  double sum = 0.0;
  for (std::size_t c = 0; c < tree().columns.size(); ++c) {
    const TreeColumn& column = tree().columns[c];
    if (column.freedom < 0) sum += work.impulse[c] * work.joints.eq.motions[at(column.motion)].fdot;
  }
  for (std::size_t r = 0; r < work.eta.size(); ++r) sum += work.eta[r] * work.joints.eq.minus_phi_t[r];
  return sum;
}

// The impulses of the velocities in work with this eta, and the work done so far.
template <class G>
void HamiltonianSystem<G>::impulsesInto(Work& work, double done, std::span<double> x) const {
  momenta(work);
  for (std::size_t c = 0; c < tree().columns.size(); ++c) {
    const int freedom = tree().columns[c].freedom;
    if (freedom >= 0) x[at(tree().coordinates + freedom)] = work.impulse[c];
  }
  workOf(x) = done - boundWork(work);
}

// (4) of every column, and work*'.
template <class G>
void HamiltonianSystem<G>::rates(Work& work) const {
  auto& joints = work.joints;
  if (paper_) paper_->takeFromRates(work.eta);
  momentaAsSolved(work);
  if (cuts().rows() > 0) {
    takeLoopRates(work);
    for (int b = 0; b < tree().size(); ++b) joints.loads[at(b)] += -work.z_rate[at(b)];
  }
  ratesUnderLoads(work);
}

// The rest of (4), after momenta.
template <class G>
void HamiltonianSystem<G>::ratesUnderLoads(Work& work) const {
  ratesUnder<G>(equations_, work.joints, work.u, work.eta, work);
}

// (4') as the rate of a momentum: that of every link from its acceleration, less what c takes.
template <class G>
Eval HamiltonianSystem<G>::ratesByForces(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  auto& joints = work.joints;
  if (const Eval eval = asVelocities(t, x, modes, work); eval != Eval::ok) return eval;
  const Eval eval =
      work.checked(joints_.derivative(t, work.state, joint_modes_, *work.beside, work.state_rate), work.beside);
  if (eval != Eval::ok) return eval;
  std::copy(modes.numbers.begin(), modes.numbers.end(), work.eta.begin());
  momenta(work);
  equations_.move(work.u, joints);
  takeLoopRates(work);
  const auto udot = cut_tree_.velocitiesOf(work.state_rate);
  linkwork::accelerations<G>(tree(), joints.pk, joints.vk, udot, {}, joints.solve.A);
  for (int k = 0; k < tree().size(); ++k) {
    const auto& rigid = joints.pk.rigid[at(k)];
    work.F[at(k)] =
        LinkAxes<G>::times(rigid, joints.solve.A[at(k)]) + LinkAxes<G>::rateForce(rigid, joints.vk.V[at(k)]);
    work.F[at(k)] -= linkForce<G>(tree(), joints.pk, k, work.z_rate[at(tree().links[at(k)].body)]);
  }
  gatherInwards<G>(tree(), joints.pk, work.F);
  impulseRates<G>(tree(), joints.pk, joints.vk, work.u, joints.eq.motions, work.h, work.F, work.rate);
  work.power = workOf(work.state_rate) - boundWorkRate<G>(equations_, joints, work.eta, work);
  return Eval::ok;
}

template <class G>
Evaluation HamiltonianSystem<G>::derivative(double t, std::span<const double> x, const Modes& modes,
                                            Workspace& workspace, std::span<double> xdot) const {
  Work& work = static_cast<Work&>(workspace);
  auto& joints = work.joints;
  if (modes.flags[by_forces] != 0) {
    if (const Eval eval = ratesByForces(t, x, modes, work); eval != Eval::ok) return eval;
  } else {
    if (const Eval eval = velocities(t, x, modes, work); eval != Eval::ok) return eval;
    if (options_.stabilisation == Stabilisation::projection && cut_tree_.nearRankChange(joints)) {
      return joints.fail(FailureNote::Failure::contradiction, t, std::max(0, joints.factored.nearest_row), Eval::retry);
    }
    equations_.forces(joints);
    if (const Eval eval = joints.checkGiven(t, joints.eq); eval != Eval::ok) return eval;
    rates(work);
  }
  const auto q = positionsOf(x);
  coordinateRates<G>(tree(), q, work.u, xdot.first(q.size()));
  for (std::size_t c = 0; c < tree().columns.size(); ++c) {
    const int freedom = tree().columns[c].freedom;
    if (freedom >= 0) xdot[q.size() + at(freedom)] = work.rate[c];
  }
  workOf(xdot) = work.power;
  const std::size_t first_turn = q.size() + work.u.size() + 1;
  for (int k = 0; k < cuts().turns(); ++k) xdot[first_turn + at(k)] = cuts().turnRate(k, joints.eq);
  return {Eval::ok, cut_tree_.rank(joints.factored)};
}

// work.state = [q, u, work*, turns] of x, after velocities.
template <class G>
void HamiltonianSystem<G>::takeState(std::span<const double> x, Work& work) const {
  std::copy(x.begin(), x.end(), work.state.begin());
  std::copy(work.u.begin(), work.u.end(), work.state.begin() + tree().coordinates);
}

// work.state = [q, u, work, turns] of x.
template <class G>
Eval HamiltonianSystem<G>::asVelocities(double t, std::span<const double> x, const Modes& modes, Work& work) const {
  if (const Eval eval = velocities(t, x, modes, work); eval != Eval::ok) return eval;
  momenta(work);
  takeState(x, work);
  workOf(work.state) += boundWork(work);
  return Eval::ok;
}

template <class G>
Eval HamiltonianSystem<G>::eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& workspace,
                                       std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  if (const Eval eval = velocities(t, x, modes, work); eval != Eval::ok) return eval;
  takeState(x, work);
  return work.checked(joints_.eventValues(t, work.state, joint_modes_, *work.beside, values), work.beside);
}

}  // namespace linkwork
