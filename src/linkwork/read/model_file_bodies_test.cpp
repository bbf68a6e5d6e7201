// [bodies]: solids, meshes and inertia as a file writes them, in plane and space, and every message about them.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_bodies_test {

using test::findings;
using test::read;

namespace fs = std::filesystem;

constexpr double kPi = std::numbers::pi;

const std::string kPlane = "linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n";  // 3 lines
const std::string kSpace = "linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, -9.81]\n";
const std::string kPoints = "[points]\nA = [0, 0, 0]\nB = [0, 0, 2]\n[bodies]\n";  // 4 lines

Body body(const std::string& entry) { return read(kSpace + kPoints + "b = " + entry + "\n").bodies.at(0); }

// In space, the body on line 8.
std::string findingsIn(const std::string& entry) { return findings(kSpace + kPoints + "b = " + entry + "\n"); }

void expectMoments(const Body& body, double xx, double yy, double zz) {
  ASSERT_TRUE(body.tensor);
  EXPECT_NEAR(body.tensor->xx.number, xx, 1e-13 * zz);
  EXPECT_NEAR(body.tensor->yy.number, yy, 1e-13 * zz);
  EXPECT_NEAR(body.tensor->zz.number, zz, 1e-13 * zz);
  EXPECT_EQ(body.tensor->xy.number, 0.0);
  EXPECT_EQ(body.inertia.number, body.tensor->zz.number);
}

TEST(BodiesInSpace, CylinderStartsAtFromWithItsXAxisAlong) {
  const Body b = body(R"({ cylinder = { from = "A", to = "B", radius = 0.1 }, density = 1000, free = true })");
  const double m = 1000 * kPi * 0.01 * 2;
  EXPECT_DOUBLE_EQ(b.mass.number, m);
  EXPECT_EQ(b.com[0].number, 1.0);
  EXPECT_EQ(b.com[2].number, 0.0);
  expectMoments(b, m * 0.01 / 2, m * (0.03 + 4) / 12, m * (0.03 + 4) / 12);
  const auto R = Rotation3<double>::fromQuaternion(b.drawn.rotation[0], b.drawn.rotation[1], b.drawn.rotation[2],
                                                   b.drawn.rotation[3]);
  EXPECT_NEAR(R.x.z, 1.0, 1e-15);
  ASSERT_EQ(b.points.size(), 2U);
  EXPECT_EQ(b.points[0].name, "A");
  EXPECT_EQ(b.points[1].at[0].number, 2.0);
  ASSERT_EQ(b.shapes.size(), 1U);
  EXPECT_EQ(b.shapes[0].kind, ShapeKind::cylinder);
  EXPECT_EQ(b.shapes[0].to[0], 2.0);
  EXPECT_EQ(b.shapes[0].radius, 0.1);
  EXPECT_TRUE(b.free);
}

