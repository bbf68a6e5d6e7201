#include "linkwork/geometry/mesh_outline.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

namespace linkwork {

namespace {

constexpr double kSmallPiece = 1e-3;  // of the area of the box
constexpr double kStraight = 1e-9;    // twice the area of a corner, of the area of the box: no corner

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// Twice the area of the triangle a b c, positive where it is counter-clockwise.
double turn(const std::array<double, 2>& a, const std::array<double, 2>& b, const std::array<double, 2>& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double areaOf(const Outline& outline) {
  double twice = 0.0;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const auto& a = outline[k];
    const auto& b = outline[(k + 1) % outline.size()];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return 0.5 * twice;
}

// Without the corners at which it goes straight on.
Outline cornersOf(const Outline& outline, double box_area) {
  Outline out;
  for (std::size_t k = 0; k < outline.size(); ++k) {
    const auto& before = out.empty() ? outline.back() : out.back();
    if (std::abs(turn(before, outline[k], outline[(k + 1) % outline.size()])) > kStraight * box_area)
      out.push_back(outline[k]);
  }
  return out;
}

}  // namespace

std::vector<Outline> outlinesFromAbove(const TriangleMesh& mesh) {
  if (mesh.vertices.empty()) return {};
  const auto above = [&](std::uint32_t vertex) { return std::array{mesh.vertices[vertex].x, mesh.vertices[vertex].y}; };
  const MeshBounds bounds = boundsOf(mesh);
  const double box_area = (bounds.high.x - bounds.low.x) * (bounds.high.y - bounds.low.y);

  // Edges of what faces up that are passed one way alone: where it goes on over an edge, that is passed back too.
  std::set<Edge> border;
  for (const auto& [a, b, c] : mesh.triangles) {
    if (!(turn(above(a), above(b), above(c)) > kStraight * kSmallPiece * box_area)) continue;
    for (const Edge& edge : {Edge{a, b}, Edge{b, c}, Edge{c, a}}) {
      if (border.erase({edge.second, edge.first}) == 0) border.insert(edge);
    }
  }

  std::vector<Outline> out;
  while (!border.empty()) {
    const std::uint32_t start = border.begin()->first;
    std::uint32_t at = start;
    Outline whole;
    do {
      const auto next = border.lower_bound({at, 0});
      if (next == border.end() || next->first != at) break;  // of an open mesh
      whole.push_back(above(at));
      at = next->second;
      border.erase(next);
    } while (at != start);
    if (areaOf(whole) > kSmallPiece * box_area) out.push_back(cornersOf(whole, box_area));
  }
  return out;
}

}  // namespace linkwork
