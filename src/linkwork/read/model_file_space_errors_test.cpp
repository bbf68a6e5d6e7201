// Every message of the model reader that only files in space, or words of the wrong space, can cause.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_space_errors_test {

using test::refusal;

const std::string kHead = "linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n";  // 3 lines

const std::string kBodies = kHead + R"toml([points]
P = [0, 0, 1]
Q = [0, 0, 1]
[bodies]
a = { mass = 1, inertia = [1, 1, 1], frames = { f = { at = [0, 0, 0], rotation = [1, 0, 0, 0] } } }
b = { mass = 1, inertia = [1, 1, 1], points = { p = [1, 0, 0] } }
[joints]
)toml";  // 10 lines

TEST(ModelFileSpaceErrors, CoordinatesOfTheWrongSpace) {
  EXPECT_EQ(refusal(R"toml(linkwork = 1
space = "spatial"
gravity = [0, -9.81]
[points]
P = [1, 2]
[bodies]
a = { position = 3, mass = 1, inertia = [1, 1, 1], com = [0, 0] }
)toml"),
            R"(
m.toml:3:11: error: gravity: expected a list of three, [x, y, z], got a list of 2.
m.toml:5:5: error: point "P": expected a list of three, [x, y, z], got a list of 2.
m.toml:7:18: error: position of body "a": expected the name of a point or [x, y, z], got the number 3.
m.toml:7:58: error: com of body "a": expected a list of three, [x, y, z], got a list of 2.
)");
  EXPECT_EQ(refusal("linkwork = 1\nspace = \"spatial\"\n[bodies]\na = { mass = 1, inertia = [1, 1, 1] }\n"), R"(
m.toml:1:1: error: the file: gravity is missing. Write gravity = [0, 0, -9.81], or [0, 0, 0].
)");
}

TEST(ModelFileSpaceErrors, WordsOfTheOtherSpace) {
  EXPECT_EQ(refusal(kHead + R"toml([bodies]
a = { angle = 1, mass = 1, inertia = [1, 1, 1] }
)toml"),
            R"(
m.toml:5:7: error: body "a": unknown key "angle". "angle" is for files with space = "planar". Allowed here: position, rotation, mass, com, inertia, inertia_about, points, frames, free, rod, disc, box, mesh, cylinder, tube, capsule, sphere, parts.
)");
  EXPECT_EQ(refusal(R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
P = [0, 0]
[bodies]
a = { rotation = [1, 0, 0, 0], mass = 1, inertia = 1 }
b = { mass = 1, inertia = 1 }
[joints]
P = { ball = ["ground", "b"] }
Q = { revolute = ["ground", "b"], at = "P", normal = [0, 0, 1] }
[drives]
d = { body = "b", z = "t" }
)toml"),
            R"(
m.toml:7:7: error: body "a": unknown key "rotation". "rotation" is for files with space = "spatial". Allowed here: position, angle, mass, com, z, inertia, inertia_about, points, frames, free, rod, disc, box, mesh.
m.toml:10:7: error: joint "P": a ball joint is for space, and this file is planar. In the plane there are revolute, prismatic, pin_slot, fixed and distance; or write space = "spatial".
m.toml:11:45: error: joint "Q": unknown key "normal". "normal" is for files with space = "spatial". Allowed here: revolute, at, cut, compliance.
m.toml:13:19: error: drive "d": unknown key "z". "z" is for files with space = "spatial". Allowed here: body, x, y, angle.
)");
}