TEST(BodiesInSpace, EverySolidHasItsClosedForm) {
  const Body tube =
      body(R"({ tube = { from = "A", to = "B", radius = 0.2, inner_radius = 0.1, length = 3 }, mass = 2 })");
  expectMoments(tube, 0.05, 2 * (0.15 + 9) / 12, 2 * (0.15 + 9) / 12);
  EXPECT_EQ(tube.points[1].at[0].number, 3.0);
  EXPECT_EQ(tube.shapes[0].inner_radius, 0.1);
  const Body tube_by_density =
      body(R"({ tube = { from = "A", to = "B", radius = 0.2, inner_radius = 0.1 }, density = 1000 })");
  EXPECT_NEAR(tube_by_density.mass.number, 1000 * kPi * 0.03 * 2, 1e-10);
  const Body sphere = body(R"({ sphere = { at = "B", radius = 0.5 }, density = "1 g/cm^3" })");
  EXPECT_NEAR(sphere.mass.number, 1000 * 4 * kPi / 3 / 8, 1e-10);
  expectMoments(sphere, 0.1 * sphere.mass.number, 0.1 * sphere.mass.number, 0.1 * sphere.mass.number);
  EXPECT_EQ(sphere.drawn.z, 2.0);
  EXPECT_EQ(sphere.points[0].name, "B");
  const Body capsule = body(R"({ capsule = { from = "A", to = "B", radius = 0.3 }, density = 10 })");
  EXPECT_NEAR(capsule.mass.number, 10 * (kPi * 0.09 * 2 + 4 * kPi / 3 * 0.027), 1e-13);
  EXPECT_EQ(capsule.shapes[0].kind, ShapeKind::capsule);
  const Body box = body(R"({ box = { at = [1, 2, 3], size = [1, 2, 3], rotation = { z = [1, 0, 0] } }, density = 2 })");
  EXPECT_DOUBLE_EQ(box.mass.number, 12.0);
  expectMoments(box, 13, 10, 5);
  EXPECT_NE(box.drawn.rotation, kNoTurn);
  const Body disc = body(R"({ disc = { at = "A", radius = 1, thickness = 0.5, axis = [1, 0, 0] }, density = 4 })");
  EXPECT_DOUBLE_EQ(disc.mass.number, 2 * kPi);
  expectMoments(disc, 2 * kPi * 3.25 / 12, 2 * kPi * 3.25 / 12, kPi);
  const Body flat = body(R"({ disc = { at = "A", radius = 1 }, density = "4 kg/m^2" })");
  EXPECT_DOUBLE_EQ(flat.mass.number, 4 * kPi);
  expectMoments(flat, kPi, kPi, 2 * kPi);
  EXPECT_EQ(flat.drawn.rotation, kNoTurn);
}

TEST(BodiesInSpace, ARodIsThinOrRound) {
  expectMoments(body(R"({ rod = ["A", "B"], mass = 3 })"), 0, 1, 1);
  const Body bar = body(R"({ rod = ["A", "B"], radius = 0.1, density = 1000 })");
  EXPECT_DOUBLE_EQ(bar.mass.number, 1000 * kPi * 0.01 * 2);
  EXPECT_NEAR(bar.tensor->xx.number, bar.mass.number * 0.005, 1e-12);
}

TEST(BodiesInSpace, SolidsKeepTheirLetters) {
  const Mechanism m = read(kSpace + R"toml([parameters]
L = 2
[bodies]
b = { sphere = { at = [0, 0, 0], radius = "L" }, mass = 5 }
)toml");
  EXPECT_EQ(symbolsOf(m.bodies[0].tensor->xx.expr), std::vector<std::string>{"L"});
  EXPECT_EQ(m.bodies[0].tensor->xx.number, 8.0);
}

TEST(BodiesInSpace, InertiaAboutTheOriginIsMovedToTheCentre) {
  const Body b = body(
      "{ mass = 2, com = [1, 0, 3], inertia = { xx = 20, yy = 25, zz = 4, xz = -6 }, "
      "inertia_about = \"origin\" }");
  expectMoments(b, 2, 5, 2);
  EXPECT_EQ(b.tensor->xz.number, 0.0);
  const Body same = body("{ mass = 2, com = [1, 0, 3], inertia = [2, 5, 4], inertia_about = \"com\" }");
  expectMoments(same, 2, 5, 4);
}

// A dumbbell along z, whose frame lies at B with x along the ground's z: two spheres of 1 kg at A and B, a handle of 2
// kg.
TEST(BodiesInSpace, PartsMakeOneBody) {
  const Body b = body(R"({ position = "B", rotation = { x = [0, 0, 1], y = [0, 1, 0] }, parts = [
  { sphere = { at = "A", radius = 0.1 }, mass = 1 },
  { sphere = { at = "B", radius = 0.1 }, mass = 1 },
  { cylinder = { from = "A", to = "B", radius = 0.05 }, mass = 2 }] })");
  EXPECT_EQ(b.mass.number, 4.0);
  EXPECT_NEAR(b.com[0].number, -1.0, 1e-15);
  EXPECT_NEAR(b.com[2].number, 0.0, 1e-15);
  const double across = 2 * (0.004 + 1.0) + 2 * (0.0075 + 4.0) / 12;
  ASSERT_TRUE(b.tensor);
  EXPECT_NEAR(b.tensor->xx.number, 0.008 + 0.0025, 1e-15);
  EXPECT_NEAR(b.tensor->yy.number, across, 1e-14);
  EXPECT_NEAR(b.tensor->zz.number, across, 1e-14);
  EXPECT_NEAR(b.tensor->xz.number, 0.0, 1e-14);
  ASSERT_EQ(b.shapes.size(), 3U);
  EXPECT_NEAR(b.shapes[0].from[0], -2.0, 1e-15);
  EXPECT_NEAR(b.shapes[2].to[0], 0.0, 1e-15);
  ASSERT_EQ(b.points.size(), 2U);
  EXPECT_EQ(b.points[0].name, "A");
  EXPECT_NEAR(b.points[0].at[0].number, -2.0, 1e-15);
}

