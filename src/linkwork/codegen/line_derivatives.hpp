// LineDerivatives: derivatives of what a program computes, line by line, so that they stay as short as the program is:
//
//   d(line) = sum over the names in it of (derivative by the name) d(name)
//   d(E r) = -E (dG y), y = E r,  and likewise of r^T E       what the solve block inverts, E = G^-1
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "linkwork/codegen/equation_program.hpp"

namespace linkwork {

class LineDerivatives {
 public:
  // Of the lines that the program has now. Its solve block, if any, is an inverse. Where inputs have values, what they
  // stand for is put in at once: what vanishes there is then never written.
  explicit LineDerivatives(EquationProgram& program, std::map<std::string, Expr> values = {});

  // Derivatives of the formulas by an input, as new lines: of "G_12" by q_3 "dGq3_12".
  std::vector<Expr> of(const std::vector<Expr>& formulas, const Expr& input);

 private:
  struct Line {
    Expr symbol, value;
    std::vector<std::string> names;  // in the value
  };
  Expr along(const Expr& formula, const std::vector<std::string>& names);
  Expr partial(const Expr& formula, const std::string& name);
  Expr alongInverse(const Expr& formula, const std::vector<std::string>& names);
  Expr named(const Expr& value);

  EquationProgram& program_;
  std::vector<Line> lines_;
  std::map<std::string, Expr> values_;       // of inputs, and of lines that come to numbers or names by them
  std::unordered_map<std::string, Expr> d_;  // of each name, where it is not zero
  std::unordered_map<std::string, std::unordered_map<Expr, Expr>> partials_;
  std::unordered_map<std::string, std::size_t> place_;  // of each unknown of the solve block
  std::vector<Expr> dG_;                                // empty: not needed yet
  std::unordered_map<Expr, Expr> by_value_;             // what has a name
  int names_ = 0;
};

}  // namespace linkwork
