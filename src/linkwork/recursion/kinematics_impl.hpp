// The sweeps of recursion/kinematics.hpp; included only by the files that instantiate them, one per scalar.
#pragma once

#include "linkwork/base/index.hpp"
#include "linkwork/recursion/kinematics.hpp"

namespace linkwork {

namespace tree {

template <class T>
T coordinateOf(const TreeColumn& column, std::span<const T> q, std::span<const Motion<T>> motions) {
  return column.motion < 0 ? q[at(column.coordinate)] : motions[at(column.motion)].f;
}
template <class T>
T rateOf(const TreeColumn& column, std::span<const T> u, std::span<const Motion<T>> motions) {
  return column.motion < 0 ? u[at(column.freedom)] : motions[at(column.motion)].fdot;
}

template <class T>
Vec3<T> unitVector(int axis) {
  return Spatial<T>::unit(axis);
}

// R times a turn about one of its own axes.
template <class T>
Rotation3<T> turnedAbout(int axis, const Rotation3<T>& R, const T& c, const T& s) {
  switch (axis) {
    case 0: return {R.x, R.y * c + R.z * s, R.z * c - R.y * s};
    case 1: return {R.x * c - R.z * s, R.y, R.z * c + R.x * s};
    default: return {R.x * c + R.y * s, R.y * c - R.x * s, R.z};
  }
}

template <class T, class Let>
void placeLink(const Tree<Planar<T>>& tree, int k, std::span<const T> q, std::span<const Motion<T>> motions,
               PositionKinematics<Planar<T>>& pk, const Let& let) {
  using Link = LinkAxes<Planar<T>>;
  const TreeLink<Planar<T>>& link = tree.links[at(k)];
  const std::span<const TreeColumn> columns = tree.columnsOf(k);
  const auto parent = link.parent < 0 ? typename Link::Place{} : pk.place[at(link.parent)];
  auto& place = pk.place[at(k)];
  place.angle = parent.angle + link.offset;
  if (link.turn == TurnKind::hinge) {
    const T theta = coordinateOf(columns.back(), q, motions);
    place.angle = let({"al", k + 1}, link.turn_sign > 0.0 ? place.angle + theta : place.angle - theta);
    place.R = {let({"c", k + 1}, cos(place.angle)), let({"s", k + 1}, sin(place.angle))};
  } else {
    // R_parent R_offset
    place.R = {parent.R.c * link.frame.c - parent.R.s * link.frame.s,
               parent.R.s * link.frame.c + parent.R.c * link.frame.s};
  }
  Vec2<T> p = link.parent < 0 ? link.arm : parent.R * link.arm;
  const bool carried = link.order == JointOrder::turn_first;
  Vec2<T> reach{};
  for (int c = 0; c < link.slides; ++c) {
    const Vec2<T>& axis = link.slide_axis[at(c)];
    const Vec2<T> along = carried ? place.R * axis : link.parent < 0 ? axis : parent.R * axis;
    pk.s[at(link.first_column + c)] = Link::join(along, T(0.0));
    reach += along * coordinateOf(columns[at(c)], q, motions);
  }
  p += reach;
  pk.reach[at(k)] = reach;
  if (link.turn == TurnKind::hinge) {
    const T sign(link.turn_sign);
    pk.s[at(link.first_column + link.slides)] = Link::join(carried ? perp(reach) * sign : Vec2<T>{}, sign);
  }
  pk.step[at(k)] = {{let({"Rx", k + 1}, p.x), let({"Ry", k + 1}, p.y)}};
  place.O = parent.O + pk.step[at(k)].p;
  const Vec2<T> moment = place.R * link.rigid.moment;
  pk.rigid[at(k)] = {
      link.rigid.mass, {let({"mux", k + 1}, moment.x), let({"muy", k + 1}, moment.y)}, link.rigid.inertia};
  pk.centre[at(k)] = place.R * link.centre;
  pk.body[at(link.body)] = {place.O + pk.centre[at(k)], place.angle, place.R};
}

// The turn of the joint frame, and the columns of the turn in the link's axes.
template <class T, class Let>
Rotation3<T> turnLink(const Tree<Spatial<T>>& tree, int k, std::span<const T> q, std::span<const Motion<T>> motions,
                      PositionKinematics<Spatial<T>>& pk, const Let& let) {
  using Link = LinkAxes<Spatial<T>>;
  const TreeLink<Spatial<T>>& link = tree.links[at(k)];
  const std::span<const TreeColumn> columns = tree.columnsOf(k).subspan(at(link.slides));
  const std::size_t first = at(link.first_column + link.slides);
  const Vec3<T> none{T(0.0), T(0.0), T(0.0)};
  switch (link.turn) {
    case TurnKind::none: return link.frame;
    case TurnKind::hinge: {
      const T theta = coordinateOf(columns[0], q, motions);
      const T c = let({"c", k + 1}, cos(theta));
      const T s = let({"s", k + 1}, sin(theta));
      pk.s[first] = Link::join(none, unitVector<T>(2) * T(link.turn_sign));
      return turnedAbout(2, link.frame, c, link.turn_sign > 0.0 ? s : -s);
    }
    case TurnKind::cross: {
      const T c0 = let({"c", k + 1, 1}, cos(q[at(columns[0].coordinate)]));
      const T s0 = let({"s", k + 1, 1}, sin(q[at(columns[0].coordinate)]));
      const T c1 = let({"c", k + 1, 2}, cos(q[at(columns[1].coordinate)]));
      const T s1 = let({"s", k + 1, 2}, sin(q[at(columns[1].coordinate)]));
      const Rotation3<T> second = turnedAbout(link.turn_axis[1], Rotation3<T>{}, c1, s1);
      pk.s[first] = Link::join(none, second.inverseTimes(unitVector<T>(link.turn_axis[0])));
      pk.s[first + 1] = Link::join(none, unitVector<T>(link.turn_axis[1]));
      return turnedAbout(link.turn_axis[1], turnedAbout(link.turn_axis[0], link.frame, c0, s0), c1, s1);
    }
    case TurnKind::ball: {
      const auto o = q.subspan(at(columns[0].coordinate), 4);
      for (int c = 0; c < 3; ++c) pk.s[first + at(c)] = Link::join(none, unitVector<T>(c));
      return link.frame * Rotation3<T>::fromQuaternion(o[0], o[1], o[2], o[3]);
    }
  }
  return link.frame;
}

// Components by their letter and axis; who computes with numbers has no names to make.
template <class T, class Let>
Vec3<T> namedAxes(const Let& let, const std::array<const char*, 3>& letters, int k, const Vec3<T>& v) {
  if constexpr (std::is_same_v<Let, Unnamed>) {
    return v;
  } else {
    return {let({letters[0], k + 1}, v.x), let({letters[1], k + 1}, v.y), let({letters[2], k + 1}, v.z)};
  }
}
template <class T, class Let>
Rotation3<T> namedStep(const Let& let, int k, const Rotation3<T>& R) {
  return {namedAxes(let, {"Exx", "Exy", "Exz"}, k, R.x), namedAxes(let, {"Eyx", "Eyy", "Eyz"}, k, R.y),
          namedAxes(let, {"Ezx", "Ezy", "Ezz"}, k, R.z)};
}
template <class T, class Let>
Rotation3<T> namedPlace(const Let& let, int k, const Rotation3<T>& R) {
  return {namedAxes(let, {"Rxx", "Rxy", "Rxz"}, k, R.x), namedAxes(let, {"Ryx", "Ryy", "Ryz"}, k, R.y),
          namedAxes(let, {"Rzx", "Rzy", "Rzz"}, k, R.z)};
}

template <class T, class Let>
void placeLink(const Tree<Spatial<T>>& tree, int k, std::span<const T> q, std::span<const Motion<T>> motions,
               PositionKinematics<Spatial<T>>& pk, const Let& let) {
  using Link = LinkAxes<Spatial<T>>;
  const TreeLink<Spatial<T>>& link = tree.links[at(k)];
  const std::span<const TreeColumn> columns = tree.columnsOf(k);
  const Vec3<T> none{T(0.0), T(0.0), T(0.0)};
  auto& step = pk.step[at(k)];
  step.R = turnLink(tree, k, q, motions, pk, let);
  if (link.parent >= 0) step.R = namedStep(let, k, step.R);  // on the ground: constants to be drawn together
  step.p = link.arm;
  const bool carried = link.order == JointOrder::turn_first;
  Vec3<T> reach = none;  // carried: in the link's axes; else in the parent's
  for (int c = 0; c < link.slides; ++c) {
    const Vec3<T>& axis = link.slide_axis[at(c)];
    const TreeColumn& column = columns[at(c)];
    pk.s[at(link.first_column + c)] = Link::join(carried            ? axis
                                                 : column.unit >= 0 ? unitVector<T>(column.unit) * T(column.sign)
                                                                    : step.R.inverseTimes(axis),
                                                 none);
    reach += axis * coordinateOf(column, q, motions);
  }
  if (link.screw) {
    // slide = lead theta along the axis of the hinge
    auto& s = pk.s[at(link.first_column)];
    s[2] = link.turn_sign > 0.0 ? link.lead : -link.lead;
    reach += link.frame.z * (s[2] * coordinateOf(columns[0], q, motions));
  }
  if (carried) {
    const auto& hinge = pk.s[at(link.first_column + link.slides)];
    pk.s[at(link.first_column + link.slides)] = Link::join(cross(Link::angular(hinge), reach), Link::angular(hinge));
    step.p += step.R * reach;
  } else {
    step.p += reach;
  }
  pk.reach[at(k)] = reach;
  step.p = namedAxes(let, {"lx", "ly", "lz"}, k, step.p);
  auto& place = pk.place[at(k)];
  if (link.parent < 0) {
    place = {step.p, step.R};
  } else {
    const auto& parent = pk.place[at(link.parent)];
    place = {namedAxes(let, {"Ox", "Oy", "Oz"}, k, parent.O + parent.R * step.p),
             namedPlace(let, k, parent.R * step.R)};
  }
  pk.body[at(link.body)] = {place.O + place.R * link.centre, place.R * link.body_axes};
}

// What velocities bring to the acceleration of a link, apart from those of the link they are carried by.
template <class T>
Screw<T, 3> velocityBias(const TreeLink<Planar<T>>& link, int k, const PositionKinematics<Planar<T>>& pk,
                         const Screw<T, 3>& V_parent, const Screw<T, 3>& V, const Vec2<T>& slide_rate,
                         std::span<const T> /*turn_rates*/) {
  using Link = LinkAxes<Planar<T>>;
  const T& w_p = V_parent[2];
  if (link.order == JointOrder::slide_first) {
    return Link::join(pk.step[at(k)].p * -(w_p * w_p) + perp(slide_rate) * (T(2.0) * w_p), T(0.0));
  }
  const T& w = V[2];
  const Vec2<T>& reach = pk.reach[at(k)];
  return Link::join((pk.step[at(k)].p - reach) * -(w_p * w_p) - reach * (w * w) + perp(slide_rate) * (T(2.0) * w),
                    T(0.0));
}

template <class T>
Screw<T, 6> velocityBias(const TreeLink<Spatial<T>>& link, int k, const PositionKinematics<Spatial<T>>& pk,
                         const Screw<T, 6>& V_parent, const Screw<T, 6>& V, const Vec3<T>& slide_rate,
                         std::span<const T> turn_rates) {
  using Link = LinkAxes<Spatial<T>>;
  const auto& step = pk.step[at(k)];
  const Vec3<T> w_p = Link::angular(V_parent);
  const Vec3<T> w_in = step.R.inverseTimes(w_p);  // the parent's turning in the link's axes
  const Vec3<T> w = Link::angular(V);
  Vec3<T> angular = cross(w_in, w - w_in);
  if (link.turn == TurnKind::cross) {
    const std::size_t first = at(link.first_column + link.slides);
    angular += cross(Link::angular(pk.s[first]) * turn_rates[0], Link::angular(pk.s[first + 1]) * turn_rates[1]);
  }
  if (link.order == JointOrder::slide_first) {
    return Link::join(step.R.inverseTimes(cross(w_p, cross(w_p, step.p))) + cross(w_in, slide_rate) * T(2.0), angular);
  }
  const Vec3<T>& reach = pk.reach[at(k)];
  const Vec3<T> linear = step.R.inverseTimes(cross(w_p, cross(w_p, link.arm))) + cross(angular, reach) +
                         cross(w, cross(w, reach)) + cross(w, slide_rate) * T(2.0);
  return Link::join(linear, angular);
}

template <class T>
typename Planar<T>::Velocity asVelocity(const TreeLink<Planar<T>>& /*link*/, int k,
                                        const PositionKinematics<Planar<T>>& pk, const Screw<T, 3>& V) {
  return {Vec2<T>{V[0], V[1]} + perp(pk.centre[at(k)]) * V[2], V[2]};
}
template <class T>
typename Spatial<T>::Velocity asVelocity(const TreeLink<Spatial<T>>& link, int k,
                                         const PositionKinematics<Spatial<T>>& pk, const Screw<T, 6>& V) {
  using Link = LinkAxes<Spatial<T>>;
  const Vec3<T> w = Link::angular(V);
  return {pk.place[at(k)].R * (Link::linear(V) + cross(w, link.centre)), link.body_axes.inverseTimes(w)};
}

// The ground's motion in its own axes.
template <class T>
Screw<T, 3> groundMotion(const Vec2<T>& a) {
  return {{a.x, a.y, T(0.0)}};
}
template <class T>
Screw<T, 6> groundMotion(const Vec3<T>& a) {
  return {{a.x, a.y, a.z, T(0.0), T(0.0), T(0.0)}};
}
template <class G>
const typename LinkAxes<G>::Motion& carrierOf(const Tree<G>& tree, int k,
                                              const std::vector<typename LinkAxes<G>::Motion>& motion,
                                              const typename LinkAxes<G>::Motion& of_ground) {
  const int parent = tree.links[at(k)].parent;
  return parent < 0 ? of_ground : motion[at(parent)];
}

}  // namespace tree

template <class G>
PositionKinematics<G>::PositionKinematics(const Tree<G>& tree)
    : step(tree.links.size()),
      place(tree.links.size()),
      reach(tree.links.size()),
      s(tree.columns.size()),
      body(tree.links.size() + 1) {
  for (const TreeLink<G>& link : tree.links) {
    rigid.push_back(link.rigid);
    centre.push_back(link.centre);
  }
}

template <class G>
VelocityKinematics<G>::VelocityKinematics(const Tree<G>& tree)
    : V(tree.links.size()), bias(tree.links.size()), body(tree.links.size() + 1) {}

template <class G, class Let>
void positionKinematics(const Tree<G>& tree, std::span<const typename G::Scalar> q,
                        std::span<const Motion<typename G::Scalar>> motions, PositionKinematics<G>& pk,
                        const Let& let) {
  for (int k = 0; k < tree.size(); ++k) tree::placeLink(tree, k, q, motions, pk, let);
}

template <class G, class Let>
void velocityKinematics(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<const typename G::Scalar> u,
                        std::span<const Motion<typename G::Scalar>> motions, VelocityKinematics<G>& vk,
                        const Let& let) {
  using T = typename G::Scalar;
  using Link = LinkAxes<G>;
  const auto still = tree::groundMotion(typename G::Vector{});
  for (int k = 0; k < tree.size(); ++k) {
    const TreeLink<G>& link = tree.links[at(k)];
    const auto& V_parent = tree::carrierOf(tree, k, vk.V, still);
    auto& V = vk.V[at(k)];
    V = Link::intoLink(pk.step[at(k)], V_parent);
    typename Link::Motion sliding{};
    std::array<T, 6> rates{};
    int column = link.first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      const T rate = tree::rateOf(c, u, motions);
      const int local = column - link.first_column;
      rates[at(local)] = rate;
      addColumn(c, pk.s[at(column)], rate, V);
      if (local < link.slides || link.screw) addColumn(c, pk.s[at(column)], rate, sliding);
      ++column;
    }
    if constexpr (!G::kSpatial) V = named(let, Link::kVelocityLetters, k, V);
    vk.bias[at(k)] = tree::velocityBias(link, k, pk, V_parent, V, Link::linear(sliding),
                                        std::span<const T>(rates).subspan(at(link.slides)));
    column = link.first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      if (c.motion >= 0) addColumn(c, pk.s[at(column)], motions[at(c.motion)].fddot, vk.bias[at(k)]);
      ++column;
    }
    // Not before: in the bias the parent's turning cancels, which names would hide.
    if constexpr (G::kSpatial && !std::is_same_v<Let, Unnamed>) {
      V = named(let, Link::kVelocityLetters, k, V);
      vk.bias[at(k)] = named(let, std::array{"Bx", "By", "Bz", "Gx", "Gy", "Gz"}, k, vk.bias[at(k)]);
    }
    vk.body[at(link.body)] = tree::asVelocity(link, k, pk, V);
  }
}

