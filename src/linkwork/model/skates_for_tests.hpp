// Mechanisms for tests with joints that hold velocities alone: knife edges, which do not slip sideways.
//
// skate: a blade under the centre of mass, on a slope that falls along x; turning at w it draws a cycloid
// (Caratheodory):
//   x = g sin(a) / (2 w^2) sin^2(w t),  y = g sin(a) / (2 w^2) (w t - sin(2 w t) / 2),  angle = w t
//   the blade carries 2 m g sin(a) sin(w t)
// sleigh: the blade behind the centre of mass, on level ground (Chaplygin); let go turning at w it ends going straight:
//   angle' = w / cosh(k t),  speed of the blade along itself = w sqrt(J / m) tanh(k t),  k = w b sqrt(m / J),
//   J = I + m b^2
// tug: two such sleighs, a rod between them: rows of positions and of velocities alone.
// belt: a blade that is carried across itself at a given speed.
#pragma once

#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork::test {

struct SkateNumbers {
  double mass = 3.0;
  double inertia = 0.4;
  double slope_pull = 9.81 * 0.25;  // g sin(a), m/s^2
  double turning = 1.7;             // rad/s
};

inline void startWith(Mechanism& m, const std::string& quantity, double value) {
  m.initial.push_back({*findQuantity(m, quantity), Value(value), {}});
}

// In the plane, or on the x-y plane of space with gravity pressing on it; there the body frame is not at the centre of
// mass, and leans.
inline Mechanism skate(Space space, const SkateNumbers& n = {}) {
  Mechanism m;
  m.name = "skate";
  m.gravity = {Value(n.slope_pull), Value(0.0), Value(space == Space::spatial ? -9.0 : 0.0)};
  if (space == Space::planar) {
    const BodyIndex body = addBody(m, "skate", n.mass, n.inertia);
    addJoint(m, "blade", JointKind::knife_edge, kGround, frameAt(0, 0), body, frameAt(0, 0));
    startWith(m, "skate.angle_rate", n.turning);
  } else {
    const BodyIndex body = addSpatialBody(m, "skate", n.mass, {0.3, 0.35, n.inertia}, {0.0, 0.0, 0.2});
    addJointAt(m, "ice", JointKind::planar, body, kGround, {0.1, 0.2, 0.0});
    addJointAt(m, "blade", JointKind::knife_edge, kGround, body, {0.0, 0.0, 0.0});
    startWith(m, "skate.wz", n.turning);
  }
  return m;
}

struct SleighNumbers {
  double mass = 2.0;
  double inertia = 0.5;
  double behind = 0.6;  // b, m: the blade
  double turning = 1.3;
};

// The body frame is at the centre of mass, and that is at the origin.
inline BodyIndex addSleigh(Mechanism& m, const std::string& name, const SleighNumbers& n, const Pose& drawn = {}) {
  const BodyIndex body = addBody(m, name, n.mass, n.inertia);
  m.bodies.back().drawn = drawn;
  addJoint(m, name + "_blade", JointKind::knife_edge, kGround, frameAt(0, 0), body, frameAt(-n.behind, 0));
  return body;
}

inline Mechanism sleigh(const SleighNumbers& n = {}) {
  Mechanism m;
  m.name = "sleigh";
  addSleigh(m, "sleigh", n);
  startWith(m, "sleigh.angle_rate", n.turning);
  startWith(m, "sleigh.x_rate", 0.0);
  return m;
}

inline Mechanism tug() {
  Mechanism m;
  m.name = "tug";
  m.gravity = {Value(0.4), Value(-0.3)};
  const BodyIndex first = addSleigh(m, "first", {2.0, 0.5, 0.6, 0.0}, {0.0, 0.0, 0.3});
  const BodyIndex second = addSleigh(m, "second", {1.2, 0.2, 0.3, 0.0}, {-1.5, 0.4, -0.2});
  addJoint(m, "rod", JointKind::distance, first, frameAt(-0.4, 0.1), second, frameAt(0.3, 0.0)).length = Value(0.9);
  startWith(m, "first.angle_rate", 0.8);
  startWith(m, "second.angle_rate", -0.5);
  return m;
}

// The same with a name for a quasi-velocity: the first sleigh's speed along itself, and a part that knows the time.
inline Mechanism tugWithNames() {
  Mechanism m = tug();
  m.name = "tug with names";
  const Expr angle = Expr::symbol("first.angle");
  const Expr ahead = cos(angle) * Expr::symbol("first.x_rate") + sin(angle) * Expr::symbol("first.y_rate");
  m.named_velocities.push_back({"v", ahead + 0.1 * Expr::symbol("t"), RelationUnit::length, {}});
  return m;
}
// Names in space: of both freedoms.
inline Mechanism skateWithNames() {
  Mechanism m = skate(Space::spatial);
  m.name = "skate with names";
  const Expr turning = Expr::symbol("skate.wz_body");
  m.named_velocities.push_back({"turning", turning, RelationUnit::angle, {}});
  m.named_velocities.push_back({"v", Expr::symbol("skate.vx_body") + 0.2 * turning, RelationUnit::length, {}});
  return m;
}

inline Mechanism belt(const Expr& speed) {
  Mechanism m;
  m.name = "belt";
  const BodyIndex body = addBody(m, "box", 1.5, 0.2);
  m.bodies.back().drawn = {0.0, 0.0, 0.0};
  addJoint(m, "belt", JointKind::knife_edge, kGround, frameAt(0, 0), body, frameAt(0, 0)).speed = speed;
  startWith(m, "box.x_rate", 0.2);
  startWith(m, "box.angle_rate", 0.0);
  return m;
}

}  // namespace linkwork::test
