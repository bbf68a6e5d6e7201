// The page of the equations of a mechanism: the sections as mathematics, what all forms cost, the assembled pose.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/equation_program.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// The data block (files/page_file.hpp). `still`: the assembled pose with one sample; without samples nothing is drawn.
// `command` prints the same equations.
std::string equationsPageData(const Mechanism& mechanism, const EquationProgram& program,
                              const std::vector<FormCost>& costs, const Result& still, const std::string& command,
                              const std::vector<std::string>& warnings);

}  // namespace linkwork
