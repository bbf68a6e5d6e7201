// What a user sees of a HamiltonianSystem, by way of joint coordinates with velocities; and the way to and from them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"

namespace linkwork {

// Bodies keep their numbers when some are split, and images carry the name of their body in theirs; so do the angles
// whose turns are counted.
template <class G>
void HamiltonianSystem<G>::findImages() {
  const Mechanism& split = joints_.mechanism();
  const Mechanism& given = whole_->joints.mechanism();
  for (std::size_t b = given.bodies.size(); b < split.bodies.size(); ++b) {
    const std::string& name = split.bodies[b].name;
    const std::string body = name.substr(0, name.rfind('/'));
    const auto found = std::find_if(given.bodies.begin(), given.bodies.end(),
                                    [&](const Body& candidate) { return candidate.name == body; });
    whole_->image_of.push_back(static_cast<int>(found - given.bodies.begin()));
  }
  const auto& turns = cuts().elements().turns;
  for (const auto& turn : whole_->joints.cuts().elements().turns) {
    const auto found =
        std::find_if(turns.begin(), turns.end(), [&](const auto& other) { return other.name == turn.name; });
    whole_->turn.push_back(static_cast<int>(found - turns.begin()));
  }
}

// [q, v, work, turns] with those of the images, which stand where their bodies do.
template <class G>
std::vector<double> HamiltonianSystem<G>::withImages(std::span<const double> absolute) const {
  const std::size_t bodies = whole_->joints.mechanism().bodies.size();
  std::vector<double> out;
  const auto add = [&](std::span<const double> list, int size) {
    out.insert(out.end(), list.begin(), list.end());
    for (const int b : whole_->image_of) {
      const auto own = list.subspan(at(size * b), at(size));
      out.insert(out.end(), own.begin(), own.end());
    }
  };
  const std::size_t n = bodies * at(G::kCoordinates);
  const std::size_t m = bodies * at(G::kFreedoms);
  add(absolute.first(n), G::kCoordinates);
  add(absolute.subspan(n, m), G::kFreedoms);
  out.push_back(absolute[n + m]);
  const std::size_t first = out.size();
  for (const auto& turn : cuts().elements().turns) out.push_back(turn.start);
  for (std::size_t k = 0; k < whole_->turn.size(); ++k) out[first + at(whole_->turn[k])] = absolute[n + m + 1 + k];
  return out;
}

template <class G>
std::vector<double> HamiltonianSystem<G>::withoutImages(std::span<const double> absolute) const {
  const std::size_t bodies = whole_->joints.mechanism().bodies.size();
  const std::size_t all = bodies + whole_->image_of.size();
  const auto q = absolute.first(bodies * at(G::kCoordinates));
  const auto v = absolute.subspan(all * at(G::kCoordinates), bodies * at(G::kFreedoms));
  const auto rest = absolute.subspan(all * at(G::kCoordinates + G::kFreedoms));
  std::vector<double> out(q.begin(), q.end());
  out.insert(out.end(), v.begin(), v.end());
  out.push_back(rest[0]);
  for (const int turn : whole_->turn) out.push_back(rest[1 + at(turn)]);
  return out;
}

template <class G>
std::vector<double> HamiltonianSystem<G>::fromVelocities(double t, std::span<const double> joints) const {
  const auto work = std::make_unique<Work>(*this);
  std::vector<double> x(joints.begin(), joints.end());
  const auto u = cut_tree_.velocitiesOf(joints);
  std::copy(u.begin(), u.end(), work->u.begin());
  cut_tree_.setTurns(x, work->joints);
  equations_.place(t, positionsOf(x), work->joints);
  equations_.move(work->u, work->joints);
  impulsesInto(*work, workOf(x), x);
  return x;
}

// Where the velocities cannot be found, as in a state that is not finite, it is given back as it is.
template <class G>
std::vector<double> HamiltonianSystem<G>::toVelocities(double t, std::span<const double> x) const {
  const auto work = std::make_unique<Work>(*this);
  if (asVelocities(t, x, startModes(), *work) != Eval::ok) return {x.begin(), x.end()};
  return work->state;
}

template <class G>
std::vector<double> HamiltonianSystem<G>::fromAbsolute(double t, std::span<const double> absolute) const {
  return fromVelocities(t, whole_ ? joints_.fromAbsolute(t, withImages(absolute)) : joints_.fromAbsolute(t, absolute));
}

template <class G>
std::vector<double> HamiltonianSystem<G>::toAbsolute(double t, std::span<const double> x,
                                                     const Modes& /*modes*/) const {
  std::vector<double> out = joints_.toAbsolute(t, toVelocities(t, x), joint_modes_);
  return whole_ ? withoutImages(out) : out;
}

template <class G>
Evaluation HamiltonianSystem<G>::observe(double t, std::span<const double> x, const Modes& modes, Workspace& workspace,
                                         Observation& out) const {
  Work& work = static_cast<Work&>(workspace);
  if (const Eval eval = asVelocities(t, x, modes, work); eval != Eval::ok) return eval;
  const RowRank rows = cut_tree_.rank(work.joints.factored);
  if (!whole_)
    return {work.checked(joints_.observe(t, work.state, joint_modes_, *work.beside, out), work.beside), rows};
  if (!work.whole) work.whole = whole_->joints.makeWorkspace();
  const std::vector<double> absolute = withoutImages(joints_.toAbsolute(t, work.state, joint_modes_));
  const std::vector<double> x_whole = whole_->joints.fromAbsolute(t, absolute);
  return {work.checked(whole_->joints.observe(t, x_whole, joint_modes_, *work.whole, out), work.whole), rows};
}

template <class G>
Violation HamiltonianSystem<G>::violation(double t, std::span<const double> x, const Modes& modes,
                                          Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  if (asVelocities(t, x, modes, work) != Eval::ok) return {};
  return cut_tree_.violation(t, work.state, work.joints);
}

template <class G>
RowRank HamiltonianSystem<G>::factorRows(double t, std::span<const double> x, const Modes& /*modes*/,
                                         Workspace& work) const {
  return cut_tree_.factorRows(t, x, static_cast<Work&>(work).joints);
}

template <class G>
RankReport HamiltonianSystem<G>::rankReport(double t, std::span<const double> x, const Modes& modes,
                                            Workspace& work) const {
  (void)factorRows(t, x, modes, work);
  return cut_tree_.report(static_cast<const Work&>(work).joints);
}

template <class G>
bool HamiltonianSystem<G>::turnsAway(double t, std::span<const double> x, const Modes& modes,
                                     Workspace& workspace) const {
  Work& work = static_cast<Work&>(workspace);
  return asVelocities(t, x, modes, work) == Eval::ok && joints_.turnsAway(t, work.state, joint_modes_, *work.beside);
}

template <class G>
std::span<const double> HamiltonianSystem<G>::loopImpulses(const Workspace& work) const {
  return static_cast<const Work&>(work).eta;
}

template <class G>
long HamiltonianSystem<G>::loopIterations(const Workspace& work) const {
  return static_cast<const Work&>(work).iterations;
}

template <class G>
const typename CutTree<G>::Work& HamiltonianSystem<G>::treeWork(const Workspace& work) const {
  return static_cast<const Work&>(work).joints;
}

template <class G>
typename HamiltonianSystem<G>::Seen HamiltonianSystem<G>::seen(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  const auto& joints = work.joints;
  return {joints.pk,    cut_tree_.lacksInertia() ? nullptr : &joints.inertia,
          work.u,       work.eta,
          work.open,    joints.row_parts,
          work.impulse, work.rate,
          work.h};
}

template <class G>
std::string HamiltonianSystem<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  if (work.failed == nullptr) return cut_tree_.describeFailure(work.joints);
  return (work.failed == work.whole.get() ? whole_->joints : joints_).describeFailure(*work.failed);
}
template <class G>
SolveCounts HamiltonianSystem<G>::solveCounts(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  SolveCounts out = joints_.solveCounts(*work.beside);
  out.worst_residual = std::max(out.worst_residual, work.joints.counts.worst_residual);
  return out;
}

