// The equations of a planar hinged linkage laid out with the paper's letters, entry by entry, with numbers at one
// state.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/codegen/explain.hpp"

namespace linkwork {

// rud, statement1 to statement6, sweep, elimination.
std::vector<std::string> linkageFormNames();

// At the state x = [q, v, ...] in absolute coordinates, of a motion that began at `start`. Where the mechanism is no
// planar hinged linkage, the problem says what is in the way. [docs/theory/08]
Explanation explainLinkage(const Mechanism& mechanism, std::string_view form, double t, std::span<const double> x,
                           const Assembly& start = {});

}  // namespace linkwork
