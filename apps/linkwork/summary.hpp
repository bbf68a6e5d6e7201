// What verbs that run a model print at the end: the ledger, the largest loads of the joints, and how the run went in
// two lines of letters.
#pragma once

#include "linkwork/result/result.hpp"

namespace linkwork::app {

void printSummary(const Result& result);

}  // namespace linkwork::app
