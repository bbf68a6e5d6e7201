// ProgramValues: a program evaluated with numbers, line by line.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "linkwork/codegen/equation_program.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

class ProgramValues {
 public:
  // The arguments by the names of their arrays; what is not given is zero, parameters have the model's values. Keeps a
  // reference to the program.
  ProgramValues(const EquationProgram& program, const std::map<std::string, std::vector<double>>& arguments);

  std::vector<double> output(const std::string& letter) const;

 private:
  std::vector<double> numbers(const std::vector<Expr>& es) const;
  void solve();

  const EquationProgram& program_;
  std::map<std::string, double> values_;
};

// How many whole turns the angles that a program asks for have beside what the pose tells, at a state [q, v, work,
// turns] of absolute coordinates.
std::vector<double> wholeTurns(const Mechanism& mechanism, const EquationProgram& program, std::span<const double> x);

}  // namespace linkwork
