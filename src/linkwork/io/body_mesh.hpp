// The triangles of bodies that were read from mesh files, for drawing. A mechanism keeps of a mesh the box around it
// and the text of the file; a body is made of the file whose box, times one scale, is the body's own.
#pragma once

#include <optional>
#include <vector>

#include "linkwork/geometry/triangle_mesh.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

class MeshFinder {
 public:
  // Reads every mesh file that the model file names.
  explicit MeshFinder(const Mechanism& mechanism);

  // In body axes and metres; nullopt for a body that is no mesh.
  std::optional<TriangleMesh> meshOf(const Body& body) const;

 private:
  struct Entry {
    TriangleMesh mesh;
    MeshBounds bounds;
  };
  std::vector<Entry> entries_;
};

}  // namespace linkwork
