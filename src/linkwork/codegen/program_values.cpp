#include "linkwork/codegen/program_values.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

ProgramValues::ProgramValues(const EquationProgram& program,
                             const std::map<std::string, std::vector<double>>& arguments)
    : program_(program) {
  for (const ProgramSymbol& s : program.symbols()) {
    const auto given = arguments.find(s.array);
    const auto k = static_cast<std::size_t>(std::max(s.index, 0));
    values_[s.symbol.name()] = given != arguments.end() ? given->second.at(k) : s.value;
  }
  std::vector<const ProgramLine*> after;
  std::unordered_set<std::string> waits;  // for what the solve block finds
  for (const Expr& unknown : program.solve.unknowns) waits.insert(unknown.name());
  for (const ProgramLine& line : program.lines()) {
    const std::vector<std::string> names = symbolsOf(line.value);
    if (std::any_of(names.begin(), names.end(), [&](const std::string& name) { return waits.contains(name); })) {
      waits.insert(line.symbol.name());
      after.push_back(&line);
    } else {
      values_[line.symbol.name()] = evaluate(line.value, values_);
    }
  }
  if (!program.solve.empty()) solve();
  for (const ProgramLine* line : after) values_[line->symbol.name()] = evaluate(line->value, values_);
}

std::vector<double> ProgramValues::output(const std::string& letter) const {
  for (const ProgramOutput& output : program_.outputs) {
    if (output.letter == letter) return numbers(output.entries);
  }
  throw ContractError("no output " + letter);
}

std::vector<double> ProgramValues::numbers(const std::vector<Expr>& es) const {
  std::vector<double> out;
  for (const Expr& e : es) out.push_back(evaluate(e, values_));
  return out;
}

// Rows that repeat others leave the matrix of equations singular: the solution of least norm is as good as any.
void ProgramValues::solve() {
  const ProgramSolve& solve = program_.solve;
  const auto n = static_cast<Eigen::Index>(solve.size());
  const std::vector<double> entries = numbers(solve.matrix);
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd matrix = Eigen::Map<const Matrix>(entries.data(), n, n);
  Matrix found;
  if (solve.kind == SolveKind::inverse) {
    found = Eigen::PartialPivLU<Eigen::MatrixXd>(matrix).inverse();
  } else {
    const std::vector<double> right = numbers(solve.right);
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factor(n, n);
    factor.setThreshold(1e-11);
    factor.compute(matrix);
    found = factor.solve(Eigen::Map<const Eigen::VectorXd>(right.data(), n));
  }
  for (std::size_t k = 0; k < solve.unknowns.size(); ++k) values_[solve.unknowns[k].name()] = found.data()[k];
}

std::vector<double> wholeTurns(const Mechanism& mechanism, const EquationProgram& program, std::span<const double> x) {
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

}  // namespace linkwork