TEST(ModelFileSpaceErrors, Rotations) {
  EXPECT_EQ(refusal(kHead + R"toml([bodies]
a = { rotation = [0, 0, 0, 0], mass = 1, inertia = [1, 1, 1] }
b = { rotation = [1, 0, 0], mass = 1, inertia = [1, 1, 1] }
c = { rotation = { axis = [0, 0, 0], angle = 1 }, mass = 1, inertia = [1, 1, 1] }
d = { rotation = { axis = [0, 0, 1] }, mass = 1, inertia = [1, 1, 1] }
e = { rotation = { zyx = [1, 2] }, mass = 1, inertia = [1, 1, 1] }
f = { rotation = { y = [0, 1, 0] }, mass = 1, inertia = [1, 1, 1] }
g = { rotation = { x = [0, 1, 0], z = [0, 2, 0] }, mass = 1, inertia = [1, 1, 1] }
h = { rotation = { x = [0, 1, 0], y = [1, 0, 0], z = [0, 0, 1] }, mass = 1, inertia = [1, 1, 1] }
i = { rotation = { xyz = [1, 2, 3] }, mass = 1, inertia = [1, 1, 1] }
j = { rotation = { zyx = [1, 2, 3], x = [1, 0, 0] }, mass = 1, inertia = [1, 1, 1] }
k = { rotation = { axis = 3, angle = "3 m" }, mass = 1, inertia = [1, 1, 1] }
l = { rotation = [1, 0, 0, "2 m"], mass = 1, inertia = [1, 1, 1] }
)toml"),
            R"(
m.toml:5:18: error: rotation of body "a": [0, 0, 0, 0] is no orientation. [1, 0, 0, 0] leaves the axes as they are.
m.toml:6:18: error: rotation of body "b": expected [w, x, y, z] or a table such as { axis = [0, 0, 1], angle = "30 deg" } or { x = [1, 1, 0], z = [0, 0, 1] }, got a list of 3.
m.toml:7:27: error: axis of rotation of body "c": [0, 0, 0] has no direction.
m.toml:8:7: error: rotation of body "d": angle is missing.
m.toml:9:26: error: zyx of rotation of body "e": expected a list of three angles, got a list of 2.
m.toml:10:18: error: rotation of body "f": y alone does not say which way the others point. Give x or z beside it.
m.toml:11:18: error: rotation of body "g": its two axes are parallel.
m.toml:12:50: error: rotation of body "h": two axes are enough. Leave one out.
m.toml:13:20: error: rotation of body "i": unknown key "xyz". Allowed here: axis, angle, zyx, zxz, x, y, z.
m.toml:14:37: error: rotation of body "j": unknown key "x". Allowed here: zyx.
m.toml:15:27: error: axis of rotation of body "k": expected a direction, [x, y, z] or two points such as ["A", "B"], got the number 3.
m.toml:15:38: error: angle of rotation of body "k": expected an angle (rad), got a length (m).
m.toml:16:28: error: z of rotation of body "l": expected a plain number, got a length (m).
)");
}

TEST(ModelFileSpaceErrors, BodiesAndTheirInertia) {
  EXPECT_EQ(refusal(kHead + R"toml([points]
P = [0, 0, 0]
[bodies]
a = { mass = 1, inertia = 2 }
b = { mass = 1, inertia = [1, -1, 1] }
c = { mass = 1, inertia = { xx = 1, yy = 1, xz = "3 m" } }
d = { mass = 1, inertia = { xx = 1, yy = 1, zz = 1, zx = 1 } }
e = { rod = ["P", "P"], mass = 1 }
f = { rod = ["P", [0, 0, 1]], mass = 1, radius = 0 }
g = { mass = 1 }
h = { mass = 1, inertia = [1, 1, 1], frames = { f = { at = [0, 0, 0] }, g = 3 } }
)toml"),
            R"(
m.toml:7:27: error: inertia of body "a": expected [Jxx, Jyy, Jzz] or a table such as { xx = 1, yy = 1, zz = 2, xy = -0.1 }, got the number 2.
m.toml:8:31: error: yy of inertia of body "b" must not be negative, got -1.
m.toml:9:17: error: inertia of body "c": zz is missing.
m.toml:9:50: error: xz of inertia of body "c": expected a moment of inertia (kg*m^2), got a length (m).
m.toml:10:53: error: inertia of body "d": unknown key "zx". Did you mean "xx"? Allowed here: xx, yy, zz, xy, xz, yz.
m.toml:11:13: error: body "e": both ends of the rod are at the same place.
m.toml:12:50: error: radius of body "f" must be positive, got 0.
m.toml:13:1: error: body "g": inertia is missing. Write inertia = [0, 0, 0] for a point mass.
m.toml:14:49: error: frame "f" of body "h": rotation is missing. A frame without a rotation is a point: put it in points.
m.toml:14:77: error: frame "g" of body "h": expected a table such as { at = [0.3, 0, 0], rotation = { z = [0, 1, 0] } }, got the number 3.
)");
}

