// Joints that hold a point on a curve.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// Reads an entry of [joints] whose kind is `word`, a curve.
std::optional<Joint> readCurve(Reader& reader, const Node& entry, const Node& word);

}  // namespace linkwork::model_file
