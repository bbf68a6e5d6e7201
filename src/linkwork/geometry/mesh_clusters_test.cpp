#include "linkwork/geometry/mesh_clusters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace linkwork {
namespace mesh_clusters_test {

// A sphere of radius 1 by longitude and latitude; 2 n (n - 1) triangles.
TriangleMesh sphereOf(int n) {
  TriangleMesh mesh;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = std::numbers::pi * i / n;
      const double b = 2.0 * std::numbers::pi * j / n;
      mesh.vertices.push_back({std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)});
    }
  }
  const auto at = [n](int i, int j) { return static_cast<std::uint32_t>(i * n + j % n); };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (i > 0) mesh.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
      if (i < n - 1) mesh.triangles.push_back({at(i, j + 1), at(i + 1, j), at(i + 1, j + 1)});
    }
  }
  return mesh;
}

TEST(MeshClusters, LeavesASmallMeshAsItIs) {
  const TriangleMesh mesh = sphereOf(12);
  const TriangleMesh out = coarsened(mesh, mesh.triangles.size());
  EXPECT_EQ(out.triangles, mesh.triangles);
}

// The volume shrinks by about the square of a cell's size: a fifth of the triangles still fill 95 % of the ball.
TEST(MeshClusters, KeepsTheFormWithFewerTriangles) {
  const TriangleMesh mesh = sphereOf(80);
  const std::size_t most = mesh.triangles.size() / 5;
  const TriangleMesh out = coarsened(mesh, most);
  EXPECT_LE(out.triangles.size(), most);
  EXPECT_GT(out.triangles.size(), most / 3);
  const double ball = 4.0 / 3.0 * std::numbers::pi;
  EXPECT_NEAR(std::abs(integrate(out).mass), ball, 0.05 * ball);
  for (const Vec3<double>& v : out.vertices) EXPECT_NEAR(std::sqrt(dot(v, v)), 1.0, 0.02);
}

TEST(MeshClusters, GivesNothingRatherThanTooMuch) { EXPECT_TRUE(coarsened(sphereOf(20), 1).triangles.empty()); }

}  // namespace mesh_clusters_test
}  // namespace linkwork
