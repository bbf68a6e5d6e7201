// Explanation: the equations of motion of a mechanism laid out as in a textbook, entry by entry, for a person to read.
//
// Absolute coordinates: q = (x, y, phi) of every centre of mass. With numbers at one state, solved for the
// accelerations, the multipliers and the reactions; or with letters, without the solution. Rates are written dq,
// accelerations ddq: a bare v or a may well be a letter of the model. [docs/theory/01]
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// A line of a legend: `name = formula  meaning`, the formula where there is one.
struct ExplainedName {
  std::string name;
  std::optional<Expr> formula;
  std::string meaning;
};

// A matrix with named rows and columns; a vector has one column without a name.
struct ExplainedTable {
  std::vector<std::string> row_names;
  std::vector<std::string> col_names;
  std::vector<Expr> entries;  // row by row

  std::size_t rows() const { return row_names.size(); }
  std::size_t cols() const { return col_names.empty() ? 1 : col_names.size(); }
  const Expr& at(std::size_t row, std::size_t col) const { return entries[row * cols() + col]; }
};

struct ExplainedSection {
  std::string title;
  std::string words;         // sentences
  std::string formula_text;  // "Phi_q ddq = Gamma"; empty if none
  std::string formula_latex;
  std::vector<ExplainedName> names;
  std::optional<ExplainedTable> table;
};

struct Explanation {
  std::string problem;  // why the equations have no solution at this state, in words; then there are no sections
  std::string title;
  std::string words;
  std::vector<std::string> constraint_rows;  // their names, which are words and not symbols
  std::vector<ExplainedSection> sections;

  // Null if there is none of that title.
  const ExplainedSection* find(std::string_view section_title) const;
};

// At the state x = [q, v, ...] of a motion that began at `start`, from which dependent rows and the reaction length are
// taken.
Explanation explainState(const Mechanism& mechanism, double t, std::span<const double> x, const Assembly& start = {});

// With letters: q is x1, y1, phi1, ..., v is dx1, dy1, dphi1, ..., parameters keep their names. Where a parameter has
// one of these names, coordinates are called by body: slider.x, slider.dx.
Explanation explainSymbols(const Mechanism& mechanism);

}  // namespace linkwork
