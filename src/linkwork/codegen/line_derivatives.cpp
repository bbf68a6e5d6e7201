#include "linkwork/codegen/line_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwork/base/contract.hpp"

namespace linkwork {

LineDerivatives::LineDerivatives(EquationProgram& program, std::map<std::string, Expr> values)
    : program_(program), values_(std::move(values)) {
  expect(program.solve.empty() || program.solve.kind == SolveKind::inverse,
         "LineDerivatives: what is solved for has no derivative here");
  const bool valued = !values_.empty();
  for (std::size_t k = 0; k < program.solve.unknowns.size(); ++k) place_[program.solve.unknowns[k].name()] = k;
  for (const ProgramLine& line : program.lines()) {
    lines_.push_back({line.symbol, line.value, symbolsOf(line.value)});
    by_value_.emplace(line.value, line.symbol);
    if (!valued) continue;
    const Expr value = substitute(line.value, values_);
    if (value.isNumber() || value.isSymbol()) values_.emplace(line.symbol.name(), value);
  }
}

Expr LineDerivatives::partial(const Expr& formula, const std::string& name) {
  auto& known = partials_[name];
  const auto found = known.find(formula);
  if (found != known.end()) return found->second;
  Expr out = differentiate(formula, Expr::symbol(name));
  if (!values_.empty()) out = substitute(out, values_);
  return known.emplace(formula, out).first->second;
}

Expr LineDerivatives::along(const Expr& formula, const std::vector<std::string>& names) {
  Expr sum;
  for (const std::string& name : names) {
    const auto change = d_.find(name);
    if (change != d_.end()) sum += partial(formula, name) * change->second;
  }
  return sum;
}

// By its name where it has one.
Expr LineDerivatives::named(const Expr& value) {
  if (value.operands().empty()) return value;
  const auto found = by_value_.find(value);
  if (found != by_value_.end()) return found->second;
  return by_value_.emplace(value, program_.let({"dE", ++names_}, value)).first->second;
}

// Of E_ij alone: -sum over i of E_ik dG_kl y_l with y_l = sum of E_lj c_ij, c_ij the derivative by E_ij; or the same
// from the other side, where the formula reads more rows of E than columns.
Expr LineDerivatives::alongInverse(const Expr& formula, const std::vector<std::string>& names) {
  const ProgramSolve& solve = program_.solve;
  const std::size_t n = solve.size();
  std::map<std::size_t, std::vector<Expr>> by_row, by_column;
  for (const std::string& name : names) {
    const auto place = place_.find(name);
    if (place == place_.end()) continue;
    const std::size_t i = place->second / n;
    const std::size_t j = place->second % n;
    const Expr c = partial(formula, name);
    by_row[i].resize(n);
    by_column[j].resize(n);
    by_row[i][j] = by_column[j][i] = c;
  }
  if (by_row.empty()) return {};
  if (dG_.empty()) {
    for (const Expr& entry : solve.matrix) dG_.push_back(along(entry, symbolsOf(entry)));
  }
  if (std::all_of(dG_.begin(), dG_.end(), [](const Expr& entry) { return entry.isNumber(0.0); })) return {};
  const bool rows = by_row.size() <= by_column.size();
  const auto E = [&](std::size_t i, std::size_t j) { return solve.unknowns[rows ? i * n + j : j * n + i]; };
  const auto dG = [&](std::size_t k, std::size_t l) { return dG_[rows ? k * n + l : l * n + k]; };
  Expr sum;
  for (const auto& [i, c] : rows ? by_row : by_column) {
    std::vector<Expr> y;
    for (std::size_t l = 0; l < n; ++l) {
      Expr entry;
      for (std::size_t j = 0; j < n; ++j) entry += E(l, j) * c[j];
      y.push_back(named(entry));
    }
    for (std::size_t k = 0; k < n; ++k) {
      Expr change;
      for (std::size_t l = 0; l < n; ++l) change += dG(k, l) * y[l];
      sum -= E(i, k) * named(change);
    }
  }
  return sum;
}

std::vector<Expr> LineDerivatives::of(const std::vector<Expr>& formulas, const Expr& input) {
  d_.clear();
  d_.emplace(input.name(), Expr(1.0));
  const SymbolName& by = program_.symbolOf(input).name;
  const std::string suffix = fmt::format("{}{}{}", by.letter, std::string(static_cast<std::size_t>(by.primes), 'd'),
                                         by.i > 0 ? fmt::format("{}", by.i) : std::string());
  dG_.clear();
  const auto change = [&](const Expr& formula, const std::vector<std::string>& names) {
    const Expr direct = along(formula, names);
    return place_.empty() ? direct : direct + alongInverse(formula, names);
  };
  for (const Line& line : lines_) {
    const Expr value = change(line.value, line.names);
    if (value.isNumber(0.0)) continue;
    const SymbolName& of = program_.symbolOf(line.symbol).name;
    const SymbolName name{
        fmt::format("d{}{}{}", of.letter, std::string(static_cast<std::size_t>(of.primes), 'd'), suffix), of.i, of.j};
    d_[line.symbol.name()] = program_.let(name, value);
  }
  std::vector<Expr> out;
  for (const Expr& formula : formulas) out.push_back(change(formula, symbolsOf(formula)));
  return out;
}

}  // namespace linkwork
