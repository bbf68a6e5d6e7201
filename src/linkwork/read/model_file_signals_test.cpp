// [inputs] and [outputs], and the notes on what is legal but probably not meant.
#include <gtest/gtest.h>

#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_signals_test {

using test::findings;
using test::read;

const std::string kStart = R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[parameters]
M = "2 N*m"
k = 3
[bodies]
wheel = { disc = { at = [0, 0], radius = 0.1 }, mass = 1 }
[joints]
O = { revolute = ["ground", "wheel"], at = [0, 0] }
)toml";  // 10 lines

TEST(Inputs, StandForTheirFormulas) {
  const Mechanism m = read(kStart + R"toml([inputs]
torque = "M*sin(k*t)"
level = { default = "20 mN*m", unit = "N*m" }
turn = "t^2"
[loads]
motor = { couple = "torque + level", on = "wheel" }
[drives]
d = { joint = "O", angle = "2*turn" }
)toml");
  const Expr t = Expr::symbol("t");
  const Expr torque = Expr::symbol("M") * sin(Expr::symbol("k") * t);
  EXPECT_EQ(m.loads[0].moment, torque + Expr(0.02));
  EXPECT_EQ(m.drives[0].motion, Expr(2.0) * pow(t, Expr(2.0)));
  ASSERT_EQ(m.inputs.size(), 3U);
  EXPECT_EQ(m.inputs[0].name, "torque");
  EXPECT_EQ(m.inputs[0].value, torque);
  EXPECT_EQ(m.inputs[1].unit, "N*m");
}

TEST(Outputs, AreFormulasWithAUnit) {
  const Mechanism m = read(kStart + R"toml([inputs]
torque = "M*sin(t)"
[outputs]
power = "torque*O.rate"
half = "wheel.angle/2"
turned = { value = "wheel.angle", unit = "deg" }
"any name" = 3
)toml");
  ASSERT_EQ(m.outputs.size(), 4U);
  EXPECT_EQ(m.outputs[0].name, "power");
  EXPECT_EQ(m.outputs[0].unit, "W");
  EXPECT_EQ(m.outputs[0].source.line, 14);
  EXPECT_EQ(m.outputs[1].unit, "rad");
  EXPECT_EQ(m.outputs[2].unit, "deg");
  EXPECT_DOUBLE_EQ(evaluate(m.outputs[2].value, {{"wheel.angle", 3.14159265358979323846}}), 180.0);
  EXPECT_EQ(m.outputs[3].unit, "");
}

TEST(Inputs, WhatMayNotStandThere) {
  EXPECT_EQ(findings(kStart + R"toml([inputs]
t = 1
k = 2
a = "wheel.angle"
b = "a + 1"
c = { default = 3, unit = "kN" }
d = { default = "3 m", unit = "N" }
e = { unit = "N" }
f = "abs(t)"
g = true
h = { default = 1, units = "N" }
[drives]
x = { joint = "O", angle = "f" }
[loads]
y = { couple = "a + c", on = "wheel" }
z = { couple = "d", on = "wheel" }
)toml"),
            R"(
m.toml:12:1: error: input "t": t is the time. Choose another name.
m.toml:13:1: error: input "k": a parameter has this name. Choose another name.
m.toml:14:5: error: input "a": "wheel.angle" may not stand here. Only t and parameters may.
m.toml:15:6: error: input "b": unknown name "a".
m.toml:16:27: error: input "c": its unit must be the SI unit, N. Numbers may have any unit: write default = "10 kN".
m.toml:17:31: error: input "d": the unit is that of a force (N), but the formula gives a length (m).
m.toml:18:1: error: input "e": default is missing.
m.toml:20:5: error: input "g": expected a number or a string such as "12 mm" or "2*L", got true.
m.toml:21:20: error: input "h": unknown key "units". Did you mean "unit"? Allowed here: default, unit.
m.toml:23:29: error: angle of drive "x": "f" uses abs, which has a corner or a jump, and a drive must be smooth.
)");
}

