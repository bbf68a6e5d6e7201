// [include]: another model file as a part of this one, with its own prefix, parameters and place.
#pragma once

#include "linkwork/io/model_file/reader.hpp"

namespace linkwork::model_file {

// A path without links and dots, and whether it lies in a folder or below it.
std::filesystem::path wholePath(const std::filesystem::path& path);
bool isInside(const std::filesystem::path& folder, const std::filesystem::path& path);

Session startSession(const std::string& file_name, Diagnostics& diagnostics, const ReadLimits& limits);

void readIncludes(Reader& reader, const Node& section);

// Puts everything that `part` has read into `whole`: names get the prefix, and what `part` calls ground axes stands at
// `placement` in the ground axes of `whole`.
void mergePart(Reader& whole, Reader& part, const std::string& prefix, const DrawnPose& placement);

}  // namespace linkwork::model_file
