// Gears, racks, couplings, expressions, curves, screws and constant-velocity joints as the model file has them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_relations_test {

using test::read;
using test::refusal;

const Joint& jointNamed(const Mechanism& m, const std::string& name) {
  for (const Joint& joint : m.joints) {
    if (joint.name == name) return joint;
  }
  ADD_FAILURE() << "no joint " << name;
  return m.joints.front();
}

const std::string kHead = R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[parameters]
r = "2 cm"
n = 3
[points]
O = [0, 0]
P = [0.3, 0]
[bodies]
arm = { rod = ["O", "P"], mass = 1 }
wheel = { disc = { at = "P", radius = 0.1, angle = 0.5 }, mass = 1 }
sun = { disc = { at = "O", radius = 0.2 }, mass = 1 }
slider = { position = [1, 0], mass = 1, inertia = 1 }
[joints]
A = { revolute = ["ground", "arm"], at = "O" }
W = { revolute = ["arm", "wheel"], at = "P" }
Z = { revolute = ["sun", "arm"], at = "O" }
S = { prismatic = ["ground", "slider"], at = [1, 0], axis = [1, 0] }
)toml";  // 19 lines

TEST(ModelFileRelations, GearTakesItsSensesFromTheCarrier) {
  const Mechanism m = read(kHead + R"toml(g = { gear = ["Z", "W"], teeth = [40, 20] }
h = { gear = ["W", "A"], radii = ["r", "n*r"], internal = true, offset = "1 mm" }
)toml");
  // The arm carries both. Z counts the arm against the sun: its sense is the opposite.
  const Joint& g = jointNamed(m, "g");
  EXPECT_EQ(g.kind, JointKind::gear);
  ASSERT_EQ(g.terms.size(), 2U);
  EXPECT_EQ(g.terms[0].quantity, (Quantity{QuantityKind::joint_angle, 2}));
  EXPECT_EQ(g.terms[0].coefficient.number, -1.0);
  EXPECT_EQ(g.terms[1].coefficient.number, 0.5);
  EXPECT_EQ(g.unit, RelationUnit::angle);
  EXPECT_NEAR(g.offset.number, 0.25, 1e-15);  // as drawn: the wheel is turned by half a radian
  // The ring is the ground, against which A counts the arm.
  const Joint& h = jointNamed(m, "h");
  EXPECT_EQ(h.unit, RelationUnit::length);
  EXPECT_DOUBLE_EQ(h.terms[0].coefficient.number, 0.02);
  EXPECT_DOUBLE_EQ(h.terms[1].coefficient.number, 0.06);  // internal, and the other way round
  EXPECT_EQ(h.offset.number, 0.001);
  EXPECT_EQ(symbolsOf(h.terms[1].coefficient.expr), (std::vector<std::string>{"n", "r"}));
  EXPECT_EQ(relatedBodies(m, h).size(), 2U);
}

TEST(ModelFileRelations, RackCouplingMimicAndExpression) {
  const Mechanism m = read(kHead + R"toml(rack = { rack = ["A", "S"], radius = "-r" }
sum = { coupling = { "S.slide" = 1, "A.angle" = "n*r", W.angle = 2 }, offset = "5 mm" }
copy = { mimic = ["W", "A"], multiplier = "-n", offset = "90 deg" }
law = { expression = "slider.x - 1 - r*sin(A.angle) - 0.1*t" }
)toml");
  const Joint& rack = jointNamed(m, "rack");
  EXPECT_EQ(rack.terms[0].quantity.kind, QuantityKind::joint_slide);
  EXPECT_EQ(rack.terms[0].coefficient.number, 1.0);
  EXPECT_EQ(rack.terms[1].coefficient.number, 0.02);
  EXPECT_EQ(rack.unit, RelationUnit::length);
  const Joint& sum = jointNamed(m, "sum");
  ASSERT_EQ(sum.terms.size(), 3U);
  EXPECT_EQ(sum.terms[2].coefficient.number, 2.0);
  EXPECT_EQ(sum.unit, RelationUnit::length);
  EXPECT_EQ(sum.offset.number, 0.005);
  const Joint& copy = jointNamed(m, "copy");
  EXPECT_EQ(copy.kind, JointKind::coupling);
  EXPECT_EQ(copy.terms[1].coefficient.number, 3.0);
  EXPECT_DOUBLE_EQ(copy.offset.number, std::numbers::pi / 2);
  const Joint& law = jointNamed(m, "law");
  EXPECT_EQ(law.unit, RelationUnit::length);
  EXPECT_EQ(symbolsOf(law.expression), (std::vector<std::string>{"A.angle", "r", "slider.x", "t"}));
}

