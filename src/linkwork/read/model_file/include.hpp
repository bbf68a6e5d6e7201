// [include]: another model file as a part of this one, with its own prefix, parameters and place.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// Keeps the text, each file once, for the record of what was read.
void listIncluded(Session& session, const std::string& shown, const std::string& text);
// The same; false if it is too much together.
bool countIncluded(Session& session, const std::string& shown, const std::string& text);

void readIncludes(Reader& reader, const Node& section);

// Puts everything that `part` has read into `whole`: names get the prefix, and what `part` calls ground axes stands at
// `placement` in the ground axes of `whole`.
void mergePart(Reader& whole, Reader& part, const std::string& prefix, const DrawnPose& placement);

}  // namespace linkwork::model_file
