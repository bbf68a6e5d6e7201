// Mechanisms in space for tests, built in code: bodies drawn where they belong, joints in their frames.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork::test {

using Triple = std::array<double, 3>;

inline Frame spatialFrame(const Triple& at, const Quaternion& rotation = kNoTurn) {
  return {{Value(at[0]), Value(at[1]), Value(at[2])}, Value(0.0), rotation};
}

inline Quaternion aboutAxis(const Triple& axis, double angle) {
  const double size = std::hypot(axis[0], axis[1], axis[2]);
  const double s = std::sin(0.5 * angle) / size;
  return {std::cos(0.5 * angle), s * axis[0], s * axis[1], s * axis[2]};
}

// A turn that takes z to a direction, about the line across both.
inline Quaternion zTo(const Triple& d) {
  const double size = std::hypot(d[0], d[1], d[2]);
  const double angle = std::acos(std::clamp(d[2] / size, -1.0, 1.0));
  if (std::hypot(d[0], d[1]) < 1e-12 * size) return d[2] > 0 ? kNoTurn : aboutAxis({1, 0, 0}, std::numbers::pi);
  return aboutAxis({-d[1], d[0], 0.0}, angle);
}

inline BodyIndex addSpatialBody(Mechanism& m, const std::string& name, double mass, const Triple& moments,
                                const Triple& com, const Triple& place = {}) {
  m.space = Space::spatial;
  const BodyIndex index = addBody(m, name, mass, moments[2]);
  Body& body = m.bodies.back();
  body.tensor = Tensor{moments[0], moments[1], moments[2], 0.0, 0.0, 0.0};
  body.com = {Value(com[0]), Value(com[1]), Value(com[2])};
  body.drawn.x = place[0];
  body.drawn.y = place[1];
  body.drawn.z = place[2];
  return index;
}

// A joint at a point of the drawing with axes of the drawing; bodies drawn without turning.
inline Joint& addJointAt(Mechanism& m, const std::string& name, JointKind kind, BodyIndex first, BodyIndex second,
                         const Triple& at, const Quaternion& rotation = kNoTurn) {
  const auto on = [&](BodyIndex body) {
    if (!body.valid()) return spatialFrame(at, rotation);
    const Pose& pose = m.body(body).drawn;
    return spatialFrame({at[0] - pose.x, at[1] - pose.y, at[2] - pose.z}, rotation);
  };
  const Frame on_first = on(first);
  const Frame on_second = on(second);
  return addJoint(m, name, kind, first, on_first, second, on_second);
}

inline Mechanism inSpace(const Triple& gravity = {0, 0, -9.81}) {
  Mechanism m;
  m.space = Space::spatial;
  m.gravity = {Value(gravity[0]), Value(gravity[1]), Value(gravity[2])};
  return m;
}

// A door hung at two heights of the z axis.
inline Mechanism door(JointKind low, JointKind high) {
  Mechanism m = inSpace();
  const BodyIndex leaf = addSpatialBody(m, "leaf", 20.0, {7.0, 6.0, 1.1}, {0.4, 0, 1.0});
  addJointAt(m, "low", low, kGround, leaf, {0, 0, 0.3});
  // point_line runs along the frame's x axis: that is to be the door's axis.
  const Quaternion up = aboutAxis({0, 1, 0}, -std::numbers::pi / 2.0);
  addJointAt(m, "high", high, kGround, leaf, {0, 0, 1.7}, high == JointKind::point_line ? up : kNoTurn);
  return m;
}

// Six hinges at corners of a cube, each at right angles to its two links, which are edges.
inline Mechanism bricard() {
  Mechanism m = inSpace();
  const std::vector<Triple> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  const std::vector<Triple> axes{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  for (std::size_t k = 0; k < 5; ++k) {  // link k joins corners k and k + 1; the ground the last and the first
    Triple moments{1.0 / 12, 1.0 / 12, 1.0 / 12};
    moments[k % 3] = 1e-3;
    Triple middle{};
    for (std::size_t c = 0; c < 3; ++c) middle[c] = 0.5 * (corners[k][c] + corners[k + 1][c]);
    addSpatialBody(m, "link" + std::to_string(k), 1.0, moments, {0, 0, 0}, middle);
  }
  for (std::size_t k = 0; k < 6; ++k) {
    const BodyIndex first = k == 0 ? kGround : BodyIndex(static_cast<int>(k) - 1);
    const BodyIndex second = k == 5 ? kGround : BodyIndex(static_cast<int>(k));
    addJointAt(m, "hinge" + std::to_string(k), JointKind::revolute, first, second, corners[k], zTo(axes[k]));
  }
  return m;
}

// Two shafts along x and y and the cross between them, at right angles; drawn in the pose where the first shaft's arm
// lies along y and the second's along x or (turned) along z.
inline Mechanism crossedShafts() {
  Mechanism m = inSpace();
  const BodyIndex in = addSpatialBody(m, "in", 1.0, {0.1, 0.2, 0.2}, {0, 0, 0}, {-1, 0, 0});
  const BodyIndex out = addSpatialBody(m, "out", 1.0, {0.2, 0.1, 0.2}, {0, 0, 0}, {0, 1, 0});
  addJointAt(m, "A", JointKind::revolute, kGround, in, {-1, 0, 0}, zTo({1, 0, 0}));
  // The first frame's x axis (arm of `in`) along y, the second's y axis (arm of `out`) along x.
  Joint& cross =
      addJointAt(m, "U", JointKind::universal, in, out, {0, 0, 0}, aboutAxis({0, 0, 1}, std::numbers::pi / 2.0));
  cross.on_second.rotation = aboutAxis({0, 0, 1}, -std::numbers::pi / 2.0);
  addJointAt(m, "B", JointKind::revolute, kGround, out, {0, 1, 0}, zTo({0, 1, 0}));
  return m;
}

// A plate on six rods: triangle on triangle, turned by an angle about the vertical; rods of the length this takes.
inline Mechanism hexapod(double turn, double height = 1.0) {
  Mechanism m = inSpace();
  const BodyIndex plate = addSpatialBody(m, "plate", 1.0, {0.1, 0.1, 0.2}, {0, 0, 0}, {0, 0, height});
  m.bodies[0].drawn.angle = turn;
  const auto corner = [](double radius, double angle) {
    return Triple{radius * std::cos(angle), radius * std::sin(angle), 0.0};
  };
  for (int k = 0; k < 6; ++k) {
    const double third = 2.0 * std::numbers::pi / 3.0;
    // Base corner k/2 carries the rods to the plate's corners at both sides of it.
    const int foot_corner = k / 2;
    const int plate_corner = (k + 1) / 2;
    const Triple foot = corner(1.0, third * foot_corner);
    const double side = third * plate_corner - third / 2.0;
    const Triple head = corner(0.6, side);
    const double x = head[0] * std::cos(turn) - head[1] * std::sin(turn) - foot[0];
    const double y = head[0] * std::sin(turn) + head[1] * std::cos(turn) - foot[1];
    Joint& rod = addJoint(m, "rod" + std::to_string(k + 1), JointKind::distance, kGround, spatialFrame(foot), plate,
                          spatialFrame(head));
    rod.length = std::hypot(x, y, height);
  }
  return m;
}

// The notes' four-bar or a mechanism of the plane, at a start, in space.
inline Mechanism liftedAt(Mechanism m, const State& start) {
  drawAt(m, start);
  return liftToSpace(std::move(m));
}

}  // namespace linkwork::test
