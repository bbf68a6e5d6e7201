// Files with space = "spatial": what they describe, checked against what one would draw by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/read/model_file/orientation.hpp"
#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_space_test {

using V3 = Vec3<double>;

Mechanism read(const std::string& text) {
  return test::read("linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n" + text);
}

std::string notes(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_TRUE(readModelText("linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n" + text, "m.toml", diagnostics))
      << diagnostics.format();
  return diagnostics.format();
}

// 1e-14: a handful of products of numbers near one.
void expectNear(const V3& a, const V3& b) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-14) << k;
}
void expectPoint(const Point& point, const V3& b) {
  expectNear({point[0].number, point[1].number, point[2].number}, b);
}

Rotation3<double> axesOf(const Quaternion& q) { return Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]); }

// The axes of a joint's frame as the drawing shows them, in ground axes.
Rotation3<double> drawnAxes(const Mechanism& m, BodyIndex body, const Frame& frame) {
  return axesOf(body.valid() ? product(m.body(body).drawn.rotation, frame.rotation) : frame.rotation);
}
V3 drawnPlace(const Mechanism& m, BodyIndex body, const Frame& frame) {
  const V3 p{frame.point[0].number, frame.point[1].number, frame.point[2].number};
  if (!body.valid()) return p;
  const Pose& pose = m.body(body).drawn;
  return V3{pose.x, pose.y, pose.z} + axesOf(pose.rotation) * p;
}

double evaluated(const Mechanism& mechanism, const Value& value) {
  std::map<std::string, double> values;
  for (const Parameter& parameter : mechanism.parameters) values[parameter.name] = parameter.value.number;
  return evaluate(value.expr, values);
}

// --- orientations

Quaternion rotationOf(const std::string& text) {
  return read("[bodies]\nb = { mass = 1, inertia = [1, 1, 1], rotation = " + text + " }\n").bodies[0].drawn.rotation;
}

TEST(ModelFileSpace, OrientationsAreWrittenInFiveWays) {
  const double c = std::cos(0.3);
  const double s = std::sin(0.3);
  // A quarter turn about z: as quaternion (not of unit length), axis and angle, axes.
  for (const char* text :
       {"[2, 0, 0, 2]", "{ axis = [0, 0, 3], angle = \"90 deg\" }", "{ x = [0, 1, 0], y = [-1, 0, 0] }",
        "{ x = [0, 1, 0], z = [0, 0, 1] }", "{ y = [-1, 0, 0], z = [0, 0, 2] }", "{ x = [0, 1, 0] }",
        "{ zyx = [\"90 deg\", 0, 0] }", "{ zxz = [\"30 deg\", 0, \"60 deg\"] }"}) {
    SCOPED_TRACE(text);
    const auto R = axesOf(rotationOf(text));
    expectNear(R.x, {0, 1, 0});
    expectNear(R.y, {-1, 0, 0});
    expectNear(R.z, {0, 0, 1});
  }
  // Turns one after the other about the axes that have turned: z, then the new y, then the new x.
  const auto R = axesOf(rotationOf("{ zyx = [\"90 deg\", 0.3, 0] }"));
  expectNear(R.x, {0, c, -s});
  expectNear(R.y, {-1, 0, 0});
  const auto E = axesOf(rotationOf("{ zxz = [\"90 deg\", 0.3, 0] }"));
  expectNear(E.x, {0, 1, 0});
  expectNear(E.z, {s, 0, c});
  // The first axis is kept, the second made orthogonal.
  const auto O = axesOf(rotationOf("{ x = [0, 0, 1], y = [1, 0, 5] }"));
  expectNear(O.x, {0, 0, 1});
  expectNear(O.y, {1, 0, 0});
}