TEST(ModelFileSpaceErrors, DirectionsOfJoints) {
  EXPECT_EQ(refusal(kBodies + R"toml(A = { revolute = ["a", "b"], at = "P" }
B = { revolute = ["a.f", "b"], axis = [0, 0, 1] }
C = { planar = ["a", "b"], at = "P" }
D = { pin_slot = ["a", "b"], at = "P", axis = [1, 0, 0], normal = [1, 0, 1] }
E = { universal = ["a", "b"], at = "P", axes = [[1, 0, 0], [2, 0, 0]] }
F = { universal = ["a", "b"], at = "P", axes = [1, 0, 0] }
G = { universal = ["a.f", "b"] }
H = { parallel_axes = ["a", "b"], axis = [1, 0, 0], axes = [[1, 0, 0], [1, 0, 0]] }
I = { cylindrical = ["a", "b"], at = "P", axis = ["P", "Q"] }
J = { spherical = ["a", "b"] }
K = { prismatic = ["a", "b"], at = "P", axis = [1, 0, 0], angle = 1 }
L = { at = "P" }
M = { cylindrical = ["a", "b"], at = "P", axis = ["P", "R"] }
)toml"),
            R"(
m.toml:11:1: error: joint "A": axis is missing. Give axis = [0, 0, 1], in the drawn pose, or a frame at an end.
m.toml:12:32: error: joint "B": axis is not needed, because a frame of its ends gives the direction.
m.toml:13:1: error: joint "C": normal is missing. Give normal = [0, 0, 1], in the drawn pose, or a frame at an end.
m.toml:14:67: error: joint "D": the pin (normal) is not at right angles to the slot (axis).
m.toml:15:48: error: joint "E": its two axes are parallel. They are at right angles to each other.
m.toml:16:48: error: axes of joint "F": expected two directions such as [[1, 0, 0], [0, 1, 0]], got a list of 3.
m.toml:17:1: error: joint "G": a universal joint needs a frame at both ends. Or name bodies or points and give axes.
m.toml:18:35: error: joint "H": axis and axes are both given. Give one of them.
m.toml:19:50: error: axis of joint "I": the two points are at the same place.
m.toml:20:1: error: joint "J": where is it? Give at = "P" or at = [x, y, z], or add a point "J" to [points].
m.toml:21:59: error: joint "K": unknown key "angle". "angle" is for files with space = "planar". Allowed here: prismatic, at, axis, cut, compliance.
m.toml:22:1: error: joint "L": its kind is missing. Write, for example, revolute = ["ground", "crank"].
m.toml:23:57: error: axis of joint "M": point "R" is not defined in [points].
)");
}