// A joint at a point that a part names sits on the body there; a box that is turned brings products of inertia.
TEST(BodiesInSpace, PartsAreTurnedAndTheirPointsKnown) {
  const Mechanism m = read(kSpace + kPoints + R"toml(b = { parts = [
  { box = { at = [0, 0, 0], size = [1, 2, 3], rotation = { axis = [0, 0, 1], angle = "45 deg" } }, mass = 12 },
  { disc = { at = "B", radius = 1 }, density = 0 }] }
[joints]
B = { spherical = ["ground", "b"] }
)toml");
  const Tensor& J = *m.bodies[0].tensor;
  EXPECT_NEAR(J.xx.number, 11.5, 1e-13);  // half of 13 and 10
  EXPECT_NEAR(J.xy.number, 1.5, 1e-13);   // (13 - 10) / 2
  EXPECT_NEAR(J.zz.number, 5.0, 1e-13);
  EXPECT_NE(m.bodies[0].shapes[0].rotation, kNoTurn);
  EXPECT_EQ(m.joints[0].on_second.point[2].number, 2.0);
}

TEST(BodiesInSpace, WhatIsWrongWithParts) {
  EXPECT_EQ(findingsIn("{ parts = [] }"), R"(
m.toml:8:15: error: parts of body "b": expected a list of solids such as [{ sphere = { at = "P", radius = 0.1 }, mass = 1 }], got a list of 0.
)");
  EXPECT_EQ(
      findingsIn(R"({ parts = [3, {}, { sphere = { at = "A", radius = 1 }, mass = 1, density = 1 }, { spere = 1 }] })"),
      R"(
m.toml:8:16: error: part 1 of body "b": expected a table such as { sphere = { at = "P", radius = 0.1 }, mass = 1 }, got the number 3.
m.toml:8:19: error: part 2 of body "b": a part is one of cylinder, tube, capsule, sphere, box, disc.
m.toml:8:19: error: part 2 of body "b": mass is missing. Give mass or density.
m.toml:8:23: error: part 3 of body "b": mass and density are both given. Give mass or density.
m.toml:8:87: error: part 4 of body "b": unknown key "spere". Did you mean "sphere"? Allowed here: cylinder, tube, capsule, sphere, box, disc, mass, density.
)");
  EXPECT_EQ(findingsIn(R"({ parts = [{ sphere = { at = "A", radius = 1 }, mass = 0 }] })"), R"(
m.toml:8:15: error: parts of body "b": they have no mass together. Leave the parts out and write mass = 0.
)");
  EXPECT_EQ(findingsIn(R"({ parts = [{ sphere = { at = "A" }, mass = -1 }] })"), R"(
m.toml:8:18: error: sphere of part 1 of body "b": radius is missing.
m.toml:8:48: error: mass of part 1 of body "b" must not be negative, got -1.
)");
}

