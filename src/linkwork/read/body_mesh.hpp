// The triangles of bodies that were read from mesh files, for drawing. A mechanism keeps of a mesh the box around it,
// which says the file and its scale, and the text of the file.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "linkwork/geometry/triangle_mesh.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

class MeshFinder {
 public:
  // Reads every mesh file that the model file names.
  explicit MeshFinder(const Mechanism& mechanism);

  // In body axes and metres; nullopt for a shape that is no mesh.
  std::optional<TriangleMesh> meshOf(const Shape& shape) const;

 private:
  std::map<std::string, TriangleMesh> meshes_;  // by the names of their files
};

}  // namespace linkwork
