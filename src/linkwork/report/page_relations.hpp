// Gears, racks, couplings and formulas as the page has them: the coordinates they relate; where these are is the page's
// concern.
#pragma once

#include <nlohmann/json.hpp>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// viewer/DATA.md, "relations".
nlohmann::ordered_json relationsJson(const Mechanism& mechanism);

}  // namespace linkwork