// Relations come after the joints they name, wherever they stand in the file; and they come along with an included
// file.
TEST(ModelFileRelations, MayStandAboveWhatTheyName) {
  std::string text = kHead;
  text.insert(text.find("A = { revolute"), "g = { coupling = { \"A.angle\" = 1, \"W.angle\" = -1 } }\n");
  const Mechanism m = read(text);
  EXPECT_EQ(m.joints.back().name, "g");
  EXPECT_EQ(m.joints.back().terms[1].quantity.index, 1);
}

TEST(ModelFileRelations, CurveIsReadInTheDrawingOrInAFrame) {
  const Mechanism m = read(R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[bodies]
cam = { position = [1, 1], angle = "90 deg", mass = 1, inertia = 1, frames = { f = { at = [0.1, 0], angle = "90 deg" } } }
rod = { position = [1, 2], mass = 1, inertia = 1, points = { P = [0, 0] } }
[joints]
a = { curve = ["rod.P", "cam"], points = [[1, 2], [2, 2], [3, 1]] }
b = { curve = ["rod.P", "cam.f"], points = [[1, 0], [0, 1], [-1, 0], [0, -1]], closed = true, offset = "10 cm" }
)toml");
  const Joint& a = m.joints[0];
  EXPECT_NEAR(a.curve.points[0][0].number, 1.0, 1e-15);
  EXPECT_NEAR(a.curve.points[0][1].number, 0.0, 1e-15);
  EXPECT_NEAR(a.curve.points[1][1].number, -1.0, 1e-15);
  EXPECT_FALSE(a.curve.closed);
  const Joint& b = m.joints[1];
  EXPECT_EQ(b.curve.points[1][1].number, 1.0);
  EXPECT_EQ(b.on_second.point[0].number, 0.1);
  EXPECT_TRUE(b.curve.closed);
  EXPECT_EQ(b.curve.offset.number, -0.1);  // counter-clockwise: outside is to the right
}

TEST(ModelFileRelations, JointsOfSpace) {
  const Mechanism m = read(R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
a = { position = [0, 0, 0], mass = 1, inertia = [1, 1, 1] }
b = { position = [1, 0, 0], rotation = { axis = [0, 0, 1], angle = "40 deg" }, mass = 1, inertia = [1, 1, 1], points = { P = [0, 0, 0] } }
[joints]
s = { screw = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1], pitch = "5 mm" }
v = { constant_velocity = ["a", "b"], at = [0.5, 0, 0], axes = [[1, 0, 0], [1, 1, 0]] }
c = { curve = ["b.P", "ground"], points = [[1, 0, 0], [2, 0, 1], [3, 0, 0]], normal = [0, -1, 0] }
)toml");
  EXPECT_EQ(m.joints[0].pitch.number, 0.005);
  EXPECT_EQ(m.joints[1].kind, JointKind::constant_velocity);
  EXPECT_EQ(m.joints[2].curve.points.size(), 3U);
  EXPECT_NEAR(std::hypot(m.joints[2].curve.points[1][0].number, m.joints[2].curve.points[1][1].number), std::sqrt(2.0),
              1e-15);
}

