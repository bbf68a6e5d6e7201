// The springs in the place of a joint's constraints, as the model file gives them.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// `joint` is what messages call it: joint "C". Nullopt after a message.
std::optional<Compliance> readCompliance(Reader& reader, const Node& node, const std::string& joint, JointKind kind);

}  // namespace linkwork::model_file
