// A comparison as tables of text: for the terminal, and for a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "linkwork/codegen/text_table.hpp"
#include "linkwork/study/converge.hpp"

namespace linkwork {

// Each with a row of heads. Runs that do not apply are in neither of the first two.
TextTable differenceTable(const Comparison& comparison);  // relative, from the reference; where each parts from it
TextTable effortTable(const Comparison& comparison);      // time reached, drift, energy balance, counts, time
TextTable convergenceTable(const Convergence& convergence);

// Settings and provenance that all runs share, as the results say them.
std::vector<std::pair<std::string, std::string>> commonSettings(const Comparison& comparison);
std::vector<std::pair<std::string, std::string>> provenanceOf(const Comparison& comparison);

}  // namespace linkwork