template <class G>
void takeVelocities(const Tree<G>& tree, const PositionKinematics<G>& pk,
                    std::span<const typename LinkAxes<G>::Motion> V, VelocityKinematics<G>& vk) {
  for (int k = 0; k < tree.size(); ++k) {
    vk.V[at(k)] = V[at(k)];
    vk.body[at(tree.links[at(k)].body)] = tree::asVelocity(tree.links[at(k)], k, pk, V[at(k)]);
  }
}

template <class G>
void accelerations(const Tree<G>& tree, const PositionKinematics<G>& pk, const VelocityKinematics<G>& vk,
                   std::span<const typename G::Scalar> udot, const typename G::Vector& base,
                   std::vector<typename LinkAxes<G>::Motion>& A) {
  const auto of_ground = tree::groundMotion(base);
  for (int k = 0; k < tree.size(); ++k) {
    A[at(k)] = LinkAxes<G>::intoLink(pk.step[at(k)], tree::carrierOf(tree, k, A, of_ground));
    A[at(k)] += vk.bias[at(k)];
    int column = tree.links[at(k)].first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      if (c.freedom >= 0) addColumn(c, pk.s[at(column)], udot[at(c.freedom)], A[at(k)]);
      ++column;
    }
  }
}

template <class G>
typename G::Velocity bodyAcceleration(const Tree<G>& tree, const PositionKinematics<G>& pk,
                                      const VelocityKinematics<G>& vk, int link,
                                      const typename LinkAxes<G>::Motion& A) {
  using Link = LinkAxes<G>;
  auto out = tree::asVelocity(tree.links[at(link)], link, pk, A);
  // w x (w x centre)
  if constexpr (G::kSpatial) {
    const auto w = Link::angular(vk.V[at(link)]);
    out.v += pk.place[at(link)].R * cross(w, cross(w, tree.links[at(link)].centre));
  } else {
    const auto& w = vk.V[at(link)][2];
    out.v -= pk.centre[at(link)] * (w * w);
  }
  return out;
}

