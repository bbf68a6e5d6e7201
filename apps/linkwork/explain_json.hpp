// An explanation as one JSON object: sections with their tables.
#pragma once

#include <string>

#include "linkwork/codegen/explain.hpp"

namespace linkwork::app {

std::string explanationJson(const Explanation& explanation, const Mechanism& mechanism);

}  // namespace linkwork::app
