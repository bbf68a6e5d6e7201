// A result with one sample: what is seen of a mechanism in one state, for pages that show a pose and no run.
#pragma once

#include <span>
#include <string>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// x: [q, v, work] in absolute coordinates, as of the assembled start or later. Where the state cannot be observed the
// result has no samples, and its message says why. Expects assembly.ok.
Result stillResult(const Mechanism& mechanism, const Assembly& assembly, double t, std::span<const double> x);

}  // namespace linkwork
