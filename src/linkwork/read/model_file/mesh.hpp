// `mesh = { file = "part.stl", scale = "1 mm" }` of a body: the file found, read once, and what it encloses.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// What the body takes from the mesh, in metres and with density 1 (so that the mass is the volume), body axes.
struct MeshEntry {
  Value volume;
  Point com{};
  Tensor tensor;  // about the centre of mass
  Shape shape;    // the box around it
};

// `node` is the table after the word mesh, `what` the body. nullopt after messages.
std::optional<MeshEntry> readMesh(Reader& reader, const Node& node, const std::string& what);

}  // namespace linkwork::model_file
