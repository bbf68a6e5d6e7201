// The N-four-bar benchmark for tests and bench/: N windows side by side, one degree of freedom, redundant only where
// all uprights lie flat.
#pragma once

#include <fmt/format.h>

#include <numbers>
#include <string>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork::test {

inline Body windowRod(std::string name, const Pose& drawn) {
  Body body;
  body.name = std::move(name);
  body.mass = 1.0;
  body.com = {Value(0.5), Value(0.0)};
  body.inertia = 1.0 / 12.0;
  body.drawn = drawn;
  body.points = {{"foot", {Value(0.0), Value(0.0)}}, {"top", {Value(1.0), Value(0.0)}}};
  Shape shape;
  shape.kind = ShapeKind::rod;
  shape.to = {1.0, 0.0};
  body.shapes.push_back(shape);
  return body;
}

inline Joint windowHinge(std::string name, BodyIndex first, const Point& on_first, BodyIndex second,
                         const Point& on_second) {
  Joint joint;
  joint.name = std::move(name);
  joint.kind = JointKind::revolute;
  joint.first = first;
  joint.second = second;
  joint.on_first.point = on_first;
  joint.on_second.point = on_second;
  return joint;
}

// N + 1 uprights pinned to ground at (i, 0), N couplers on top; every link is a rod of 1 m and 1 kg with its body frame
// at its first end and its x axis along it. Drawn upright; the tops start at 1 m/s in x. Joints: G0.. (ground to
// upright i), A0.. (upright i to coupler i), B0.. (coupler i to upright i + 1). Throws ContractError for fewer than one
// window.
inline Mechanism buildNFourBar(int windows) {
  expect(windows >= 1, "buildNFourBar: needs at least one window");
  constexpr double kUpright = std::numbers::pi / 2;
  const Point foot{Value(0.0), Value(0.0)};
  const Point top{Value(1.0), Value(0.0)};
  const auto upright = [](int i) { return BodyIndex(i); };
  const auto coupler = [windows](int i) { return BodyIndex(windows + 1 + i); };

  Mechanism mechanism;
  mechanism.name = fmt::format("{}-four-bar", windows);
  mechanism.gravity = {Value(0.0), Value(-9.81)};
  for (int i = 0; i <= windows; ++i) {
    mechanism.bodies.push_back(windowRod(fmt::format("upright{}", i), {static_cast<double>(i), 0.0, kUpright}));
  }
  for (int i = 0; i < windows; ++i) {
    mechanism.bodies.push_back(windowRod(fmt::format("coupler{}", i), {static_cast<double>(i), 1.0, 0.0}));
  }
  for (int i = 0; i <= windows; ++i) {
    const Point pivot{Value(static_cast<double>(i)), Value(0.0)};
    mechanism.joints.push_back(windowHinge(fmt::format("G{}", i), kGround, pivot, upright(i), foot));
  }
  for (int i = 0; i < windows; ++i) {
    mechanism.joints.push_back(windowHinge(fmt::format("A{}", i), upright(i), top, coupler(i), foot));
    mechanism.joints.push_back(windowHinge(fmt::format("B{}", i), coupler(i), top, upright(i + 1), top));
  }
  // The top of an upright at angle a moves at -sin(a) da/dt in x: +1 m/s at 90 deg is a rate of -1 rad/s.
  mechanism.initial.push_back({{QuantityKind::body_angle, 0}, Value(kUpright), {}});
  mechanism.initial.push_back({{QuantityKind::body_angle_rate, 0}, Value(-1.0), {}});
  return mechanism;
}

}  // namespace linkwork::test
