// A mesh with fewer triangles, for drawing: vertices that share a cell of a grid become one, in their mean.
#pragma once

#include <cstddef>

#include "linkwork/geometry/triangle_mesh.hpp"

namespace linkwork {

// The mesh itself if it has at most `most` triangles, else one made on the finest of a row of ever coarser grids that
// has no more. Triangles that lose a corner are left out, so that the surface may have changed its topology.
TriangleMesh coarsened(const TriangleMesh& mesh, std::size_t most);

}  // namespace linkwork
