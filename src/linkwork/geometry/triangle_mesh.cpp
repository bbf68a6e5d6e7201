#include "linkwork/geometry/triangle_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace linkwork {

namespace {

auto key(const Vec3<double>& a) { return std::tie(a.x, a.y, a.z); }

// An edge between two vertices, the lower number first, and whether a triangle passes it that way.
struct Side {
  std::uint32_t low, high;
  bool forward;
};

bool isFlat(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& triangle) {
  const Vec3<double>& a = mesh.vertices[triangle[0]];
  const Vec3<double> ab = mesh.vertices[triangle[1]] - a;
  const Vec3<double> ac = mesh.vertices[triangle[2]] - a;
  const Vec3<double> bc = ac - ab;
  const Vec3<double> normal = cross(ab, ac);
  const double longest = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  // Twice the area against the square of the longest side: below 1e-12 the corners are on one line but for rounding.
  return !(std::sqrt(dot(normal, normal)) > 1e-12 * longest);
}

std::vector<Side> sidesOf(const TriangleMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = triangle[k];
      const std::uint32_t b = triangle[(k + 1) % 3];
      if (a != b) sides.push_back({std::min(a, b), std::max(a, b), a < b});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return std::tie(a.low, a.high) < std::tie(b.low, b.high); });
  return sides;
}

}  // namespace

void weld(TriangleMesh& mesh) {
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&mesh](std::uint32_t a, std::uint32_t b) {
    const auto left = key(mesh.vertices[a]);
    const auto right = key(mesh.vertices[b]);
    return left == right ? a < b : left < right;
  });
  std::vector<std::uint32_t> kept(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool same = k > 0 && key(mesh.vertices[order[k]]) == key(mesh.vertices[order[k - 1]]);
    kept[order[k]] = same ? kept[order[k - 1]] : order[k];
  }
  for (auto& triangle : mesh.triangles) {
    for (std::uint32_t& corner : triangle) corner = kept[corner];
  }
}

MeshFaults findFaults(const TriangleMesh& mesh) {
  MeshFaults faults;
  for (const auto& triangle : mesh.triangles) faults.flat_triangles += isFlat(mesh, triangle) ? 1U : 0U;
  const std::vector<Side> sides = sidesOf(mesh);
  for (std::size_t begin = 0; begin < sides.size();) {
    const Side& first = sides[begin];
    std::size_t end = begin;
    std::size_t forward = 0;
    for (; end < sides.size() && sides[end].low == first.low && sides[end].high == first.high; ++end)
      forward += sides[end].forward ? 1U : 0U;
    const std::size_t count = end - begin;
    const MeshEdge edge{mesh.vertices[first.low], mesh.vertices[first.high]};
    if (count % 2 == 1) {
      if (faults.open_edges++ == 0) faults.first_open = edge;
    } else if (2 * forward != count) {
      if (faults.twisted_edges++ == 0) faults.first_twisted = edge;
    }
    begin = end;
  }
  return faults;
}

// Each triangle makes a tetrahedron with a common point, with the volume V = a . (b x c) / 6 and
// integral of r dV = V (a + b + c) / 4,  integral of r r^T dV = V (a a^T + b b^T + c c^T + s s^T) / 20,  s = a + b + c.
MassProperties<double> integrate(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return {};
  // A common point near the solid keeps the terms from cancelling.
  const MeshBounds bounds = boundsOf(mesh);
  const Vec3<double> origin = (bounds.low + bounds.high) * 0.5;
  double volume = 0.0;
  Vec3<double> first;
  Symmetric3<double> second;  // integral of r r^T
  const auto outer = [](const Vec3<double>& a) {
    return Symmetric3<double>{a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
  };
  for (const auto& triangle : mesh.triangles) {
    const Vec3<double> a = mesh.vertices[triangle[0]] - origin;
    const Vec3<double> b = mesh.vertices[triangle[1]] - origin;
    const Vec3<double> c = mesh.vertices[triangle[2]] - origin;
    const Vec3<double> s = a + b + c;
    const double V = dot(a, cross(b, c)) / 6.0;
    volume += V;
    first += s * (V / 4.0);
    for (const Vec3<double>& corner : {a, b, c, s}) second += outer(corner) * (V / 20.0);
  }
  if (volume == 0.0) return {};
  const Vec3<double> com = first * (1.0 / volume);
  // J = tr(S) I - S about the origin, then Steiner backwards.
  Symmetric3<double> J{
      second.yy + second.zz, second.xx + second.zz, second.xx + second.yy, -second.xy, -second.xz, -second.yz};
  J += steiner(-volume, com);
  return {volume, origin + com, J};
}

MeshBounds boundsOf(const TriangleMesh& mesh) {
  MeshBounds bounds;
  bool empty = true;
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) {
      const Vec3<double>& p = mesh.vertices[corner];
      if (empty) bounds = {p, p};
      empty = false;
      bounds.low = {std::min(bounds.low.x, p.x), std::min(bounds.low.y, p.y), std::min(bounds.low.z, p.z)};
      bounds.high = {std::max(bounds.high.x, p.x), std::max(bounds.high.y, p.y), std::max(bounds.high.z, p.z)};
    }
  }
  return bounds;
}

}  // namespace linkwork
