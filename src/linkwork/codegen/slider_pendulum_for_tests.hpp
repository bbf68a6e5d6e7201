// The textbook's slider with a pendulum and a damper with letters for its data; models/slider_pendulum.toml describes
// the same.
#pragma once

#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork::test {

inline Mechanism sliderPendulumInLetters() {
  Mechanism m = sliderPendulum();
  m.name = "slider with pendulum";
  drawAt(m, sliderPendulumStart());
  // Makes the value a parameter.
  const auto letter = [&m](const char* name, const char* unit, Value& value) {
    m.parameters.push_back({name, Value(value.number), unit, {}});
    value.expr = Expr::symbol(name);
    return value.expr;
  };
  Body& slider = m.bodies[0];
  Body& pendulum = m.bodies[1];
  letter("m1", "kg", slider.mass);
  letter("J1", "kg*m^2", slider.inertia);
  const Expr m2 = letter("m2", "kg", pendulum.mass);
  const Expr a = letter("a", "m", m.joints[1].on_second.point[1]);  // half the pendulum
  letter("J2", "kg*m^2", pendulum.inertia);
  m.parameters.back().value.expr = m2 * a * a / 3.0;

  Load& damper = m.loads[0];
  damper.on_first.point[1].expr = -a;
  damper.on_second.point[0].expr = 4.0 * a;
  damper.on_second.point[1].expr = -a;
  letter("c", "N*s/m", damper.damping);

  Value g(-m.gravity[1].number);
  m.gravity[1].expr = -letter("g", "m/s^2", g);
  return m;
}

}  // namespace linkwork::test
