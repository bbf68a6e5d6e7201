// Flexible links on a page: their elements and what is recorded along them.
#pragma once

#include <nlohmann/json.hpp>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

nlohmann::ordered_json linksJson(const Mechanism& mechanism, const Result& result);

}  // namespace linkwork
