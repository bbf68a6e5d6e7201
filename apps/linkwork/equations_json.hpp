// A program of equations as one JSON object; docs/reference/equations.md says what is in it.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/equation_counts.hpp"

namespace linkwork::app {

// `costs`: of all forms, where they were asked for.
std::string equationsJson(const Mechanism& mechanism, const EquationRequest& request, const EquationProgram& program,
                          const std::vector<FormCost>& costs);

}  // namespace linkwork::app
