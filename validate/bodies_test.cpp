// What the inertia out of the plane does: nothing to the motion, and moments about x and y to the supports.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/geometry/mass_properties.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace bodies_test {

using test::read;

Observation startOf(const Mechanism& m) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  const auto system = makeSystem(m, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  Observation seen;
  EXPECT_EQ(system->observe(0.0, assembly.state(), system->startModes(), *work, seen), Eval::ok);
  return seen;
}

// A body on one hinge, drawn turned, off the plane, under gravity and a torque.
const char* const kRotor = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
rotor = { angle = "35 deg", mass = 3, com = [0.2, -0.1], z = 0.15, inertia = { xx = 0.3, yy = 0.35, zz = 0.4, xy = 0.02, xz = 0.05, yz = -0.03 } }
[joints]
O = { revolute = ["ground", "rotor"], at = [0, 0] }
[loads]
motor = { couple = 7, on = "rotor" }
[initial]
O.rate = 11
)toml";

TEST(InertiaOutOfThePlane, LoadsTheBearingAsTheClosedFormSays) {
  const Mechanism flat = read(kRotor);
  const Observation plane = startOf(flat);
  const Observation space = startOf(liftToSpace(flat));
  const double a = plane.bodies[0].angular_acceleration[2];
  EXPECT_NEAR(space.bodies[0].angular_acceleration[2], a, 1e-12 * std::abs(a));
  EXPECT_NEAR(space.bodies[0].angular_acceleration[0], 0.0, 1e-12 * std::abs(a));
  for (std::size_t k = 0; k < 2; ++k)
    EXPECT_NEAR(space.joints[0].force_on_second[k], plane.joints[0].force_on_second[k], 1e-11);
  EXPECT_NEAR(space.joints[0].force_on_second[2], 0.0, 1e-11);

  // About the hinge: J_O = J + m (c^2 I - c c^T), and with w = 11, in body axes,
  // Mx = Jxz a - Jyz w^2,  My = Jyz a + Jxz w^2,  of which gravity brings c x R^T m g.
  const double m = 3.0;
  const Vec3<double> c{0.2, -0.1, 0.15};
  const double w = 11.0;
  Symmetric3<double> J{0.3, 0.35, 0.4, 0.02, 0.05, -0.03};
  J += steiner(m, c);
  EXPECT_NEAR(a, (7.0 + (Rotation3<double>::aboutZ(flat.bodies[0].drawn.angle) * c).x * m * -9.81) / J.zz,
              1e-12 * std::abs(a));
  const Rotation3<double> R = Rotation3<double>::aboutZ(flat.bodies[0].drawn.angle);
  const Vec3<double> weight = cross(c, R.inverseTimes({0.0, -9.81 * m, 0.0}));
  const Vec3<double> moment =
      R * Vec3<double>{J.xz * a - J.yz * w * w - weight.x, J.yz * a + J.xz * w * w - weight.y, 0.0};
  EXPECT_GT(std::abs(moment.x), 1.0);
  EXPECT_NEAR(space.joints[0].moment_on_second[0], moment.x, 1e-11);
  EXPECT_NEAR(space.joints[0].moment_on_second[1], moment.y, 1e-11);
}

