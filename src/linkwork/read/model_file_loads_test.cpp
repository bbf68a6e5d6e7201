// Springs that act one way, actuators, bushings and tables of the model file: what they mean, and what is said when
// they are wrong.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_loads_test {

using test::read;

const std::string kStart = R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[parameters]
k = "2 kN/m"
[points]
P = [1, 2]
[bodies]
a = { position = [0, 0], mass = 1, inertia = 1, points = { p = [0.5, 0] } }
b = { position = [3, 0], angle = "90 deg", mass = 1, inertia = 1, frames = { f = { at = [0, 1], angle = "30 deg" } } }
[joints]
O = { revolute = ["ground", "a"], at = [0, 0] }
S = { prismatic = ["ground", "b"], at = [3, 0], axis = [1, 0] }
W = { fixed = ["a", "b"], at = [1, 0] }
)toml";  // 14 lines

const std::string kSpace = R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
a = { position = [0, 0, 0], mass = 1, inertia = [1, 1, 1] }
b = { position = [3, 0, 0], mass = 1, inertia = [1, 1, 1] }
[joints]
C = { cylindrical = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1] }
B = { spherical = ["ground", "b"], at = [3, 0, 0] }
)toml";  // 9 lines

// Errors only: the notes of the bodies above are not the point here.
std::string errors(const std::string& text) {
  Diagnostics diagnostics;
  (void)readModelText(text, "m.toml", diagnostics);
  std::string shown = "\n";
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity == Severity::error) shown += format(finding) + "\n";
  }
  return shown;
}

// --- springs ---------------------------------------------------------------------------------------------------------

TEST(ModelFileSprings, CarryAPreloadAndActOneWay) {
  const Mechanism m = read(kStart + R"toml([loads]
s = { spring = ["a.p", "ground.P"], stiffness = "k", preload = "3 N", tension_only = true }
c = { spring_damper = ["a.p", "ground.P"], stiffness = 5, damping = 1, compression_only = true, tension_only = false }
r = { rotational_spring = "O", stiffness = 1, preload = "2 N*m" }
)toml");
  EXPECT_EQ(m.loads[0].preload.number, 3.0);
  EXPECT_EQ(m.loads[0].sided, Sided::tension_only);
  EXPECT_EQ(m.loads[1].sided, Sided::compression_only);
  EXPECT_EQ(m.loads[2].preload.number, 2.0);
  EXPECT_EQ(m.loads[2].sided, Sided::both);
}

// Round-off must not decide whether a cable or stop that is drawn at its free length acts there.
TEST(ModelFileSprings, OneSidedOnesActAsDrawn) {
  const Mechanism m = read(kStart + R"toml([loads]
cable = { spring = ["a.p", "ground.P"], stiffness = 1, tension_only = true }
stop  = { spring = ["a.p", "ground.P"], stiffness = 1, compression_only = true }
both  = { spring = ["a.p", "ground.P"], stiffness = 1 }
)toml");
  const double drawn = m.loads[2].free_length.number;
  EXPECT_GT(drawn, 0.1);
  EXPECT_NEAR(m.loads[0].free_length.number, drawn * (1.0 - 1e-9), 1e-14);
  EXPECT_NEAR(m.loads[1].free_length.number, drawn * (1.0 + 1e-9), 1e-14);
}

TEST(ModelFileSprings, WhatIsWrong) {
  EXPECT_EQ(errors(kStart + R"toml([loads]
a1 = { spring = ["a.p", "ground.P"], stiffness = 1, preload = "3 m" }
a2 = { spring = ["a.p", "ground.P"], stiffness = 1, tension_only = 1 }
a3 = { spring = ["a.p", "ground.P"], stiffness = 1, tension_only = true, compression_only = true }
a4 = { spring = ["a.p", "ground.P"], stiffness = -1, tension_only = true }
a5 = { rotational_spring = "O", stiffness = 1, tension_only = true }
)toml"),
            R"(
m.toml:16:63: error: preload of load "a1": expected a force (N), got a length (m).
m.toml:17:68: error: tension_only of load "a2": expected true or false, got the number 1.
m.toml:18:74: error: load "a3": tension_only and compression_only are both given. Give one of them.
m.toml:20:48: error: load "a5": unknown key "tension_only". Allowed here: rotational_spring, stiffness, free_angle, preload, damping.
m.toml:19:1: error: load "a4": with tension_only its stiffness must not be negative, got -1.
)");
}

