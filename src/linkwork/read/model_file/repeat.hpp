// [repeat]: an entry whose name holds {i} stands for one entry for each i of its range.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

struct WrittenOut {
  std::vector<Node> sections;  // those that hold placeholders, as they are without
  bool good = true;            // false after an error: what refers to the entries could not be understood

  // Such a section, else that of the file; null if it has none.
  const Node* find(const Node& root, std::string_view section) const;
};

// Writes out all entries of the given sections of `root` that hold placeholders. Of the parameters only the values are
// needed, which may not be read yet.
WrittenOut expandRepeats(Reader& reader, const Node& root, const std::vector<std::string>& sections);

}  // namespace linkwork::model_file
