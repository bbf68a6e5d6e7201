// What belongs to a step of a HamiltonianSystem: in which numbers it begins, what is fixed throughout it (its modes),
// and what is done at its end.
#pragma once

#include <algorithm>
#include <cmath>

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
Restated HamiltonianSystem<G>::restate(double t, std::span<double> x, Modes& modes, Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const bool was_near = modes.flags[by_forces] != 0;
  const bool projects = options_.stabilisation == Stabilisation::projection;
  if (cuts().rows() == 0 || (options_.regauge == Regauge::never && !projects)) return Restated::no;
  if (velocities(t, x, modes, work) != Eval::ok) return Restated::no;
  const bool near = nearLowerRank(work);
  if (options_.regauge == Regauge::never && !near && !was_near) return Restated::no;
  const bool changes = normInf(work.eta) > 0.0;
  if (changes) {
    momenta(work);
    const double done = workOf(x) + boundWork(work);
    std::fill(work.eta.begin(), work.eta.end(), 0.0);
    impulsesInto(work, done, x);
  }
  modes.flags[restated] = near ? 1 : 0;
  if (near != was_near || (near && changes)) return Restated::anew;
  return changes ? Restated::better : Restated::no;
}

template <class G>
void HamiltonianSystem<G>::beginStep(double t, std::span<const double> x, Modes& modes, Workspace& workspace) const {
  // Impulses whose rows miss by no more than this share of the velocities without eta have been restated.
  constexpr double kRestated = 1e-12;
  Work& work = static_cast<Work&>(workspace);
  const bool impulses_restated = modes.flags[restated] != 0;
  modes.flags[by_forces] = modes.flags[eta_known] = modes.flags[restated] = 0;
  if (options_.stabilisation != Stabilisation::projection || cuts().rows() == 0) return;
  (void)factorRows(t, x, modes, work);
  if (!nearLowerRank(work)) return;
  modes.flags[by_forces] = 1;
  std::fill(modes.numbers.begin(), modes.numbers.end(), 0.0);
  modes.flags[eta_known] = impulses_restated ? 1 : 0;
  if (impulses_restated || velocities(t, x, modes, work) != Eval::ok) return;
  modes.flags[eta_known] = 1;
  // Of restated impulses eta is round-off, which the nearness of that pose enlarges: none is as good.
  double open = 0.0;
  for (int r = 0; r < cuts().rows(); ++r) {
    if (!work.joints.ldlt.dropped(r)) open = std::max(open, std::abs(work.open[at(r)]));
  }
  const double size = std::max(normInf(work.joints.velocity), normInf(work.joints.eq.minus_phi_t));
  if (open > kRestated * size) std::copy(work.eta.begin(), work.eta.end(), modes.numbers.begin());
}

template <class G>
bool HamiltonianSystem<G>::asWritten(const Modes& modes) const {
  return modes.flags[by_forces] == 0;
}

// Projection moves q and u; eta stays, so that the impulses before and after the correction mean the same.
template <class G>
AfterStep HamiltonianSystem<G>::afterStep(double t, std::span<double> x, const Modes& modes,
                                          Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  auto& joints = work.joints;
  if (options_.stabilisation != Stabilisation::projection || cuts().rows() == 0) {
    return joints_.afterStep(t, x, joint_modes_, *work.beside);  // quaternions and turns: u is not looked at
  }
  AfterStep out;
  out.eval = asVelocities(t, x, modes, work);
  if (out.eval != Eval::ok) return out;
  out = joints_.afterStep(t, work.state, joint_modes_, *work.beside);
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
