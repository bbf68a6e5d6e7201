// What a user sees of a RecursiveSystem, by way of absolute coordinates and of all rows; and the way to and from them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwork/formulation/recursive/recursive_surface.hpp"
#include "linkwork/geometry/quaternion_of.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"

namespace linkwork {

template <class G>
std::vector<double> RecursiveSystem<G>::fromAbsolute(double t, std::span<const double> absolute) const {
  const auto& full = observer_.equations();
  std::vector<double> x(at(space().size()));
  const auto work = std::make_unique<Work>(*this);
  const auto body = [](std::span<const double> list, int b, int size) { return list.subspan(at(size * b), at(size)); };
  std::vector<typename G::Position> places(tree_.links.size());
  std::vector<typename G::Velocity> rates(tree_.links.size());
  for (int b = 0; b < tree_.size(); ++b) {
    places[at(b)] = G::position(body(absolute, b, G::kCoordinates));
    rates[at(b)] = G::velocity(body(absolute.subspan(at(full.coordinates())), b, G::kFreedoms));
  }
  const auto q = std::span(x).first(at(tree_.coordinates));
  jointPositions<G>(tree_, places, q);
  std::copy_n(absolute.end() - 1 - cuts_.turns(), 1 + cuts_.turns(), x.end() - 1 - cuts_.turns());
  this->setTurns(x, *work);
  equations_.place(t, q, *work);
  jointVelocities<G>(tree_, work->pk, rates, work->eq.motions, std::span(x).subspan(q.size(), at(tree_.freedoms)));
  return x;
}

// Coordinates and velocities of the bodies as they stand in work.
template <class G>
void RecursiveSystem<G>::absoluteState(const typename TreeEquations<G>::Work& work, std::span<double> q,
                                       std::span<double> v) const {
  for (int b = 0; b < tree_.size(); ++b) {
    const auto& place = work.pk.body[at(b)];
    const auto own = q.subspan(at(G::kCoordinates * b), G::kCoordinates);
    if constexpr (G::kSpatial) {
      const auto o = quaternionOf(place.R);
      const std::array<double, 7> list{place.r.x, place.r.y, place.r.z, o[0], o[1], o[2], o[3]};
      std::copy(list.begin(), list.end(), own.begin());
    } else {
      const std::array<double, 3> list{place.r.x, place.r.y, place.angle};
      std::copy(list.begin(), list.end(), own.begin());
    }
  }
  equations_.bodyVelocities(work, v);
}

template <class G>
std::vector<double> RecursiveSystem<G>::toAbsolute(double t, std::span<const double> x, const Modes& /*modes*/) const {
  const auto& full = observer_.equations();
  const auto work = std::make_unique<Work>(*this);
  Surface(*this, *work).placeBodies(t, x);
  const std::size_t n = at(full.coordinates());
  std::vector<double> out(n + at(full.freedoms() + 1 + full.turns()));
  absoluteState(*work, std::span(out).first(n), std::span(out).subspan(n, at(full.freedoms())));
  std::copy_n(x.end() - 1 - cuts_.turns(), 1 + cuts_.turns(), out.end() - 1 - cuts_.turns());
  return out;
}

// Of the cuts as they were solved for; of the tree's joints from the forces that they carry.
template <class G>
void RecursiveSystem<G>::multipliersOfAllRows(const Solved& solved, const typename Observer<G>::Work& seen,
                                              std::span<double> lambda) const {
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (std::size_t r = 0; r < full_row_.size(); ++r) lambda[at(full_row_[r])] = solved.lambda[r];
  const int joints = static_cast<int>(mechanism_.joints.size());
  for (int k = 0; k < tree_.size(); ++k) {
    const PlannedLink& planned = plan_.links[at(k)];
    if (planned.joint < 0) continue;
    std::array<int, 3> groups{planned.joint};
    std::size_t count = 1;
    for (const int drive : {planned.angle_drive, planned.slide_drive}) {
      if (drive >= 0) groups[count++] = joints + drive;
    }
    std::array<double, G::kFreedoms> wrench{};
    G::put(bodyWrench<G>(tree_, solved.at.pk, k, solved.carried[at(k)]), wrench);
    observer_.setMultipliers(std::span(groups).first(count), planned.body, wrench, seen, lambda);
  }
}

template <class G>
void RecursiveSystem<G>::show(double t, std::span<const double> turns, const Solved& solved,
                              std::unique_ptr<typename Observer<G>::Work>& seen, Observation& out) const {
  if (!seen) seen = std::make_unique<typename Observer<G>::Work>(observer_);
  const auto& full = observer_.equations();
  std::vector<double> q(at(full.coordinates()));
  std::vector<double> v(at(full.freedoms()));
  absoluteState(solved.at, q, v);
  const typename Observer<G>::State state{q, v, turns};
  observer_.place(t, state, *seen);
  (void)observer_.factor(*seen);
  std::vector<double> lambda(at(full.rows()));
  multipliersOfAllRows(solved, *seen, lambda);
  observer_.observe(state, solved.acceleration, lambda, *seen, out);
}

template <class G>
void RecursiveSystem<G>::show(double t, std::span<const double> x, Work& work, Observation& out) const {
  show(t, x.last(at(cuts_.turns())), {work, work.acceleration, work.lambda, work.solve.F}, work.seen, out);
}

template <class G>
Violation RecursiveSystem<G>::violation(double t, std::span<const double> x, const Modes& /*modes*/,
                                        Workspace& work) const {
  return cut_tree_.violation(t, x, static_cast<Work&>(work));
}

}  // namespace linkwork
