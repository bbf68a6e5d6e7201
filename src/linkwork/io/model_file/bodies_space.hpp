// What bodies have in space alone: inertia as a matrix.
#pragma once

#include "linkwork/io/model_file/reader.hpp"

namespace linkwork::model_file {

// `inertia` in space: [Jxx, Jyy, Jzz] or a table of entries of the matrix.
std::optional<Tensor> readTensor(Reader& reader, const Node& node, const std::string& what);

// Sets the matrix, and with it the moment about z that motion in the plane would need.
void setTensor(Body& body, const Tensor& tensor);

Tensor unitTensor();

// About the middle, the rod along x: thin if the radius is zero, else a solid cylinder.
Tensor rodTensor(const Value& mass, const Value& length, const Value& radius);

}  // namespace linkwork::model_file
