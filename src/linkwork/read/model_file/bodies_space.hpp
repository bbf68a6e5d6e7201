// The inertia of a body as a matrix.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// `inertia` as a matrix: [Jxx, Jyy, Jzz] or a table of its entries.
std::optional<Tensor> readTensor(Reader& reader, const Node& node, const std::string& what);

// Sets the matrix, and with it the moment about z that motion in the plane would need.
void setTensor(Body& body, const Tensor& tensor);

Tensor unitTensor();

}  // namespace linkwork::model_file
