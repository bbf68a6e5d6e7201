#include "linkwork/io/body_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/io/model_file.hpp"

namespace linkwork {
namespace {

Mechanism bracket() {
  Diagnostics diagnostics;
  auto mechanism = readModelFile(LINKWORK_MODELS_DIR "/swinging_bracket.toml", diagnostics);
  EXPECT_TRUE(mechanism) << diagnostics.format();
  return *mechanism;
}

// models/parts/bracket.obj: 120 x 200 x 40 mm with legs of 30 mm.
TEST(BodyMesh, IsFoundInMetres) {
  const Mechanism m = bracket();
  const auto mesh = MeshFinder(m).meshOf(m.bodies[0]);
  ASSERT_TRUE(mesh);
  const MeshBounds bounds = boundsOf(*mesh);
  EXPECT_NEAR(bounds.high.x, 0.120, 1e-15);
  EXPECT_NEAR(bounds.high.y, 0.200, 1e-15);
  EXPECT_NEAR(bounds.high.z, 0.040, 1e-15);
  EXPECT_NEAR(integrate(*mesh).mass, (0.12 * 0.03 + 0.03 * 0.17) * 0.04, 1e-12);
}

TEST(BodyMesh, IsNotFoundForABoxOfItsOwn) {
  Mechanism m = bracket();
  m.bodies[0].shapes[0].size[1] *= 1.0 + 1e-6;
  EXPECT_FALSE(MeshFinder(m).meshOf(m.bodies[0]));
  m = bracket();
  m.bodies[0].shapes[0].from[0] += 1e-6;
  EXPECT_FALSE(MeshFinder(m).meshOf(m.bodies[0]));
  m = bracket();
  m.included.clear();
  EXPECT_FALSE(MeshFinder(m).meshOf(m.bodies[0]));
}

}  // namespace
}  // namespace linkwork
