
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>
#include <stdexcept>

#include "linkwork/read/model_file_for_tests.hpp"
#include "linkwork/simulate/run_options.hpp"

namespace linkwork {
namespace model_file_test {

constexpr double kPi = std::numbers::pi;

Mechanism read(const std::string& text) {
  return test::read("linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n" + text);
}

void expectPoint(const Point& point, double x, double y) {
  EXPECT_NEAR(point[0].number, x, 1e-15);
  EXPECT_NEAR(point[1].number, y, 1e-15);
}

// The expression must give the number when the parameters have theirs.
void expectConsistent(const Mechanism& mechanism, const Value& value) {
  std::map<std::string, double> values;
  for (const Parameter& parameter : mechanism.parameters) values[parameter.name] = parameter.value.number;
  EXPECT_NEAR(evaluate(value.expr, values), value.number, 1e-14 * (1 + std::abs(value.number)));
}

constexpr const char* kFourBar = R"toml(
[parameters]
tilt = "30 deg"

[points]
O = [0, 0]
A = ["0.3*cos(tilt)", "0.3*sin(tilt)"]
B = [0.9, 0.5]
D = [0.9, 0]

[bodies]
crank   = { rod = ["O", "A"], mass = 1.2 }
coupler = { rod = ["A", "B"], length = 0.8, mass = 2.0 }
rocker  = { rod = ["D", "B"], length = 0.6, mass = 1.5 }

[joints]
O = { revolute = ["ground", "crank"] }
A = { revolute = ["crank", "coupler"] }
B = { revolute = ["coupler", "rocker"] }
D = { revolute = ["ground", "rocker"] }

[initial]
O.rate = "4 rad/s"

[simulate]
until = 10
)toml";

TEST(ModelFile, ReadsAFourBar) {
  const Mechanism m = read(kFourBar);
  ASSERT_EQ(m.bodies.size(), 3U);
  ASSERT_EQ(m.joints.size(), 4U);
  EXPECT_EQ(m.name, "m");
  EXPECT_EQ(m.file_name, "m.toml");
  EXPECT_EQ(m.gravity[1].number, -9.81);
  ASSERT_EQ(m.parameters.size(), 1U);
  EXPECT_EQ(m.parameters[0].unit, "rad");
  EXPECT_EQ(m.parameters[0].value.number, kPi / 6);

  const Body& crank = m.bodies[0];
  EXPECT_EQ(crank.name, "crank");
  EXPECT_EQ(crank.source.line, 15);
  EXPECT_EQ(crank.mass.number, 1.2);
  expectPoint(crank.com, 0.15, 0);
  EXPECT_NEAR(crank.inertia.number, 1.2 * 0.09 / 12, 1e-16);
  EXPECT_NEAR(crank.drawn.angle, kPi / 6, 1e-15);
  EXPECT_EQ(symbolsOf(crank.inertia.expr), std::vector<std::string>{"tilt"});
  expectConsistent(m, crank.inertia);
  expectConsistent(m, crank.com[0]);

  const Body& coupler = m.bodies[1];
  EXPECT_NEAR(coupler.drawn.x, 0.3 * std::cos(kPi / 6), 1e-16);
  EXPECT_NEAR(coupler.inertia.number, 2.0 * 0.64 / 12, 1e-16);
  EXPECT_NEAR(coupler.drawn.angle, std::atan2(0.5 - 0.15, 0.9 - 0.3 * std::cos(kPi / 6)), 1e-15);

  // Joint B holds the ends of both rods, at their lengths and not at the drawn guess.
  const Joint& b = m.joints[2];
  EXPECT_EQ(b.kind, JointKind::revolute);
  EXPECT_EQ(m.bodyName(b.first), "coupler");
  EXPECT_EQ(m.bodyName(b.second), "rocker");
  expectPoint(b.on_first.point, 0.8, 0);
  expectPoint(b.on_second.point, 0.6, 0);
  EXPECT_EQ(b.on_first.angle.number, 0);
  const Joint& d = m.joints[3];
  EXPECT_EQ(d.first, kGround);
  expectPoint(d.on_first.point, 0.9, 0);
  expectPoint(d.on_second.point, 0, 0);

  ASSERT_EQ(m.initial.size(), 1U);
  EXPECT_EQ(quantityName(m, m.initial[0].quantity), "O.angle_rate");
  EXPECT_EQ(m.initial[0].value.number, 4);
  EXPECT_EQ(m.initial[0].source.line, 26);
  EXPECT_EQ(m.run.number("until"), 10);
}

TEST(ModelFile, TheLongFormMeansTheSameAsTheShortOne) {
  const Mechanism rod = read(
      "[points]\nO = [1, 2]\nA = [1, 5]\n[bodies]\nb = { rod = [\"O\", \"A\"], mass = 2 }\n[joints]\nO = { revolute = "
      "[\"ground\", \"b\"] }\n");
  const Mechanism frame = read(
      "[bodies]\nb = { position = [1, 2], angle = \"90 deg\", mass = 2, com = [1.5, 0], inertia = 1.5, points = { A = "
      "[3, 0] } }\n"
      "[joints]\nO = { revolute = [\"ground\", \"b\"], at = [1, 2] }\n");
  EXPECT_EQ(rod.bodies[0].inertia.number, frame.bodies[0].inertia.number);
  EXPECT_EQ(rod.bodies[0].com[0].number, frame.bodies[0].com[0].number);
  EXPECT_EQ(rod.bodies[0].drawn.angle, frame.bodies[0].drawn.angle);
  expectPoint(frame.joints[0].on_second.point, 0, 0);
  expectPoint(frame.joints[0].on_first.point, 1, 2);
}

TEST(ModelFile, ShapesGiveMassAndInertia) {
  const Mechanism m = read(R"toml(
[points]
P = [1, 0]
Q = [1, 2]
[bodies]
line   = { rod = ["P", "Q"], density = 3 }
bar    = { rod = ["P", "Q"], density = "8 g/cm^3", section = "2 cm^2" }
wheel  = { disc = { at = "P", radius = 0.5 }, density = "4 kg/m^2" }
plate  = { box = { at = [0, 1], size = [0.4, 0.3], angle = "30 deg" }, mass = 6 }
coin   = { disc = { at = "Q", radius = "10 mm" }, density = "8000 kg/m^3", thickness = "2 mm" }
odd    = { rod = ["P", "Q"], mass = 2, com = [0.5, 0.1], inertia = 7 }
ghost  = { mass = 0, inertia = 0 }
)toml");
  EXPECT_NEAR(m.bodies[0].mass.number, 6, 1e-15);
  EXPECT_NEAR(m.bodies[0].inertia.number, 6 * 4 / 12.0, 1e-15);
  EXPECT_NEAR(m.bodies[1].mass.number, 8000 * 2e-4 * 2, 1e-14);
  EXPECT_NEAR(m.bodies[2].mass.number, kPi, 1e-15);
  EXPECT_NEAR(m.bodies[2].inertia.number, kPi * 0.25 / 2, 1e-15);
  EXPECT_NEAR(m.bodies[3].inertia.number, 6 * 0.25 / 12, 1e-16);
  EXPECT_NEAR(m.bodies[3].drawn.angle, kPi / 6, 1e-16);
  EXPECT_NEAR(m.bodies[4].mass.number, 16 * kPi * 1e-4, 1e-17);
  expectPoint(m.bodies[5].com, 0.5, 0.1);
  EXPECT_EQ(m.bodies[5].inertia.number, 7);
  EXPECT_EQ(m.bodies[6].mass.number, 0);
  EXPECT_EQ(m.bodies[3].shapes[0].kind, ShapeKind::box);
  EXPECT_EQ(m.bodies[2].shapes[0].radius, 0.5);
  EXPECT_EQ(m.bodies[6].shapes[0].kind, ShapeKind::point);
}

TEST(ModelFile, AJointPointIsCarriedIntoBodyAxes) {
  const Mechanism m = read(R"toml(
[points]
P = [2, 1]
[bodies]
a = { position = [1, 1], angle = "90 deg", mass = 1, inertia = 1, points = { tip = [0.5, 0] } }
b = { mass = 1, inertia = 1, frames = { f = { at = [2, 0], angle = "20 deg" } } }
[joints]
P  = { revolute = ["a", "b"] }
J2 = { hinge = ["a.tip", "b.f"] }
J3 = { revolute = ["world", "a.tip"] }
J4 = { distance = ["ground.P", "a.tip"] }
J5 = { link = ["a.P", "b.f"], length = "20 cm" }
)toml");
  expectPoint(m.joints[0].on_first.point, 0, -1);
  expectPoint(m.joints[0].on_second.point, 2, 1);
  expectPoint(m.joints[1].on_first.point, 0.5, 0);
  EXPECT_NEAR(m.joints[1].on_second.angle.number, kPi / 9, 1e-16);
  // Without `at`, the end that names a point says where: a.tip is drawn at (1, 1.5).
  EXPECT_EQ(m.joints[2].first, kGround);
  expectPoint(m.joints[2].on_first.point, 1, 1.5);
  EXPECT_EQ(m.joints[3].kind, JointKind::distance);
  EXPECT_NEAR(m.joints[3].length.number, std::hypot(1, 0.5), 1e-15);
  expectPoint(m.joints[4].on_first.point, 0, -1);
  EXPECT_EQ(m.joints[4].length.number, 0.2);
}

TEST(ModelFile, SlidingJointsKeepTheDrawnRelativeAngle) {
  const Mechanism m = read(R"toml(
[points]
S = [1, 0]
[bodies]
rail   = { position = [0, 0], angle = "10 deg", mass = 1, inertia = 1, frames = { slot = { at = [0.1, 0], angle = "5 deg" } } }
slider = { position = [1, 0], angle = "40 deg", mass = 1, inertia = 1 }
[joints]
S  = { prismatic = ["ground", "slider"], axis = [1, 0] }
S2 = { slider = ["rail", "slider"], at = "S", axis = "30 deg" }
S3 = { prismatic = ["rail", "slider"], at = "S", axis = "30 deg", angle = "7 deg" }
S4 = { prismatic = ["ground", "slider"], at = "S", axis = [0, 2], angle = "-50 deg" }
S5 = { pin_slot = ["slider", "rail.slot"], at = "S" }
S6 = { slot = ["slider", "rail"], at = "S", axis = "30 deg" }
S7 = { prismatic = ["rail.slot", "slider"] }
F  = { fixed = ["rail", "slider"], at = "S" }
F2 = { weld = ["rail", "slider"], at = "S", angle = "3 deg" }
)toml");
  const double deg = kPi / 180;
  const auto angles = [&m](std::size_t i) {
    return std::pair(m.joints[i].on_first.angle.number * 180 / kPi, m.joints[i].on_second.angle.number * 180 / kPi);
  };
  const auto expectAngles = [&](std::size_t i, double first, double second) {
    EXPECT_NEAR(angles(i).first, first, 1e-13) << m.joints[i].name;
    EXPECT_NEAR(angles(i).second, second, 1e-13) << m.joints[i].name;
  };
  expectAngles(0, 0, -40);
  expectAngles(1, 20, -10);
  // angle = first - second = 7 deg: theta_1 + f1 = theta_2 + f2 gives f2 - f1 = 7 deg, with the axis true on the
  // second.
  expectAngles(2, -17, -10);
  // On the ground the axis stays as written.
  expectAngles(3, 90, 40);
  EXPECT_EQ(m.joints[4].kind, JointKind::pin_slot);
  EXPECT_NEAR(m.joints[4].on_second.angle.number, 5 * deg, 1e-16);
  EXPECT_NEAR(angles(5).second, 20, 1e-13);
  // rail.slot points at 15 deg in the drawing, the slider is drawn at 40 deg.
  expectAngles(6, 5, -25);
  // fixed: 10 + 0 = 40 - 30.
  expectAngles(7, 0, -30);
  expectAngles(8, 0, 3);
}

constexpr const char* kDriven = R"toml(
[parameters]
w = "2 rad/s"
k = 100
[points]
O = [0, 0]
A = [1, 0]
[bodies]
crank  = { rod = ["O", "A"], mass = 1 }
slider = { box = { at = [2, 0], size = [0.2, 0.1] }, mass = 1, points = { hook = [0.1, 0] } }
pin    = { disc = { at = [0, 1], radius = 0.1 }, mass = 1 }
[joints]
O = { revolute = ["ground", "crank"] }
S = { prismatic = ["ground", "slider"], at = [2, 0], axis = [1, 0] }
P = { pin_slot = ["pin", "ground"], at = [0, 1], axis = [0, 1] }
)toml";