TEST(ModelFileSpace, QuaternionsOfAllQuadrantsComeBack) {
  for (int k = 0; k < 200; ++k) {
    const Quaternion q =
        model_file::normalised({std::cos(1.0 + k), std::sin(0.7 * k), std::cos(2.3 * k), std::sin(1.9 * k + 0.4)});
    const Quaternion back = model_file::quaternionOf(axesOf(q));
    const double same = q[0] * back[0] + q[1] * back[1] + q[2] * back[2] + q[3] * back[3];
    EXPECT_NEAR(std::abs(same), 1.0, 1e-14);
    EXPECT_GE(back[0], 0.0);
  }
  // Half turns, where the scalar part vanishes.
  for (const Quaternion& q : {Quaternion{0, 1, 0, 0}, Quaternion{0, 0, 1, 0}, Quaternion{0, 0, 0, 1}}) {
    const auto R = axesOf(model_file::quaternionOf(axesOf(q)));
    expectNear(R.x, axesOf(q).x);
    expectNear(R.y, axesOf(q).y);
  }
  expectNear(axesOf(model_file::frameWithZ({0, 0, -1})).z, {0, 0, -1});
  expectNear(axesOf(model_file::frameWithX({-1, 0, 0})).x, {-1, 0, 0});
}

// --- bodies

TEST(ModelFileSpace, BodiesByPoseKeepLettersInPlaces) {
  const Mechanism m = read(R"toml(
[parameters]
L = "0.4 m"
[points]
P = ["L", 0, "2*L"]
[bodies.b]
position = "P"
rotation = { axis = [0, 0, 1], angle = "90 deg" }
mass     = 2
com      = ["L/2", 0, 0.1]
inertia  = { xx = 1, yy = 2, zz = 2.5, xy = -0.1, yz = 0.2 }
points   = { tip = [0, 0, "L"] }
frames   = { eye = { at = [0.1, 0, 0], rotation = { z = [1, 0, 0] } } }
[joints]
J = { spherical = ["ground.P", "b"] }
K = { revolute = ["ground", "b.eye"] }
)toml");
  ASSERT_EQ(m.space, Space::spatial);
  EXPECT_EQ(m.gravity[2].number, -9.81);
  const Body& b = m.bodies[0];
  EXPECT_EQ(b.drawn.z, 0.8);
  EXPECT_EQ(b.drawn.x, 0.4);
  expectPoint(b.com, {0.2, 0, 0.1});
  EXPECT_EQ(b.tensor->xy.number, -0.1);
  EXPECT_EQ(b.tensor->xz.number, 0.0);
  EXPECT_EQ(b.inertia.number, 2.5);
  EXPECT_EQ(evaluated(m, b.points[0].at[2]), 0.4);
  EXPECT_FALSE(b.points[0].at[2].expr.isNumber());
  // J: at P, which is the origin of the body.
  expectPoint(m.joints[0].on_second.point, {0, 0, 0});
  // K: turns about the eye's z axis, ground y in the drawing.
  expectNear(drawnAxes(m, kGround, m.joints[1].on_first).z, {0, 1, 0});
  expectNear(drawnPlace(m, kGround, m.joints[1].on_first), {0.4, 0.1, 0.8});
}

TEST(ModelFileSpace, RodsLieAlongTheirXAxis) {
  const Mechanism m = read(R"toml(
[points]
A = [1, 0, 0]
B = [1, 3, 4]
[bodies]
thin  = { rod = ["A", "B"], mass = 12 }
thick = { rod = ["A", "B"], radius = 2, mass = 12 }
short = { rod = ["A", "B"], length = 2, density = 3 }
[joints]
B = { spherical = ["thin", "thick"] }
)toml");
  expectNear(axesOf(m.bodies[0].drawn.rotation).x, {0, 0.6, 0.8});
  EXPECT_EQ(m.bodies[0].tensor->xx.number, 0.0);
  EXPECT_EQ(m.bodies[0].tensor->yy.number, 25.0);
  EXPECT_EQ(m.bodies[1].tensor->xx.number, 24.0);
  EXPECT_EQ(m.bodies[1].tensor->zz.number, 37.0);
  EXPECT_EQ(m.bodies[2].mass.number, 6.0);
  expectPoint(m.bodies[2].com, {1, 0, 0});
  expectPoint(m.joints[0].on_first.point, {5, 0, 0});
}

