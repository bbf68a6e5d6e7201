// What belongs to a step of a HamiltonianSystem: in which numbers it begins, what is fixed throughout it, and what is
// done at its end. All that lives from one step to the next is in Work: by_forces, eta_known, restated and kept.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

// After factor: where (4') belongs.
template <class G>
bool HamiltonianSystem<G>::nearLowerRank(const Work& work) const {
  // A step that begins nearer to a pose of lower rank than this relative pivot has (4'). Wider than the zone in which
  // accelerations come from both sides of the pose, which a step of (4) must not enter.
  constexpr double kByForces = 1e-3;
  return options_.stabilisation == Stabilisation::projection &&
         (work.joints.factored.smallest_kept < kByForces || cut_tree_.nearRankChange(work.joints));
}

// Near a pose of lower rank impulses are restated in any case: (3) finds them when a step comes there, and not farther
// on. Between (4) and (4') the rates jump.
template <class G>
Restated HamiltonianSystem<G>::restate(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const bool was_near = work.by_forces;
  const bool projects = options_.stabilisation == Stabilisation::projection;
  if (cuts().rows() == 0 || (options_.regauge == Regauge::never && !projects)) return Restated::no;
  if (velocities(t, x, work) != Eval::ok) return Restated::no;
  const bool near = nearLowerRank(work);
  if (options_.regauge == Regauge::never && !near && !was_near) return Restated::no;
  const bool changes = normInf(work.eta) > 0.0;
  if (changes) {
    momenta(work);
    const double done = workOf(x) + boundWork(work);
    std::fill(work.eta.begin(), work.eta.end(), 0.0);
    impulsesInto(work, done, x);
  }
  work.restated = near;
  if (near != was_near || (near && changes)) return Restated::anew;
  return changes ? Restated::better : Restated::no;
}

template <class G>
void HamiltonianSystem<G>::beginStep(double t, std::span<const double> x, Workspace& workspace) const {
  // Impulses whose rows miss by no more than this share of the velocities without eta have been restated.
  constexpr double kRestated = 1e-12;
  Work& work = static_cast<Work&>(workspace);
  const bool restated = std::exchange(work.restated, false);
  work.by_forces = work.eta_known = false;
  if (options_.stabilisation != Stabilisation::projection || cuts().rows() == 0) return;
  (void)factorRows(t, x, work);
  work.by_forces = nearLowerRank(work);
  if (!work.by_forces) return;
  std::fill(work.kept.begin(), work.kept.end(), 0.0);
  work.eta_known = restated;
  if (restated || velocities(t, x, work) != Eval::ok) return;
  work.eta_known = true;
  // Of restated impulses eta is round-off, which the nearness of that pose enlarges: none is as good.
  double open = 0.0;
  for (int r = 0; r < cuts().rows(); ++r) {
    if (!work.joints.ldlt.dropped(r)) open = std::max(open, std::abs(work.open[at(r)]));
  }
  const double size = std::max(normInf(work.joints.velocity), normInf(work.joints.eq.minus_phi_t));
  if (open > kRestated * size) std::copy(work.eta.begin(), work.eta.end(), work.kept.begin());
}

template <class G>
std::vector<double> HamiltonianSystem<G>::fixedInStep(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  if (!work.by_forces) return {};
  std::vector<double> out{work.eta_known ? 1.0 : 0.0};
  out.insert(out.end(), work.kept.begin(), work.kept.end());
  return out;
}

template <class G>
void HamiltonianSystem<G>::fixInStep(std::span<const double> fixed, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  work.by_forces = fixed.size() == work.kept.size() + 1;
  work.eta_known = work.by_forces && fixed[0] != 0.0;
  if (work.by_forces) std::copy(fixed.begin() + 1, fixed.end(), work.kept.begin());
}

template <class G>
bool HamiltonianSystem<G>::asWritten(const Workspace& work) const {
  return !static_cast<const Work&>(work).by_forces;
}

// Projection moves q and u; eta stays, so that the impulses before and after the correction mean the same.
template <class G>
AfterStep HamiltonianSystem<G>::afterStep(double t, std::span<double> x, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  auto& joints = work.joints;
  if (options_.stabilisation != Stabilisation::projection || cuts().rows() == 0) {
    return joints_.afterStep(t, x, *work.beside);  // quaternions and turns: u is not looked at
  }
  AfterStep out;
  out.eval = asVelocities(t, x, work);
  if (out.eval != Eval::ok) return out;
  out = joints_.afterStep(t, work.state, *work.beside);
  if (work.checked(out.eval, work.beside) != Eval::ok) return out;
  out.rows = cut_tree_.rank(joints.factored);
  std::copy(work.state.end() - cuts().turns(), work.state.end(), x.end() - cuts().turns());
  if (!out.changed) return out;
  std::copy(work.state.begin(), work.state.end(), x.begin());
  const auto u = cut_tree_.velocitiesOf(work.state);
  std::copy(u.begin(), u.end(), work.u.begin());
  cut_tree_.setTurns(x, joints);
  equations_.place(t, positionsOf(x), joints);
  equations_.move(work.u, joints);
  impulsesInto(work, workOf(work.state), x);
  if (cut_tree_.factor(t, kNearDependentRow, joints)) out.rows = cut_tree_.rank(joints.factored);
  return out;
}

}  // namespace linkwork
