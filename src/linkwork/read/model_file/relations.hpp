// Joints that relate the coordinates of others (gear, rack, coupling, mimic, expression, velocity) or hold a point on a
// curve.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// The words of such joints, in the order of the reference page; behind the first ones what other programs call them.
const std::vector<std::string>& relationWords();
inline constexpr std::ptrdiff_t kCanonicalRelations = 7;

// The first such word among the keys of an entry of [joints]; null: it is another kind of joint.
const Node* relationWordIn(const Node& entry);

// A formula that is linear in rates, such as that of a velocity = "...".
struct RateForm {
  Expr formula;
  RelationUnit unit;  // for each second
};
// Ways out of a formula without rates, and of one that is not linear in them.
struct RateFormHints {
  const char* no_rate;
  const char* not_linear;
  const char* kind = "a constraint";
};
std::optional<RateForm> readRateForm(Reader& reader, const Node& node, const std::string& of,
                                     const RateFormHints& hints);

// Reads such an entry. Relations name other joints, so that all of those must have been read.
std::optional<Joint> readRelation(Reader& reader, const Node& entry);

}  // namespace linkwork::model_file
