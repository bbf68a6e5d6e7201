// The sweeps of recursion/impulses.hpp; included only by the files that instantiate them, one per scalar.
#pragma once

#include "linkwork/recursion/impulses.hpp"
#include "linkwork/recursion/kinematics_impl.hpp"

namespace linkwork {

namespace tree {

// s'^T h of one column; `rates` are those of the link's columns.
template <class T>
T columnRateAlong(const Tree<Planar<T>>& tree, int k, int local, const PositionKinematics<Planar<T>>& pk,
                  const VelocityKinematics<Planar<T>>& vk, std::span<const T> rates, const Screw<T, 3>& h) {
  using Link = LinkAxes<Planar<T>>;
  const TreeLink<Planar<T>>& link = tree.links[at(k)];
  const bool carried = link.order == JointOrder::turn_first;
  const auto slideOf = [&](int c) { return Link::linear(pk.s[at(link.first_column + c)]); };
  const Vec2<T> P = Link::linear(h);
  if (local < link.slides) {
    if (!carried && link.parent < 0) return T(0.0);
    const T& w = carried ? vk.V[at(k)][2] : vk.V[at(link.parent)][2];
    return dot(perp(slideOf(local)), P) * w;
  }
  if (!carried) return T(0.0);
  // s = (perp(reach), 1) sign
  Vec2<T> reach_rate = perp(pk.reach[at(k)]) * vk.V[at(k)][2];
  for (int c = 0; c < link.slides; ++c) reach_rate += slideOf(c) * rates[at(c)];
  return dot(perp(reach_rate), P) * T(link.turn_sign);
}

template <class T>
T columnRateAlong(const Tree<Spatial<T>>& tree, int k, int local, const PositionKinematics<Spatial<T>>& pk,
                  const VelocityKinematics<Spatial<T>>& vk, std::span<const T> rates, const Screw<T, 6>& h) {
  using Link = LinkAxes<Spatial<T>>;
  const TreeLink<Spatial<T>>& link = tree.links[at(k)];
  const bool carried = link.order == JointOrder::turn_first;
  const auto& s = pk.s[at(link.first_column + local)];
  if (local < link.slides) {
    if (carried || tree.columns[at(link.first_column + local)].unit >= 0) return T(0.0);
    // R^T a with a fixed to the parent turns against the link.
    Vec3<T> turning = Link::angular(vk.V[at(k)]);
    if (link.parent >= 0) turning -= pk.step[at(k)].R.inverseTimes(Link::angular(vk.V[at(link.parent)]));
    return dot(cross(Link::linear(s), turning), Link::linear(h));
  }
  if (link.turn == TurnKind::cross && local == link.slides) {
    const auto& second = pk.s[at(link.first_column + local + 1)];
    return dot(cross(Link::angular(s), Link::angular(second)), Link::angular(h)) * rates[at(local + 1)];
  }
  if (!carried || link.turn != TurnKind::hinge) return T(0.0);
  // s = (axis x reach, axis)
  Vec3<T> reach_rate{T(0.0), T(0.0), T(0.0)};
  for (int c = 0; c < link.slides; ++c) {
    reach_rate += Link::linear(pk.s[at(link.first_column + c)]) * rates[at(c)];
  }
  return dot(cross(Link::angular(s), reach_rate), Link::linear(h));
}

}  // namespace tree

template <class G, class Let>
void gatherInwards(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<typename LinkAxes<G>::Force> screws,
                   const Let& let) {
  for (int k = tree.size() - 1; k >= 0; --k) {
    const int parent = tree.links[at(k)].parent;
    screws[at(k)] = named(let, LinkAxes<G>::kForceLetters, k, screws[at(k)]);
    if (parent >= 0) screws[at(parent)] += LinkAxes<G>::intoParent(pk.step[at(k)], screws[at(k)]);
  }
}

template <class G>
void linkMomenta(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                 std::span<typename LinkAxes<G>::Force> h) {
  for (int k = 0; k < tree.size(); ++k) h[at(k)] = LinkAxes<G>::times(pk.rigid[at(k)], vk.V[at(k)]);
}

template <class G>
void impulsesOf(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<const typename LinkAxes<G>::Force> h,
                std::span<typename G::Scalar> p) {
  for (std::size_t c = 0; c < tree.columns.size(); ++c) {
    p[c] = along(tree.columns[c], pk.s[c], h[at(tree.columns[c].link)]);
  }
}

template <class G>
void prescribedVelocities(const Tree<G>& tree, const PositionKinematics<G>& pk,
                          std::span<const Motion<typename G::Scalar>> motions,
                          std::span<typename LinkAxes<G>::Motion> out) {
  for (auto& motion : out) motion = {};
  for (std::size_t c = 0; c < tree.columns.size(); ++c) {
    const TreeColumn& column = tree.columns[c];
    if (column.freedom < 0) addColumn(column, pk.s[c], motions[at(column.motion)].fdot, out[at(column.link)]);
  }
}

template <class G>
void impulseRates(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                  std::span<const typename G::Scalar> u, std::span<const Motion<typename G::Scalar>> motions,
                  std::span<const typename LinkAxes<G>::Force> h, std::span<const typename LinkAxes<G>::Force> F,
                  std::span<typename G::Scalar> rates) {
  using T = typename G::Scalar;
  for (int k = 0; k < tree.size(); ++k) {
    const TreeLink<G>& link = tree.links[at(k)];
    const auto pushed = F[at(k)] - LinkAxes<G>::momentumRate(vk.V[at(k)], h[at(k)]);
    std::array<T, 6> own{};
    for (int c = 0; c < link.columns; ++c) own[at(c)] = tree::rateOf(tree.columnsOf(k)[at(c)], u, motions);
    for (int c = 0; c < link.columns; ++c) {
      const int column = link.first_column + c;
      rates[at(column)] = along(tree.columns[at(column)], pk.s[at(column)], pushed) +
                          tree::columnRateAlong(tree, k, c, pk, vk, std::span<const T>(own), h[at(k)]);
    }
  }
}

}  // namespace linkwork
