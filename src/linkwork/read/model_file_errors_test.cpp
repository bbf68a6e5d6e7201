// Every message of the model reader, with its place: wrong text in, all findings out.
#include <gtest/gtest.h>

#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_errors_test {

using test::refusal;

const std::string kHead = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
)toml";  // 3 lines

const std::string kPoints = kHead + R"toml([points]
O = [0, 0]
A = [1, 0]
)toml";  // 6 lines

const std::string kBodies = kPoints + R"toml([bodies]
crank = { rod = ["O", "A"], mass = 1 }
slider = { mass = 1, inertia = 1, points = { hook = [0.1, 0] } }
)toml";  // 9 lines

const std::string kJoints = kBodies + R"toml([joints]
O = { revolute = ["ground", "crank"] }
S = { prismatic = ["ground", "slider"], at = "O", axis = [1, 0] }
W = { fixed = ["slider", "crank"], at = "O" }
)toml";  // 13 lines

TEST(ModelFileErrors, TopEntriesThatMustBeThere) {
  EXPECT_EQ(refusal(R"toml([bodies]
)toml"),
            R"(
m.toml:1:1: error: the file: linkwork is missing. Start it with linkwork = 1, the version of the format.
m.toml:1:1: error: the file: space is missing. Write space = "planar" or space = "spatial".
m.toml:1:1: error: the file: gravity is missing. Write gravity = [0, -9.81], or [0, 0] for none.
)");
}

TEST(ModelFileErrors, AnotherVersion) {
  EXPECT_EQ(refusal(R"toml(linkwork = 2
space = "planar"
)toml"),
            R"(
m.toml:1:12: error: the file is of format version 2, but this program reads version 1.
)");
}

TEST(ModelFileErrors, VersionOfTheWrongType) {
  EXPECT_EQ(refusal(R"toml(linkwork = "1"
space = "planar"
gravity = [0, 0]
[bodies]
)toml"),
            R"(
m.toml:1:12: error: linkwork: expected the version of the format, 1, got the string "1".
)");
}

TEST(ModelFileErrors, UnknownTopKeys) {
  EXPECT_EQ(refusal(kHead + R"toml(titel = "x"
[body]
[bodies]
)toml"),
            R"(
m.toml:4:1: error: the file: unknown key "titel". Did you mean "title"? Allowed here: linkwork, title, description, space, gravity, check_horizon, repeat, parameters, points, include, tables, bodies, joints, quasivelocities, inputs, drives, loads, initial, outputs, events, traces, images, steady, compliance, simulate.
m.toml:5:2: error: the file: unknown key "body". Allowed here: linkwork, title, description, space, gravity, check_horizon, repeat, parameters, points, include, tables, bodies, joints, quasivelocities, inputs, drives, loads, initial, outputs, events, traces, images, steady, compliance, simulate.
)");
}

TEST(ModelFileErrors, TopEntriesOfTheWrongType) {
  EXPECT_EQ(refusal(R"toml(linkwork = 1
space = 3
gravity = 9.81
title = 4
check_horizon = "3 m"
bodies = 5
)toml"),
            R"(
m.toml:2:9: error: space: expected a string, got the number 3.
m.toml:3:11: error: gravity: expected a list of two, [x, y], got the number 9.81.
m.toml:4:9: error: title: expected a string, got the number 4.
m.toml:5:17: error: check_horizon: expected a time (s), got a length (m).
m.toml:6:10: error: [bodies]: expected a table, got the number 5.
)");
}

TEST(ModelFileErrors, GravityOfTheWrongDimension) {
  EXPECT_EQ(refusal(R"toml(linkwork = 1
space = "planar"
gravity = [0, "9.81 m/s"]
[bodies]
)toml"),
            R"(
m.toml:3:15: error: y of gravity: expected an acceleration (m/s^2), got a velocity (m/s).
)");
}

