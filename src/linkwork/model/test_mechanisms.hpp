// Mechanisms for tests, built in code, with their start states in absolute coordinates q = (x, y, angle) of the mass
// centres.
//
// sliderPendulum: the textbook's example. crankSlider: crank, rod, slider and slotted rocker with torque, spring and
// damper. fourBar: gravity only. parallelogram: a coupler on two or three equal cranks; with three, one row is
// redundant. Body frames stand at the mass centres; shiftFrames moves them without changing the mechanics.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork::test {

struct State {
  std::vector<double> q, v;
  std::vector<double> x() const {  // [q, v, work]
    std::vector<double> out = q;
    out.insert(out.end(), v.begin(), v.end());
    out.push_back(0.0);
    return out;
  }
};

inline Frame frameAt(double x, double y, double angle = 0.0) { return {{Value(x), Value(y)}, Value(angle)}; }

inline BodyIndex addBody(Mechanism& m, const std::string& name, double mass, double inertia) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = inertia;
  m.bodies.push_back(body);
  return BodyIndex(static_cast<int>(m.bodies.size()) - 1);
}

inline Joint& addJoint(Mechanism& m, const std::string& name, JointKind kind, BodyIndex first, const Frame& on_first,
                       BodyIndex second, const Frame& on_second) {
  Joint joint;
  joint.name = name;
  joint.kind = kind;
  joint.first = first;
  joint.second = second;
  joint.on_first = on_first;
  joint.on_second = on_second;
  m.joints.push_back(joint);
  return m.joints.back();
}

inline void addSpring(Mechanism& m, const std::string& name, BodyIndex first, const Frame& on_first, BodyIndex second,
                      const Frame& on_second, double stiffness, double damping, double free_length) {
  Load load;
  load.name = name;
  load.kind = LoadKind::spring_damper;
  load.first = first;
  load.second = second;
  load.on_first = on_first;
  load.on_second = on_second;
  load.stiffness = stiffness;
  load.damping = damping;
  load.free_length = free_length;
  m.loads.push_back(load);
}

inline void addCouple(Mechanism& m, const std::string& name, BodyIndex first, BodyIndex second, const Expr& moment) {
  Load load;
  load.name = name;
  load.kind = LoadKind::couple;
  load.first = first;
  load.second = second;
  load.moment = moment;
  m.loads.push_back(load);
}

inline Drive& addDrive(Mechanism& m, const std::string& name, DriveKind kind, BodyIndex first, const Frame& on_first,
                       BodyIndex second, const Frame& on_second, const Expr& motion) {
  Drive drive;
  drive.name = name;
  drive.kind = kind;
  drive.first = first;
  drive.second = second;
  drive.on_first = on_first;
  drive.on_second = on_second;
  drive.motion = motion;
  m.drives.push_back(drive);
  return m.drives.back();
}

// The drawn pose of every body from a state; frames at the mass centres.
inline void drawAt(Mechanism& m, const State& state) {
  for (std::size_t b = 0; b < m.bodies.size(); ++b)
    m.bodies[b].drawn = {state.q[3 * b], state.q[3 * b + 1], state.q[3 * b + 2]};
}

// --- the textbook's slider with pendulum
// ---------------------------------------------------------------------------------

inline Mechanism sliderPendulum() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-10.0)};
  const BodyIndex slider = addBody(m, "slider", 5.0, 2.0);
  const BodyIndex pendulum = addBody(m, "pendulum", 3.0, 1.0);
  addJoint(m, "P", JointKind::prismatic, slider, frameAt(0, 0), kGround, frameAt(0, 0));
  addJoint(m, "O", JointKind::revolute, slider, frameAt(0, 0), pendulum, frameAt(0, 1));
  addSpring(m, "damper", pendulum, frameAt(0, -1), kGround, frameAt(4, -1), 0.0, 10.0, 0.0);
  return m;
}

inline State sliderPendulumStart() {
  const double r = std::sqrt(0.5);
  return {{0, 0, 0, r, -r, std::numbers::pi / 4}, std::vector<double>(6, 0.0)};
}