TEST(Inputs, AreNotConstants) {
  EXPECT_EQ(findings(kStart + R"toml([inputs]
u = 1
[initial]
O.rate = "u"
)toml"),
            R"(
m.toml:14:11: error: initial value of "O.rate": "u" is an input, but this value must be constant.
)");
}

TEST(Outputs, WhatMayNotStandThere) {
  EXPECT_EQ(findings(kStart + R"toml([outputs]
t = 1
"a.b" = 2
c = "wheel.angel"
d = { value = "wheel.x", unit = "s" }
e = { value = "wheel.x", unit = "mx" }
f = { }
)toml"),
            R"(
m.toml:12:1: error: output "t": t is the time, which is always recorded.
m.toml:13:1: error: output "a.b": a name may not hold a dot. The dot reads a quantity, as in "crank.angle".
m.toml:14:6: error: output "c": unknown name "wheel.angel". Did you mean "wheel.angle"?
m.toml:15:33: error: output "d": the unit is that of a time (s), but the formula gives a length (m).
m.toml:16:34: error: unit of output "e": unknown unit "mx". Did you mean "MJ"?
m.toml:17:1: error: output "f": value is missing.
)");
}

// --- legal but probably not meant ------------------------------------------------------------------------------------

TEST(Oddities, ABodyWithoutMass) {
  EXPECT_EQ(findings(R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[bodies]
a = { mass = 0, inertia = 0 }
b = { mass = 0, inertia = 1 }
c = { mass = 1, inertia = 0 }
[joints]
ab = { revolute = ["a", "b"], at = [0, 0] }
bc = { revolute = ["c", "b"], at = [1, 0] }
)toml"),
            R"(
m.toml:5:1: note: body "a" has neither mass nor inertia. Joints or drives must hold it in every direction in which it could move alone.
m.toml:6:1: note: body "b" has inertia but no mass.
)");
}

TEST(Oddities, AnInertiaThatDoesNotFitTheSize) {
  EXPECT_EQ(findings(R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
A = [0, 0]
B = [0.1, 0]
[bodies]
a = { rod = ["A", "B"], mass = 1, inertia = 20000 }
b = { rod = ["A", "B"], mass = 1, inertia = 1e-9 }
c = { rod = ["A", "B"], mass = 1, inertia = 9000 }
d = { mass = 1, inertia = 1e9, position = "A" }
[joints]
A = { revolute = ["a", "b"] }
B = { revolute = ["b", "c"] }
D = { revolute = ["b", "d"], at = "A" }
)toml"),
            R"(
m.toml:8:1: warning: body "a": sqrt(inertia/mass), its radius of gyration, is 141 m, 1414 times larger than its size, 0.1 m. Are the units of inertia, mass and lengths right?
m.toml:9:1: warning: body "b": sqrt(inertia/mass), its radius of gyration, is 3.16e-05 m, 3162 times smaller than its size, 0.1 m. Are the units of inertia, mass and lengths right?
)");
}

TEST(Oddities, AJointWhoseTwoEndsAreDrawnApart) {
  EXPECT_EQ(findings(R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
O = [0, 0]
A = [1, 0]
B = [1.01, 0]
C = [2, 0]
[bodies]
a = { rod = ["O", "A"], mass = 1 }
b = { rod = ["B", "C"], mass = 1 }
c = { position = [2.0005, 0.5], mass = 1, inertia = 1, points = { p = [0, 0] } }
[joints]
J = { revolute = ["a.A", "b.B"] }
K = { revolute = ["b.C", "c"] }
S = { prismatic = ["ground.C", "c.p"], axis = [1, 0] }
T = { pin_slot = ["a.A", "b.B"], axis = [1, 0] }
)toml"),
            R"(
m.toml:14:1: note: joint "J": its two ends are drawn 0.01 m apart. The bodies are moved until they meet.
m.toml:16:1: note: joint "S": its two ends are drawn 0.5 m apart, across the axis. The bodies are moved until they meet.
)");
}

}  // namespace model_file_signals_test
}  // namespace linkwork
