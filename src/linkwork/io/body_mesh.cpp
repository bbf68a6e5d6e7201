#include "linkwork/io/body_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/io/mesh_file.hpp"

namespace linkwork {

namespace {

// The body's box was made from the same numbers: it differs by their rounding only.
constexpr double kRounding = 1e-12;

std::array<double, 3> numbers(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

// The scale that makes the bounds the shape; 0 if none does.
double scaleTo(const Shape& shape, const MeshBounds& bounds) {
  const std::array<double, 3> size = numbers(bounds.high - bounds.low);
  const std::array<double, 3> centre = numbers((bounds.low + bounds.high) * 0.5);
  const auto longest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  if (!(size[longest] > 0.0)) return 0.0;
  const double scale = shape.size[longest] / size[longest];
  const double room = kRounding * (shape.size[longest] + std::abs(centre[longest] * scale));
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(shape.size[k] - scale * size[k]) > room || std::abs(shape.from[k] - scale * centre[k]) > room)
      return 0.0;
  }
  return scale;
}

}  // namespace

MeshFinder::MeshFinder(const Mechanism& mechanism) {
  for (const IncludedFile& file : mechanism.included) {
    const std::optional<MeshFormat> format = meshFormatOf(file.file_name);
    if (!format) continue;
    auto parsed = parseMesh(file.text, *format);
    auto* mesh = std::get_if<TriangleMesh>(&parsed);
    if (mesh == nullptr || mesh->vertices.empty()) continue;
    const MeshBounds bounds = boundsOf(*mesh);
    entries_.push_back({std::move(*mesh), bounds});
  }
}

std::optional<TriangleMesh> MeshFinder::meshOf(const Body& body) const {
  if (body.shapes.size() != 1 || body.shapes[0].kind != ShapeKind::box) return std::nullopt;
  for (const Entry& entry : entries_) {
    const double scale = scaleTo(body.shapes[0], entry.bounds);
    if (!(scale > 0.0)) continue;
    TriangleMesh mesh = entry.mesh;
    for (Vec3<double>& vertex : mesh.vertices) vertex = vertex * scale;
    return mesh;
  }
  return std::nullopt;
}

}  // namespace linkwork