template <class G>
void coordinateRates(const Tree<G>& tree, std::span<const typename G::Scalar> q, std::span<const typename G::Scalar> u,
                     std::span<typename G::Scalar> qdot) {
  using T = typename G::Scalar;
  for (int k = 0; k < tree.size(); ++k) {
    const TreeLink<G>& link = tree.links[at(k)];
    const auto columns = tree.columnsOf(k);
    const bool ball = link.turn == TurnKind::ball;
    const std::size_t plain = columns.size() - (ball ? 3 : 0);
    for (const TreeColumn& c : columns.first(plain)) {
      if (c.freedom >= 0) qdot[at(c.coordinate)] = u[at(c.freedom)];
    }
    if (!ball) continue;
    // o' = o * (0, u) / 2
    const std::size_t first = at(columns[plain].coordinate);
    const auto o = q.subspan(first, 4);
    const auto w = u.subspan(at(columns[plain].freedom), 3);
    const T half(0.5);
    qdot[first] = -half * (o[1] * w[0] + o[2] * w[1] + o[3] * w[2]);
    qdot[first + 1] = half * (o[0] * w[0] + o[2] * w[2] - o[3] * w[1]);
    qdot[first + 2] = half * (o[0] * w[1] + o[3] * w[0] - o[1] * w[2]);
    qdot[first + 3] = half * (o[0] * w[2] + o[1] * w[1] - o[2] * w[0]);
  }
}

