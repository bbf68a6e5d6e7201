#include "linkwork/read/body_mesh.hpp"

#include "linkwork/read/mesh_file.hpp"

namespace linkwork {

MeshFinder::MeshFinder(const Mechanism& mechanism) {
  for (const IncludedFile& file : mechanism.included) {
    const std::optional<MeshFormat> format = meshFormatOf(file.file_name);
    if (!format) continue;
    auto parsed = parseMesh(file.text, *format);
    if (auto* mesh = std::get_if<TriangleMesh>(&parsed)) meshes_.emplace(file.file_name, std::move(*mesh));
  }
}

std::optional<TriangleMesh> MeshFinder::meshOf(const Shape& shape) const {
  const auto found = meshes_.find(shape.mesh_file);
  if (found == meshes_.end() || found->second.vertices.empty()) return std::nullopt;
  TriangleMesh mesh = found->second;
  for (Vec3<double>& vertex : mesh.vertices) vertex = vertex * shape.mesh_scale;
  return mesh;
}

}  // namespace linkwork