TEST(ModelFileSpaceErrors, DrivesAndLoads) {
  EXPECT_EQ(refusal(kBodies + R"toml(C = { cylindrical = ["ground", "a"], at = "P", axis = [1, 0, 0] }
S = { spherical = ["a", "b"], at = "P" }
[drives]
d = { joint = "C", angle = "t", slide = "t" }
e = { joint = "C" }
f = { joint = "S", angle = "t" }
g = { body = "a", angle = "t" }
[loads]
k = { force = [1, 2], on = "a" }
l = { couple = 1, on = "a" }
m = { couple = 1, on = "a", axis = [0, 0] }
n = { rotational_spring = ["a", "b"], stiffness = 1 }
o = { rotational_spring = "S", stiffness = 1 }
p = { couple = [1, 2, 3], on = "a", axis = [0, 0, 1], against = "b" }
q = { couple = [1, 2], on = "a" }
[initial]
a.angle = 1
)toml"),
            R"(
m.toml:14:33: error: drive "d": angle and slide are both given. Write two drives.
m.toml:15:1: error: drive "e": angle is missing.
m.toml:16:1: error: drive "f": a spherical joint leaves nothing to drive.
m.toml:17:19: error: drive "g": unknown key "angle". "angle" is for files with space = "planar". Allowed here: body, x, y, z.
m.toml:19:15: error: force of load "k": expected a list of three, [x, y, z], got a list of 2.
m.toml:20:1: error: load "l": axis is missing. Give axis = [0, 0, 1], in the drawn pose.
m.toml:21:36: error: axis of load "m": expected a direction, [x, y, z] or two points such as ["A", "B"], got a list of 2.
m.toml:22:27: error: load "n": expected the name of a revolute or cylindrical joint, whose axis it acts about, got a list of 2.
m.toml:23:27: error: load "o": joint "S" is spherical: it does not turn.
m.toml:24:37: error: load "p": axis does not go with a couple given by components. Give its size about an axis instead.
m.toml:24:55: error: load "p": against does not go with a couple given by components. Give its size about an axis instead.
m.toml:25:16: error: couple of load "q": expected a list of three, [x, y, z], got a list of 2.
m.toml:27:3: error: initial value of "a.angle": "a" has no "angle". It has x, y, z, x_rate, y_rate, z_rate, wx, wy, wz, wx_body, wy_body, wz_body, vx_body, vy_body, vz_body.
)");
}

TEST(ModelFileSpaceErrors, TracesAndDoubledDrives) {
  EXPECT_EQ(refusal(kBodies + R"toml(C = { cylindrical = ["ground", "a"], at = "P", axis = [1, 0, 0] }
[drives]
d = { joint = "C", angle = "t" }
e = { joint = "C", slide = "t" }
f = { joint = "C", slide = "2*t" }
)toml"),
            R"(
m.toml:15:1: error: drive "f" drives the same coordinate as drive "e" (line 14). Two drives on one coordinate fight: remove one.
)");
  EXPECT_EQ(refusal(kBodies + "[traces]\nt = { body = \"a\" }\n"), R"(
m.toml:12:1: error: trace "t": point is missing. Give point = [x, y, z] in the body's axes.
)");
}

class SpaceIncludeErrors : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / "linkwork_space_include_errors";
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string found(const std::string& text) const {
    std::string shown = refusal(text, {}, (folder_ / "m.toml").string());
    const std::string prefix = folder_.string() + "/";
    for (std::size_t at = shown.find(prefix); at != std::string::npos; at = shown.find(prefix))
      shown.erase(at, prefix.size());
    return shown;
  }
  std::filesystem::path folder_;
};

TEST_F(SpaceIncludeErrors, PartsOfTheOtherSpaceAndHalfGivenStarts) {
  write("flat.toml", "linkwork = 1\nspace = \"planar\"\n[bodies]\na = { mass = 1, inertia = 1 }\n");
  EXPECT_EQ(found(kHead + "[include]\np = { file = \"flat.toml\" }\n"), R"(
m.toml:5:14: error: include "p": flat.toml is planar, but the file that includes it is spatial.
)");
  write("part.toml",
        "linkwork = 1\nspace = \"spatial\"\n[bodies]\na = { mass = 1, inertia = [1, 1, 1] }\n[initial]\na.wx = 1\n");
  EXPECT_EQ(found(kHead + "[include]\np = { file = \"part.toml\", rotation = { z = [1, 0, 0] } }\n"), R"(
part.toml:6:3: error: initial value of "p_a.wx": the file is included with a rotation, so wx, wy and wz must be given together (included as "p" at m.toml:5).
)");
  EXPECT_EQ(found(kHead + "[include]\np = { file = \"part.toml\", angle = 1 }\n"), R"(
m.toml:5:27: error: include "p": unknown key "angle". "angle" is for files with space = "planar". Allowed here: file, prefix, parameters, at, rotation.
)");
}

}  // namespace model_file_space_errors_test
}  // namespace linkwork