// --- joints

const std::string kTwo = R"toml(
[points]
P = [1, 2, 3]
Q = [1, 2, 5]
[bodies]
a = { position = [1, 0, 0], rotation = { zyx = [0.3, -0.5, 0.2] }, mass = 1, inertia = [1, 1, 1] }
b = { position = [0, 1, 0], rotation = { zxz = [1.3, 0.4, -2.2] }, mass = 1, inertia = [1, 1, 1] }
[joints]
)toml";

struct JointCase {
  const char* text;
  JointKind kind;
  char first_axis;  // which axis of the frame ...
  V3 first;         // ... points where, in the drawing
  char second_axis;
  V3 second;
};

class JointInSpace : public ::testing::TestWithParam<JointCase> {};

TEST_P(JointInSpace, StandsAsDrawn) {
  const JointCase& c = GetParam();
  const Mechanism m = read(kTwo + "J = { " + c.text + " }\n");
  const Joint& joint = m.joints[0];
  EXPECT_EQ(joint.kind, c.kind);
  const auto axis = [](const Rotation3<double>& R, char which) {
    return which == 'x' ? R.x : which == 'y' ? R.y : R.z;
  };
  expectNear(axis(drawnAxes(m, joint.first, joint.on_first), c.first_axis), c.first);
  expectNear(axis(drawnAxes(m, joint.second, joint.on_second), c.second_axis), c.second);
  expectNear(drawnPlace(m, joint.first, joint.on_first), drawnPlace(m, joint.second, joint.on_second));
}

const V3 kX{1, 0, 0};
const V3 kY{0, 1, 0};
const V3 kZ{0, 0, 1};

INSTANTIATE_TEST_SUITE_P(
    Kinds, JointInSpace,
    ::testing::Values(
        JointCase{"revolute = [\"a\", \"b\"], at = \"P\", axis = [0, 2, 0]", JointKind::revolute, 'z', kY, 'z', kY},
        JointCase{"cylindrical = [\"a\", \"b\"], at = \"P\", axis = [\"P\", \"Q\"]", JointKind::cylindrical, 'z', kZ,
                  'z', kZ},
        JointCase{"prismatic = [\"a\", \"b\"], at = [0, 0, 1], axis = [0, 0, 1]", JointKind::prismatic, 'x', kZ, 'x',
                  kZ},
        JointCase{"pin_slot = [\"a\", \"b\"], at = \"P\", axis = [0, 1, 0], normal = [1, 0, 0]", JointKind::pin_slot,
                  'x', kY, 'z', kX},
        JointCase{"planar = [\"a\", \"b\"], at = \"P\", normal = [1, 0, 0]", JointKind::planar, 'z', kX, 'z', kX},
        JointCase{"point_plane = [\"a\", \"b\"], at = \"P\", normal = [1, 0, 0]", JointKind::point_plane, 'z', kX, 'z',
                  kX},
        JointCase{"point_line = [\"a\", \"b\"], at = \"P\", axis = [0, -1, 0]", JointKind::point_line, 'x', -kY, 'x',
                  -kY},
        JointCase{"universal = [\"a\", \"b\"], at = \"P\", axes = [[0, 1, 0], [1, 0, 0]]", JointKind::universal, 'x',
                  kY, 'y', kX},
        JointCase{"perpendicular = [\"a\", \"b\"], axes = [[0, 1, 0], [1, 0, 0]]", JointKind::perpendicular, 'z', kY,
                  'z', kX},
        JointCase{"parallel_axes = [\"a\", \"b\"], axis = [0, 1, 0]", JointKind::parallel_axes, 'z', kY, 'z', kY},
        JointCase{"parallel_axes = [\"a\", \"b\"], axes = [[0, 1, 0], [0, 1, 0]]", JointKind::parallel_axes, 'z', kY,
                  'z', kY},
        JointCase{"fixed = [\"ground\", \"b\"], at = \"P\"",
                  JointKind::fixed,
                  'x',
                  {0.5601138517370287, -0.76625462547623, -0.31484332933793},
                  'x',
                  {0.5601138517370287, -0.76625462547623, -0.31484332933793}},
        JointCase{"continuous = [\"ground\", \"b\"], at = \"P\", axis = [1, 0, 0]", JointKind::revolute, 'z', kX, 'z',
                  kX},
        JointCase{"slide = [\"ground\", \"b\"], at = \"P\", axis = [1, 0, 0]", JointKind::prismatic, 'x', kX, 'x',
                  kX}));