TEST(BodiesInSpace, WhatIsWrongWithASolid) {
  EXPECT_EQ(findingsIn(R"({ cylinder = { from = "A", to = "A", radius = 0.1 }, mass = 1 })"), R"(
m.toml:8:18: error: body "b": both ends of the cylinder are at the same place.
)");
  EXPECT_EQ(findingsIn(R"({ tube = { from = "A", to = "B", radius = 0.1, inner_radius = 0.1 }, mass = 1 })"), R"(
m.toml:8:67: error: inner_radius of tube of body "b" must be smaller than the radius, 0.1 m.
)");
  EXPECT_EQ(findingsIn(R"({ cylinder = { from = "A", radius = 0 } })"), R"(
m.toml:8:1: error: body "b": mass is missing. Give mass or density; write mass = 0 for a massless body.
m.toml:8:7: error: cylinder of body "b": to is missing. Give the name of a point or [x, y, z].
m.toml:8:41: error: radius of cylinder of body "b" must be positive, got 0.
)");
  EXPECT_EQ(findingsIn(R"({ sphere = 3, mass = 1 })"), R"(
m.toml:8:16: error: sphere of body "b": expected a table such as { at = "P", radius = 0.1 }, got the number 3.
)");
  EXPECT_EQ(findingsIn(R"({ box = { at = "A", size = [1, 0, 1] }, mass = 1 })"), R"(
m.toml:8:32: error: size of box of body "b" must be positive.
)");
  EXPECT_EQ(findingsIn(R"({ box = { at = "A", size = [1, 1] }, mass = 1 })"), R"(
m.toml:8:32: error: size of box of body "b": expected a list of three, [x, y, z], got a list of 2.
)");
  EXPECT_EQ(findingsIn(R"({ disc = { at = "A", radius = 1, axis = [0, 0, 0] }, mass = 1 })"), R"(
m.toml:8:45: error: axis of disc of body "b": [0, 0, 0] has no direction.
)");
  EXPECT_EQ(findingsIn(R"({ disc = { at = "A", radius = 1 }, density = "7 kg/m^3" })"), R"(
m.toml:8:50: error: density of body "b": expected a mass per area (kg/m^2), got a density (kg/m^3). Give the disc a thickness.
)");
  EXPECT_EQ(findingsIn(R"({ sphere = { at = "A", radius = 1 }, density = "7 kg/m" })"), R"(
m.toml:8:52: error: density of body "b": expected a density (kg/m^3), got a mass per length (kg/m).
)");
  EXPECT_EQ(findingsIn(R"({ rod = ["A", "B"], radius = 0.1, section = 0.1, density = 7 })"), R"(
m.toml:8:39: error: body "b": radius and section are both given. Give one of them.
)");
  EXPECT_EQ(findingsIn(R"({ sphere = { at = "A", radius = 1 }, box = {}, mass = 1 })"), R"(
m.toml:8:7: error: body "b": a body has one shape, but two are given.
)");
}

TEST(BodiesInSpace, WhatIsWrongWithInertia) {
  EXPECT_EQ(findingsIn("{ mass = 1, inertia = 3 }"), R"(
m.toml:8:27: error: inertia of body "b": expected [Jxx, Jyy, Jzz] or a table such as { xx = 1, yy = 1, zz = 2, xy = -0.1 }, got the number 3.
)");
  EXPECT_EQ(findingsIn("{ mass = 1, inertia = { xx = 1, yy = -1, xy = 0 } }"), R"(
m.toml:8:17: error: inertia of body "b": zz is missing.
m.toml:8:42: error: yy of inertia of body "b" must not be negative, got -1.
)");
  EXPECT_EQ(findingsIn("{ mass = 1, inertia = { xx = 1, yy = 1, zz = 1, xy = 2 } }"), R"(
m.toml:8:1: error: inertia of body "b" is not positive: its principal moments are -1, 1 and 3 kg m^2. xy, xz and yz are entries of the matrix: xy = - integral of x y dm. Are their signs and sizes right?
)");
  EXPECT_EQ(findingsIn("{ mass = 1, inertia = [1, 1, 3], points = { p = [1, 0, 0] }, free = true }"), R"(
m.toml:8:1: warning: inertia of body "b" belongs to no body: of its principal moments, 1, 1 and 3 kg m^2, the largest is larger than the sum of the others. Jxx + Jyy - Jzz is twice the integral of z^2 dm, and cannot be negative.
)");
  EXPECT_EQ(findingsIn("{ mass = 1, com = [2, 0, 0], inertia = [1, 1, 1], inertia_about = \"origin\" }"), R"(
m.toml:8:44: error: inertia of body "b" about the origin is smaller than mass times distance squared of the centre of mass: about that it would be -3 kg m^2. Is it given about the centre of mass? Then leave out inertia_about.
)");
  EXPECT_EQ(findingsIn("{ mass = 1, inertia = [1, 1, 1], inertia_about = \"here\" }"), R"(
m.toml:8:54: error: inertia_about of body "b": unknown word "here". Allowed here: com, origin.
)");
  EXPECT_EQ(findingsIn("{ sphere = { at = \"A\", radius = 1 }, mass = 1, inertia_about = \"origin\" }"), R"(
m.toml:8:52: error: body "b": inertia_about goes with inertia, which is missing.
)");
  EXPECT_EQ(findingsIn("{ mass = 1, inertia = [1, 1, 1], free = 1 }"), R"(
m.toml:8:45: error: free of body "b": expected true or false, got the number 1.
)");
}