TEST(ModelFile, DrivesReadEveryForm) {
  const Mechanism m = read(std::string(kDriven) + R"toml(
[drives]
d1 = { joint = "O", angle = "w*t" }
d2 = { joint = "S", slide = "0.1*sin(t)" }
d3 = { joint = "P", slide = "0.1*t" }
d4 = { distance = ["ground.O", "slider.hook"], length = "2 + t" }
d5 = { body = "slider", x = "0.1*sin(t)" }
d6 = { body = "slider", angle = "t" }
d7 = { point = "crank.A", y = "0.1*sin(t)" }
)toml");
  ASSERT_EQ(m.drives.size(), 7U);
  EXPECT_EQ(m.drives[0].kind, DriveKind::angle);
  EXPECT_EQ(m.drives[0].motion, Expr::symbol("w") * Expr::symbol("t"));
  EXPECT_EQ(m.drives[1].kind, DriveKind::slide);
  // The pin's position is counted from the slot's frame to the pin, the drive's slide from the pin to the slot's frame:
  // the drive looks along the slot (90 deg) from behind.
  EXPECT_EQ(m.drives[2].kind, DriveKind::slide);
  EXPECT_NEAR(m.drives[2].on_second.angle.number, 1.5 * kPi, 1e-15);
  EXPECT_EQ(evaluate(m.drives[2].motion, {{"t", 2.0}}), 0.2);
  EXPECT_EQ(m.drives[3].kind, DriveKind::distance);
  expectPoint(m.drives[3].on_second.point, 0.1, 0);
  EXPECT_EQ(m.drives[4].kind, DriveKind::coordinate);
  EXPECT_EQ(m.drives[4].first, kGround);
  EXPECT_EQ(m.drives[4].on_first.angle.number, 0);
  EXPECT_EQ(m.drives[5].kind, DriveKind::angle);
  EXPECT_EQ(m.drives[6].on_first.angle.number, kPi / 2);
  expectPoint(m.drives[6].on_second.point, 1, 0);
}