// The state of the book's examples 3.3 and 3.5.
inline State sliderPendulumMoving() {
  const double root2 = std::sqrt(2.0);
  return {sliderPendulumStart().q, {-(1 + root2), 0, 0, -1, root2, 2}};
}

// --- model (a)
// -----------------------------------------------------------------------------------------------------------

inline Mechanism crankSlider() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex crank = addBody(m, "crank", 1.2, 0.02);
  const BodyIndex rod = addBody(m, "rod", 2.0, 0.17);
  const BodyIndex slider = addBody(m, "slider", 1.5, 0.01);
  const BodyIndex rocker = addBody(m, "rocker", 1.1, 0.12);
  addJoint(m, "O", JointKind::revolute, crank, frameAt(-0.12, 0), kGround, frameAt(0, 0));
  addJoint(m, "A", JointKind::revolute, crank, frameAt(0.18, 0), rod, frameAt(-0.45, 0));
  addJoint(m, "B", JointKind::revolute, rod, frameAt(0.55, 0), slider, frameAt(0, 0.03));
  addJoint(m, "S", JointKind::prismatic, slider, frameAt(0.05, -0.02), kGround, frameAt(0, 0.08, 0.1));
  addJoint(m, "C", JointKind::revolute, rocker, frameAt(0, -0.4), kGround, frameAt(0.55, -0.6));
  // The slot's normal is the rocker's x axis, so its direction is -y.
  addJoint(m, "N", JointKind::pin_slot, rod, frameAt(0.05, 0.10), rocker, frameAt(0.03, 0, -std::numbers::pi / 2));
  addCouple(m, "motor", kGround, crank,
            Expr(6.0) + Expr(2.0) * sin(Expr(3.0) * Expr::symbol("t")) - Expr(0.4) * Expr::symbol("crank.angle_rate"));
  addSpring(m, "spring", slider, frameAt(0.1, 0), kGround, frameAt(2.0, 0.2), 120.0, 0.0, 0.7);
  addSpring(m, "damper", rocker, frameAt(0, 0.8), kGround, frameAt(1.4, 0.1), 0.0, 8.0, 0.0);
  return m;
}

inline State crankSliderStart() {
  return {
      {0.06, 0.10392304845413264, 1.0471975511965977, 0.59995474499485743, 0.25342581444656208, -0.014182268066093304,
       1.1528944358213102, 0.21577570353528078, 0.1, 0.57984563190894831, -0.201115006228668, -0.074683486470516721},
      {-0.41569219381653055, 0.24, 4.0, -1.043731862776441, 0.28262647324140115, -0.70534543815562193,
       -1.0492335472860255, -0.10527450390799744, 0.0, -0.41211348000021205, 0.030835422291802572, 1.0331636597902791}};
}

// --- model (b)
// -----------------------------------------------------------------------------------------------------------

struct FourBarPoints {  // in body axes from the mass centres
  double crank_O[2] = {-0.2, 0.0}, crank_A[2] = {0.3, 0.0};
  double coupler_A[2] = {-0.5, -0.1}, coupler_B[2] = {0.8, -0.1};
  double rocker_B[2] = {0.70, 0.02}, rocker_C[2] = {-0.55, 0.02};
  double C[2] = {1.15, -0.3};
};

inline Mechanism fourBar() {
  const FourBarPoints p;
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex crank = addBody(m, "crank", 1.0, 0.03);
  const BodyIndex coupler = addBody(m, "coupler", 2.5, 0.45);
  const BodyIndex rocker = addBody(m, "rocker", 1.8, 0.28);
  const auto at = [](const double(&point)[2]) { return frameAt(point[0], point[1]); };
  addJoint(m, "O", JointKind::revolute, crank, at(p.crank_O), kGround, frameAt(0, 0));
  addJoint(m, "A", JointKind::revolute, crank, at(p.crank_A), coupler, at(p.coupler_A));
  addJoint(m, "B", JointKind::revolute, coupler, at(p.coupler_B), rocker, at(p.rocker_B));
  addJoint(m, "C", JointKind::revolute, rocker, at(p.rocker_C), kGround, at(p.C));
  return m;
}