TEST(ModelFileRelations, MistakesInGears) {
  EXPECT_EQ(refusal(kHead + R"toml(a = { gear = ["A", "X"], teeth = [1, 2] }
b = { gear = ["A", "A"], teeth = [1, 2] }
c = { gear = ["A"], teeth = [1, 2] }
d = { gear = ["A", "S"], teeth = [1, 2] }
e = { gear = ["A", "W"] }
f = { gear = ["A", "W"], teeth = [1, 2], radii = [1, 2] }
g = { gear = ["A", "W"], teeth = [20.000001, 2] }
h = { gear = ["A", "W"], teeth = [0, 2] }
i = { gear = ["A", "W"], teeth = 3 }
j = { gear = ["A", "W"], radii = ["1 kg", 2] }
k = { gear = ["A", "W"], teeth = [1, 2], internal = 1 }
)toml"),
            R"(
m.toml:20:21: error: joint "a": joint "X" is not defined.
m.toml:21:20: error: joint "b": it names "A" twice.
m.toml:22:14: error: gear of joint "c": expected two hinges such as ["H1", "H2"], got a list of 1.
m.toml:23:20: error: joint "d": joint "S" is prismatic: it has no angle.
m.toml:24:1: error: joint "e": the sizes of its gears are missing. Give teeth = [20, 40] or radii = [0.05, 0.1].
m.toml:25:42: error: joint "f": teeth and radii are both given. Give teeth = [20, 40] or radii = [0.05, 0.1].
m.toml:26:35: error: teeth of joint "g": expected a whole number, got 20.000001. Give radii for gears that have no teeth.
m.toml:27:35: error: teeth of joint "h" must be positive, got 0.
m.toml:28:34: error: teeth of joint "i": expected two numbers, one for each gear, got the number 3.
m.toml:29:35: error: radii of joint "j": expected a length (m), got a mass (kg).
m.toml:30:53: error: internal of joint "k": expected true or false, got the number 1.
)");
}

TEST(ModelFileRelations, MistakesInCarriers) {
  std::string text = kHead;
  text.insert(text.find("[joints]"), "other = { disc = { at = [2, 0], radius = 0.1 }, mass = 1 }\n");
  EXPECT_EQ(refusal(text + R"toml(B = { revolute = ["slider", "other"], at = [2, 0] }
A2 = { revolute = ["arm", "ground"], at = "P" }
a = { gear = ["W", "B"], teeth = [1, 2] }
b = { gear = ["A", "A2"], teeth = [1, 2] }
)toml"),
            R"(
m.toml:23:14: error: joint "a": the two joints have no body in common that carries both: "W" joins arm and wheel, "B" joins slider and other. Use a coupling to relate any joint coordinates.
m.toml:24:14: error: joint "b": the two joints join the same bodies. Use a coupling to relate any joint coordinates.
)");
}

TEST(ModelFileRelations, MistakesInRacksCouplingsAndFormulas) {
  EXPECT_EQ(refusal(kHead + R"toml(a = { rack = ["A", "S"] }
b = { rack = ["A", "S"], radius = 0 }
c = { rack = ["A", "W"], radius = 1 }
d = { coupling = {} }
e = { coupling = { "A.angl" = 1 } }
f = { coupling = { "A.angle" = 1, "sun.angle" = 1 } }
g = { coupling = { "A.angle" = "2 m", "W.angle" = "3 kg" } }
h = { coupling = { "A.angle" = "2 kg" } }
i = { coupling = { "A.angle" = 0 } }
j = { coupling = 3 }
k = { mimic = ["A", "W"], multiplier = "2 m" }
l = { expression = "A.angle_rate" }
m = { expression = "2*t" }
n = { expression = "slider.x^2 - r^2" }
o = { expression = "abs(slider.x)" }
p = { coupling = { "A.angle" = 1, "W.angle" = 2 }, offset = "1 kg" }
q = { coupling = { "t" = 1 } }
)toml"),
            R"(
m.toml:20:1: error: joint "a": radius is missing. It is the way of the rack for a turn of one radian: radius = "20 mm".
m.toml:21:35: error: radius of joint "b" must not be zero.
m.toml:22:20: error: joint "c": joint "W" is revolute: it has no slide of a guide.
m.toml:23:18: error: joint "d": it names no coordinates.
m.toml:24:20: error: joint "e": "A.angl" is no angle or slide of a joint. Did you mean "A.angle"?
m.toml:25:35: error: joint "f": "sun.angle" is no angle or slide of a joint. Did you mean "A.angle"?
m.toml:26:51: error: joint "g": the terms do not go together: a mass (kg) is added to a length (m).
m.toml:27:18: error: joint "h": the sum must be a length or an angle, got a mass (kg).
m.toml:28:18: error: joint "i": all its coefficients are zero.
m.toml:29:18: error: coupling of joint "j": expected a table such as { "H1.angle" = 1, "H2.angle" = -2 }, got the number 3.
m.toml:30:40: error: multiplier of joint "k": expected a plain number, got a length (m).
m.toml:31:20: error: expression of joint "l": "A.angle_rate" is a rate; only positions may stand here. A formula that is linear in rates is a velocity = "...".
m.toml:32:20: error: expression of joint "m": it names no position of a body or joint. It must be a formula that stays zero, such as "A.angle - 2*B.angle".
m.toml:33:20: error: expression of joint "n": expected a length, an angle or a number, got an area (m^2). Divide it by a constant, or take a root, so that its size means something.
m.toml:34:21: error: expression of joint "o": abs has a corner or a jump, and a constraint must be smooth. Use a formula that can be differentiated twice.
m.toml:35:61: error: offset of joint "p": expected an angle (rad), got a mass (kg).
m.toml:36:20: error: joint "q": "t" is no angle or slide of a joint. Write, for example, coupling = { "H1.angle" = 1, "H2.angle" = -2 }.
)");
}