// Without gravity and torque a shaft in two bearings turns on at its rate, and the bearings feel forces that turn with
// it: F = w^2 (Jxz, Jyz) / L at the upper one, the opposite at the lower one.
TEST(InertiaOutOfThePlane, UnbalancedShaftPullsAtItsBearings) {
  const Mechanism m = read(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
shaft = { position = [0, 0, 0.3], mass = 4, inertia = { xx = 0.2, yy = 0.25, zz = 0.1, xz = 0.02, yz = 0.01 } }
[joints]
low  = { spherical = ["ground", "shaft"], at = [0, 0, 0] }
high = { point_line = ["ground", "shaft"], at = [0, 0, 0.8], axis = [0, 0, 1] }
[initial]
shaft.wz = 30
)toml");
  RunOptions options = runOptions(m);
  options.until = 0.5;
  options.output_step = 0.25;
  options.steps.rtol = 1e-11;
  options.steps.atol = 1e-12;
  const Result result = runModel(m, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  const double fx = 900.0 * 0.02 / 0.8;
  const double fy = 900.0 * 0.01 / 0.8;
  for (const double t : {0.0, 0.25, 0.5}) {
    const double angle = 30.0 * t;
    const double x = std::cos(angle) * fx - std::sin(angle) * fy;
    const double y = std::sin(angle) * fx + std::cos(angle) * fy;
    EXPECT_NEAR(valueAt(result, "shaft.angular_velocity.z", t), 30.0, 1e-8);
    EXPECT_NEAR(valueAt(result, "high.force.x", t), x, 1e-6);
    EXPECT_NEAR(valueAt(result, "high.force.y", t), y, 1e-6);
    EXPECT_NEAR(valueAt(result, "low.force.x", t), -x, 1e-6);
    EXPECT_NEAR(valueAt(result, "low.force.y", t), -y, 1e-6);
  }
}

// In a mechanism too: the four-bar with a coupler out of the plane moves as before and has the same forces in the
// plane.
TEST(InertiaOutOfThePlane, LeavesTheFourBarAlone) {
  const Mechanism flat = readShippedModel("four_bar");
  Mechanism heavy = flat;
  Body& coupler = heavy.bodies[1];
  coupler.com[2] = 0.05;
  const double J = coupler.inertia.number;
  coupler.tensor = Tensor{0.6 * J, 0.7 * J, J, 0.1 * J, 0.2 * J, -0.15 * J};
  const Observation plane = startOf(flat);
  const Observation light = startOf(liftToSpace(flat));
  const Observation loaded = startOf(liftToSpace(heavy));
  double largest = 0.0;
  for (const BodyMotion& body : plane.bodies) largest = std::max(largest, std::abs(body.angular_acceleration[2]));
  for (std::size_t b = 0; b < flat.bodies.size(); ++b)
    EXPECT_NEAR(loaded.bodies[b].angular_acceleration[2], plane.bodies[b].angular_acceleration[2], 1e-12 * largest);
  double moved = 0.0;
  for (std::size_t k = 0; k < flat.joints.size(); ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(loaded.joints[k].force_on_second[i], plane.joints[k].force_on_second[i], 1e-10)
          << flat.joints[k].name;
      moved = std::max(moved, std::abs(loaded.joints[k].moment_on_second[i] - light.joints[k].moment_on_second[i]));
    }
  }
  EXPECT_GT(moved, 0.01);
}

// The bracket of the mesh file is two boxes. About its pin, J a = -m g x.
TEST(BodyFromAMesh, IsTheSameBodyMadeOfBoxes) {
  const Mechanism mesh = readShippedModel("swinging_bracket");
  const Mechanism boxes = read(R"toml(linkwork = 1
space = "spatial"
gravity = [0, -9.81, 0]
[bodies]
bracket = { parts = [
  { box = { at = ["60 mm", "15 mm", "20 mm"], size = ["120 mm", "30 mm", "40 mm"] }, density = 2700 },
  { box = { at = ["15 mm", "115 mm", "20 mm"], size = ["30 mm", "170 mm", "40 mm"] }, density = 2700 }], free = true }
)toml");
  const Body& a = mesh.bodies[0];
  const Body& b = boxes.bodies[0];
  const double m = 2700 * 0.04 * (0.12 * 0.03 + 0.03 * 0.17);
  EXPECT_NEAR(a.mass.number, m, 1e-13);
  EXPECT_NEAR(b.mass.number, m, 1e-13);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a.com[k].number, b.com[k].number, 1e-15);
  const double size = b.tensor->zz.number;
  for (const auto entry : {&Tensor::xx, &Tensor::yy, &Tensor::zz, &Tensor::xy, &Tensor::xz, &Tensor::yz})
    EXPECT_NEAR(((*a.tensor).*entry).number, ((*b.tensor).*entry).number, 1e-13 * size);
  EXPECT_LT(std::abs(a.tensor->xz.number), 1e-13 * size);
  EXPECT_GT(std::abs(a.tensor->xy.number), 0.1 * size);

  const double dx = b.com[0].number - 0.015;
  const double dy = b.com[1].number - 0.185;
  const double turn = -m * 9.81 * dx / (size + m * (dx * dx + dy * dy));
  EXPECT_NEAR(startOf(mesh).bodies[0].angular_acceleration[2], turn, 1e-12 * std::abs(turn));
}

}  // namespace bodies_test
}  // namespace linkwork::validation
