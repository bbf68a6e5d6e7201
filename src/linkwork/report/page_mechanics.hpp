// What the page needs of a mechanism to draw free bodies, polygons and instant centres: masses, names of the motions,
// and all that acts on each body (viewer/DATA.md, "Mechanics").
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

nlohmann::ordered_json mechanicsJson(const Mechanism& mechanism, const Result& result);

}  // namespace linkwork