TEST(ModelFileErrors, ParametersInACircle) {
  EXPECT_EQ(refusal(kHead + R"toml([parameters]
a = "b + 1"
b = "2*c"
c = "a"
d = "d"
use = "a + d"
[bodies]
)toml"),
            R"(
m.toml:5:5: error: parameter "a" is defined by itself: a -> b -> c -> a.
m.toml:8:5: error: parameter "d" is defined by itself: d -> d.
)");
}

TEST(ModelFileErrors, ReservedParameterNames) {
  EXPECT_EQ(refusal(kHead + R"toml([parameters]
t = 1
pi = 3
sin = 2
"a b" = 1
x-y = 3
[bodies]
)toml"),
            R"(
m.toml:5:1: error: parameter "t": t is the time. Choose another name.
m.toml:6:1: error: parameter "pi": pi is the number 3.14159. Choose another name.
m.toml:7:1: error: parameter "sin": this is the name of a function. Choose another name.
m.toml:8:1: error: parameter "a b": a parameter's name is made of letters, digits and _, because it stands in formulas. Choose another name.
m.toml:9:1: error: parameter "x-y": a parameter's name is made of letters, digits and _, because it stands in formulas. Choose another name.
)");
}

TEST(ModelFileErrors, ParameterValues) {
  EXPECT_EQ(refusal(kHead + R"toml([parameters]
a = nan
b = inf
c = "1/0"
d = true
e = "2*Length"
f = "12 mmm"
h = "2*t"
[bodies]
)toml"),
            R"(
m.toml:5:5: error: parameter "a": expected a finite number, got nan.
m.toml:6:5: error: parameter "b": expected a finite number, got inf.
m.toml:7:7: error: parameter "c": division by zero.
m.toml:8:5: error: parameter "d": expected a number or a string such as "12 mm" or "2*L", got true.
m.toml:9:8: error: parameter "e": unknown name "Length".
m.toml:10:9: error: parameter "f": unknown unit "mmm". Did you mean "mm"?
m.toml:11:8: error: parameter "h": t is the time, but this value must be constant.
)");
}

TEST(ModelFileErrors, ParameterDimensions) {
  EXPECT_EQ(refusal(kHead + R"toml([parameters]
L = "1 m"
M = "1 kg"
x = "L + M"
y = "sin(L)"
[bodies]
)toml"),
            R"(
m.toml:7:8: error: parameter "x": a length (m) and a mass (kg) cannot be added.
m.toml:8:10: error: parameter "y": sin takes an angle or a plain number, got a length (m).
)");
}

TEST(ModelFileErrors, Points) {
  EXPECT_EQ(refusal(kHead + R"toml([points]
A = 3
B = [1]
C = ["1 kg", 2]
"D.E" = [0, 0]
[bodies]
)toml"),
            R"(
m.toml:5:5: error: point "A": expected a list of two, [x, y], got the number 3.
m.toml:6:5: error: point "B": expected a list of two, [x, y], got a list of 1.
m.toml:7:6: error: x of point "C": expected a length (m), got a mass (kg).
m.toml:8:1: error: point "D.E": a name may not hold a dot. The dot reads a quantity, as in "crank.angle".
)");
}

TEST(ModelFileErrors, MassAndInertia) {
  EXPECT_EQ(refusal(kPoints + R"toml([bodies]
a = { rod = ["O", "A"], mass = "3 m" }
b = { rod = ["O", "A"], mass = -1 }
c = { rod = ["O", "A"] }
d = { rod = ["O", "A"], mass = 1, density = 2 }
e = { rod = ["O", "A"], mass = 1, section = 2 }
f = { mass = 1 }
g = { inertia = 1 }
h = { mass = 1, inertia = -2 }
i = { mass = nan, inertia = 1 }
)toml"),
            R"(
m.toml:8:32: error: mass of body "a": expected a mass (kg), got a length (m).
m.toml:9:32: error: mass of body "b" must not be negative, got -1.
m.toml:10:1: error: body "c": mass is missing. Give mass or density; write mass = 0 for a massless body.
m.toml:11:35: error: body "d": mass and density are both given. Give one of them.
m.toml:12:35: error: body "e": section goes with density, but mass is given.
m.toml:13:1: error: body "f": inertia is missing. Write inertia = 0 for a point mass.
m.toml:14:1: error: body "g": mass is missing. Write mass = 0 for a massless body.
m.toml:15:27: error: inertia of body "h" must not be negative, got -2.
m.toml:16:14: error: mass of body "i": expected a finite number, got nan.
)");
}

