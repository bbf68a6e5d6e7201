#include "linkwork/geometry/mesh_clusters.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace linkwork {

namespace {

using Cell = std::array<int, 3>;

// With `cells` cells along the longest side of the box around the mesh.
TriangleMesh clustered(const TriangleMesh& mesh, int cells) {
  const MeshBounds bounds = boundsOf(mesh);
  const Vec3<double> size = bounds.high - bounds.low;
  const double step = std::max({size.x, size.y, size.z}) / cells;
  const auto index = [&](double at, double low) {
    return std::clamp(static_cast<int>(std::floor((at - low) / step)), 0, cells - 1);
  };
  TriangleMesh out;
  std::map<Cell, std::uint32_t> number;
  std::vector<int> members;
  std::vector<std::uint32_t> cluster;
  cluster.reserve(mesh.vertices.size());
  for (const Vec3<double>& vertex : mesh.vertices) {
    const Cell cell{index(vertex.x, bounds.low.x), index(vertex.y, bounds.low.y), index(vertex.z, bounds.low.z)};
    const auto [place, is_new] = number.try_emplace(cell, static_cast<std::uint32_t>(out.vertices.size()));
    if (is_new) {
      out.vertices.push_back({0.0, 0.0, 0.0});
      members.push_back(0);
    }
    out.vertices[place->second] = out.vertices[place->second] + vertex;
    ++members[place->second];
    cluster.push_back(place->second);
  }
  for (std::size_t k = 0; k < members.size(); ++k) out.vertices[k] = out.vertices[k] * (1.0 / members[k]);
  std::set<std::array<std::uint32_t, 3>> seen;
  for (const auto& [a, b, c] : mesh.triangles) {
    std::array<std::uint32_t, 3> corner{cluster[a], cluster[b], cluster[c]};
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
    // The same triangle once, whichever corner it starts with.
    std::rotate(corner.begin(), std::min_element(corner.begin(), corner.end()), corner.end());
    if (seen.insert(corner).second) out.triangles.push_back(corner);
  }
  return out;
}

}  // namespace

TriangleMesh coarsened(const TriangleMesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  constexpr int kFinest = 256;
  for (int cells = kFinest; cells > 1; cells = cells * 4 / 5) {
    TriangleMesh out = clustered(mesh, cells);
    if (out.triangles.size() <= most) return out;
  }
  return {};
}

}  // namespace linkwork