// Impulses of rates that the joints forbid would be those of the nearest rates that they allow, with less energy.
template <class G>
std::string HamiltonianSystem<G>::problem() const {
  // Initial rates that miss the joints by more than this share of the velocities were not made to fit. Where lengths
  // have a misfit, rows that depend on others miss by it, more or less.
  constexpr double kConsistent = 1e-8;
  if (std::string words = paper_ ? paper_->problem() : std::string(); !words.empty()) return words;
  if (options_.start.empty()) return {};
  const std::vector<double> given = whole_ ? withImages(options_.start) : options_.start;
  const std::vector<double> start = joints_.fromAbsolute(0.0, given);
  const std::vector<double> kept = joints_.toAbsolute(0.0, start, joint_modes_);
  const auto work = std::make_unique<Work>(*this);
  double off = cut_tree_.violation(0.0, start, work->joints).velocity;
  double size = referenceLength();
  const std::size_t first = at(G::kCoordinates) * joints_.mechanism().bodies.size();
  for (std::size_t k = first; k < first + at(G::kFreedoms) * joints_.mechanism().bodies.size(); ++k) {
    off = std::max(off, std::abs(kept[k] - given[k]));
    size = std::max(size, std::abs(given[k]));
  }
  if (off <= (kConsistent + kMisfitGrowth * options_.misfit) * size) return {};
  return fmt::format(
      "the initial rates miss the joints by {:.3g}, and impulses would take the nearest rates that fit, with less "
      "energy: assemble the mechanism first, or give rates that fit.",
      off);
}

}  // namespace linkwork
