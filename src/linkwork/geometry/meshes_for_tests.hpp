// Meshes of known solids, wound counter-clockwise seen from outside, for tests.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>

#include "linkwork/geometry/triangle_mesh.hpp"

namespace linkwork::test {

inline TriangleMesh boxMesh(const Vec3<double>& low, const Vec3<double>& high) {
  TriangleMesh mesh;
  for (int k = 0; k < 8; ++k) {
    mesh.vertices.push_back(
        {(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z});
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// A surface of revolution about x: rings at profile(s), s = 0..1, which give (x, radius). With `closed` the last ring
// is the first one (a tube); without, the ends are on the axis.
inline TriangleMesh revolved(const std::vector<std::array<double, 2>>& profile, std::uint32_t around, bool closed) {
  TriangleMesh mesh;
  for (const auto& [x, r] : profile) {
    for (std::uint32_t k = 0; k < around; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / around;
      mesh.vertices.push_back(r == 0.0 ? Vec3<double>{x, 0.0, 0.0}
                                       : Vec3<double>{x, r * std::cos(angle), r * std::sin(angle)});
    }
  }
  const auto rings = static_cast<std::uint32_t>(profile.size());
  for (std::uint32_t i = 0; i + (closed ? 0 : 1) < rings; ++i) {
    const std::uint32_t next = (i + 1) % rings;
    for (std::uint32_t k = 0; k < around; ++k) {
      const std::uint32_t a = i * around + k;
      const std::uint32_t b = i * around + (k + 1) % around;
      const std::uint32_t c = next * around + k;
      const std::uint32_t d = next * around + (k + 1) % around;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  weld(mesh);
  std::erase_if(mesh.triangles, [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  return mesh;
}

// n rings from pole to pole, 2 n around.
inline TriangleMesh capsuleMesh(double length, double radius, std::uint32_t n) {
  std::vector<std::array<double, 2>> profile;
  for (std::uint32_t i = 0; i <= n; ++i) {
    const double angle = std::numbers::pi / 2.0 * i / n;
    profile.push_back({-radius * std::cos(angle), i == 0 ? 0.0 : radius * std::sin(angle)});
  }
  const std::size_t half = profile.size();
  for (std::size_t i = half; i-- > 0;) profile.push_back({length - profile[i][0], profile[i][1]});
  if (length == 0.0) profile.erase(profile.begin() + static_cast<std::ptrdiff_t>(half));
  return revolved(profile, 4 * n, false);
}

inline TriangleMesh sphereMesh(double radius, std::uint32_t n) { return capsuleMesh(0.0, radius, n); }

inline TriangleMesh cylinderMesh(double length, double radius, std::uint32_t n) {
  return revolved({{0.0, 0.0}, {0.0, radius}, {length, radius}, {length, 0.0}}, n, false);
}

inline TriangleMesh tubeMesh(double length, double radius, double inner_radius, std::uint32_t n) {
  return revolved({{0.0, inner_radius}, {0.0, radius}, {length, radius}, {length, inner_radius}}, n, true);
}

}  // namespace linkwork::test
