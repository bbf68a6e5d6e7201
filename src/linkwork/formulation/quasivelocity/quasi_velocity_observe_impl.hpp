// What a user sees of a QuasiVelocitySystem, and the way to and from joint coordinates with velocities.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/formulation/quasivelocity/quasi_velocity_work.hpp"

namespace linkwork {

// [q, v, work, turns] in absolute coordinates where the drawing has the bodies, at rest.
template <class G>
std::vector<double> QuasiVelocitySystem<G>::drawnState() const {
  std::vector<double> out;
  for (const Body& body : joints_.mechanism().bodies) {
    const Quaternion o =
        product({std::cos(0.5 * body.drawn.angle), 0.0, 0.0, std::sin(0.5 * body.drawn.angle)}, body.drawn.rotation);
    const auto R = Rotation3<double>::fromQuaternion(o[0], o[1], o[2], o[3]);
    const Vec3<double> centre = R * Vec3<double>{body.com[0].number, body.com[1].number, body.com[2].number};
    out.insert(out.end(), {body.drawn.x + centre.x, body.drawn.y + centre.y});
    if constexpr (G::kSpatial) {
      out.insert(out.end(), {body.drawn.z + centre.z, o[0], o[1], o[2], o[3]});
    } else {
      out.push_back(body.drawn.angle);
    }
  }
  out.resize(out.size() + at(cuts().freedoms() + 1));
  for (const auto& turn : cuts().elements().turns) out.push_back(turn.start);
  return out;
}

template <class G>
std::vector<double> QuasiVelocitySystem<G>::fromAbsolute(double t, std::span<const double> absolute) const {
  const std::vector<double> state = joints_.fromAbsolute(t, absolute);
  const auto work = std::make_unique<Work>(*this);
  const auto u = cut_tree_.velocitiesOf(state);
  std::copy(u.begin(), u.end(), work->u.begin());
  std::vector<double> x(workAt() + 1 + at(cuts().turns()));
  const auto q = positionsOf(state);
  std::copy(q.begin(), q.end(), x.begin());
  std::copy_n(state.end() - 1 - cuts().turns(), 1 + cuts().turns(), x.end() - 1 - cuts().turns());
  takeQuasiVelocities(t, choiceIn(start_modes_), *work, x);
  return x;
}

// Where the velocities cannot be found, as in a state that is not finite, they are not numbers.
template <class G>
std::vector<double> QuasiVelocitySystem<G>::toAbsolute(double t, std::span<const double> x, const Modes& given) const {
  const auto work = std::make_unique<Work>(*this);
  const Modes& modes = placed(t, x, given, *work);
  if (asVelocities(t, x, modes, *work) != Eval::ok) {
    std::copy_n(x.begin(), tree().coordinates, work->state.begin());
    std::fill_n(work->state.begin() + tree().coordinates, freedoms(), std::numeric_limits<double>::quiet_NaN());
    std::copy_n(x.end() - 1 - cuts().turns(), 1 + cuts().turns(), work->state.end() - 1 - cuts().turns());
  }
  return joints_.toAbsolute(t, work->state, joint_modes_);
}

template <class G>
Eval QuasiVelocitySystem<G>::eventValues(double t, std::span<const double> x, const Modes& given, Workspace& workspace,
                                         std::span<double> values) const {
  Work& work = static_cast<Work&>(workspace);
  const Modes& modes = placed(t, x, given, work);
  if (const Eval eval = asVelocities(t, x, modes, work); eval != Eval::ok) return eval;
  return work.checked(joints_.eventValues(t, work.state, joint_modes_, *work.beside, values));
}

// Near a pose of lower rank accelerations and reactions are those of joint coordinates, from both sides of it.
template <class G>
Evaluation QuasiVelocitySystem<G>::observe(double t, std::span<const double> x, const Modes& given,
                                           Workspace& workspace, Observation& out) const {
  Work& work = static_cast<Work&>(workspace);
  const Modes& modes = placed(t, x, given, work);
  if (const Eval eval = asVelocities(t, x, modes, work); eval != Eval::ok) return eval;
  if (work.by_joints) {
    const Evaluation found = joints_.observe(t, work.state, joint_modes_, *work.beside, out);
    (void)work.checked(found.eval);
    return found;
  }
  if (const Eval eval = accelerations(t, x, Wanted::reactions, work); eval != Eval::ok) return eval;
  if (const Eval eval = checkRowsLeftOut(t, choiceIn(modes), work); eval != Eval::ok) return eval;
  equations_.bodyAccelerations(work.inverse.A, work, work.acceleration);
  joints_.show(t, x.last(at(cuts().turns())), {work, work.acceleration, work.lambda, work.inverse.F}, work.seen, out);
  out.supplied_work = x[workAt()];
  return {Eval::ok, factorRows(t, x, modes, workspace)};
}

template <class G>
Violation QuasiVelocitySystem<G>::violation(double t, std::span<const double> x, const Modes& given,
                                            Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const Modes& modes = placed(t, x, given, work);
  if (asVelocities(t, x, modes, work) != Eval::ok) return {};
  return cut_tree_.violation(t, work.state, work);
}

// Only coordinates and turns are looked at, which stand where they do in joint coordinates.
template <class G>
RowRank QuasiVelocitySystem<G>::factorRows(double t, std::span<const double> x, const Modes& /*modes*/,
                                           Workspace& work) const {
  return cut_tree_.factorRows(t, x, static_cast<Work&>(work));
}

template <class G>
RankReport QuasiVelocitySystem<G>::rankReport(double t, std::span<const double> x, const Modes& modes,
                                              Workspace& work) const {
  (void)factorRows(t, x, modes, work);
  return cut_tree_.report(static_cast<const Work&>(work));
}

template <class G>
bool QuasiVelocitySystem<G>::turnsAway(double t, std::span<const double> x, const Modes& given,
                                       Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  const Modes& modes = placed(t, x, given, work);
  return asVelocities(t, x, modes, work) == Eval::ok && joints_.turnsAway(t, work.state, joint_modes_, *work.beside);
}

template <class G>
std::string QuasiVelocitySystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  if (work.failed != nullptr) return joints_.describeFailure(*work.failed);
  const std::string names = namesToBlame(work);
  return names.empty() ? cut_tree_.describeFailure(work) : names;
}

template <class G>
SolveCounts QuasiVelocitySystem<G>::solveCounts(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  SolveCounts out = joints_.solveCounts(*work.beside);
  out.repartitions = work.repartitions;
  return out;
}

}  // namespace linkwork
