// Loads with corners and loads of many directions, run as the program runs them, against closed forms and energy:
// cables, tables, actuators, bushings; and the outputs that a file asks for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "linkwork/simulate/state_at.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace loads_test {

using ::testing::HasSubstr;

Mechanism read(const std::string& text) { return test::read("linkwork = 1\n" + text); }

RunOptions fine(double until) {
  RunOptions options;
  options.until = until;
  options.output_step = until / 200.0;
  options.steps.rtol = 1e-11;
  options.steps.atol = 1e-13;
  return options;
}

// A mass of 2 kg on a rail without friction, drawn at x = 0.
std::string onRail(const std::string& rest) {
  return R"toml(space = "planar"
gravity = [0, 0]
[bodies]
mass = { box = { at = [0, 0], size = [0.1, 0.1] }, mass = 2, points = { c = [0, 0] } }
[joints]
S = { prismatic = ["ground", "mass"], at = [0, 0], axis = [1, 0] }
)toml" + rest;
}

// --- cables ----------------------------------------------------------------------------------------------------------

// A ball falls from half the length of a cable without damping: free fall until it is taut, then an oscillation about
// the stretch m g / k, then flight again; all in closed form.
TEST(Cable, CatchesAFallingBall) {
  const Mechanism m = read(R"toml(space = "planar"
gravity = [0, -10]
[points]
hook = [0, 0]
[bodies]
ball = { disc = { at = [0, -0.5], radius = 0.1 }, mass = 2, points = { c = [0, 0] } }
[loads]
cable = { spring = ["ground.hook", "ball.c"], stiffness = 800, free_length = 1, tension_only = true }
[events]
taut = { when = "-1 - ball.y" }
)toml");
  const double t_taut = std::sqrt(2 * 0.5 / 10.0);
  const double v = 10.0 * t_taut;
  const double w = std::sqrt(800.0 / 2.0);
  const double sag = 2 * 10.0 / 800.0;
  // s = sag (1 - cos w t) + v/w sin w t is zero again after this time.
  const double t_slack = t_taut + 2.0 * (std::numbers::pi - std::atan(v / w / sag)) / w;
  const Result result = runModel(m, fine(0.9));
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double t = result.time[k];
    double y = -0.5 - 5.0 * t * t;
    if (t > t_slack) {
      y = -1.0 + v * (t - t_slack) - 5.0 * (t - t_slack) * (t - t_slack);
    } else if (t > t_taut) {
      const double a = w * (t - t_taut);
      y = -1.0 - sag * (1.0 - std::cos(a)) - v / w * std::sin(a);
    }
    EXPECT_NEAR(result.find("ball.y")->values[k], y, 1e-10) << t;
    const double tension = t > t_taut && t < t_slack ? 800.0 * (-1.0 - y) : 0.0;
    EXPECT_NEAR(result.find("cable.tension")->values[k], tension, 1e-7) << t;
  }
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-9);  // of 20 J that move about
  // A step that is taken again to land on a corner records its events once.
  ASSERT_EQ(result.events.size(), 2U);
  EXPECT_NEAR(result.events[0].time, t_taut, 1e-11);
  EXPECT_NEAR(result.events[1].time, t_slack, 1e-11);
}

// With damping: the energy balance says that what is not there any more was taken by the cable, and only while it
// pulled.
TEST(Cable, KeepsTheBooksWithDamping) {
  const Mechanism m = readShippedModel("cable_pendulum");
  for (const char* integrator : {"dopri5", "ode45", "rk4"}) {
    RunOptions options = runOptions(m);
    options.integrator = integrator;
    options.steps.step = 1e-3;
    const Result result = runModel(m, options);
    ASSERT_EQ(result.status, RunStatus::complete) << result.message;
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-6 * result.ledger.energy_scale) << integrator;
    const auto& supplied = result.find("energy.supplied")->values;
    const auto& tension = result.find("cable.tension")->values;
    int slack = 0;
    for (std::size_t k = 1; k < supplied.size(); ++k) {
      EXPECT_LE(supplied[k], supplied[k - 1] + 1e-9);
      EXPECT_GE(tension[k], 0.0);
      if (tension[k] == 0.0 && tension[k - 1] == 0.0) ++slack;
    }
    EXPECT_GT(slack, 100);
    EXPECT_LT(supplied.back(), -0.1);
  }
}