// --- actuators -------------------------------------------------------------------------------------------------------

TEST(ModelFileActuators, ActBetweenPointsOrAlongAJoint) {
  const Mechanism m = read(kStart + R"toml([loads]
line = { actuator = ["ground.P", "a.p"], force = "10*sin(t)" }
turn = { actuator = "O", torque = "-2*O.rate" }
push = { actuator = "S", force = "3 N" }
)toml");
  const Expr t = Expr::symbol("t");
  EXPECT_EQ(m.loads[0].kind, LoadKind::actuator);
  EXPECT_EQ(m.loads[0].along, DriveKind::distance);
  EXPECT_EQ(m.loads[0].moment, Expr(10.0) * sin(t));
  EXPECT_EQ(m.loads[0].on_second.point[0].number, 0.5);
  EXPECT_EQ(m.loads[1].along, DriveKind::angle);
  EXPECT_EQ(m.loads[1].moment, Expr(-2.0) * Expr::symbol("O.angle_rate"));
  EXPECT_EQ(m.loads[2].along, DriveKind::slide);
  EXPECT_EQ(wordFor(m.loads[2].kind), "actuator");
}

TEST(ModelFileActuators, OnACylindricalJointTurnOrPush) {
  const Mechanism m = read(kSpace + R"toml([loads]
turn = { actuator = "C", torque = 1 }
push = { actuator = "C", force = 1 }
)toml");
  EXPECT_EQ(m.loads[0].along, DriveKind::angle);
  EXPECT_EQ(m.loads[1].along, DriveKind::slide);
  EXPECT_EQ(errors(kSpace + R"toml([loads]
both = { actuator = "C", torque = 1, force = 2 }
ball = { actuator = "B", torque = 1 }
)toml"),
            R"(
m.toml:11:38: error: load "both": force and torque are both given. Write two actuators.
m.toml:12:21: error: load "ball": a spherical joint has no motion to act along.
)");
}

TEST(ModelFileActuators, WhatIsWrong) {
  EXPECT_EQ(errors(kStart + R"toml([loads]
a1 = { actuator = "Q", torque = 1 }
a2 = { actuator = "W", torque = 1 }
a3 = { actuator = "O", force = 1 }
a4 = { actuator = "S", torque = 1 }
a5 = { actuator = "O" }
a6 = { actuator = 3, force = 1 }
a7 = { actuator = ["a", "ground.P"], force = 1 }
a8 = { actuator = ["a.p", "ground.P"], force = "1 N*m" }
a9 = { actuator = ["a.p", "ground.P"], force = 1, damping = 2 }
b1 = { actuator = ["a.p", "ground.P"], couple = 1 }
)toml"),
            R"(
m.toml:16:20: error: load "a1": joint "Q" is not defined.
m.toml:17:19: error: load "a2": a fixed joint has no motion to act along.
m.toml:18:24: error: load "a3": joint "O" is revolute: it takes a torque. Give torque.
m.toml:19:24: error: load "a4": joint "S" is prismatic: it takes a force. Give force.
m.toml:20:1: error: load "a5": torque is missing. Give torque = "...", a formula.
m.toml:21:19: error: load "a6": expected the name of a joint or two points such as ["ground.P", "crank.tip"], got the number 3.
m.toml:22:20: error: load "a7": which point of "a"? Write "a.P" with one of its points.
m.toml:23:48: error: force of load "a8": expected a force (N), got a torque (N*m).
m.toml:24:51: error: load "a9": unknown key "damping". Allowed here: actuator, force.
m.toml:25:8: error: load "b1": a load has one kind, but "couple" and "actuator" are given.
)");
}

// --- bushings --------------------------------------------------------------------------------------------------------

