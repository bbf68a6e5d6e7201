// The page of a run: what a mechanism and its result make the report say and draw.
#pragma once

#include <string>
#include <vector>

#include "linkwork/files/page_file.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// All that the page shows but the recorded numbers, as one JSON object.
std::string pageOutline(const Mechanism& mechanism, const Result& result, const std::vector<std::string>& warnings);

// The data block of the page, from the outline and the numbers.
std::string pageData(const Mechanism& mechanism, const Result& result, const std::vector<std::string>& warnings);

}  // namespace linkwork