TEST(Spring, PreloadCarriesAWeight) {
  const Mechanism m = read(R"toml(space = "planar"
gravity = [0, -10]
[bodies]
ball = { disc = { at = [0, -1], radius = 0.1 }, mass = 2, points = { c = [0, 0] } }
[points]
hook = [0, 0]
[loads]
s = { spring = ["ground.hook", "ball.c"], stiffness = 50, preload = 20 }
)toml");
  const Result result = runModel(m, fine(2.0));
  for (const double y : result.find("ball.y")->values) EXPECT_NEAR(y, -1.0, 1e-12);
}

// --- tables ----------------------------------------------------------------------------------------------------------

// A pulse of a hundredth of a second, long after the start: a step that strode over it would never know.
TEST(TableInTime, IsNotSteppedOver) {
  const Mechanism m = read(onRail(R"toml([tables]
pulse = { x = [1, 1.005, 1.01], y = [0, 300, 0], outside = "hold" }
[loads]
kick = { actuator = "S", force = "pulse(t)" }
)toml"));
  RunOptions options;
  options.until = 3.0;
  options.output_step = 1.5;
  for (const char* integrator : {"dopri5", "ode45"}) {
    options.integrator = integrator;
    const Result result = runModel(m, options);
    ASSERT_EQ(result.status, RunStatus::complete) << result.message;
    // Impulse 300 N * 5 ms over 2 kg; the force is a polynomial of first degree on each piece, which the methods
    // integrate exactly.
    EXPECT_NEAR(lastOf(result, "mass.x_rate"), 0.75, 1e-13) << integrator;
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-12);
    const StateAt late = stateAt(m, assemble(m), options, 3.0);
    ASSERT_TRUE(late.ok) << late.problem;
    EXPECT_NEAR(late.x[3], 0.75, 1e-13);
  }
}

