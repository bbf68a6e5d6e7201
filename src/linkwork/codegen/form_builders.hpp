// What the builders of all forms share: letters of the model, and the equations of loops.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

// The parameters of the model as letters; those that are formulas of others become lines. Where the program has the
// letter for something else already, the parameter's number is to be put in its place: these are given back.
std::map<std::string, Expr> addModelParameters(const Mechanism& mechanism, EquationProgram& program);

// The same mechanism with nothing pulling it down: gravity is then left to the kernels.
Mechanism withoutGravity(Mechanism mechanism);

// Writes lines for the lengths, directions and forces of springs and dampers of the plane; the expressions with these
// names in the place of what they stand for.
std::vector<Expr> withNamedSprings(const Mechanism& mechanism, const AbsoluteEquations<Planar<Expr>>& equations,
                                   const AbsoluteEquations<Planar<Expr>>::Work& work, std::vector<Expr> es,
                                   EquationProgram& program);

// All rows of joints and drives left out.
RowFilter withoutAllRows(const Mechanism& mechanism);

// Constraint rows P x = gamma beside H x = b + P^T F:  x = x0 + sum X_r F_r,  (P X) F = gamma - P x0
struct LoopEquations {
  std::vector<Expr> x0;              // H^-1 b
  std::vector<std::vector<Expr>> X;  // H^-1 P_r^T of each row
  std::vector<std::vector<Expr>> P;  // rows
  std::vector<Expr> gamma;
};

// Puts the block that finds the multipliers F into the program; x, and the multipliers as `la_r`.
struct LoopSolution {
  std::vector<Expr> x, F;
};
LoopSolution solveLoops(const LoopEquations& loops, EquationProgram& program);

// Derivatives of each residual by each of the symbols, row by row, with all lines put in.
std::vector<Expr> derivatives(const EquationProgram& program, const std::vector<Expr>& residuals,
                              const std::vector<Expr>& by);

std::vector<Expr> inputsNamed(EquationProgram& program, const char* letter, int primes, SymbolRole role,
                              const char* array, int count, const char* unit, const std::string& meaning);

void outputVector(EquationProgram& program, const char* letter, std::vector<Expr> entries, std::string meaning);
void outputMatrix(EquationProgram& program, const char* letter, int rows, int cols, std::vector<Expr> entries,
                  std::string meaning);

// The builders; the request has been checked by whyNotForm.
EquationProgram absoluteProgram(const Mechanism& mechanism, const EquationRequest& request);
EquationProgram linkageProgram(const Mechanism& mechanism, const EquationRequest& request);
EquationProgram recursiveProgram(const Mechanism& mechanism, const EquationRequest& request);

}  // namespace linkwork
