// Programs of equations as text, LaTeX, MathML, and functions in C, C++, Python, MATLAB and Julia.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/codegen/program_steps.hpp"

namespace linkwork {

// What a person reads: names, lines, aliases, equations, outputs, with the operations of each line.
std::string programText(const EquationProgram& program);
std::string programLatex(const EquationProgram& program);   // a whole document
std::string programMathml(const EquationProgram& program);  // a whole page

// The same, chapter by chapter, to be put into another page: nothing but <math> elements.
struct MathmlChapter {
  std::string title;
  std::string mathml;
};
std::vector<MathmlChapter> mathmlChapters(const EquationProgram& program);

// Functions that can be compiled and called.
std::string programC(const ProgramSteps& steps);
std::string programCpp(const ProgramSteps& steps);
std::string programPython(const ProgramSteps& steps);
std::string programMatlab(const ProgramSteps& steps);
std::string programJulia(const ProgramSteps& steps);

// What none of the programming languages can express, in words; nothing where all is well.
std::optional<std::string> whyNotCode(const ProgramSteps& steps);

}  // namespace linkwork
