// The differences of a comparison over time as one SVG drawing that loads nothing.
#pragma once

#include <string>

#include "linkwork/files/compare_file.hpp"

namespace linkwork {

// A panel with logarithmic scale for each aspect and one for the drift, a line for each run; of every stretch of
// samples the greatest value is drawn. What is zero lies on the lower edge.
std::string compareSvg(const CompareReport& report);

}  // namespace linkwork
