// What the symbols of a program are called, in text, in LaTeX and in program code, and the order in which people read
// them.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "linkwork/codegen/equation_program.hpp"
#include "linkwork/codegen/expr_order.hpp"

namespace linkwork {

// Jc_32, al_1', m_d2; with indices above 9 somewhere in the program, separated: Jc_10,2.
std::string textName(const SymbolName& name, bool separated);

// J^{c}_{3,2}, \dot{\alpha}_{1}, m_{d2}; names of the model as symbolLatex writes them.
std::string latexName(const SymbolName& name);

// Jc_3_2, md_2; not yet safe from keywords.
std::string codeName(const SymbolName& name);

// Whether some index has two digits.
bool needsSeparators(const EquationProgram& program);

// Hands out names that are legal and free in all languages we write: a name that is a keyword or belongs to a library
// of one of them, or that is taken, gets an underscore at its end (and another).
class CodeNames {
 public:
  // Every call takes the name; `wanted` may hold any characters.
  std::string take(const std::string& wanted);

 private:
  std::unordered_map<std::string, int> taken_;
};

// A letter, digits and underscores only.
std::string legalName(const std::string& wanted);
bool isReservedName(const std::string& name);

// Terms: with accelerations first, then efforts, positions, rates, unknowns, parameters, coefficients, the rest; a
// positive one in front if there is any. Factors: parameters, coefficients, brackets, functions, efforts, then
// unknowns, rates, accelerations. Equals in the order in which the program made them.
void arrangeForReading(const EquationProgram& program, std::vector<Fraction>& terms);

}  // namespace linkwork
