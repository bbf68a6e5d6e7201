// What verbs that run a model print at the end: the ledger, the largest loads of the joints, and how the run went in
// two lines of letters.
#pragma once

#include <string_view>

#include "linkwork/result/result.hpp"

namespace linkwork::app {

// `analysis`: what was done, where it was no simulation.
void printSummary(const Result& result, std::string_view analysis = {});

}  // namespace linkwork::app