TEST(BodiesInSpace, SuspiciousScale) {
  // 300 kg mm^2 written as kg m^2.
  EXPECT_EQ(findingsIn("{ mass = 1e-3, inertia = [100, 200, 300], points = { p = [0.1, 0, 0] }, free = true }"), R"(
m.toml:8:1: warning: body "b": sqrt(inertia/mass), its radius of gyration, is 548 m, 5477 times larger than its size, 0.1 m. Are the units of inertia, mass and lengths right?
)");
}

TEST(BodiesInSpace, ThinRodThatNothingKeepsFromSpinning) {
  const std::string text = kSpace + kPoints + R"toml(b = { rod = ["A", "B"], mass = 1 }
[joints]
J = { JOINT = ["ground", "b"], at = "A" }
)toml";
  const auto with = [&](const std::string& joint) {
    std::string changed = text;
    return findings(changed.replace(changed.find("JOINT"), 5, joint));
  };
  EXPECT_EQ(with("spherical"), R"(
m.toml:8:1: note: body "b" has no inertia about one axis, and no joint keeps it from turning about it. Give a rod a radius, or a small moment of inertia about its line.
)");
  EXPECT_EQ(with("fixed"), "\n");
}

// --- the plane

TEST(BodiesInThePlane, CarryAMatrixAndAnOffset) {
  const Mechanism m = read(kPlane + R"toml([bodies]
b = { mass = 2, com = [0.1, 0], z = "5 cm", inertia = { xx = 0.2, yy = 0.3, zz = 0.4, xz = 0.01 }, free = true }
c = { rod = [[0, 0], [1, 0]], mass = 1, z = 0.2, inertia = [0.1, 0.1, 0.1] }
d = { mass = 2, com = [0.1, 0], inertia = 0.42, inertia_about = "origin", free = true }
)toml");
  EXPECT_EQ(m.bodies[0].inertia.number, 0.4);
  ASSERT_TRUE(m.bodies[0].tensor);
  EXPECT_EQ(m.bodies[0].tensor->xz.number, 0.01);
  EXPECT_EQ(m.bodies[0].com[2].number, 0.05);
  EXPECT_EQ(m.bodies[0].com[0].number, 0.1);
  EXPECT_EQ(m.bodies[1].com[2].number, 0.2);
  EXPECT_EQ(m.bodies[1].com[0].number, 0.5);
  EXPECT_DOUBLE_EQ(m.bodies[2].inertia.number, 0.4);
  EXPECT_FALSE(m.bodies[2].tensor);
}

TEST(BodiesInThePlane, WhatThePlaneDoesNotShowIsNoted) {
  const std::string text = kPlane + R"toml([bodies]
b = { mass = 2, inertia = { xx = 0.2, yy = 0.3, zz = 0.4, xz = 0.01, yz = -0.02 }, points = { p = [0.3, 0] } }
c = { mass = 2, z = 0.1, inertia = 0.1, points = { p = [0.3, 0] }, free = true }
[joints]
J = { revolute = ["ground", "b"], at = [0, 0] }
K = { distance = ["ground.O", "b.p"] }
[points]
O = [1, 0]
)toml";
  EXPECT_EQ(findings(text), R"(
m.toml:5:1: note: body "b": Jxz = 0.01 kg m^2, Jyz = -0.02 kg m^2 leave the motion alone, but bring moments about x and y into joint "J" and "K", which a planar model does not have. --space spatial shows them.
m.toml:6:1: note: body "c": z = 0.1 m leaves the motion alone, but brings moments about x and y into its supports, which a planar model does not have. --space spatial shows them.
)");
}