TEST(ModelFile, LoadsReadEveryForm) {
  const Mechanism m = read(std::string(kDriven) + R"toml(
[loads]
push   = { force = ["10*sin(3*t)", 0], on = "slider", at = [2.05, 0.01] }
pull   = { force = ["10 N", "-k*slider.x"], at = "slider.hook", axes = "body" }
weight = { force = [0, -1], on = "crank" }
torque = { couple = "6 + 2*sin(3*t) - 0.4*crank.angle_rate", on = "crank" }
inner  = { couple = "1 N*m", on = "crank", against = "slider" }
s      = { spring = ["slider.hook", "ground.O"], stiffness = "2*k", free_length = "50 mm", damping = 3 }
s2     = { spring = ["ground.O", "slider.hook"], stiffness = "5 N/mm" }
d      = { damper = ["slider.hook", "ground.O"], damping = "3 N*s/m" }
sd     = { spring_damper = ["slider.hook", "ground.O"], stiffness = 1, damping = 2 }
r      = { rotational_spring = "O", stiffness = "2 N*m/rad", free_angle = "10 deg" }
rd     = { rotational_damper = ["ground", "crank"], damping = 0.1 }
rsd    = { rotational_spring_damper = ["crank", "slider"], stiffness = 1, damping = 0.1 }
rate   = { couple = "-2*O.rate - 3*S.slide_rate", on = "crank" }
)toml");
  ASSERT_EQ(m.loads.size(), 13U);
  EXPECT_EQ(m.loads[0].kind, LoadKind::force);
  expectPoint(m.loads[0].on_second.point, 0.05, 0.01);
  EXPECT_EQ(m.loads[1].axes, Axes::body);
  expectPoint(m.loads[1].on_second.point, 0.1, 0);
  EXPECT_EQ(symbolsOf(m.loads[1].force[1]), (std::vector<std::string>{"k", "slider.x"}));
  expectPoint(m.loads[2].on_second.point, 0.5, 0);
  EXPECT_EQ(evaluate(m.loads[3].moment, {{"t", 0.0}, {"crank.angle_rate", 5.0}}), 4.0);
  EXPECT_EQ(m.bodyName(m.loads[4].first), "slider");
  EXPECT_EQ(m.loads[5].stiffness.number, 200);
  EXPECT_EQ(m.loads[5].free_length.number, 0.05);
  EXPECT_EQ(m.loads[5].damping.number, 3);
  EXPECT_EQ(m.loads[6].stiffness.number, 5000);
  EXPECT_NEAR(m.loads[6].free_length.number, 2.1, 1e-15);  // relaxed as drawn
  EXPECT_EQ(m.loads[7].stiffness.number, 0);
  EXPECT_EQ(m.loads[9].kind, LoadKind::rotational_spring_damper);
  EXPECT_NEAR(m.loads[9].free_length.number, kPi / 18, 1e-16);
  EXPECT_EQ(m.bodyName(m.loads[11].first), "crank");
  // Aliases become the one name of each quantity.
  EXPECT_EQ(symbolsOf(m.loads[12].moment), (std::vector<std::string>{"O.angle_rate", "S.slide_rate"}));
}