TEST(ModelFileSpace, OtherProgramsWordsMeanTheSame) {
  const std::pair<const char*, JointKind> aliases[] = {
      {"ball", JointKind::spherical}, {"atpoint", JointKind::spherical}, {"lock", JointKind::fixed},
      {"free", JointKind::floating},  {"weld", JointKind::fixed},        {"floating", JointKind::floating}};
  for (const auto& [word, kind] : aliases) {
    const Mechanism m = read(kTwo + fmt::format("J = {{ {} = [\"a\", \"b\"], at = \"P\" }}\n", word));
    EXPECT_EQ(m.joints[0].kind, kind) << word;
  }
  const std::tuple<const char*, const char*, JointKind> with_axes[] = {
      {"hinge", "axis = [0, 0, 1]", JointKind::revolute},
      {"pin", "axis = [0, 0, 1]", JointKind::revolute},
      {"translational", "axis = [0, 0, 1]", JointKind::prismatic},
      {"slider", "axis = [0, 0, 1]", JointKind::prismatic},
      {"slot", "axis = [0, 0, 1], normal = [1, 0, 0]", JointKind::pin_slot},
      {"revolute_prismatic", "axis = [0, 0, 1], normal = [1, 0, 0]", JointKind::pin_slot},
      {"hooke", "axes = [[0, 0, 1], [1, 0, 0]]", JointKind::universal},
      {"plane_plane", "normal = [0, 0, 1]", JointKind::planar},
      {"inline", "axis = [0, 0, 1]", JointKind::point_line},
      {"inplane", "normal = [0, 0, 1]", JointKind::point_plane},
      {"parallel", "axis = [0, 0, 1]", JointKind::parallel_axes},
      {"perpend", "axes = [[0, 0, 1], [1, 0, 0]]", JointKind::perpendicular}};
  for (const auto& [word, axes, kind] : with_axes) {
    const Mechanism m = read(kTwo + fmt::format("J = {{ {} = [\"a\", \"b\"], at = \"P\", {} }}\n", word, axes));
    EXPECT_EQ(m.joints[0].kind, kind) << word;
  }
}

TEST(ModelFileSpace, TwoFramesAreTakenAsTheyAre) {
  const Mechanism m = read(R"toml(
[bodies.a]
mass = 1
inertia = [1, 1, 1]
frames = { f = { at = [1, 0, 0], rotation = { z = [1, 0, 0] } } }
[bodies.b]
mass = 1
inertia = [1, 1, 1]
frames = { g = { at = [1, 0, 0], rotation = { z = [0, 1, 0] } } }
[joints]
U = { universal = ["a.f", "b.g"] }
S = { perpendicular = ["a.f", "b.g"] }
)toml");
  expectNear(axesOf(m.joints[0].on_first.rotation).z, kX);
  expectNear(axesOf(m.joints[0].on_second.rotation).z, kY);
}

