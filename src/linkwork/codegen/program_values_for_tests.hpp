// A program evaluated with numbers, line by line; and the whole turns that it asks for.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/equation_program.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork::test {

class ProgramValues {
 public:
  // The arguments by the names of their arrays; what is not given is zero, parameters have the model's values.
  ProgramValues(const EquationProgram& program, const std::map<std::string, std::vector<double>>& arguments)
      : program_(program) {
    for (const ProgramSymbol& s : program.symbols()) {
      const auto given = arguments.find(s.array);
      const auto k = static_cast<std::size_t>(std::max(s.index, 0));
      values_[s.symbol.name()] = given != arguments.end() ? given->second.at(k) : s.value;
    }
    std::vector<const ProgramLine*> after;
    std::map<std::string, bool> waits;  // for what the solve block finds
    for (const Expr& unknown : program.solve.unknowns) waits[unknown.name()] = true;
    for (const ProgramLine& line : program.lines()) {
      bool late = false;
      for (const std::string& name : symbolsOf(line.value)) late = late || waits.contains(name);
      if (late) {
        waits[line.symbol.name()] = true;
        after.push_back(&line);
      } else {
        values_[line.symbol.name()] = evaluate(line.value, values_);
      }
    }
    if (!program.solve.empty()) solve();
    for (const ProgramLine* line : after) values_[line->symbol.name()] = evaluate(line->value, values_);
  }

  std::vector<double> output(const std::string& letter) const {
    for (const ProgramOutput& output : program_.outputs) {
      if (output.letter == letter) return numbers(output.entries);
    }
    throw ContractError("no output " + letter);
  }

 private:
  std::vector<double> numbers(const std::vector<Expr>& es) const {
    std::vector<double> out;
    for (const Expr& e : es) out.push_back(evaluate(e, values_));
    return out;
  }

  // Rows that repeat others leave the matrix singular: the solution of least norm is as good as any.
  void solve() {
    const auto n = static_cast<Eigen::Index>(program_.solve.unknowns.size());
    const std::vector<double> entries = numbers(program_.solve.matrix);
    const std::vector<double> right = numbers(program_.solve.right);
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor(n, n);
    factor.setThreshold(1e-11);
    factor.compute(Eigen::Map<const Matrix>(entries.data(), n, n));
    const Eigen::VectorXd found = factor.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
    for (Eigen::Index k = 0; k < n; ++k)
      values_[program_.solve.unknowns[static_cast<std::size_t>(k)].name()] = found[k];
  }

  const EquationProgram& program_;
  std::map<std::string, double> values_;
};

// How many whole turns the angles that a program asks for have beside what the pose tells, at a state [q, v, work,
// turns] of absolute coordinates.
inline std::vector<double> wholeTurns(const Mechanism& mechanism, const EquationProgram& program,
                                      std::span<const double> x) {
  std::vector<double> out;
  if (mechanism.space == Space::planar) return out;
  const AbsoluteEquations<Spatial<double>> equations(mechanism);
  auto work = equations.makeWork();
  std::copy(x.end() - equations.turns(), x.end(), work.turns.begin());
  equations.positions(0.0, x.first(at(equations.coordinates())), work);
  for (const ProgramSymbol& s : program.symbols()) {
    for (int k = 0; s.role == SymbolRole::turns && k < equations.turns(); ++k) {
      const auto& counted = equations.elements().turns[at(k)];
      if (!s.meaning.ends_with(counted.name)) continue;
      const auto i = at(counted.angle.i);
      const auto j = at(counted.angle.j);
      const double told = counted.angle.value(0.0, {work.x[i], work.x[j]}, {work.v[i], work.v[j]});
      out.push_back(std::round((equations.turn(k, work) - told) / (2.0 * std::numbers::pi)));
    }
  }
  return out;
}

}  // namespace linkwork::test