TEST(ModelFileBushings, HaveADiagonalOrAWholeMatrix) {
  const Mechanism m = read(kStart + R"toml([loads]
d = { bushing = ["ground", "b"], at = "P", stiffness = ["k", "1 N/mm", "5 N*m/rad"], damping = [1, 2, 3], preload = [0, "10 N", 1] }
f = { bushing = ["a.p", "b"], angle = "45 deg", stiffness = [[4, 1, 2], [1, 5, 0], [2, 0, 6]] }
g = { bushing = ["a", "b.f"], stiffness = [1, 1, 1] }
)toml");
  const Load& d = m.loads[0];
  EXPECT_EQ(d.kind, LoadKind::bushing);
  EXPECT_EQ(d.bushing_stiffness[0][0].number, 2000.0);
  EXPECT_EQ(d.bushing_stiffness[0][0].expr, Expr::symbol("k"));
  EXPECT_EQ(d.bushing_stiffness[1][1].number, 1000.0);
  EXPECT_EQ(d.bushing_stiffness[5][5].number, 5.0);
  EXPECT_EQ(d.bushing_stiffness[2][2].number, 0.0);
  EXPECT_EQ(d.bushing_damping[5][5].number, 3.0);
  EXPECT_EQ(d.bushing_preload[1].number, 10.0);
  EXPECT_EQ(d.bushing_preload[5].number, 1.0);
  // P = (1, 2) on b, which is drawn at (3, 0) and turned by 90 degrees; the axes are those of the ground.
  EXPECT_NEAR(d.on_second.point[0].number, 2.0, 1e-15);
  EXPECT_NEAR(d.on_second.point[1].number, 2.0, 1e-15);
  EXPECT_NEAR(d.on_second.angle.number, -1.5707963267948966, 1e-15);
  EXPECT_EQ(d.on_first.point[1].number, 2.0);
  const Load& f = m.loads[1];
  EXPECT_EQ(f.bushing_stiffness[0][5].number, 2.0);
  EXPECT_EQ(f.bushing_stiffness[5][0].number, 2.0);
  EXPECT_NEAR(f.on_first.angle.number, 0.7853981633974483, 1e-15);
  EXPECT_NEAR(f.on_second.point[0].number, 0.0, 1e-15);  // where a.p = (0.5, 0) is drawn
  EXPECT_NEAR(f.on_second.point[1].number, 2.5, 1e-15);
  const Load& g = m.loads[2];
  EXPECT_NEAR(g.on_second.angle.number, 0.5235987755982988, 1e-15);  // the frame's own
}

TEST(ModelFileBushings, InSpaceHaveSixDirections) {
  const Mechanism m = read(kSpace + R"toml([loads]
d = { bushing = ["a", "b"], at = [1, 0, 0], stiffness = [1, 2, 3, 4, 5, 6], rotation = { axis = [0, 0, 1], angle = "90 deg" } }
)toml");
  EXPECT_EQ(m.loads[0].bushing_stiffness[4][4].number, 5.0);
  EXPECT_NEAR(m.loads[0].on_first.rotation[3], 0.70710678118654752, 1e-15);
  EXPECT_EQ(m.loads[0].on_second.point[0].number, -2.0);
  EXPECT_EQ(errors(kSpace + R"toml([loads]
d = { bushing = ["a", "b"], at = [1, 0, 0], stiffness = [1, 2, 3], preload = [1] }
)toml"),
            R"(
m.toml:11:57: error: load "d": expected a list of six (a diagonal) or six rows of six, got a list of 3.
m.toml:11:78: error: preload of load "d": expected a list of six, got a list of 1.
)");
}