TEST(ModelFileSpace, GapsOfJointsByTwoFramesAreNoted) {
  const std::string bodies = R"toml([bodies.a]
mass = 1
inertia = [1, 1, 1]
frames = { f = { at = [1, 0, 0], rotation = { z = [1, 0, 0] } } }
[bodies.b]
position = [0, 0, 0.1]
mass = 1
inertia = [1, 1, 1]
frames = { g = { at = [1, 0, 0], rotation = { z = [1, 0.1, 0] } }, h = { at = [4, 0, 0], rotation = { z = [1, 0, 0] } } }
[joints]
)toml";
  EXPECT_EQ(
      notes(bodies + "J = { revolute = [\"a.f\", \"b.g\"] }\n"),
      "m.toml:14:1: note: joint \"J\": its two ends are drawn 0.1 m apart. The bodies are moved until they meet.\n"
      "m.toml:14:1: note: joint \"J\": its axes are drawn 5.71 deg from where they must be. The bodies are turned "
      "until "
      "they fit.\n");
  EXPECT_EQ(
      notes(bodies + "J = { cylindrical = [\"a.f\", \"b.h\"] }\n"),
      "m.toml:14:1: note: joint \"J\": its two ends are drawn 0.1 m apart, where it leaves no freedom. The bodies are "
      "moved until they meet.\n");
  EXPECT_EQ(notes(bodies + "J = { planar = [\"a.f\", \"b.f\"] }\n[points]\nf = [1, 0.5, 0.5]\n"), "");
  EXPECT_EQ(notes(bodies + "J = { perpendicular = [\"a\", \"b\"], axes = [[1, 0, 0], [0.1, 1, 0]] }\n"),
            "m.toml:14:1: note: joint \"J\": its axes are drawn 5.71 deg from where they must be. The bodies are "
            "turned until "
            "they fit.\n");
}

// --- drives, loads, initial values

TEST(ModelFileSpace, DrivesLoadsAndInitialValues) {
  const Mechanism m = read(kTwo + R"toml(
C = { cylindrical = ["ground", "a"], at = "P", axis = [1, 0, 0] }
R = { revolute = ["a", "b"], at = "Q", axis = [0, 1, 0] }
[drives]
turn = { joint = "C", angle = "t" }
push = { joint = "C", slide = "0.1*t" }
lift = { point = "b.Q", z = "5 + t" }
[loads]
f = { force = [1, "2*b.wz", "-3*b.z_rate"], on = "b" }
c = { couple = 4, on = "b", against = "a", axis = [0, 0, 1] }
s = { spring = ["ground.P", "b.Q"], stiffness = 10 }
r = { rotational_spring = "R", stiffness = 10 }
[initial]
b.z = 0.1
b.wx = "2 rad/s"
C.slide_rate = 1
[outputs]
height = "b.z"
[events]
low = { when = "b.z" }
[traces]
q = "b.Q"
)toml");
  ASSERT_EQ(m.drives.size(), 3U);
  EXPECT_EQ(m.drives[0].kind, DriveKind::angle);
  EXPECT_EQ(m.drives[1].kind, DriveKind::slide);
  EXPECT_EQ(m.drives[2].kind, DriveKind::coordinate);
  expectNear(axesOf(m.drives[2].on_first.rotation).x, kZ);
  EXPECT_EQ(m.loads[0].force[1], Expr(2.0) * Expr::symbol("b.wz"));
  expectNear(drawnAxes(m, m.loads[1].second, m.loads[1].on_second).z, kZ);
  EXPECT_NEAR(m.loads[2].free_length.number, 2.0, 1e-15);
  EXPECT_NEAR(m.loads[3].free_length.number, 0.0, 1e-15);
  EXPECT_EQ(m.initial[1].quantity.kind, QuantityKind::body_wx);
  expectNear({m.traces[0].point[0], m.traces[0].point[1], m.traces[0].point[2]},
             {m.drives[2].on_second.point[0].number, m.drives[2].on_second.point[1].number,
              m.drives[2].on_second.point[2].number});
}

TEST(ModelFileSpace, BodiesWithoutShapeAreDrawnByTheirPoints) {
  const Mechanism m = read(kTwo + "J = { spherical = [\"a\", \"b\"], at = \"P\" }\n");
  ASSERT_EQ(m.bodies[0].shapes.size(), 1U);
  EXPECT_EQ(m.bodies[0].shapes[0].kind, ShapeKind::rod);  // from the centre of mass to the joint
}

}  // namespace model_file_space_test
}  // namespace linkwork
