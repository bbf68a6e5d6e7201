#include "linkwork/read/body_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace body_mesh_test {

Mechanism bracket() {
  Diagnostics diagnostics;
  auto mechanism = readModelFile(LINKWORK_MODELS_DIR "/swinging_bracket.toml", diagnostics);
  EXPECT_TRUE(mechanism) << diagnostics.format();
  return *mechanism;
}

// models/parts/bracket.obj: 120 x 200 x 40 mm with legs of 30 mm.
TEST(BodyMesh, IsFoundInMetres) {
  const Mechanism m = bracket();
  const auto mesh = MeshFinder(m).meshOf(m.bodies[0].shapes[0]);
  ASSERT_TRUE(mesh);
  const MeshBounds bounds = boundsOf(*mesh);
  EXPECT_NEAR(bounds.high.x, 0.120, 1e-15);
  EXPECT_NEAR(bounds.high.y, 0.200, 1e-15);
  EXPECT_NEAR(bounds.high.z, 0.040, 1e-15);
  EXPECT_NEAR(integrate(*mesh).mass, (0.12 * 0.03 + 0.03 * 0.17) * 0.04, 1e-12);
}

// Not by the boxes around them, which may be the same.
TEST(BodyMesh, IsFoundByItsFile) {
  Mechanism m = bracket();
  m.included.insert(m.included.begin(), m.included.back());
  m.included.front().file_name = "other.obj";
  m.included.front().text = "v 0 0 0\nv 120 0 0\nv 0 200 0\nv 0 0 40\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto bracket_mesh = MeshFinder(m).meshOf(m.bodies[0].shapes[0]);
  ASSERT_TRUE(bracket_mesh);
  EXPECT_GT(bracket_mesh->triangles.size(), 4U);
  Shape other = m.bodies[0].shapes[0];
  other.mesh_file = "other.obj";
  const auto found = MeshFinder(m).meshOf(other);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->triangles.size(), 4U);
}

TEST(BodyMesh, IsNotFoundForABoxOfItsOwnOrWithoutTheFile) {
  Mechanism m = bracket();
  EXPECT_FALSE(MeshFinder(m).meshOf(Shape{}));
  const Shape shape = m.bodies[0].shapes[0];
  m.included.clear();
  EXPECT_FALSE(MeshFinder(m).meshOf(shape));
}

}  // namespace body_mesh_test
}  // namespace linkwork
