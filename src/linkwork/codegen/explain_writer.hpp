// An Explanation as text for a terminal and as a LaTeX document.
#pragma once

#include <string>

#include "linkwork/codegen/explain.hpp"

namespace linkwork {

// Numbers are rounded to ten significant digits. A table too wide to read is written as a list of what is not zero.
std::string explanationText(const Explanation& explanation);

// An entry of a table or legend as it stands there.
std::string entryText(const Expr& entry);

// A complete document that needs amsmath, geometry and graphicx only; wide matrices are made smaller to fit the line.
std::string explanationLatex(const Explanation& explanation);

}  // namespace linkwork
