// Loads of a model file that are spread along a flexible link.
#pragma once

#include <string>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// The entry has the key `force_per_length`. Adds a force for each element of the link; false after messages.
bool readForcePerLength(Reader& reader, const Node& entry, const std::string& what);

}  // namespace linkwork::model_file
