// What the builders of all forms share: letters of the model, and the equations of loops.
#pragma once

#include <fmt/format.h>

#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

// The parameters of the model as letters; those that are formulas of others become lines. Where the program has the
// letter for something else already, the parameter's number is to be put in its place: these are given back.
std::map<std::string, Expr> addModelParameters(const Mechanism& mechanism, EquationProgram& program);

// The same mechanism with nothing pulling it down and no inertia against turning in space, so that its forces are those
// of the loads alone: weight and gyroscopic moments are left to the kernels.
Mechanism withLoadsAlone(Mechanism mechanism);

// The same mechanism with quarter and third turns of its frames as quaternions of whole numbers, which need not be of
// length one: their rotations are then free of the round-off that would stand in every formula.
Mechanism withExactTurns(Mechanism mechanism);

// Writes lines for the lengths, directions and forces of springs and dampers of the plane; the expressions with these
// names in the place of what they stand for.
std::vector<Expr> withNamedSprings(const Mechanism& mechanism, const AbsoluteEquations<Planar<Expr>>& equations,
                                   const AbsoluteEquations<Planar<Expr>>::Work& work, std::vector<Expr> es,
                                   EquationProgram& program);

// Numbers for the parameters that the request has no letter for; why there is none of its names, or nothing.
std::string chooseSymbols(const EquationRequest& request, EquationProgram& program);

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

// Inputs letter_1, letter_2, ..., as one array.
std::vector<Expr> inputsNamed(EquationProgram& program, const char* letter, int primes, SymbolRole role,
                              const char* array, int count, const char* unit, const std::string& meaning);
void outputVector(EquationProgram& program, const char* letter, std::vector<Expr> entries, std::string meaning);

// Whole turns n of every angle in space that counts them, as inputs, and what the equations take for them: 2 pi n.
// What nothing reads is taken away by leaveUsedTurns at the end.
template <class G>
std::vector<Expr> turnInputs(const AbsoluteEquations<G>& equations, EquationProgram& program) {
  std::vector<Expr> out;
  for (const auto& turn : equations.elements().turns) {
    const int k = static_cast<int>(out.size());
    const Expr n = program.input({"n", k + 1}, SymbolRole::turns, "n", k, "",
                                 fmt::format("whole turns of the angle of {}", turn.name));
    out.push_back(Expr(2.0 * std::numbers::pi) * n);
  }
  return out;
}
void leaveUsedTurns(EquationProgram& program);

// Where the whole state is asked for: the references of the counted angles, as inputs.
template <class G>
std::vector<Expr> referenceInputs(const AbsoluteEquations<G>& equations, EquationProgram& program) {
  return inputsNamed(program, "tr", 0, SymbolRole::position, StateOutputs::kReferences, equations.turns(), "rad",
                     "references of counted angles");
}
// With the bodies placed: what is added to the angle that a pose tells, so that it is the one nearest to its reference.
template <class G, class Line>
void countByReferences(const AbsoluteEquations<G>& equations, const std::vector<Expr>& references,
                       typename AbsoluteEquations<G>::Work& work, const Line& line) {
  std::fill(work.turns.begin(), work.turns.end(), Expr());
  std::vector<Expr> out;
  for (std::size_t k = 0; k < references.size(); ++k) {
    const int number = static_cast<int>(k) + 1;
    const Expr off = line(SymbolName{"to", number}, equations.turn(static_cast<int>(k), work) - references[k]);
    out.push_back(line(SymbolName{"tw", number}, atan2(sin(off), cos(off)) - off));
  }
  std::copy(out.begin(), out.end(), work.turns.begin());
}
template <class G>
void outputTurnRates(const AbsoluteEquations<G>& equations, const typename AbsoluteEquations<G>::Work& work,
                     EquationProgram& program) {
  std::vector<Expr> rates;
  for (int k = 0; k < equations.turns(); ++k) rates.push_back(equations.turnRate(k, work));
  outputVector(program, StateOutputs::kTurnRates, rates, "rates of the references of counted angles, rad/s");
}

// Each component by its letter: Cx, Cy, Cz.
template <class Let>
Vec3<Expr> namedVector(const Let& let, const std::string& letter, int body, const Vec3<Expr>& v) {
  const auto name = [&](const char* axis, const Expr& value) {
    return let(LetName{(letter + axis).c_str(), body + 1}, value);
  };
  return {name("x", v.x), name("y", v.y), name("z", v.z)};
}

// The axes of a body: what the elements between bodies are made of.
template <class Let>
void nameAxes(const Let& let, int body, Spatial<Expr>::Position& x) {
  x.R = {namedVector(let, "Ax", body, x.R.x), namedVector(let, "Ay", body, x.R.y), namedVector(let, "Az", body, x.R.z)};
}

std::vector<Expr> inputsNamed(EquationProgram& program, const char* letter, int primes, SymbolRole role,
                              const char* array, int count, const char* unit, const std::string& meaning);

void outputVector(EquationProgram& program, const char* letter, std::vector<Expr> entries, std::string meaning);
void outputMatrix(EquationProgram& program, const char* letter, int rows, int cols, std::vector<Expr> entries,
                  std::string meaning);

// What of a mechanism without curves is in the way of joint coordinates; empty if nothing is.
std::string recursiveObstacle(const Mechanism& mechanism, EquationTask task);
// Likewise with impulses.
std::string hamiltonianObstacle(const Mechanism& mechanism, EquationTask task);
// The builders; the request has been checked by whyNotForm.
EquationProgram absoluteProgram(const Mechanism& mechanism, const EquationRequest& request);
EquationProgram linkageProgram(const Mechanism& mechanism, const EquationRequest& request);
EquationProgram recursiveProgram(const Mechanism& mechanism, const EquationRequest& request);
EquationProgram hamiltonianProgram(const Mechanism& mechanism, const EquationRequest& request);
EquationProgram quasiVelocityProgram(const Mechanism& mechanism, const EquationRequest& request);

}  // namespace linkwork
