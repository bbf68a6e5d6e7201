// EquationProgram: equations of motion as an ordered list of named lines over inputs and parameters, with outputs.
//
// A kernel run with Expr fills it: its `let` (scalar/naming.hpp) becomes a line `Jc_32 = ...` and goes on with the
// symbol. No line is made where there is nothing to write: a number, a symbol or its negative is used as it is, and a
// value that has a line already is called by the name it has; what was left out so is listed as an alias. Order of
// lines = order of the kernel, which is an order of computation. Printers and counts read the finished program; the
// names that the languages use are decided there.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "linkwork/scalar/expr.hpp"
#include "linkwork/scalar/naming.hpp"

namespace linkwork {

// A letter with up to two indices (0: none) and dots: al_1'', Jc_32. A name of the model file has no indices.
struct SymbolName {
  std::string letter;
  int i = 0;
  int j = 0;
  int primes = 0;
  friend bool operator==(const SymbolName&, const SymbolName&) = default;
};

// Decides the order of reading; see program_names.hpp.
// turns: how many whole turns to add to an angle in space, which a pose does not tell.
enum class SymbolRole { acceleration, effort, position, turns, time, rate, unknown, parameter, coefficient, impulse };

struct ProgramSymbol {
  Expr symbol;
  SymbolName name;
  SymbolRole role = SymbolRole::coefficient;
  std::string array;   // of an input: the argument it stands in; empty for parameters and lines
  int index = -1;      // its place there, from 0; -1: the argument is this one number
  double value = 0.0;  // of a parameter: what the model says
  std::string unit, meaning;
  std::size_t order = 0;  // of reading: by the first symbol of its letter, then by indices; set by the program
};

struct ProgramLine {
  Expr symbol;
  Expr value;
  std::string section;
};

// A name without a line: what it stands for, and why, if there is more to say.
struct ProgramAlias {
  SymbolName name;
  Expr value;
  std::string reason;
};

struct ProgramOutput {
  std::string letter;
  int rows = 1;
  int cols = 0;               // 0: a vector of `rows`
  std::vector<Expr> entries;  // row by row
  std::string meaning;

  std::size_t size() const { return entries.size(); }
};

// left = right, as a person would write it; for text, LaTeX and MathML only.
struct ProgramEquation {
  Expr left, right;
};

// A block that straight-line code cannot do, by pivoting: matrix * unknowns = right, or unknowns = matrix^-1, row by
// row. The unknowns are symbols.
//
// In equations the matrix is rows * effects^T. It has the square of their condition, so that program code solves once
// more for what right - rows * (effects^T * unknowns) leaves over.
enum class SolveKind { equations, inverse };
struct ProgramSolve {
  SolveKind kind = SolveKind::equations;
  std::vector<Expr> matrix;  // row by row, square
  std::vector<Expr> right;
  std::vector<Expr> rows, effects;  // row by row, `width` entries each
  std::size_t width = 0;
  std::vector<Expr> unknowns;
  bool empty() const { return unknowns.empty(); }
  std::size_t size() const;  // rows of the matrix
  std::array<std::vector<Expr>*, 4> lists() { return {&matrix, &right, &rows, &effects}; }
  std::array<const std::vector<Expr>*, 4> lists() const { return {&matrix, &right, &rows, &effects}; }
};

// For readers: its title, and the equations it solves, those of an inverse column by column.
std::string titleOf(const ProgramSolve& solve);
std::vector<ProgramEquation> equationsOf(const ProgramSolve& solve);

// What a count of operations leaves out, to go on with behind it: ", and the solution of the loop equations".
std::string afterOperations(const ProgramSolve& solve);

class EquationProgram {
 public:
  std::string name;                // of the mechanism
  std::string function;            // wanted name of the function in program code
  std::string source;              // model file
  std::string form;                // in words: "recurrent equations in absolute angles"
  std::string task;                // in words: "H*acc = rhs"
  std::vector<std::string> notes;  // links, cuts, what is special
  std::vector<ProgramEquation> equations;
  std::string equations_title = "Equations of motion";
  std::vector<ProgramOutput> outputs;
  ProgramSolve solve;

  // New lines go under this heading.
  void section(std::string title) { section_ = std::move(title); }

  Expr input(SymbolName what, SymbolRole role, std::string array, int index, std::string unit, std::string meaning);
  // A parameter, which formulas know by a symbol of their own.
  Expr parameter(const Expr& symbol, SymbolName what, double value, std::string unit, std::string meaning);
  // A line for such a symbol.
  void define(const Expr& symbol, SymbolName what, const Expr& value);
  // A symbol that only the printed equations use, unless `let` gives it a value.
  Expr quantity(SymbolName what, SymbolRole role);
  // A symbol that `solve` finds.
  Expr unknown(SymbolName what, std::string unit, std::string meaning);
  // What to go on with instead of the value. Throws ContractError if the name has another value already.
  Expr let(const SymbolName& what, const Expr& value);
  // The same for a second pass over the mechanism: a name that has another value already gets an s before it.
  Expr letAnew(SymbolName what, const Expr& value);
  // A symbol for a step between the lines, whose name may be that of a line too.
  Expr temporary(SymbolName what);
  void alias(SymbolName what, const Expr& value, std::string reason);

  // For kernels: let(LetName{...}, value).
  auto recorder() {
    return [this](const LetName& what, const Expr& value) { return let({what.letter, what.i, what.j, 0}, value); };
  }

  const std::vector<ProgramSymbol>& symbols() const { return symbols_; }
  const std::vector<ProgramLine>& lines() const { return lines_; }
  const std::vector<ProgramAlias>& aliases() const { return aliases_; }
  const ProgramSymbol& symbolOf(const Expr& symbol) const;
  // Its place among the symbols; they stand in the order in which they were made.
  std::size_t rankOf(const std::string& internal_name) const;
  bool knows(const std::string& internal_name) const { return ranks_.contains(internal_name); }

  // Takes away lines that nothing asked for needs, and inputs of no use to it except whole arguments.
  void removeDeadLines();

  // Takes away the inputs of a role that nothing asked for needs, and counts the others anew.
  void keepUsed(SymbolRole role);

  // The same with numbers for some parameters, by their internal names; lines that come to nothing by it are gone.
  EquationProgram withNumbers(const std::map<std::string, Expr>& numbers) const;

  // Every expression with the lines put in: a function of inputs, parameters and unknowns alone.
  std::vector<Expr> expanded(std::span<const Expr> es) const;

 private:
  Expr add(ProgramSymbol symbol);
  bool isQuantityWithoutLine(const Expr& symbol) const;
  std::vector<Expr> roots() const;
  std::unordered_set<std::string> neededNames() const;  // by outputs, solve block and equations

  std::string section_;
  std::vector<ProgramSymbol> symbols_;
  std::vector<ProgramLine> lines_;
  std::vector<ProgramAlias> aliases_;
  std::unordered_map<std::string, std::size_t> ranks_;
  std::unordered_map<std::string, std::size_t> letters_;  // in the order in which they came
  std::unordered_map<Expr, Expr> known_;                  // value -> what to use for it
};

// A name that no model file can have, unique among the symbols of a program.
std::string internalName(const SymbolName& name);

// "Rx_2" -> Rx, 2; a name of another shape is a letter without indices.
SymbolName splitName(const std::string& name);

}  // namespace linkwork