TEST(ModelFileErrors, Density) {
  EXPECT_EQ(refusal(kPoints + R"toml([bodies]
a = { rod = ["O", "A"], density = "7850 kg/m^3" }
b = { disc = { at = "O", radius = 1 }, density = "1 kg/m" }
c = { box = { at = "O", size = [1, 1] }, density = "1 kg/m^3" }
)toml"),
            R"(
m.toml:8:35: error: density of body "a": expected a mass per length (kg/m), got a density (kg/m^3). Give section beside a density per volume.
m.toml:9:50: error: density of body "b": expected a mass per area (kg/m^2), got a mass per length (kg/m).
m.toml:10:52: error: density of body "c": expected a mass per area (kg/m^2), got a density (kg/m^3). Give thickness beside a density per volume.
)");
}

TEST(ModelFileErrors, BodyForms) {
  EXPECT_EQ(refusal(kPoints + R"toml([bodies]
a = { rodd = ["O", "A"], mass = 1 }
b = { rod = ["O", "A"], disc = { at = "O", radius = 1 }, mass = 1 }
c = { rod = ["O", "O"], mass = 1 }
d = { rod = ["O", "Quux"], mass = 1 }
e = { rod = "O", mass = 1 }
f = 3
g = { rod = ["O", "A"], length = 0, mass = 1 }
h = { rod = ["O", "A"], radius = 1, mass = 1 }
)toml"),
            R"(
m.toml:8:7: error: body "a": unknown key "rodd". Did you mean "rod"? Allowed here: position, angle, mass, com, z, inertia, inertia_about, points, frames, free, rod, disc, box, mesh.
m.toml:9:25: error: body "b": a body has one shape, but two are given.
m.toml:10:13: error: body "c": both ends of the rod are at the same place.
m.toml:11:20: error: rod of body "d": point "Quux" is not defined in [points].
m.toml:12:13: error: rod of body "e": expected two points such as ["A", "B"], got the string "O".
m.toml:13:5: error: body "f": expected a table such as { rod = ["A", "B"], mass = 1 }, got the number 3.
m.toml:14:34: error: length of body "g" must be positive, got 0.
m.toml:15:25: error: body "h": unknown key "radius". Allowed here: rod, length, mass, density, section, com, z, inertia, inertia_about, points, frames, free, flexible.
)");
}

TEST(ModelFileErrors, DiscsAndBoxes) {
  EXPECT_EQ(refusal(kPoints + R"toml([bodies]
a = { disc = { at = "O" }, mass = 1 }
b = { disc = { radius = -1, at = "O" }, mass = 1 }
c = { box = { at = "O", size = [1, 0] }, mass = 1 }
d = { box = { at = 3, sice = [1, 1] }, mass = 1 }
e = { disc = 3, mass = 1 }
)toml"),
            R"(
m.toml:8:7: error: disc of body "a": radius is missing.
m.toml:9:25: error: radius of body "b" must be positive, got -1.
m.toml:10:32: error: size of body "c" must be positive.
m.toml:11:20: error: at of box of body "d": expected the name of a point or [x, y], got the number 3.
m.toml:11:23: error: box of body "d": unknown key "sice". Did you mean "size"? Allowed here: at, size, angle.
m.toml:12:14: error: disc of body "e": expected a table such as { at = "P", radius = 0.1 }, got the number 3.
)");
}

