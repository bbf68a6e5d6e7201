// TriangleMesh: a closed surface of triangles, the mass properties of what it encloses, and what may be wrong with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "linkwork/geometry/mass_properties.hpp"

namespace linkwork {

struct TriangleMesh {
  std::vector<Vec3<double>> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise, seen from outside
};

// Vertices at exactly the same place become one. Files that list the corners of each triangle need it.
void weld(TriangleMesh& mesh);

struct MeshEdge {
  Vec3<double> from, to;
};

// An edge is sound if as many triangles pass it one way as the other: then the surface has no border.
struct MeshFaults {
  std::size_t open_edges = 0;  // passed by an odd number of triangles
  std::optional<MeshEdge> first_open;
  std::size_t twisted_edges = 0;  // passed by an even number, but not as often either way
  std::optional<MeshEdge> first_twisted;
  std::size_t flat_triangles = 0;  // without area
};
// Of a welded mesh.
MeshFaults findFaults(const TriangleMesh& mesh);

// Of the enclosed volume with density 1 (so that the mass is the volume), exact but for rounding. With the winding the
// other way round the volume is negative, and mass, centre and inertia are those of a negative density.
MassProperties<double> integrate(const TriangleMesh& mesh);

struct MeshBounds {
  Vec3<double> low, high;
};
// Of a mesh with vertices.
MeshBounds boundsOf(const TriangleMesh& mesh);

}  // namespace linkwork
