// Four-bars and slider-cranks with a drive, for tests of analyses that follow drives; their closed forms beside them.
#pragma once

#include <cmath>
#include <numbers>
#include <string>

#include "linkwork/model/drive_of.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork::test {

inline const Expr kTime = Expr::symbol("t");

inline void drive(Mechanism& m, const std::string& coordinate, const Expr& motion) {
  Drive out = driveOf(m, *findQuantity(m, coordinate), motion);
  out.name = "motor";
  m.drives.push_back(out);
}

// Crank r from O = (0, 0), rod l, slider on the x axis; the rail's slide is x of the pin B. Uniform rods, frames in
// their middle, drawn at the crank angle given.
struct SliderCrank {
  double r = 0.3;
  double l = 0.8;
  double crank_mass = 1.2, rod_mass = 2.0, slider_mass = 1.5;

  double x(double angle) const { return r * std::cos(angle) + std::sqrt(l * l - std::pow(r * std::sin(angle), 2)); }
  double rodAngle(double angle) const { return std::asin(-r / l * std::sin(angle)); }

  Mechanism mechanism(double angle) const {
    Mechanism m;
    m.name = "slider-crank";
    m.gravity = {Value(0.0), Value(-9.81)};
    const BodyIndex crank = addBody(m, "crank", crank_mass, crank_mass * r * r / 12.0);
    const BodyIndex rod = addBody(m, "rod", rod_mass, rod_mass * l * l / 12.0);
    const BodyIndex slider = addBody(m, "slider", slider_mass, 0.01);
    addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), crank, frameAt(-r / 2, 0));
    addJoint(m, "A", JointKind::revolute, crank, frameAt(r / 2, 0), rod, frameAt(-l / 2, 0));
    addJoint(m, "B", JointKind::revolute, rod, frameAt(l / 2, 0), slider, frameAt(0, 0));
    addJoint(m, "rail", JointKind::prismatic, kGround, frameAt(0, 0), slider, frameAt(0, 0));
    const double c = std::cos(angle);
    const double s = std::sin(angle);
    const double b = rodAngle(angle);
    m.bodies[0].drawn = {r / 2 * c, r / 2 * s, angle};
    m.bodies[1].drawn = {r * c + l / 2 * std::cos(b), r * s + l / 2 * std::sin(b), b};
    m.bodies[2].drawn = {x(angle), 0, 0};
    return m;
  }
};

// Four-bar O A B C with ground link d along x: Freudenstein's equation gives the rocker angle,
// (cos a - d/a') ... solved by cutting circles; sign +1: B to the left of the line from A to C.
struct FourBar {
  double a = 0.1, b = 0.25, c = 0.25, d = 0.2;  // crank, coupler, rocker, ground
  double side = 1.0;

  double rockerAngle(double angle) const {
    const double x = d - a * std::cos(angle);
    const double y = -a * std::sin(angle);
    const double e = std::hypot(x, y);  // from A to C
    // At C, between the line to A and the rocker.
    const double at_C = std::acos((c * c + e * e - b * b) / (2.0 * c * e));
    return std::atan2(-y, -x) - side * at_C;
  }
  double couplerAngle(double angle) const {
    const double rocker = rockerAngle(angle);
    return std::atan2(c * std::sin(rocker) - a * std::sin(angle), d + c * std::cos(rocker) - a * std::cos(angle));
  }

  Mechanism mechanism(double angle) const {
    Mechanism m;
    m.name = "four-bar";
    m.gravity = {Value(0.0), Value(-9.81)};
    const BodyIndex crank = addBody(m, "crank", 0.3, 0.3 * a * a / 12.0);
    const BodyIndex coupler = addBody(m, "coupler", 1.0, b * b / 12.0);
    const BodyIndex rocker = addBody(m, "rocker", 0.5, 0.5 * c * c / 12.0);
    addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), crank, frameAt(-a / 2, 0));
    addJoint(m, "A", JointKind::revolute, crank, frameAt(a / 2, 0), coupler, frameAt(-b / 2, 0));
    addJoint(m, "B", JointKind::revolute, coupler, frameAt(b / 2, 0), rocker, frameAt(c / 2, 0));
    addJoint(m, "C", JointKind::revolute, kGround, frameAt(d, 0), rocker, frameAt(-c / 2, 0));
    const double k = couplerAngle(angle);
    const double w = rockerAngle(angle);
    m.bodies[0].drawn = {a / 2 * std::cos(angle), a / 2 * std::sin(angle), angle};
    m.bodies[1].drawn = {a * std::cos(angle) + b / 2 * std::cos(k), a * std::sin(angle) + b / 2 * std::sin(k), k};
    m.bodies[2].drawn = {d + c / 2 * std::cos(w), c / 2 * std::sin(w), w};
    return m;
  }
};

}  // namespace linkwork::test