TEST(ModelFileBushings, WhatIsWrong) {
  EXPECT_EQ(errors(kStart + R"toml([loads]
a1 = { bushing = ["a", "b"], stiffness = [1, 1, 1] }
a2 = { bushing = "O", stiffness = [1, 1, 1] }
a3 = { bushing = ["a", "b"], at = "P" }
a4 = { bushing = ["a", "b"], at = "P", stiffness = 3 }
a5 = { bushing = ["a", "b"], at = "P", stiffness = [[1, 0, 0], [0, 1], [0, 0, 1]] }
a6 = { bushing = ["a", "b"], at = "P", stiffness = ["1 N", 1, 1] }
a7 = { bushing = ["a", "b"], at = "P", stiffness = [[1, 2, 0], [0, 1, 0], [0, 0, 1]] }
a8 = { bushing = ["a", "b"], at = "P", stiffness = [[1, 2, 0], [2, 1, 0], [0, 0, 1]] }
a9 = { bushing = ["a", "b"], at = "Z", stiffness = [1, 1, 1] }
b1 = { bushing = ["a", "b"], at = "P", stiffness = [1, 1, 1], damping = [1, 1, -1] }
b2 = { bushing = ["a", "b"], at = "P", stiffness = [1, 1, 1], preload = 3 }
b3 = { bushing = ["a", "b"], at = "P", stiffness = [1, 1, 1], free_length = 3 }
b4 = { bushing = ["a", "b"], at = "P", stiffness = [1, 1, 1], angle = "2 m" }
)toml"),
            R"(
m.toml:16:1: error: load "a1": where is it? Give at = "P", or a point or frame at an end.
m.toml:17:18: error: load "a2": expected two bodies or frames such as ["ground", "engine"], got the string "O".
m.toml:18:1: error: load "a3": stiffness is missing. Give stiffness = [kx, ky, kr], or three rows of three.
m.toml:19:52: error: load "a4": expected a list of three (a diagonal) or three rows of three, got the number 3.
m.toml:20:64: error: load "a5": expected a list of three (a diagonal) or three rows of three, got a list of 2.
m.toml:21:53: error: stiffness of load "a6": expected a stiffness (N/m), got a force (N).
m.toml:24:36: error: at of load "a9": point "Z" is not defined in [points].
m.toml:26:73: error: preload of load "b2": expected a list of three, got the number 3.
m.toml:27:63: error: load "b3": unknown key "free_length". Allowed here: bushing, stiffness, damping, preload, at, angle.
m.toml:28:71: error: angle of load "b4": expected an angle (rad), got a length (m).
m.toml:22:1: error: stiffness of load "a7" is not symmetric: row 1 column 2 is 2, row 2 column 1 is 0.
m.toml:23:1: error: stiffness of load "a8" is not positive semi-definite: some displacement would gain energy.
m.toml:25:1: error: damping of load "b1" is not positive semi-definite: row 3 column 3 is -1.
)");
}

// --- tables ----------------------------------------------------------------------------------------------------------

TEST(ModelFileTables, AreFunctionsInFormulas) {
  const Mechanism m = read(kStart + R"toml([tables]
law = { x = [0, "5 mm", 30], y = [0, 5, "7 N"], x_unit = "mm", outside = "hold" }
lift = { x = [0, 1, 2], y = [0, 1, 0], kind = "cubic", outside = "extend", y_unit = "mm" }
[inputs]
gas = "law(0.01 [m])*sin(t)"
[drives]
d = { joint = "S", slide = "lift(2*t)" }
[loads]
f = { actuator = "O", torque = "0.1 [m]*law(a.x) + gas*1 [m]" }
[outputs]
o = "law(a.x)"
)toml");
  const Expr& motion = m.drives[0].motion;
  EXPECT_EQ(motion.kind(), ExprKind::Table);
  EXPECT_EQ(motion.table()->name(), "lift");
  EXPECT_EQ(motion.table()->y()[1], 0.001);
  EXPECT_EQ(motion.table()->kind(), TableKind::cubic);
  EXPECT_EQ(motion.operands()[0], Expr(2.0) * Expr::symbol("t"));
  // Plain numbers are in mm, the text says its unit itself.
  EXPECT_EQ(m.outputs[0].value.table()->x(), (std::vector<double>{0.0, 0.005, 0.03}));
  EXPECT_EQ(m.outputs[0].value.table()->outside(), TableOutside::hold);
  EXPECT_EQ(m.outputs[0].unit, "N");
}

TEST(ModelFileTables, StopAtTheirEndsUnlessToldOtherwise) {
  const Mechanism m = read(kStart + R"toml([tables]
f = { x = [0, 1], y = [0, 1] }
[outputs]
o = "f(t)"
)toml");
  EXPECT_EQ(m.outputs[0].value.table()->outside(), TableOutside::error);
  EXPECT_EQ(m.outputs[0].value.table()->kind(), TableKind::linear);
}