TEST(BodiesInThePlane, SolidsOfSpaceAreNamedAsSuch) {
  EXPECT_EQ(findings(kPlane + "[bodies]\nb = { sphere = { at = [0, 0], radius = 1 }, mass = 1 }\n"), R"(
m.toml:5:7: error: body "b": unknown key "sphere". "sphere" is for files with space = "spatial". Allowed here: position, angle, mass, com, z, inertia, inertia_about, points, frames, free, rod, disc, box, mesh.
)");
}

// --- meshes

class MeshBodies : public ::testing::Test {
 protected:
  MeshBodies() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(LINKWORK_BINARY_DIR) / "mesh_bodies_test" / info->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "parts");
    write("parts/box.obj", kBox);
  }
  ~MeshBodies() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  std::string findings(const std::string& entry) const {
    Diagnostics diagnostics;
    (void)readModelText(kSpace + "[bodies]\nb = " + entry + "\n", (folder_ / "m.toml").string(), diagnostics);
    std::string shown = "\n";
    shown.append(diagnostics.format());
    const std::string prefix = (folder_ / "").string();
    for (std::size_t at = shown.find(prefix); at != std::string::npos; at = shown.find(prefix))
      shown.erase(at, prefix.size());
    const std::string bare = fs::weakly_canonical(folder_).string();
    for (std::size_t at = shown.find(bare); at != std::string::npos; at = shown.find(bare))
      shown.replace(at, bare.size(), "HERE");
    return shown;
  }

  Body read(const std::string& head, const std::string& entry) const {
    Diagnostics diagnostics;
    const auto m = readModelText(head + "[bodies]\nb = " + entry + "\n", (folder_ / "m.toml").string(), diagnostics);
    if (!m) throw std::runtime_error(diagnostics.format());
    return m->bodies[0];
  }

  // 100 x 200 x 300, one corner at the origin.
  static inline const std::string kVertices =
      "v 0 0 0\nv 100 0 0\nv 100 200 0\nv 0 200 0\nv 0 0 300\nv 100 0 300\nv 100 200 300\nv 0 200 300\n";
  static inline const std::string kBox =
      kVertices + "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
  fs::path folder_;
};

TEST_F(MeshBodies, ABoxFromAFile) {
  const Body b =
      read(kSpace, R"({ mesh = { file = "parts/box.obj", scale = "1 mm", density = 1000 }, position = [0, 0, 1] })");
  EXPECT_NEAR(b.mass.number, 6.0, 1e-13);
  EXPECT_NEAR(b.com[1].number, 0.1, 1e-15);
  ASSERT_TRUE(b.tensor);
  EXPECT_NEAR(b.tensor->xx.number, 0.065, 1e-14);  // 6 (0.04 + 0.09) / 12
  EXPECT_NEAR(b.tensor->zz.number, 0.025, 1e-14);
  EXPECT_NEAR(b.tensor->xy.number, 0.0, 1e-14);
  EXPECT_EQ(b.drawn.z, 1.0);
  ASSERT_EQ(b.shapes.size(), 1U);
  EXPECT_EQ(b.shapes[0].kind, ShapeKind::box);
  EXPECT_NEAR(b.shapes[0].size[2], 0.3, 1e-15);
  EXPECT_NEAR(b.shapes[0].from[2], 0.15, 1e-15);
  const Body by_mass = read(kSpace, R"({ mesh = { file = "parts/box.obj", scale = 0.001 }, mass = 12 })");
  EXPECT_NEAR(by_mass.tensor->xx.number, 0.13, 1e-14);
}

TEST_F(MeshBodies, InThePlaneItBringsItsMatrixAndItsHeight) {
  const Body b =
      read(kPlane, R"({ mesh = { file = "parts/box.obj", scale = "1 mm" }, density = 1000, angle = "30 deg" })");
  EXPECT_NEAR(b.inertia.number, 0.025, 1e-14);
  EXPECT_NEAR(b.com[2].number, 0.15, 1e-15);
  EXPECT_TRUE(b.tensor);
}

