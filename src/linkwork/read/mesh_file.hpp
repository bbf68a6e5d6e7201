// Mesh files: the bytes of an STL (text or binary) or OBJ file to triangles, with what is wrong and on which line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "linkwork/geometry/triangle_mesh.hpp"

namespace linkwork {

enum class MeshFormat { stl, obj };

// By the end of the name, in capitals or not.
std::optional<MeshFormat> meshFormatOf(std::string_view file_name);

inline constexpr std::size_t kMostMeshBytes = std::size_t{64} << 20;

struct MeshError {
  int line = 0;         // 0 in a binary file
  std::string message;  // without a dot at the end
};

// The triangles as written, welded; an OBJ face with more corners is cut into triangles from its first one.
std::variant<TriangleMesh, MeshError> parseMesh(std::string_view bytes, MeshFormat format);

// What a body takes from a mesh, in the units of the file and with density 1.
struct MeshSolid {
  MassProperties<double> solid;  // of positive volume
  MeshBounds bounds;
  std::size_t triangles = 0;
  std::size_t flat_triangles = 0;
  bool inside_out = false;  // wound the other way round, and taken so
};

// An error if the surface is open, is wound both ways, or encloses nothing.
std::variant<MeshSolid, MeshError> solidOf(const TriangleMesh& mesh);

}  // namespace linkwork