TEST(ModelFileRelations, MistakesInCurves) {
  EXPECT_EQ(refusal(kHead + R"toml(a = { curve = ["slider"], points = [[0, 0], [1, 0]] }
b = { curve = ["slider", "ground"], points = [[0, 0], [1, 0]] }
c = { curve = ["slider.P", "ground"], points = [[0, 0]] }
d = { curve = ["slider.P", "ground"], points = [[0, 0], [1, 0]], closed = true }
e = { curve = ["slider.P", "ground"], points = [[0, 0], [0, 0]] }
f = { curve = ["slider.P", "ground"], points = [[0, 0], [1, 0], [0, 1], [0, 0]], closed = true }
g = { curve = ["slider.P", "ground"], points = [[0, 0], [0.1, 0], [0.1, 0.1], [0, 0.1]], closed = true, offset = -0.2 }
h = { curve = ["slider.P", "ground"] }
)toml"),
            R"(
m.toml:20:15: error: curve of joint "a": expected a point and a body such as ["follower.P", "cam"], got a list of 1.
m.toml:21:16: error: joint "b": which point of "slider"? Write "slider.P" with one of its points.
m.toml:22:48: error: points of joint "c": expected a list of at least two points, got a list of 1.
m.toml:23:48: error: points of joint "d": expected a list of at least three points, got a list of 2.
m.toml:24:57: error: joint "e": this point of the curve is the same as the one before.
m.toml:25:73: error: joint "f": this point of the curve is the same as the first. A closed curve goes back to its first point by itself.
m.toml:26:114: error: joint "g": a roller of radius 0.2 m does not fit: near [0.1, 0] the curve is bent with a radius of 0.05303 m. Make offset smaller, or the curve smoother.
m.toml:27:1: error: joint "h": points is missing. Give points = [[x, y], ...] or names of points.
)");
}

TEST(ModelFileRelations, MistakesInSpace) {
  const std::string head = R"toml(linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
a = { position = [0, 0, 0], mass = 1, inertia = [1, 1, 1], points = { P = [0, 0, 0] } }
[joints]
)toml";
  EXPECT_EQ(refusal(head + R"toml(b = { screw = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1] }
c = { screw = ["ground", "a"], at = [0, 0, 0], axis = [0, 0, 1], pitch = 0 }
d = { constant_velocity = ["ground", "a"], at = [0, 0, 0], axes = [[1, 0, 0], [-1, 0, 0]] }
e = { curve = ["a.P", "ground"], points = [[0, 0, 0], [1, 0, 0]] }
f = { curve = ["a.P", "ground"], points = [[0, 0, 0], [1, 0, 0], [2, 0, 0.5]], normal = [0, 0, 1] }
)toml"),
            R"(
m.toml:7:1: error: joint "b": pitch is missing. It is the way for a whole turn: pitch = "5 mm".
m.toml:8:74: error: pitch of joint "c" must not be zero. Use a revolute joint.
m.toml:9:67: error: joint "d": its two shafts are folded back. Give both in the sense in which the motion goes through.
m.toml:10:1: error: joint "e": normal is missing. Give the normal of the curve's plane: [0, 0, 1].
m.toml:11:66: error: joint "f": a curve lies in a plane, but this point is 0.5 m off the plane through the first point.
)");
}

}  // namespace model_file_relations_test
}  // namespace linkwork
