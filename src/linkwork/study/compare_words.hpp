// What a comparison says in words: names of runs, and the verdict.
#pragma once

#include <string>
#include <vector>

#include "linkwork/study/compare.hpp"

namespace linkwork {

// What differs between the runs besides the formulation; only that is named.
struct VariedParts {
  bool stabilisation = false;
  bool integrator = false;
  bool space = false;
};

// "absolute without stabilisation", "recursive with baumgarte by rk4 in space".
std::string labelOf(const ComparedMethod& method, const VariedParts& varied);

// "All five agree to 3e-09 (most in the accelerations); `absolute without stabilisation` has drifted to 0.002 by t = 20
// s, and parts from the others at t = 3.1 s in joint B." Runs that do not apply are not in it.
std::string verdictOf(const Comparison& comparison);

// Whether a run ends at another time than the reference, by more than is allowed: an event came to it alone, say.
bool endsApart(const Comparison& comparison, const ComparedRun& run);

// Why runs do not apply, each reason once: "linkage in space: the mechanism moves in space, ...".
std::vector<std::string> reasonsOf(const std::vector<ComparedRun>& runs);

// "two", ..., "twelve", "13".
std::string countInWords(std::size_t count);

}  // namespace linkwork