// Two slopes: half a swing on each, pi sqrt(m/k1) + pi sqrt(m/k2) for a whole one.
TEST(TableOfTheMotion, ASpringWithTwoSlopesHasItsPeriod) {
  const Mechanism m = read(onRail(R"toml([tables]
law = { x = [-1, 0, 1], y = [-800, 0, 200], outside = "extend" }
[loads]
s = { actuator = "S", force = "-law(S.slide)" }
[initial]
S.rate = 3
)toml"));
  const double period = std::numbers::pi * (std::sqrt(2.0 / 200.0) + std::sqrt(2.0 / 800.0));
  const Result result = runTo(m, 4 * period, 1e-11);
  EXPECT_NEAR(lastOf(result, "S.slide"), 0.0, 1e-9);
  EXPECT_NEAR(lastOf(result, "S.slide_rate"), 3.0, 1e-9);
  // The same with abs and with select.
  for (const char* force : {"-500*S.slide + 300*abs(S.slide)", "-select(S.slide, 200, 800)*S.slide"}) {
    const Mechanism other = read(
        onRail("[loads]\ns = { actuator = \"S\", force = \"" + std::string(force) + "\" }\n[initial]\nS.rate = 3\n"));
    const Result same = runTo(other, 4 * period, 1e-11);
    EXPECT_NEAR(lastOf(same, "S.slide"), 0.0, 1e-9) << force;
    EXPECT_NEAR(lastOf(same, "S.slide_rate"), 3.0, 1e-9) << force;
  }
}

TEST(TableOfTheMotion, StopsTheRunWhereItIsLeft) {
  const Mechanism m = read(onRail(R"toml([tables]
law = { x = [-1, 1], y = [-1, 1] }
[loads]
s = { actuator = "S", force = "law(S.slide)" }
[initial]
S.rate = 3
)toml"));
  RunOptions options;
  options.until = 3.0;
  const Result result = runModel(m, options);
  EXPECT_EQ(result.status, RunStatus::failed);
  EXPECT_THAT(result.message, HasSubstr("load \"s\": actuator is not a number"));
  EXPECT_THAT(result.message, HasSubstr("a table that was left"));
}

// A drive along a cubic table: position, rate and acceleration are those of the spline.
TEST(TableInADrive, IsFollowedWithItsDerivatives) {
  const Mechanism m = read(onRail(R"toml([tables]
path = { x = [0, 1, 2, 3], y = [0, 0.5, 0.2, 1], kind = "cubic", outside = "extend" }
[drives]
d = { joint = "S", slide = "path(t)" }
)toml"));
  const TablePointer& table = m.drives[0].motion.table();
  const Result result = runModel(m, fine(4.0));
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double t = result.time[k];
    EXPECT_NEAR(result.find("S.slide")->values[k], table->value(t, 0), 1e-12);
    EXPECT_NEAR(result.find("mass.x_rate")->values[k], table->value(t, 1), 1e-11);
    EXPECT_NEAR(result.find("mass.x_acceleration")->values[k], table->value(t, 2), 1e-10);
    EXPECT_NEAR(result.find("d.effort")->values[k], 2.0 * table->value(t, 2), 1e-9);
  }
}

// --- actuators and bushings ------------------------------------------------------------------------------------------

TEST(Actuator, AcceleratesAWheelAndItsWorkIsBooked) {
  Mechanism m = read(R"toml(space = "planar"
gravity = [0, 0]
[bodies]
wheel = { disc = { at = [0, 0], radius = 0.5 }, mass = 4 }
[joints]
O = { revolute = ["ground", "wheel"], at = [0, 0] }
[loads]
motor = { actuator = "O", torque = "3 N*m" }
)toml");
  // J = 0.5 kg m^2: 6 rad/s^2. In space too, where the angle passes whole turns.
  for (int space = 0; space < 2; ++space) {
    const Result result = runModel(m, fine(2.0));
    EXPECT_NEAR(lastOf(result, "O.angle"), 12.0, 1e-10);
    EXPECT_NEAR(lastOf(result, "motor.angle"), 12.0, 1e-10);
    EXPECT_NEAR(lastOf(result, "motor.effort"), 3.0, 1e-15);
    EXPECT_NEAR(lastOf(result, "energy.supplied"), 36.0, 1e-9);
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-9);
    m = liftToSpace(m);
  }
}

// A body on a bushing through its centre of mass: three oscillations of their own, each in closed form; and in space.
TEST(Bushing, OscillatesWithItsThreeFrequencies) {
  Mechanism m = read(R"toml(space = "planar"
gravity = [0, 0]
[bodies]
block = { position = [1, 2], mass = 2, inertia = 0.5 }
[loads]
b = { bushing = ["ground", "block"], at = [1, 2], stiffness = [200, 50, 8] }
[initial]
block.x_rate = 1
block.y_rate = -2
block.angle_rate = 3
)toml");
  const double wx = std::sqrt(200.0 / 2.0);
  const double wy = std::sqrt(50.0 / 2.0);
  const double wr = std::sqrt(8.0 / 0.5);
  for (int space = 0; space < 2; ++space) {
    const Result result = runModel(m, fine(3.0));
    for (std::size_t k = 0; k < result.time.size(); ++k) {
      const double t = result.time[k];
      EXPECT_NEAR(result.find("block.x")->values[k], 1.0 + std::sin(wx * t) / wx, 1e-9);
      EXPECT_NEAR(result.find("block.y")->values[k], 2.0 - 2.0 * std::sin(wy * t) / wy, 1e-9);
      EXPECT_NEAR(result.find("b.force.x")->values[k], -200.0 * std::sin(wx * t) / wx, 1e-6);
      const char* moment = space == 0 ? "b.moment" : "b.moment.z";
      EXPECT_NEAR(result.find(moment)->values[k], -8.0 * 3.0 * std::sin(wr * t) / wr, 1e-6);
    }
    EXPECT_LT(result.ledger.worst_energy_balance, 1e-9);
    m = liftToSpace(m);
  }
}

// Turns of more than a radian about changing axes, all directions coupled: without damping nothing is lost.
TEST(Bushing, KeepsEnergyAtLargeTurnsInSpace) {
  const Mechanism m = read(R"toml(space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
block = { position = [0.2, 0, 0], mass = 2, inertia = [0.5, 0.3, 0.6] }
base  = { position = [0, 0, -1], mass = 5, inertia = [1, 2, 3] }
[joints]
B = { spherical = ["ground", "base"], at = [0, 0, -1] }
[loads]
b = { bushing = ["base", "block"], at = [0, 0.1, 0], stiffness = [[200, 10, 0, 5, 0, 1], [10, 150, 0, 0, 3, 0], [0, 0, 300, 0, 0, 0], [5, 0, 0, 4, 1, 0], [0, 3, 0, 1, 6, 0], [1, 0, 0, 0, 0, 5]], preload = [0, 0, 19.62, 0, 0, 0] }
[initial]
block.wx = 2
block.wy = -3
block.wz = 2
)toml");
  const Result result = runModel(m, fine(4.0));
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-8);
  double largest = 0.0;
  for (const double w : result.find("block.orientation.w")->values)
    largest = std::max(largest, 2.0 * std::acos(std::abs(w)));
  EXPECT_GT(largest, 1.0);
}

