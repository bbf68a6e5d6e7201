// ProgramSteps: a program brought to the form in which a machine computes it, and what that costs.
//
// Three things happen to the lines that a person reads: constants of the mechanism (all leaves are parameters) are
// drawn together within products and sums and computed once; what occurs twice and has no name gets one; squares stand
// on names. The counts are those of the steps, under these rules: a negation is free, a square is one multiplication, a
// doubling one addition, each sine or cosine one trigonometric call; what depends on parameters alone is counted apart.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/equation_program.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

struct ProgramStep {
  Expr symbol;
  Expr value;
  bool constant = false;     // depends on parameters alone
  bool after_solve = false;  // depends on what the solve block finds
  int line = -1;             // the line of the program that needed it first; -1: an output or the solve block
  OperationCount count;
};

struct ProgramSteps {
  EquationProgram program;         // the same, with the new names among its symbols; its lines are those of the text
  std::vector<ProgramStep> steps;  // constants, then those before and those after the solve block
  ProgramSolve solve;              // entries are symbols, numbers or small formulas
  std::vector<ProgramOutput> outputs;
  OperationCount count;           // everything that changes as the mechanism moves
  OperationCount constant_count;  // what depends on parameters alone
  // Line by line of the text, with what was named for its sake; then everything in outputs and the solve block.
  std::vector<OperationCount> line_count;
  OperationCount output_count;
};

ProgramSteps stepsOf(EquationProgram program);

// Of one formula without sharing.
OperationCount countOperations(const Expr& e);

OperationCount& operator+=(OperationCount& a, const OperationCount& b);

}  // namespace linkwork
