// [include]: another model file as a part of this one, with its own prefix, parameters and place.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// A file that another names: it must lie in the folder of the main file or below.
struct FileSearch {
  std::filesystem::path path;  // canonical
  std::string shown;           // for messages
  std::string problem, hint;   // not empty: why it may not be read
};
FileSearch findBeside(const Session& session, const Source& from, const std::string& name);
// Keeps the text, each file once, for the record of what was read; false if it is too much together.
bool countIncluded(Session& session, const std::string& shown, const std::string& text);

Session startSession(const std::string& file_name, Diagnostics& diagnostics, const ReadOptions& options);

void readIncludes(Reader& reader, const Node& section);

// Puts everything that `part` has read into `whole`: names get the prefix, and what `part` calls ground axes stands at
// `placement` in the ground axes of `whole`.
void mergePart(Reader& whole, Reader& part, const std::string& prefix, const DrawnPose& placement);

}  // namespace linkwork::model_file