TEST(ModelFile, InitialEventsTracesAndSimulate) {
  const Mechanism m = read(std::string(kDriven) + R"toml(
[initial]
O.angle = "30 deg"
slider.x_rate = 1
"S.slide" = "3 mm"
[initial.crank]
y = 0.5
[events]
half = { when = "crank.angle - pi", crossing = "rising", stop = true }
any  = { when = "t - 3" }
[traces]
tip = "crank.A"
mid = { body = "crank", point = [0.5, 0] }
[simulate]
until = "2 min"
samples = 240
formulation = "absolute"
stabilisation = "projection"
integrator = "dopri5"
rtol = 1e-9
atol = 1e-10
step = "1 ms"
alpha = 5
beta = "6 1/s"
penalty = "2e3 kg"
omega = "12 1/s"
mu = 0.7
rho = 0
reaction_length = "250 mm"
record = "all"
)toml");
  ASSERT_EQ(m.initial.size(), 4U);
  EXPECT_EQ(quantityName(m, m.initial[0].quantity), "O.angle");
  EXPECT_EQ(m.initial[0].value.number, kPi / 6);
  EXPECT_EQ(quantityName(m, m.initial[1].quantity), "slider.x_rate");
  EXPECT_EQ(quantityName(m, m.initial[2].quantity), "S.slide");
  EXPECT_EQ(m.initial[2].value.number, 0.003);
  EXPECT_EQ(quantityName(m, m.initial[3].quantity), "crank.y");
  ASSERT_EQ(m.events.size(), 2U);
  EXPECT_EQ(m.events[0].crossing, Crossing::rising);
  EXPECT_TRUE(m.events[0].stop);
  EXPECT_EQ(evaluate(m.events[0].when, {{"crank.angle", kPi}}), 0);
  EXPECT_EQ(m.events[1].crossing, Crossing::both);
  ASSERT_EQ(m.traces.size(), 2U);
  EXPECT_EQ(m.traces[0].name, "tip");
  EXPECT_EQ(m.traces[0].point[0], 1);
  EXPECT_EQ(m.traces[1].point[0], 0.5);
  EXPECT_EQ(m.run.number("until"), 120);
  EXPECT_EQ(m.run.number("output_step"), 0.5);
  EXPECT_EQ(m.run.word("formulation"), "absolute");
  EXPECT_EQ(m.run.number("step"), 0.001);
  EXPECT_EQ(m.run.number("beta"), 6);
  EXPECT_EQ(m.run.number("penalty"), 2000);
  EXPECT_EQ(m.run.number("omega"), 12);
  EXPECT_EQ(m.run.number("mu"), 0.7);
  EXPECT_EQ(m.run.number("rho"), 0);
  EXPECT_EQ(m.run.number("reaction_length"), 0.25);
  EXPECT_EQ(m.run.word("record"), "all");
}

