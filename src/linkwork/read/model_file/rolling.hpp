// Joints of bodies that roll without slip and of blades that do not move sideways.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// "rolling" or "knife_edge" among the keys of an entry of [joints]; null: it is another kind of joint.
const Node* rollingWordIn(const Node& entry);

// Reads such an entry; `word` is the key of its kind.
std::optional<Joint> readRolling(Reader& reader, const Node& entry, const Node& word);
std::optional<Joint> readKnifeEdge(Reader& reader, const Node& entry, const Node& word);

}  // namespace linkwork::model_file