// --- outputs ---------------------------------------------------------------------------------------------------------

TEST(Outputs, AreRecordedInTheirUnits) {
  const Mechanism m = read(R"toml(space = "planar"
gravity = [0, -9.81]
[parameters]
L = "1 m"
[inputs]
torque = { default = "2*sin(t)", unit = "N*m" }
[points]
O = [0, 0]
A = ["L", 0]
[bodies]
bar = { rod = ["O", "A"], mass = 1 }
[joints]
O = { revolute = ["ground", "bar"] }
[loads]
motor = { actuator = "O", torque = "torque" }
[outputs]
turned = { value = "O.angle", unit = "deg" }
power  = "torque*O.rate"
height = "L*sin(O.angle)"
)toml");
  const Result result = runModel(m, fine(1.0));
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  ASSERT_NE(result.find("outputs.turned"), nullptr);
  EXPECT_EQ(result.find("outputs.turned")->unit, "deg");
  EXPECT_EQ(result.find("outputs.power")->unit, "W");
  EXPECT_EQ(result.find("outputs.height")->group, "outputs");
  EXPECT_EQ(result.find("outputs.height")->label, "height");
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double angle = result.find("O.angle")->values[k];
    EXPECT_NEAR(result.find("outputs.turned")->values[k], angle * 180.0 / std::numbers::pi, 1e-12);
    EXPECT_NEAR(result.find("outputs.power")->values[k],
                2.0 * std::sin(result.time[k]) * result.find("O.angle_rate")->values[k], 1e-13);
    EXPECT_NEAR(result.find("outputs.height")->values[k], std::sin(angle), 1e-15);
  }
}

