// A program of equations as one JSON object; docs/reference/equations.md says what is in it.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/equation_counts.hpp"

namespace linkwork::app {

// `costs`: of all forms, where they were asked for; `forms`: those of which it says whether they fit.
std::string equationsJson(const Mechanism& mechanism, const EquationRequest& request, const EquationProgram& program,
                          const std::vector<FormCost>& costs, const std::vector<WrittenForm>& forms);

}  // namespace linkwork::app