TEST(ModelFileTables, WhatIsWrong) {
  EXPECT_EQ(errors(kStart + R"toml([tables]
sin = { x = [0, 1], y = [0, 1] }
k = { x = [0, 1], y = [0, 1] }
t = { x = [0, 1], y = [0, 1] }
"a b" = { x = [0, 1], y = [0, 1] }
pi = { x = [0, 1], y = [0, 1] }
t1 = 3
t2 = { x = [0, 1] }
t3 = { x = [0, 1], y = [0, 1, 2] }
t4 = { x = [0], y = [0] }
t5 = { x = [0, 2, 1], y = [0, 1, 2] }
t6 = { x = [0, 1], y = 3 }
t7 = { x = [0, "1 s"], y = [0, 1], x_unit = "m" }
t8 = { x = [0, 1], y = [0, 1], kind = "cube" }
t9 = { x = [0, 1], y = [0, 1], outside = "no" }
u1 = { x = [0, 1], y = [0, 1], ends = "clamped" }
u2 = { x = [0, 1], y = [0, 1], x_unit = "mx" }
u3 = { x = [0, 1], y = [0, 1], kinds = 1 }
u4 = { file = "points.csv", y = [0, 1] }
u5 = { file = "../points.csv" }
u6 = { file = "no_such_file.csv" }
u7 = { x = [0, nan], y = [0, 1] }
[outputs]
quiet = "t2(1) + t9(2)"
)toml"),
            R"(
m.toml:16:1: error: table "sin": this is the name of a function. Choose another name.
m.toml:17:1: error: table "k": a parameter has this name. Choose another name.
m.toml:18:1: error: table "t": t is the time. Choose another name.
m.toml:19:1: error: table "a b": a table's name is made of letters, digits and _, because it stands in formulas. Choose another name.
m.toml:20:1: error: table "pi": pi is the number 3.14159. Choose another name.
m.toml:21:6: error: table "t1": expected a table such as { x = [0, 1], y = [0, 5] }, got the number 3.
m.toml:22:1: error: table "t2": y is missing. Give y = [0, 5, 7].
m.toml:23:1: error: table "t3": x has 2 values and y has 3.
m.toml:24:1: error: table "t4": it needs at least two points.
m.toml:25:1: error: table "t5": x must increase, but value 3 is 1 after 2.
m.toml:26:24: error: y of table "t6": expected a list of numbers, got the number 3.
m.toml:27:16: error: x of table "t7": expected a length (m), got a time (s).
m.toml:28:39: error: kind of table "t8": unknown word "cube". Allowed here: linear, cubic.
m.toml:29:42: error: outside of table "t9": unknown word "no". Allowed here: hold, extend, error.
m.toml:30:32: error: table "u1": only a cubic table has ends to choose.
m.toml:31:42: error: x_unit of table "u2": unknown unit "mx". Did you mean "MJ"?
m.toml:32:32: error: table "u3": unknown key "kinds". Did you mean "kind"? Allowed here: x, y, file, kind, outside, ends, x_unit, y_unit.
m.toml:33:29: error: table "u4": file and y are both given.
)" + std::string("m.toml:34:15: error: table \"u5\": \"../points.csv\" lies outside the folder of the main file, ") +
                std::filesystem::current_path().string() +
                R"(. Files that a model names stand beside the main file or in folders below it.
m.toml:35:15: error: table "u6": "no_such_file.csv" cannot be read: there is no such file.
m.toml:36:16: error: x of table "u7": expected a finite number, got nan.
)");
}

TEST(ModelFileTables, AreCheckedWhereTheyAreUsed) {
  EXPECT_EQ(errors(kStart + R"toml([tables]
law = { x = [0, 1], y = [0, 1], x_unit = "m", y_unit = "N" }
bend = { x = [0, 1, 2], y = [0, 1, 0], kind = "cubic", outside = "hold" }
[inputs]
u = "law(t)"
[outputs]
o1 = "law(a.angle_rate)"
o2 = "law(1, 2)"
o3 = "lw(1)"
o4 = "law(3)"
o5 = "law"
[loads]
l = { actuator = "S", force = "law(a.x)*2 [m]" }
[drives]
d1 = { joint = "O", angle = "law(t)" }
d2 = { joint = "S", slide = "bend(t)" }
d3 = { body = "a", x = "u" }
)toml"),
            R"text(
m.toml:29:30: error: angle of drive "d1": table law has a corner or a jump, and a drive must be smooth. Give the table kind = "cubic" and outside = "extend" or "error".
m.toml:30:30: error: slide of drive "d2": table bend has a corner or a jump, and a drive must be smooth. Give the table kind = "cubic" and outside = "extend" or "error".
m.toml:31:25: error: x of drive "d3": "u" uses table law, which has a corner or a jump, and a drive must be smooth.
m.toml:27:31: error: force of load "l": expected a force (N), got a torque (N*m).
m.toml:21:11: error: output "o1": table "law" takes a length (m), got an angular rate (rad/s).
m.toml:22:7: error: output "o2": law takes 1 argument, got 2.
m.toml:23:7: error: output "o3": unknown function "lw". Did you mean "law"?
m.toml:24:7: error: output "o4": table "law" does not reach to 3.
m.toml:25:7: error: output "o5": "law" is a table. Write "law(...)".
)text");
}

class TablesInFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("linkwork_tables_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(TablesInFiles, AreTwoColumnsOfNumbers) {
  put("p.csv", "# measured\nlength [mm]; force\n0; 0\n\n 10;+5e0 ; ignored\n20\t7\r\n");
  put("m.toml", kStart + "[tables]\nf = { file = \"p.csv\", x_unit = \"mm\" }\n[outputs]\no = \"f(a.x)\"\n");
  Diagnostics diagnostics;
  const auto m = readModelFile(path("m.toml"), diagnostics);
  ASSERT_TRUE(m) << diagnostics.format();
  const TablePointer& table = m->outputs[0].value.table();
  EXPECT_EQ(table->x(), (std::vector<double>{0.0, 0.01, 0.02}));
  EXPECT_EQ(table->y(), (std::vector<double>{0.0, 5.0, 7.0}));
  ASSERT_EQ(m->included.size(), 1U);  // so that it counts in the fingerprint of a result
  EXPECT_EQ(m->included[0].file_name, path("p.csv"));
}

TEST_F(TablesInFiles, SayWhichLineIsWrong) {
  put("p.csv", "x,y\n0,0\n1,nothing\n");
  put("q.csv", "x,y\nmore,words\n");
  put("m.toml", kStart + "[tables]\nf = { file = \"p.csv\" }\ng = { file = \"q.csv\" }\n");
  Diagnostics diagnostics;
  EXPECT_FALSE(readModelFile(path("m.toml"), diagnostics));
  EXPECT_NE(diagnostics.format().find("table \"f\": " + path("p.csv") + ":3 does not start with two numbers."),
            std::string::npos)
      << diagnostics.format();
  EXPECT_NE(diagnostics.format().find("table \"g\": " + path("q.csv") + ":2 does not start with two numbers."),
            std::string::npos);
}

TEST_F(TablesInFiles, ComeWithAnIncludedFileUnderItsPrefix) {
  put("part.toml", kStart + "[tables]\nf = { x = [0, 1], y = [0, 3] }\n");
  put("m.toml",
      "linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n[include]\nleft = { file = \"part.toml\" }\n"
      "[outputs]\no = \"left_f(left_a.x)\"\n");
  Diagnostics diagnostics;
  const auto m = readModelFile(path("m.toml"), diagnostics);
  ASSERT_TRUE(m) << diagnostics.format();
  EXPECT_EQ(m->outputs[0].value.table()->name(), "f");
  EXPECT_EQ(m->outputs[0].value.operands()[0], Expr::symbol("left_a.x"));
}

TEST_F(TablesInFiles, OfAPartMayNotBeThereTwice) {
  put("part.toml", kStart + "[tables]\nf = { x = [0, 1], y = [0, 3] }\n");
  put("m.toml",
      "linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n[include]\nleft = { file = \"part.toml\", prefix = \"\" }\n"
      "[tables]\nf = { x = [0, 1], y = [0, 3] }\n");
  Diagnostics diagnostics;
  EXPECT_FALSE(readModelFile(path("m.toml"), diagnostics));
  EXPECT_NE(diagnostics.format().find(":7:1: error: table \"f\": an included file has a table of this name. Choose "
                                      "another name."),
            std::string::npos)
      << diagnostics.format();
}

}  // namespace model_file_loads_test
}  // namespace linkwork
