// OwnAxes: velocities of links that move freely, along axes that turn with the link instead of those of its parent.
//
//   (1)  u = R v                                  u: slides as the tree has them; turns are the same in both
//   (2)  u' = R (v' + w x v) = R v' + (R w) x u                              [docs/theory/11, eq. 11.8]
//
// What a blade or a wheel forbids is the same combination of v wherever its body is heading, so that velocities once
// chosen as independent ones stay good.
#pragma once

#include <span>
#include <vector>

#include "linkwork/recursion/tree.hpp"

namespace linkwork {

// G is Planar or Spatial of double or Dual.
template <class G>
class OwnAxes {
 public:
  using T = typename G::Scalar;

  explicit OwnAxes(const Tree<G>& tree) {
    for (const TreeLink<G>& link : tree.links) {
      const bool ball = link.slides == 3 && link.turn == TurnKind::ball;
      const bool plane = link.slides == 2 && link.turn == TurnKind::hinge;
      if (link.order != JointOrder::slide_first || !(ball || plane)) continue;
      const auto columns = std::span(tree.columns).subspan(static_cast<std::size_t>(link.first_column));
      const TreeColumn& turn = columns[static_cast<std::size_t>(link.slides)];
      if (columns[0].freedom < 0 || turn.freedom < 0) continue;  // a drive knows the parent's axes alone
      free_.push_back({ball, columns[0].freedom, turn.freedom, turn.coordinate, link.turn_sign});
    }
  }

  bool any() const { return !free_.empty(); }

  // R^T: v from u, and a row by v from the row by u.
  void turnIn(std::span<const T> q, std::span<T> list) const {
    for (const Free& link : free_) {
      if (link.ball) {
        put(rotation(link, q).inverseTimes(slides3(link, list)), link, list);
      } else {
        put(rotationInPlane(link, q).inverseTimes(slides2(link, list)), link, list);
      }
    }
  }
  // R
  void turnOut(std::span<const T> q, std::span<T> list) const {
    for (const Free& link : free_) {
      if (link.ball) {
        put(rotation(link, q) * slides3(link, list), link, list);
      } else {
        put(rotationInPlane(link, q) * slides2(link, list), link, list);
      }
    }
  }
  // u' at v' = 0: adds (R w) x u.
  void addRates(std::span<const T> q, std::span<const T> u, std::span<T> out) const {
    for (const Free& link : free_) {
      const auto turn = static_cast<std::size_t>(link.turn);
      if (link.ball) {
        const Vec3<T> w = rotation(link, q) * Vec3<T>{u[turn], u[turn + 1], u[turn + 2]};
        put(slides3(link, std::span<const T>(out)) + cross(w, slides3(link, u)), link, out);
      } else {
        const T w = u[turn] * T(link.sign);
        put(slides2(link, std::span<const T>(out)) + perp(slides2(link, u)) * w, link, out);
      }
    }
  }

 private:
  struct Free {
    bool ball;
    int slides, turn;  // their first freedoms
    int coordinate;    // of the turn
    double sign;
  };

  static Rotation3<T> rotation(const Free& link, std::span<const T> q) {
    const auto o = q.subspan(static_cast<std::size_t>(link.coordinate), 4);
    return Rotation3<T>::fromQuaternion(o[0], o[1], o[2], o[3]);
  }
  static Rotation2<T> rotationInPlane(const Free& link, std::span<const T> q) {
    return Rotation2<T>::fromAngle(q[static_cast<std::size_t>(link.coordinate)] * T(link.sign));
  }
  static Vec3<T> slides3(const Free& link, std::span<const T> list) {
    const auto k = static_cast<std::size_t>(link.slides);
    return {list[k], list[k + 1], list[k + 2]};
  }
  static Vec2<T> slides2(const Free& link, std::span<const T> list) {
    const auto k = static_cast<std::size_t>(link.slides);
    return {list[k], list[k + 1]};
  }
  static void put(const Vec3<T>& a, const Free& link, std::span<T> list) {
    const auto k = static_cast<std::size_t>(link.slides);
    list[k] = a.x;
    list[k + 1] = a.y;
    list[k + 2] = a.z;
  }
  static void put(const Vec2<T>& a, const Free& link, std::span<T> list) {
    const auto k = static_cast<std::size_t>(link.slides);
    list[k] = a.x;
    list[k + 1] = a.y;
  }

  std::vector<Free> free_;
};

}  // namespace linkwork
