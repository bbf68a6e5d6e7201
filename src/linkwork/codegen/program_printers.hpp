// Programs of equations as text, LaTeX, MathML, and functions in C, C++, Python, MATLAB and Julia.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "linkwork/codegen/program_steps.hpp"

namespace linkwork {

// What a person reads: names, lines, aliases, equations, outputs, with the operations of each line.
std::string programText(const EquationProgram& program);
std::string programLatex(const EquationProgram& program);   // a whole document
std::string programMathml(const EquationProgram& program);  // a whole page

// Functions that can be compiled and called.
std::string programC(const ProgramSteps& steps);
std::string programCpp(const ProgramSteps& steps);
std::string programPython(const ProgramSteps& steps);
std::string programMatlab(const ProgramSteps& steps);
std::string programJulia(const ProgramSteps& steps);

// What none of the programming languages can express, in words; nothing where all is well.
std::optional<std::string> whyNotCode(const ProgramSteps& steps);

}  // namespace linkwork