// --- model (c)
// -----------------------------------------------------------------------------------------------------------

struct ParallelogramData {
  double pivot_x[3] = {0.0, 0.8, 2.0};
  double mass[3] = {1.0, 1.4, 0.8};
  double inertia[3] = {0.025, 0.03, 0.018};
  double foot[3] = {-0.25, -0.20, -0.30};  // along the crank from its mass centre; the pin is 0.5 further
  double pin_x[3] = {-0.9, -0.1, 1.1};     // on the coupler, at y = -0.1
  double coupler_mass = 3.0, coupler_inertia = 0.9;
  double length = 0.5;
};

// cranks = 3: 12 rows of rank 11. cranks = 2: without the third crank, its pivot and its pin; full rank.
inline Mechanism parallelogram(int cranks = 3) {
  const ParallelogramData d;
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  for (int k = 0; k < cranks; ++k) addBody(m, fmt::format("crank{}", k + 1), d.mass[k], d.inertia[k]);
  const BodyIndex coupler = addBody(m, "coupler", d.coupler_mass, d.coupler_inertia);
  for (int k = 0; k < cranks; ++k) {
    addJoint(m, fmt::format("G{}", k + 1), JointKind::revolute, BodyIndex(k), frameAt(d.foot[k], 0), kGround,
             frameAt(d.pivot_x[k], 0));
  }
  for (int k = 0; k < cranks; ++k) {
    addJoint(m, fmt::format("K{}", k + 1), JointKind::revolute, BodyIndex(k), frameAt(d.foot[k] + d.length, 0), coupler,
             frameAt(d.pin_x[k], -0.1));
  }
  addSpring(m, "spring", coupler, frameAt(0.3, 0.2), kGround, frameAt(0.9, 0.6), 30.0, 2.0, 0.5);
  return m;
}

inline State parallelogramAt(double theta, double rate, int cranks = 3) {
  const ParallelogramData d;
  State s;
  const double c = std::cos(theta);
  const double n = std::sin(theta);
  for (int k = 0; k < cranks; ++k) {
    s.q.insert(s.q.end(), {d.pivot_x[k] - d.foot[k] * c, -d.foot[k] * n, theta});
    s.v.insert(s.v.end(), {d.foot[k] * n * rate, -d.foot[k] * c * rate, rate});
  }
  s.q.insert(s.q.end(), {d.pivot_x[0] + d.length * c - d.pin_x[0], d.length * n + 0.1, 0.0});
  s.v.insert(s.v.end(), {-d.length * n * rate, d.length * c * rate, 0.0});
  return s;
}

inline State parallelogramStart(int cranks = 3) { return parallelogramAt(std::atan2(-4.0, 3.0), 1.2, cranks); }

// --- changes
// -------------------------------------------------------------------------------------------------------------

// Moves every body frame away from the mass centre and gives all points in the new frame (axes stay parallel): the same
// mechanism, told differently. Absolute coordinates of the mass centres do not change.
inline void shiftFrames(Mechanism& m, double dx, double dy) {
  const auto move = [&](BodyIndex body, Frame& frame) {
    if (!body.valid()) return;
    const double k = 1.0 + body.value();
    frame.point = {Value(frame.point[0].number + k * dx), Value(frame.point[1].number + k * dy)};
  };
  for (std::size_t b = 0; b < m.bodies.size(); ++b) {
    const double k = 1.0 + static_cast<double>(b);
    m.bodies[b].com = {Value(m.bodies[b].com[0].number + k * dx), Value(m.bodies[b].com[1].number + k * dy)};
  }
  for (Joint& joint : m.joints) {
    move(joint.first, joint.on_first);
    move(joint.second, joint.on_second);
  }
  for (Drive& drive : m.drives) {
    move(drive.first, drive.on_first);
    move(drive.second, drive.on_second);
  }
  for (Load& load : m.loads) {
    move(load.first, load.on_first);
    move(load.second, load.on_second);
  }
}

}  // namespace linkwork::test
