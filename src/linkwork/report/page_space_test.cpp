#include "linkwork/report/page_space.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace page_space_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result runBy(const std::string& formulation) {
  Result result;
  result.settings = {{"formulation", formulation}};
  return result;
}

Mechanism inSpace() {
  return test::read(R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
O = [0, 0, 0]
A = [1, 0, 0]
[bodies]
arm   = { rod = ["O", "A"], radius = 0.02, mass = 1 }
plate = { position = "A", mass = 3, inertia = [0.1, 0.1, 0.2] }
[joints]
O = { revolute = ["ground", "arm"], axis = [0, 1, 0] }
A = { spherical = ["arm", "plate"] }
[loads]
push  = { force = [0, 0, 1], on = "plate", at = "A", axes = "body" }
twist = { couple = 2, on = "arm", axis = [0, 1, 0] }
)");
}

TEST(PageInSpace, GivesPosesByPositionAndQuaternion) {
  const SpaceDrawing drawing = drawingInSpace(inSpace(), runBy("absolute"));
  EXPECT_THAT(drawing.bodies[0]["pose"], ElementsAre("arm.x", "arm.y", "arm.z", "arm.orientation.w",
                                                     "arm.orientation.x", "arm.orientation.y", "arm.orientation.z"));
  EXPECT_EQ(drawing.bodies[0]["shapes"][0]["kind"], "rod");
  EXPECT_EQ(drawing.bodies[0]["shapes"][0]["radius"], 0.02);
  EXPECT_TRUE(drawing.notes.empty());
}

// The frame of a hinge has the axis as its z.
TEST(PageInSpace, GivesFramesAsPointAndTurn) {
  const SpaceDrawing drawing = drawingInSpace(inSpace(), runBy("absolute"));
  const auto& frame = drawing.joints[0]["second"];
  EXPECT_EQ(frame["body"], "arm");
  const auto& q = frame["turn"];
  const double w = q[0];
  const double x = q[1];
  const double y = q[2];
  const double z = q[3];
  // In arm axes, which are those of the ground as drawn. Unit quaternions of double precision.
  EXPECT_NEAR(2 * (y * z - w * x), 1.0, 1e-12);
  EXPECT_NEAR(1 - 2 * (x * x + y * y), 0.0, 1e-12);
  EXPECT_EQ(drawing.joints[0]["first"]["body"], nullptr);
}

// Without a shape in the file a body gets the solid that its inertia describes: here a disc of radius 2 * 0.2 / 3.
TEST(PageInSpace, OffersAStandInForABodyWithoutShape) {
  const SpaceDrawing drawing = drawingInSpace(inSpace(), runBy("absolute"));
  EXPECT_TRUE(drawing.bodies[1]["shapes"].empty());
  EXPECT_EQ(drawing.bodies[1]["stand_in"]["kind"], "disc");
  EXPECT_NEAR(drawing.bodies[1]["stand_in"]["radius"].get<double>(), std::sqrt(0.4 / 3.0), 1e-12);
  EXPECT_FALSE(drawing.bodies[0].contains("stand_in"));
}

TEST(PageInSpace, NamesTheSeriesOfLoads) {
  const SpaceDrawing drawing = drawingInSpace(inSpace(), runBy("absolute"));
  EXPECT_THAT(drawing.loads[0]["force"], ElementsAre("push.force.x", "push.force.y", "push.force.z"));
  EXPECT_EQ(drawing.loads[1]["moment"], "twist.moment");
}

// The bracket of models/parts: 12 corners, 20 triangles, in mm.
TEST(PageInSpace, HoldsTheTrianglesOfAMesh) {
  Diagnostics diagnostics;
  const auto m = readModelFile(LINKWORK_MODELS_DIR "/swinging_bracket.toml", diagnostics);
  ASSERT_TRUE(m) << diagnostics.format();
  const SpaceDrawing drawing = drawingInSpace(*m, runBy("absolute"));
  const auto& shape = drawing.bodies[0]["shapes"][0];
  EXPECT_EQ(shape["kind"], "mesh");
  EXPECT_EQ(shape["vertices"].get<std::string>().size(), 4U * 12U * 3U * 4U / 3U);
  EXPECT_EQ(shape["triangles"].get<std::string>().size(), 4U * 20U * 3U * 4U / 3U);
  EXPECT_TRUE(drawing.notes.empty());
}

// A strip of 2 n triangles, more than a page takes for one body.
TEST(PageInSpace, ThinsALargeMeshAndSaysSo) {
  Mechanism m = inSpace();
  const int n = 15'000;
  std::string text;
  for (int k = 0; k <= n; ++k) text += fmt::format("v {} 0 0\nv {} 200 1\n", k, k);
  for (int k = 0; k < n; ++k) text += fmt::format("f {} {} {} {}\n", 2 * k + 1, 2 * k + 3, 2 * k + 4, 2 * k + 2);
  m.included.push_back({"strip.obj", text});
  Shape box;
  box.kind = ShapeKind::box;
  box.size = {n, 200.0, 1.0};
  box.from = {n / 2.0, 100.0, 0.5};
  box.mesh_file = "strip.obj";
  m.bodies[0].shapes = {box};
  const SpaceDrawing drawing = drawingInSpace(m, runBy("absolute"));
  ASSERT_EQ(drawing.notes.size(), 1U);
  EXPECT_THAT(drawing.notes[0], HasSubstr("body \"arm\" has 30000 triangles; it is drawn with"));
}

}  // namespace page_space_test
}  // namespace linkwork
