#include "linkwork/geometry/mesh_outline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "linkwork/geometry/meshes_for_tests.hpp"

namespace linkwork {
namespace mesh_outline_test {

using ::testing::UnorderedElementsAre;

double areaOf(const Outline& outline) {
  double twice = 0.0;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const auto& a = outline[k];
    const auto& b = outline[(k + 1) % outline.size()];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * twice;
}

TEST(MeshOutline, OfABoxIsItsRectangle) {
  const auto found = outlinesFromAbove(test::boxMesh({-1, -2, -3}, {1, 2, 3}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0], UnorderedElementsAre(std::array{-1.0, -2.0}, std::array{1.0, -2.0}, std::array{1.0, 2.0},
                                             std::array{-1.0, 2.0}));
  EXPECT_DOUBLE_EQ(areaOf(found[0]), 8.0);  // counter-clockwise
}

TEST(MeshOutline, DoesNotDependOnWhichSideIsOutside) {
  TriangleMesh mesh = test::boxMesh({-1, -2, -3}, {1, 2, 3});
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  const auto found = outlinesFromAbove(mesh);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_DOUBLE_EQ(areaOf(found[0]), 8.0);
}

// 24 corners on the circle: 0.5 n sin(2 pi / n) r^2. The hole of the tube is not shown.
TEST(MeshOutline, OfARoundPartSeenFromItsEndIsThePolygon) {
  for (TriangleMesh mesh : {test::cylinderMesh(0.3, 2.0, 24), test::tubeMesh(0.3, 2.0, 1.0, 24)}) {
    for (Vec3<double>& v : mesh.vertices) v = {v.y, v.z, v.x};  // its axis along z
    const auto found = outlinesFromAbove(mesh);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].size(), 24U);
    EXPECT_NEAR(areaOf(found[0]), 0.5 * 24 * std::sin(2.0 * std::numbers::pi / 24) * 4.0, 1e-12);
  }
}

TEST(MeshOutline, OfTwoBoxesOneOverTheOtherHasBoth) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {4, 1, 1});
  const TriangleMesh other = test::boxMesh({3, 0.5, 2}, {5, 3, 4});
  const auto shift = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& [a, b, c] : other.triangles) mesh.triangles.push_back({a + shift, b + shift, c + shift});
  auto found = outlinesFromAbove(mesh);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_DOUBLE_EQ(areaOf(found[0]) + areaOf(found[1]), 9.0);
}

TEST(MeshOutline, OfWhatStandsOnEdgeOrIsNotThereIsEmpty) {
  EXPECT_TRUE(outlinesFromAbove({}).empty());
  TriangleMesh flat = test::boxMesh({0, 0, 0}, {4, 0, 1});
  EXPECT_TRUE(outlinesFromAbove(flat).empty());
}

// Open, and with a corner at which two pieces touch: whatever comes out, it ends.
TEST(MeshOutline, SurvivesABrokenMesh) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {4, 1, 1});
  mesh.triangles.resize(3);
  mesh.triangles.push_back({4, 4, 4});
  EXPECT_LE(outlinesFromAbove(mesh).size(), 1U);
}

}  // namespace mesh_outline_test
}  // namespace linkwork