TEST(ModelFileErrors, PointsOfBodies) {
  EXPECT_EQ(refusal(kPoints + R"toml([bodies]
a = { rod = ["O", "A"], mass = 1, points = { A = [0, 0] } }
b = { mass = 1, inertia = 1, points = { p = 3 }, frames = { f = { at = [0, 0] } } }
c = { mass = 1, inertia = 1, com = [1], points = 4, frames = [] }
)toml"),
            R"(
m.toml:8:46: error: body "a": point "A" is given twice.
m.toml:9:45: error: point "p" of body "b": expected a list of two, [x, y], got the number 3.
m.toml:9:61: error: frame "f" of body "b": angle is missing. A frame without an angle is a point: put it in points.
m.toml:10:36: error: com of body "c": expected a list of two, [x, y], got a list of 1.
m.toml:10:50: error: points of body "c": expected a table such as { tip = [0.3, 0] }, got the number 4.
m.toml:10:62: error: frames of body "c": expected a table such as { rail = { at = [0.3, 0], angle = "30 deg" } }, got a list of 0.
)");
}

TEST(ModelFileErrors, NamesOfBodies) {
  EXPECT_EQ(refusal(kHead + R"toml([bodies]
ground = { mass = 1, inertia = 1 }
"a.b" = { mass = 1, inertia = 1 }
"" = { mass = 1, inertia = 1 }
"c\u0007" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:5:1: error: body "ground": this name means the ground. Choose another name.
m.toml:6:1: error: body "a.b": a name may not hold a dot. The dot reads a quantity, as in "crank.angle".
m.toml:7:1: error: a body needs a name.
m.toml:8:1: error: the name of a body may not hold control characters.
)");
}

TEST(ModelFileErrors, EndsOfJoints) {
  EXPECT_EQ(refusal(kBodies + R"toml([joints]
a = { revolute = ["ground", "crnk"], at = "O" }
b = { revolute = ["ground", "crank"] }
c = { revolute = ["ground", "crank"], at = "Quux" }
d = { revolute = ["ground", "crank.tip"] }
e = { revolute = "crank" }
f = { revolute = ["ground.O", "crank.A"], at = "O" }
g = { revolute = ["crank", "crank"], at = "O" }
h = { revolute = ["ground.Xylo", 3] }
)toml"),
            R"(
m.toml:11:30: error: joint "a": body "crnk" is not defined. Did you mean "crank"?
m.toml:12:1: error: joint "b": where is it? Give at = "P" or at = [x, y], or add a point "b" to [points].
m.toml:13:45: error: at of joint "c": point "Quux" is not defined in [points].
m.toml:14:36: error: joint "d": body "crank" has no point "tip".
m.toml:15:18: error: revolute of joint "e": expected two bodies such as ["ground", "crank"], got the string "crank".
m.toml:16:43: error: joint "f": at is not needed, because both ends name their points.
m.toml:17:1: error: joint "g" joins "crank" to itself. A joint needs two different bodies.
m.toml:18:27: error: joint "h": point "Xylo" is not defined in [points].
m.toml:18:34: error: joint "h": expected the name of a body such as "crank" or of its point such as "crank.tip", got the number 3.
)");
}

TEST(ModelFileErrors, KindsOfJoints) {
  EXPECT_EQ(refusal(kBodies + R"toml([joints]
a = { revolut = ["ground", "crank"] }
b = { at = "O" }
c = { revolute = ["ground", "crank"], fixed = ["ground", "crank"], at = "O" }
d = { revolute = ["ground", "crank"], at = "O", axis = [1, 0] }
e = "O"
)toml"),
            R"(
m.toml:11:7: error: joint "a": unknown key "revolut". Did you mean "revolute"? Allowed here: revolute, prismatic, pin_slot, fixed, distance, at, axis, angle, length, cut, compliance, gear, rack, coupling, mimic, expression, velocity, curve, rolling, knife_edge.
m.toml:12:1: error: joint "b": its kind is missing. Write, for example, revolute = ["ground", "crank"].
m.toml:13:39: error: joint "c": a joint has one kind, but "revolute" and "fixed" are given.
m.toml:14:49: error: joint "d": unknown key "axis". Allowed here: revolute, at, cut, compliance.
m.toml:15:5: error: joint "e": expected a table such as { revolute = ["ground", "crank"] }, got the string "O".
)");
}

TEST(ModelFileErrors, CutsOfJoints) {
  EXPECT_EQ(refusal(kBodies + R"toml([joints]
O = { revolute = ["ground", "crank"], cut = "yes" }
S = { prismatic = ["ground", "slider"], at = "O", axis = [1, 0] }
C = { coupling = { "S.slide" = 1 }, cut = true }
)toml"),
            R"(
m.toml:11:45: error: cut of joint "O": expected true or false, got the string "yes".
m.toml:13:37: error: joint "C": unknown key "cut". Allowed here: coupling, offset.
)");
}

TEST(ModelFileErrors, AxesOfJoints) {
  EXPECT_EQ(refusal(kBodies + R"toml([joints]
a = { prismatic = ["ground", "slider"], at = "O" }
b = { prismatic = ["ground", "slider"], at = "O", axis = [0, 0] }
c = { prismatic = ["ground", "slider"], at = "O", axis = "3 mm" }
)toml"),
            R"(
m.toml:11:1: error: joint "a": axis is missing. Give axis = [1, 0] or axis = "30 deg", in the drawn pose.
m.toml:12:58: error: axis of joint "b": [0, 0] has no direction.
m.toml:13:58: error: axis of joint "c": expected an angle (rad), got a length (m).
)");
}

TEST(ModelFileErrors, DistanceJoints) {
  EXPECT_EQ(refusal(kBodies + R"toml([joints]
a = { distance = ["ground", "crank.A"] }
b = { distance = ["ground.O", "crank.A"], length = 0 }
c = { distance = ["ground.O", "crank.O"] }
d = { distance = ["ground.O", "crank.A"], length = "2 kg" }
)toml"),
            R"(
m.toml:11:19: error: joint "a": which point of "ground"? Write "ground.P" with one of its points.
m.toml:12:52: error: length of joint "b" must be positive, got 0.
m.toml:13:18: error: joint "c": the two points are drawn at the same place. Give length, or use a revolute joint.
m.toml:14:52: error: length of joint "d": expected a length (m), got a mass (kg).
)");
}

TEST(ModelFileErrors, NamesTakenTwice) {
  EXPECT_EQ(refusal(kBodies + R"toml([joints]
crank = { revolute = ["ground", "crank"], at = "O" }
[loads]
crank = { force = [1, 0], on = "slider" }
)toml"),
            R"(
m.toml:11:1: error: joint "crank": the name is taken by a body (line 8). Bodies, joints, drives and loads need different names.
m.toml:13:1: error: load "crank": the name is taken by a body (line 8). Bodies, joints, drives and loads need different names.
)");
}

TEST(ModelFileErrors, Drives) {
  EXPECT_EQ(refusal(kJoints + R"toml([drives]
a = { joint = "Quux", angle = "t" }
b = { joint = "O", slide = "t" }
c = { joint = "S", angle = "t" }
d = { joint = "W", angle = "t" }
e = { joint = "O", angle = "abs(t)" }
f = { joint = "O", angle = "crank.angle" }
g = { joint = "O" }
h = { body = "slider", x = "t", y = "t" }
i = { body = "ground", x = "t" }
j = { point = "crank", x = "t" }
k = { x = "t" }
l = { joint = "O", angle = "3 mm" }
m = { distance = ["ground.O", "slider.hook"] }
)toml"),
            R"(
m.toml:15:16: error: drive "a": joint "Quux" is not defined.
m.toml:16:20: error: drive "b": joint "O" is revolute: it has no slide. Give angle.
m.toml:17:20: error: drive "c": joint "S" is prismatic: it has no angle. Give slide.
m.toml:18:1: error: drive "d": a fixed joint leaves nothing to drive.
m.toml:19:29: error: angle of drive "e": abs has a corner or a jump, and a drive must be smooth. Use a formula that can be differentiated twice.
m.toml:20:29: error: angle of drive "f": "crank.angle" may not stand in a drive: only t and parameters may.
m.toml:21:1: error: drive "g": angle is missing.
m.toml:22:33: error: drive "h": a drive has one coordinate, but "x" and "y" are given. Write two drives.
m.toml:23:14: error: drive "i": the ground cannot be driven.
m.toml:24:15: error: drive "j": which point of "crank"? Write "crank.P" with one of its points.
m.toml:25:1: error: drive "k": what does it drive? Give joint = "O", body = "slider", point = "crank.tip" or distance = ["ground.P", "crank.tip"].
m.toml:26:28: error: angle of drive "l": expected an angle (rad), got a length (m).
m.toml:27:1: error: drive "m": length is missing.
)");
}

TEST(ModelFileErrors, DrivesThatFight) {
  EXPECT_EQ(refusal(kJoints + R"toml([drives]
a = { joint = "O", angle = "t" }
b = { body = "crank", angle = "2*t" }
)toml"),
            R"(
m.toml:16:1: error: drive "b" drives the same coordinate as drive "a" (line 15). Two drives on one coordinate fight: remove one.
)");
}

TEST(ModelFileErrors, Loads) {
  EXPECT_EQ(refusal(kJoints + R"toml([loads]
a = { force = 3, on = "slider" }
b = { force = ["1 m", 0], on = "slider" }
c = { force = [0, 1] }
d = { couple = "2*crank.angel_rate", on = "crank" }
e = { spring = ["slider", "ground.O"], stiffness = 1 }
f = { spring = ["slider.hook", "ground.O"] }
g = { damper = ["slider.hook", "ground.O"], stiffness = 1, damping = 1 }
h = { rotational_spring = "S", stiffness = 1 }
i = { rotational_spring = "Quux", stiffness = 1 }
j = { forse = [0, 1], on = "slider" }
k = { force = [0, 1], on = "slider", axes = "grund" }
l = { force = [0, 1], on = "ground" }
m = { spring = ["slider.hook", "slider.hook"], stiffness = 1 }
n = { force = [0, 1], on = "crank", at = "slider.hook" }
o = { couple = "10 N", on = "crank" }
p = { on = "crank" }
)toml"),
            R"(
m.toml:15:15: error: force of load "a": expected a list of two, [x, y], got the number 3.
m.toml:16:16: error: x of force of load "b": expected a force (N), got a length (m).
m.toml:17:1: error: load "c": on is missing. Give on = "slider" or at = "slider.tip".
m.toml:18:19: error: couple of load "d": unknown name "crank.angel_rate". Did you mean "crank.angle_rate"?
m.toml:19:17: error: load "e": which point of "slider"? Write "slider.P" with one of its points.
m.toml:20:1: error: load "f": stiffness is missing.
m.toml:21:45: error: load "g": unknown key "stiffness". Allowed here: damper, damping.
m.toml:22:27: error: load "h": joint "S" is prismatic: it does not turn.
m.toml:23:28: error: load "i": joint "Quux" is not defined.
m.toml:24:7: error: load "j": unknown key "forse". Did you mean "force"? Allowed here: force, couple, spring, damper, spring_damper, rotational_spring, rotational_damper, rotational_spring_damper, actuator, bushing, force_per_length, on, at, axes, against, stiffness, damping, free_length, free_angle, preload, tension_only, compression_only, torque.
m.toml:25:45: error: axes of load "k": unknown word "grund". Did you mean "ground"? Allowed here: ground, body.
m.toml:26:1: error: load "l" acts on the ground.
m.toml:27:1: error: load "m" acts between "slider" and itself.
m.toml:28:42: error: load "n": at is a point of "slider", but on is "crank".
m.toml:29:16: error: couple of load "o": expected a torque (N*m), got a force (N).
m.toml:30:1: error: load "p": its kind is missing. Write, for example, force = [0, -10] or spring = ["ground.P", "slider.Q"].
)");
}

TEST(ModelFileErrors, InitialValues) {
  EXPECT_EQ(refusal(kJoints + R"toml([initial]
O.angle = "3 m"
O.rate = 1
O.angle_rate = 2
O.slide = 1
crnk.x = 1
S = 3
)toml"),
            R"(
m.toml:15:11: error: initial value of "O.angle": expected an angle (rad), got a length (m).
m.toml:17:3: error: the initial value of "O.angle_rate" is given twice: on line 16 and on line 17.
m.toml:18:3: error: initial value of "O.slide": "O" has no "slide". It has angle, angle_rate, rate.
m.toml:19:1: error: [initial]: there is no body or joint "crnk". Did you mean "crank"?
m.toml:20:1: error: initial value of "S": which coordinate? Write, for example, S.angle = "30 deg".
)");
}

TEST(ModelFileErrors, InitialValuesGivenTwice) {
  EXPECT_EQ(refusal(kJoints + R"toml([initial]
O.rate = 1
O.angle_rate = 2
O.slide = 1
crnk.x = 1
crank.angle = "1 Hz"
crank.angle_rate = "1 Hz"
W.angle = 1
)toml"),
            R"(
m.toml:16:3: error: the initial value of "O.angle_rate" is given twice: on line 15 and on line 16.
m.toml:17:3: error: initial value of "O.slide": "O" has no "slide". It has angle, angle_rate, rate.
m.toml:18:1: error: [initial]: there is no body or joint "crnk". Did you mean "crank"?
m.toml:19:15: error: initial value of "crank.angle": expected an angle (rad), got a frequency (1/s).
m.toml:20:20: error: initial value of "crank.angle_rate": expected an angular rate (rad/s), got a frequency (1/s).
m.toml:21:3: error: initial value of "W.angle": "W" has no "angle".
)");
}

TEST(ModelFileErrors, Events) {
  EXPECT_EQ(refusal(kJoints + R"toml([events]
a = { when = "crank.angle - pie" }
b = { when = "t", crossing = "up", stop = 1 }
c = { stop = true }
d = "t"
)toml"),
            R"(
m.toml:15:29: error: when of event "a": unknown name "pie". Did you mean "pi"?
m.toml:16:30: error: crossing of event "b": unknown word "up". Allowed here: both, rising, falling.
m.toml:16:43: error: stop of event "b": expected true or false, got the number 1.
m.toml:17:1: error: event "c": when is missing. Give the formula whose zero is the event.
m.toml:18:5: error: event "d": expected a table such as { when = "crank.angle - pi", stop = true }, got the string "t".
)");
}

TEST(ModelFileErrors, Traces) {
  EXPECT_EQ(refusal(kJoints + R"toml([traces]
a = "crank"
b = "ground.O"
c = { body = "crank" }
d = 3
)toml"),
            R"(
m.toml:15:5: error: trace "a": which point of "crank"? Write "crank.P" with one of its points.
m.toml:16:5: error: trace "b": a point of the ground leaves no trace.
m.toml:17:1: error: trace "c": point is missing. Give point = [x, y] in the body's axes.
m.toml:18:5: error: trace "d": expected a point such as "crank.tip", got the number 3.
)");
}

TEST(ModelFileErrors, Simulate) {
  EXPECT_EQ(refusal(kJoints + R"toml([simulate]
until = 0
output_stp = 0.1
samples = 10
rtol = "3 deg"
integrator = 5
)toml"),
            R"(
m.toml:15:9: error: until of [simulate] must be positive, got 0.
m.toml:16:1: error: [simulate]: unknown key "output_stp". Did you mean "output_step"? Allowed here: formulation, stabilisation, integrator, rtol, atol, step, alpha, beta, penalty, omega, mu, rho, opening, variant, output_step, until, reaction_length, record, samples.
m.toml:18:8: error: rtol of [simulate]: expected a plain number, got an angle (rad).
m.toml:19:14: error: integrator of [simulate]: expected a string, got the number 5.
)");
}

// These were found out of range when the run began, without a place.
TEST(ModelFileErrors, NumbersOfTheRunThatAreOutOfRange) {
  EXPECT_EQ(refusal(kJoints + R"toml([simulate]
rtol = 3
atol = 1e-9
rho = 1
)toml"),
            R"(
m.toml:15:8: error: rtol of [simulate]: rtol = 3 is out of range: give a relative tolerance from 1e-14 to below 1.
m.toml:17:7: error: rho of [simulate]: rho = 1 is out of range: give a number from 0, where fast swings vanish in one step, to below 1, where they would stay for ever.
)");
}

TEST(ModelFileErrors, AnglesOfManyTurnsWithoutAUnitAreANote) {
  EXPECT_EQ(refusal(kJoints + R"toml([initial]
O.angle = 30
[simulate]
rtol = 3
)toml"),
            R"(
m.toml:15:11: note: initial value of "O.angle": 30 without a unit is 30 rad, 4.77 turns. Write "30 deg" if degrees are meant, "30 rad" if not.
m.toml:17:8: error: rtol of [simulate]: rtol = 3 is out of range: give a relative tolerance from 1e-14 to below 1.
)");
}

TEST(ModelFileErrors, SamplesAndOutputStep) {
  EXPECT_EQ(refusal(kJoints + R"toml([simulate]
until = 1
output_step = 0.1
samples = 10
)toml"),
            R"(
m.toml:17:1: error: [simulate]: output_step and samples are both given. Give one of them.
)");
}

TEST(ModelFileErrors, NegativeStiffnessIsAWarning) {
  EXPECT_EQ(refusal(kJoints + R"toml([loads]
s = { spring = ["slider.hook", "ground.O"], stiffness = -1 }
x = 1
)toml"),
            R"(
m.toml:15:1: warning: stiffness of load "s" is negative (-1).
m.toml:16:5: error: load "x": expected a table such as { force = [0, -10], on = "slider" }, got the number 1.
)");
}

TEST(ModelFileErrors, ColumnsCountCharacters) {
  EXPECT_EQ(refusal(kHead + R"toml([bodies]
"ż" = { mass = "ż", inertia = "3 ż" }
)toml"),
            R"(
m.toml:5:17: error: mass of body "ż": unknown name "ż".
m.toml:5:34: error: inertia of body "ż": unknown unit "ż".
)");
}

TEST(ModelFileErrors, OneSlipInAParameterIsOneMessage) {
  EXPECT_EQ(refusal(kHead + R"toml([parameters]
L = "3 metre"
M = "2*L"
[points]
O = [0, "L"]
A = ["M", 0]
[bodies]
a = { rod = ["O", "A"], mass = "L" }
[joints]
O = { revolute = ["ground", "a"] }
P = { revolute = ["ground.O", "a.A"] }
[drives]
d = { joint = "O", angle = "L*t" }
[loads]
f = { couple = "-2*O.angle_rate + L", on = "a" }
s = { spring = ["a.A", "ground.O"], stiffness = 1 }
[initial]
O.angle = 1
[traces]
x = "a.A"
)toml"),
            "\nm.toml:5:8: error: parameter \"L\": unknown unit \"metre\".\n");
}

TEST(ModelFileErrors, AnExpressionTooDeepPointsAtTheLevel) {
  std::string text = kHead;
  text.append("[bodies]\na = { mass = \"").append(300, '(').append("\", inertia = 1 }\n");
  EXPECT_EQ(refusal(text),
            "\nm.toml:5:215: error: mass of body \"a\": the expression is nested deeper than 200 levels.\n");
}

TEST(ModelFileErrors, EarlierErrorsOfOthersDoNotCount) {
  Diagnostics diagnostics;
  diagnostics.error({}, "something else.");
  EXPECT_TRUE(readModelText(kBodies, "m.toml", diagnostics).has_value());
}

}  // namespace model_file_errors_test
}  // namespace linkwork