TEST(ModelFile, ParametersComeInAnyOrderAndKeepTheirLetters) {
  const Mechanism m = read(R"toml(
title = "a title"
description = "what it is"
check_horizon = 2
[parameters]
m = "rho*L"
L = "2*half"
half = "15 cm"
rho = 4
g = "9.81 m/s^2"
ratio = "L/half"
[bodies]
b = { mass = "m", inertia = "m*L^2/12", com = ["L/2", 0] }
)toml");
  EXPECT_EQ(m.name, "a title");
  EXPECT_EQ(m.description, "what it is");
  EXPECT_EQ(m.check_horizon, 2);
  EXPECT_NEAR(m.parameters[0].value.number, 1.2, 1e-15);
  EXPECT_EQ(m.parameters[0].value.expr, Expr::symbol("rho") * Expr::symbol("L"));
  EXPECT_EQ(m.parameters[1].unit, "m");
  EXPECT_EQ(m.parameters[3].unit, "");
  EXPECT_EQ(m.parameters[4].unit, "m/s^2");
  EXPECT_NEAR(m.bodies[0].inertia.number, 1.2 * 0.09 / 12, 1e-16);
  expectConsistent(m, m.bodies[0].inertia);
}

TEST(ModelFile, LongChainsAndWideFilesAreRead) {
  std::string text = "[parameters]\np0 = 1\n";
  for (int i = 1; i < 20000; ++i) text += fmt::format("p{} = \"p{}\"\n", 20000 - i, 19999 - i);
  text += "[bodies]\n";
  for (int i = 0; i < 2000; ++i) text += fmt::format("b{} = {{ mass = \"p19999\", inertia = 1 }}\n", i);
  const Mechanism m = read(text);
  EXPECT_EQ(m.bodies.size(), 2000U);
  EXPECT_EQ(m.bodies[1999].name, "b1999");
  EXPECT_EQ(m.bodies[1999].mass.number, 1);
}

