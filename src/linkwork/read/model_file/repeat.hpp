// [repeat]: an entry whose name holds {i} stands for one entry for each i of its range.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// Writes out all entries of the given sections of `root` that hold placeholders. Of the parameters only the values are
// needed, which may not be read yet. False after an error: what refers to the entries could not be understood.
bool expandRepeats(Reader& reader, Node& root, const std::vector<std::string>& sections);

}  // namespace linkwork::model_file
