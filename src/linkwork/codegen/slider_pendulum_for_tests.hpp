// The textbook's slider with a pendulum and a damper as a Mechanism with letters; models/slider_pendulum.toml describes
// the same.
#pragma once

#include <cmath>
#include <numbers>

#include "linkwork/model/mechanism.hpp"

namespace linkwork::testing_models {

// Body frames in the centres of mass; the pendulum hangs at a above its centre and carries the damper at a below it.
inline Mechanism sliderPendulum() {
  Mechanism m;
  m.name = "slider with pendulum";
  const auto letter = [&m](const char* name, double number, const char* unit) {
    m.parameters.push_back({name, Value(number), unit, {}});
    return Value(number, Expr::symbol(name));
  };
  const Value m1 = letter("m1", 5, "kg");
  const Value J1 = letter("J1", 2, "kg*m^2");
  const Value m2 = letter("m2", 3, "kg");
  const Value a = letter("a", 1, "m");
  const Value J2 = letter("J2", 1, "kg*m^2");
  m.parameters.back().value.expr = m2.expr * a.expr * a.expr / 3.0;
  const Value c = letter("c", 10, "N*s/m");
  const Value g = letter("g", 10, "m/s^2");
  m.gravity = {Value(0), Value(-g.number, -g.expr)};
  const Value minus_a(-a.number, -a.expr);

  const Pose drawn{std::sqrt(0.5), -std::sqrt(0.5), std::numbers::pi / 4};
  const Body slider{"slider", m1, {}, J1, {}, {}, {}, {}, {}};
  const Body pendulum{"pendulum", m2, {}, J2, drawn, {}, {}, {}, {}};
  m.bodies = {slider, pendulum};

  const Joint guide{"P", JointKind::prismatic, BodyIndex(0), kGround, {}, {}, {}, {}};
  const Joint hinge{"O", JointKind::revolute, BodyIndex(0), BodyIndex(1), {}, {{Value(0), a}, {}}, {}, {}};
  m.joints = {guide, hinge};

  Load damper;
  damper.name = "damper";
  damper.kind = LoadKind::spring_damper;
  damper.first = BodyIndex(1);
  damper.on_first.point = {Value(0), minus_a};
  damper.on_second.point = {Value(4 * a.number, Expr(4.0) * a.expr), minus_a};
  damper.damping = c;
  m.loads = {damper};
  return m;
}

}  // namespace linkwork::testing_models