template <class G>
typename G::Scalar kineticEnergy(const Tree<G>& tree, const VelocityKinematics<G>& vk) {
  typename G::Scalar sum(0.0);
  for (const TreeLink<G>& link : tree.links) sum += G::kineticEnergy(link.inertia, vk.body[at(link.body)]);
  return sum;
}

template <class G>
typename LinkAxes<G>::Force linkForce(const Tree<G>& tree, const PositionKinematics<G>& pk, int link,
                                      const typename G::Wrench& wrench) {
  using Link = LinkAxes<G>;
  if constexpr (G::kSpatial) {
    const TreeLink<G>& l = tree.links[at(link)];
    const auto force = pk.place[at(link)].R.inverseTimes(wrench.force);
    return Link::join(force, l.body_axes * wrench.moment + cross(l.centre, force));
  } else {
    return Link::join(wrench.force, wrench.moment + cross(pk.centre[at(link)], wrench.force));
  }
}

template <class G>
typename G::Wrench bodyWrench(const Tree<G>& tree, const PositionKinematics<G>& pk, int link,
                              const typename LinkAxes<G>::Force& force) {
  using Link = LinkAxes<G>;
  if constexpr (G::kSpatial) {
    const TreeLink<G>& l = tree.links[at(link)];
    const auto f = Link::linear(force);
    return {pk.place[at(link)].R * f, l.body_axes.inverseTimes(Link::angular(force) - cross(l.centre, f))};
  } else {
    const auto f = Link::linear(force);
    return {f, force[2] - cross(pk.centre[at(link)], f)};
  }
}

}  // namespace linkwork