TEST_F(MeshBodies, WhatIsWrongWithAMesh) {
  write("open.obj", kVertices + "f 4 3 2 1\n");
  EXPECT_EQ(findings(R"({ mesh = { file = "open.obj" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": "open.obj": the mesh is open: 4 of its edges are not shared by two triangles, the first from (0, 0, 0) to (100, 0, 0). Close its holes in the program that made it, or give mass, com and inertia.
)");
  write("twisted.obj", kVertices + "f 1 2 3 4\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  EXPECT_EQ(findings(R"({ mesh = { file = "twisted.obj" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": "twisted.obj": the mesh is wound both ways: the triangles on either side of 4 of its edges do not agree where outside is, the first from (0, 0, 0) to (100, 0, 0). Let the program that made it point all normals outside.
)");
  write("turned.obj", kVertices + "f 1 2 3 4\nf 8 7 6 5\nf 5 6 2 1\nf 6 7 3 2\nf 7 8 4 3\nf 8 5 1 4\nf 1 1 1\n");
  EXPECT_EQ(findings(R"({ mesh = { file = "turned.obj" }, density = 1, free = true })"), R"(
m.toml:5:23: warning: mesh of body "b": "turned.obj" is inside out: seen from outside its triangles go clockwise, and its volume is negative. It is taken the other way round; flip its normals to be rid of this.
m.toml:5:23: note: mesh of body "b": 1 of the 13 triangles of "turned.obj" have no area.
)");
  write("bad.obj", "v 0 0 0\nv 0 x 0\n");
  EXPECT_EQ(findings(R"({ mesh = { file = "bad.obj" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": "bad.obj", line 2: expected a finite number, got "x".
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "none.stl" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": "none.stl" cannot be read: there is no such file.
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "../other.stl" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": "../other.stl" lies outside the folder of the main file, HERE. Files that a model names stand beside the main file or in folders below it.
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "part.step" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": "part.step" is of no known kind. Meshes are .stl or .obj files.
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "" }, density = 1 })"), R"(
m.toml:5:23: error: mesh of body "b": this is not the name of a file.
)");
}

TEST_F(MeshBodies, WhatIsWrongWithItsEntry) {
  EXPECT_EQ(findings(R"({ mesh = "parts/box.obj", density = 1 })"), R"(
m.toml:5:14: error: mesh of body "b": expected a table such as { file = "part.stl", scale = "1 mm" }, got the string "parts/box.obj".
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "parts/box.obj", scale = 0 } })"), R"(
m.toml:5:1: error: body "b": mass is missing. Give mass or density; write mass = 0 for a massless body.
m.toml:5:48: error: scale of mesh of body "b" must be positive, got 0.
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "parts/box.obj", density = 1 }, density = 2 })"), R"(
m.toml:5:55: error: body "b": density is given twice. Give it beside the mesh or inside its table.
)");
  EXPECT_EQ(findings(R"({ mesh = { file = "parts/box.obj", density = 1 }, mass = 2 })"), R"(
m.toml:5:40: error: body "b": mass and density are both given. Give one of them.
)");
}

// Many bodies of one file: it is read once, and what is wrong with it is said for each of them at its own place.
TEST_F(MeshBodies, RepeatedBodiesShareOneFile) {
  Diagnostics diagnostics;
  const auto m = readModelText(kSpace + R"toml([repeat]
i = { from = 1, to = 300 }
[bodies]
"b{i}" = { mesh = { file = "parts/box.obj", scale = "1 mm" }, density = 1000, position = [0, 0, "{i}"], free = true }
)toml",
                               (folder_ / "m.toml").string(), diagnostics);
  ASSERT_TRUE(m) << diagnostics.format();
  EXPECT_EQ(m->bodies.size(), 300U);
  EXPECT_NEAR(m->bodies[299].mass.number, 6.0, 1e-13);
  // What it was made of counts in the fingerprint of a result.
  ASSERT_EQ(m->included.size(), 1U);
  EXPECT_NE(m->included[0].file_name.find("box.obj"), std::string::npos);
  EXPECT_FALSE(m->included[0].text.empty());
}

}  // namespace model_file_bodies_test
}  // namespace linkwork