// Such as a ratio of two rates at rest: recorded as it is, and the motion goes on.
TEST(Outputs, ThatAreNoNumberDoNotStopTheRun) {
  const Mechanism m = read(onRail("[outputs]\nroot = \"sqrt(0.1 [m] - S.slide)\"\n[initial]\nS.rate = 1\n"));
  RunOptions options;
  options.until = 0.2;
  options.output_step = 0.05;
  const Result result = runModel(m, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  const auto& root = result.find("outputs.root")->values;
  EXPECT_NEAR(root[1], std::sqrt(0.05), 1e-12);
  EXPECT_TRUE(std::isnan(root[4]));
}

TEST(Provenance, CountsTheTextsOfIncludedFiles) {
  const auto hashOf = [](const Mechanism& m) {
    RunOptions options;
    options.until = 0.01;
    const Result result = runModel(m, options);
    const Setting* hash = findSetting(result.provenance, "model hash");
    return hash == nullptr ? std::string() : hash->text();
  };
  Mechanism m = read(onRail(""));
  const std::string alone = hashOf(m);
  m.included.push_back({"part.toml", "a = 1"});
  const std::string with_part = hashOf(m);
  m.included[0].text = "a = 2";
  EXPECT_NE(alone, with_part);
  EXPECT_NE(hashOf(m), with_part);
  EXPECT_EQ(hashOf(read(onRail(""))), alone);
}

// --- shipped linkages ------------------------------------------------------------------------------------------------

struct At {
  double x = 0.0;
  double y = 0.0;
};

// Where two circles about a and b meet, to the left of the line from a to b (side = 1) or to the right (-1).
At meet(const At& a, double r_a, const At& b, double r_b, double side) {
  const double d = std::hypot(b.x - a.x, b.y - a.y);
  const double p = (r_a * r_a - r_b * r_b + d * d) / (2.0 * d);
  const double q = side * std::sqrt(r_a * r_a - p * p);
  const double ux = (b.x - a.x) / d;
  const double uy = (b.y - a.y) / d;
  return {a.x + p * ux - q * uy, a.y + p * uy + q * ux};
}

// The foot of Jansen's leg from his lengths by drawing circles, at every sample of a turn.
TEST(JansenLeg, TheFootIsWhereCirclesPutIt) {
  const Mechanism m = readShippedModel("jansen_leg");
  const Result result = runModel(m, runOptions(m));
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  double lowest = 0.0;
  double highest = -2.0;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double angle = 2.0 * std::numbers::pi * result.time[k];
    const At B{-0.380, -0.078};
    const At C{0.150 * std::cos(angle), 0.150 * std::sin(angle)};
    const At D = meet(B, 0.415, C, 0.500, 1);
    const At G = meet(B, 0.393, C, 0.619, -1);
    const At E = meet(B, 0.401, D, 0.558, 1);
    const At F = meet(G, 0.367, E, 0.394, 1);
    const At P = meet(G, 0.490, F, 0.657, 1);
    EXPECT_NEAR(result.find("foot.x")->values[k], G.x, 1e-10);
    EXPECT_NEAR(result.find("foot.y")->values[k], G.y, 1e-10);
    // The foot's point P, carried by the body's frame from the drawing.
    const Body& foot = m.bodies[6];
    ASSERT_EQ(foot.name, "foot");
    const double turned = result.find("foot.angle")->values[k];
    const Trace& trace = m.traces[0];
    EXPECT_NEAR(G.x + std::cos(turned) * trace.point[0] - std::sin(turned) * trace.point[1], P.x, 1e-9);
    EXPECT_NEAR(G.y + std::sin(turned) * trace.point[0] + std::cos(turned) * trace.point[1], P.y, 1e-9);
    lowest = std::min(lowest, P.y);
    highest = std::max(highest, P.y);
  }
  // The known shape: on the ground over half a turn, lifted by more than a tenth of the leg on the way back.
  EXPECT_NEAR(lowest, -0.918, 1e-3);
  EXPECT_GT(highest - lowest, 0.15);
}

TEST(JansenWalker, ItsLegsAreHalfATurnApart) {
  const Mechanism m = readShippedModel("jansen_walker");
  EXPECT_EQ(m.included.size(), 1U);
  RunOptions options = runOptions(m);
  options.output_step = 0.25;
  const Result result = runModel(m, options);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  for (const char* name : {"foot.x", "foot.y"}) {
    const auto& left = result.find(std::string("left_") + name)->values;
    const auto& right = result.find(std::string("right_") + name)->values;
    for (std::size_t k = 0; k + 2 < left.size(); ++k) EXPECT_NEAR(left[k], right[k + 2], 1e-9) << name << k;
  }
}

// The press multiplies: near the end of the stroke the work piece takes many times what the crank's pin gets.
TEST(TogglePress, PressesHarderThanItIsPushed) {
  const Mechanism m = readShippedModel("toggle_press");
  const Result result = runModel(m, runOptions(m));
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  const auto& work = result.find("work.tension")->values;
  int touching = 0;
  double hardest = 0.0;
  double pushed = 0.0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    EXPECT_LE(work[k], 0.0);
    if (work[k] < 0.0) ++touching;
    if (-work[k] <= hardest) continue;
    hardest = -work[k];
    pushed = std::hypot(result.find("K1.force.x")->values[k], result.find("K1.force.y")->values[k]);
  }
  EXPECT_GT(touching, 20);
  EXPECT_LT(touching, static_cast<int>(work.size()) / 2);
  EXPECT_GT(hardest, 3.0 * pushed);
}

}  // namespace loads_test
}  // namespace linkwork::validation
