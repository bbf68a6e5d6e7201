// What a mesh encloses, and what is found to be wrong with it.
#include "linkwork/geometry/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "linkwork/geometry/meshes_for_tests.hpp"

namespace linkwork {
namespace triangle_mesh_test {

// The tetrahedron of the unit axes: V = 1/6, centre at 1/4, and about the corner integral of x^2 dV = 1/60, of x y dV =
// 1/120.
TEST(TriangleMesh, TetrahedronHasItsClosedForm) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const MassProperties<double> solid = integrate(mesh);
  EXPECT_NEAR(solid.mass, 1.0 / 6.0, 1e-16);
  EXPECT_NEAR(solid.com.x, 0.25, 1e-16);
  // Jxx = 2/60 - V (2/16), Jxy = -1/120 + V/16
  EXPECT_NEAR(solid.inertia.xx, 1.0 / 30.0 - 1.0 / 48.0, 1e-16);
  EXPECT_NEAR(solid.inertia.xy, -1.0 / 120.0 + 1.0 / 96.0, 1e-16);
  EXPECT_NEAR(solid.inertia.yz, solid.inertia.xy, 1e-16);
}

TEST(TriangleMesh, FarFromTheOriginNothingIsLost) {
  const MassProperties<double> near = integrate(test::boxMesh({0, 0, 0}, {1, 2, 3}));
  const MassProperties<double> far = integrate(test::boxMesh({1e6, 1e6, 1e6}, {1e6 + 1, 1e6 + 2, 1e6 + 3}));
  EXPECT_DOUBLE_EQ(far.mass, near.mass);
  EXPECT_DOUBLE_EQ(far.inertia.xx, near.inertia.xx);
  EXPECT_DOUBLE_EQ(far.com.x, 1e6 + 0.5);
}

TEST(TriangleMesh, ACavityIsTakenAway) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {3, 3, 3});
  const TriangleMesh hole = test::boxMesh({1, 1, 1}, {2, 2, 2});
  for (const auto& vertex : hole.vertices) mesh.vertices.push_back(vertex);
  for (auto triangle : hole.triangles) mesh.triangles.push_back({triangle[0] + 8, triangle[2] + 8, triangle[1] + 8});
  EXPECT_EQ(findFaults(mesh).open_edges, 0U);
  EXPECT_NEAR(integrate(mesh).mass, 26.0, 1e-13);
}

TEST(TriangleMesh, ClosedMeshHasNoFaults) {
  for (const TriangleMesh& mesh :
       {test::boxMesh({0, 0, 0}, {1, 1, 1}), test::sphereMesh(1.0, 8), test::tubeMesh(1.0, 0.5, 0.2, 9)}) {
    const MeshFaults faults = findFaults(mesh);
    EXPECT_EQ(faults.open_edges, 0U);
    EXPECT_EQ(faults.twisted_edges, 0U);
    EXPECT_EQ(faults.flat_triangles, 0U);
  }
}

TEST(TriangleMesh, MissingTriangleLeavesThreeOpenEdges) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {1, 1, 1});
  mesh.triangles.pop_back();
  const MeshFaults faults = findFaults(mesh);
  EXPECT_EQ(faults.open_edges, 3U);
  ASSERT_TRUE(faults.first_open);
  EXPECT_EQ(faults.first_open->from.x, 1.0);
  EXPECT_EQ(faults.first_open->to.x, 1.0);
  EXPECT_EQ(faults.twisted_edges, 0U);
}

TEST(TriangleMesh, TurnedTriangleTwistsThreeEdges) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {1, 1, 1});
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  EXPECT_EQ(findFaults(mesh).open_edges, 0U);
  EXPECT_EQ(findFaults(mesh).twisted_edges, 3U);
}

TEST(TriangleMesh, InsideOutHasANegativeVolume) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {1, 1, 1});
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  EXPECT_EQ(findFaults(mesh).twisted_edges, 0U);
  EXPECT_NEAR(integrate(mesh).mass, -1.0, 1e-15);
  EXPECT_NEAR(integrate(mesh).com.x, 0.5, 1e-15);
}

// Two boxes that share an edge only: four triangles pass it, twice either way.
TEST(TriangleMesh, BoxesThatTouchInAnEdgeAreSound) {
  TriangleMesh mesh = test::boxMesh({0, 0, 0}, {1, 1, 1});
  const TriangleMesh other = test::boxMesh({1, 1, 0}, {2, 2, 1});
  for (const auto& vertex : other.vertices) mesh.vertices.push_back(vertex);
  for (auto t : other.triangles) mesh.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  weld(mesh);
  const MeshFaults faults = findFaults(mesh);
  EXPECT_EQ(faults.open_edges + faults.twisted_edges, 0U);
  EXPECT_NEAR(integrate(mesh).mass, 2.0, 1e-14);
}

TEST(TriangleMesh, FlatTrianglesAreCounted) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 0, 3}};
  EXPECT_EQ(findFaults(mesh).flat_triangles, 2U);
  EXPECT_EQ(integrate(mesh).mass, 0.0);
}

TEST(TriangleMesh, NothingEnclosesNothing) {
  EXPECT_EQ(integrate({}).mass, 0.0);
  EXPECT_EQ(findFaults({}).open_edges, 0U);
}

}  // namespace triangle_mesh_test
}  // namespace linkwork
