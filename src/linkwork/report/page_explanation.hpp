// The worked solution on the page: what `linkwork explain` writes for the start of a motion, as data in sections.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Null where there is none: in space, or where the mechanism cannot be assembled. Without sections where it would be
// too long to read.
nlohmann::ordered_json explanationJson(const Mechanism& mechanism);

}  // namespace linkwork