TEST(ModelFile, NamesMayHoldAnyCharacter) {
  const Mechanism m = read(
      "[bodies]\n\"left <b>&crank\" = { mass = 1, inertia = 1 }\n[loads]\nf = { couple = \"-2*'left "
      "<b>&crank'.angle\", on = \"left <b>&crank\" }\n");
  EXPECT_EQ(m.bodies[0].name, "left <b>&crank");
  EXPECT_EQ(symbolsOf(m.loads[0].moment), std::vector<std::string>{"left <b>&crank.angle"});
}

TEST(ModelFile, ShapesAreDerivedFromWhatIsAttached) {
  const Mechanism m = read(R"toml(
[bodies]
plate = { mass = 1, inertia = 1, points = { a = [0, 0], b = [1, 0], c = [0.5, 1], in = [0.5, 0.3] } }
stick = { mass = 1, inertia = 1 }
[joints]
j = { revolute = ["plate.a", "stick"] }
k = { revolute = ["plate.b", "stick"] }
)toml");
  ASSERT_EQ(m.bodies[0].shapes.size(), 1U);
  EXPECT_EQ(m.bodies[0].shapes[0].kind, ShapeKind::polygon);
  EXPECT_EQ(m.bodies[0].shapes[0].outline.size(), 3U);
  EXPECT_EQ(m.bodies[1].shapes[0].kind, ShapeKind::rod);
  EXPECT_EQ(m.bodies[1].shapes[0].to[0], 1);
}

TEST(ModelFile, AFreeBodyIsNoted) {
  Diagnostics diagnostics;
  EXPECT_TRUE(
      readModelText("linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n[bodies]\nb = { mass = 1, inertia = 1 }\n",
                    "m.toml", diagnostics));
  EXPECT_EQ(diagnostics.format(),
            "m.toml:5:1: note: body \"b\" hangs on no joint: it moves freely. Write free = true if that is meant.\n");
}

TEST(ModelFile, IsReadFromDisk) {
  const std::string path = testing::TempDir() + "linkwork_four_bar.toml";
  std::ofstream(path) << "linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n" << kFourBar;
  Diagnostics diagnostics;
  const auto m = readModelFile(path, diagnostics);
  ASSERT_TRUE(m) << diagnostics.format();
  EXPECT_EQ(m->name, "linkwork_four_bar");
  EXPECT_EQ(m->file_name, path);
  EXPECT_TRUE(m->file_text.starts_with("linkwork = 1"));
  std::filesystem::remove(path);
}

// Every option of a run that a file may give, with its unit, arrives there.
TEST(ModelFile, GivesEveryOptionOfARun) {
  for (const RunOption& option : runOptionTable()) {
    if (option.where == RunOption::Where::command_line) continue;
    const std::string word = option.words.empty() ? "absolute" : option.words.back();
    const std::string value = option.isNumber()
                                  ? fmt::format("\"0.25{}{}\"", option.unit.empty() ? "" : " ", option.unit)
                                  : fmt::format("\"{}\"", word);
    const Mechanism m = read(fmt::format("[bodies]\nb = {{ mass = 2, inertia = 1 }}\n[{}]\n{} = {}\n",
                                         option.owned_by == "compliant" ? "compliance" : "simulate", option.name,
                                         option.isNumber() && option.unit.empty() ? "0.25" : value));
    ASSERT_EQ(m.run.given.size(), 1U) << option.name;
    EXPECT_EQ(m.run.given[0].source.line, 7) << option.name;
    EXPECT_EQ(option.text(runOptions(m)), option.isNumber() ? "0.25" : word) << option.name;
  }
}

}  // namespace model_file_test
}  // namespace linkwork
