#include "linkwork/codegen/equation_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linkwork/base/contract.hpp"

namespace linkwork {

namespace {

bool needsNoLine(const Expr& value) {
  if (value.isNumber() || value.isSymbol()) return true;
  return value.kind() == ExprKind::Neg && value.operands()[0].isSymbol();
}

// Sums of angles and of rates are read like angles and rates.
SymbolRole roleOfLine(const SymbolName& name) {
  if (name.letter == "al") return SymbolRole::position;
  return name.letter == "w" || name.primes == 1 ? SymbolRole::rate : SymbolRole::coefficient;
}

}  // namespace

std::string internalName(const SymbolName& name) {
  std::string out = "~" + name.letter;
  if (name.i > 0) out += fmt::format("_{}", name.i);
  if (name.j > 0) out += fmt::format("_{}", name.j);
  return out + std::string(static_cast<std::size_t>(name.primes), '\'');
}

Expr EquationProgram::add(ProgramSymbol symbol) {
  Expr e = symbol.symbol;
  const bool is_new = ranks_.emplace(e.name(), symbols_.size()).second;
  expect(is_new, fmt::format("EquationProgram: \"{}\" is named twice", e.name()));
  constexpr std::size_t kMostIndices = 4096;
  const std::string letter = symbol.name.letter + std::string(static_cast<std::size_t>(symbol.name.primes), '\'');
  const std::size_t first = letters_.emplace(letter, letters_.size()).first->second;
  const auto i = static_cast<std::size_t>(symbol.name.i), j = static_cast<std::size_t>(symbol.name.j);
  symbol.order = (first * kMostIndices + i) * kMostIndices + j;
  symbols_.push_back(std::move(symbol));
  return e;
}

Expr EquationProgram::input(SymbolName what, SymbolRole role, std::string array, int index, std::string unit,
                            std::string meaning) {
  const Expr symbol = Expr::symbol(internalName(what));
  return add({symbol, std::move(what), role, std::move(array), index, 0.0, std::move(unit), std::move(meaning)});
}

Expr EquationProgram::parameter(const Expr& symbol, SymbolName what, double value, std::string unit,
                                std::string meaning) {
  return add({symbol, std::move(what), SymbolRole::parameter, {}, -1, value, std::move(unit), std::move(meaning)});
}

void EquationProgram::define(const Expr& symbol, SymbolName what, const Expr& value) {
  add({symbol, std::move(what), SymbolRole::coefficient, {}, -1, 0.0, {}, {}});
  lines_.push_back({symbol, value, section_});
  known_.emplace(value, symbol);
}

Expr EquationProgram::quantity(SymbolName what, SymbolRole role) {
  const Expr symbol = Expr::symbol(internalName(what));
  return add({symbol, std::move(what), role, {}, -1, 0.0, {}, {}});
}

Expr EquationProgram::unknown(SymbolName what, std::string unit, std::string meaning) {
  const Expr symbol = Expr::symbol(internalName(what));
  return add({symbol, std::move(what), SymbolRole::unknown, {}, -1, 0.0, std::move(unit), std::move(meaning)});
}

Expr EquationProgram::temporary(SymbolName what) {
  const Expr symbol = Expr::symbol(fmt::format("~{}", internalName(what)));
  return add({symbol, std::move(what), SymbolRole::coefficient, {}, -1, 0.0, {}, {}});
}

void EquationProgram::alias(SymbolName what, const Expr& value, std::string reason) {
  const auto same =
      std::find_if(aliases_.begin(), aliases_.end(), [&](const ProgramAlias& a) { return a.name == what; });
  if (same == aliases_.end()) {
    aliases_.push_back({std::move(what), value, std::move(reason)});
    return;
  }
  expect(same->value == value, fmt::format("EquationProgram: \"{}\" stands for two things", internalName(what)));
  if (same->reason.empty()) same->reason = std::move(reason);
}

// What printed equations are written in gets its value where they are solved.
bool EquationProgram::isQuantityWithoutLine(const Expr& symbol) const {
  const auto found = ranks_.find(symbol.name());
  if (found == ranks_.end()) return false;
  const ProgramSymbol& known = symbols_[found->second];
  const bool is_quantity = known.role == SymbolRole::acceleration && known.array.empty();
  return is_quantity &&
         std::none_of(lines_.begin(), lines_.end(), [&](const auto& line) { return line.symbol == symbol; });
}

Expr EquationProgram::let(const SymbolName& what, const Expr& value) {
  if (needsNoLine(value)) {
    const bool itself = value.isSymbol() && symbolOf(value).name == what;
    if (!itself) alias(what, value, {});
    return value;
  }
  for (const bool negative : {false, true}) {
    const auto found = known_.find(negative ? -value : value);
    if (found == known_.end()) continue;
    Expr used = negative ? -found->second : found->second;
    if (used.isSymbol() && symbolOf(used).name == what) return used;
    alias(what, used, {});
    return used;
  }
  Expr symbol = Expr::symbol(internalName(what));
  if (!isQuantityWithoutLine(symbol)) add({symbol, what, roleOfLine(what), {}, -1, 0.0, {}, {}});
  lines_.push_back({symbol, value, section_});
  known_.emplace(value, symbol);
  return symbol;
}

Expr EquationProgram::letAnew(SymbolName what, const Expr& value) {
  const auto found = known_.find(value);
  const bool is_that = found != known_.end() && found->second.isSymbol() && symbolOf(found->second).name == what;
  const bool is_alias = std::any_of(aliases_.begin(), aliases_.end(),
                                    [&](const ProgramAlias& a) { return a.name == what && a.value != value; });
  if (!is_that && (is_alias || knows(internalName(what)))) what.letter.insert(0, "s");
  return let(what, value);
}

std::size_t EquationProgram::rankOf(const std::string& internal_name) const {
  const auto found = ranks_.find(internal_name);
  expect(found != ranks_.end(), fmt::format("EquationProgram: nothing is called \"{}\"", internal_name));
  return found->second;
}

const ProgramSymbol& EquationProgram::symbolOf(const Expr& symbol) const { return symbols_[rankOf(symbol.name())]; }

std::size_t ProgramSolve::size() const {
  if (kind == SolveKind::equations) return unknowns.size();
  std::size_t n = 0;
  while (n * n < unknowns.size()) ++n;
  return n;
}

std::string titleOf(const ProgramSolve& solve) {
  return solve.kind == SolveKind::inverse ? "Inverse E of the rows by the velocities eliminated, with pivoting"
                                          : "Loop equations, solved with pivoting";
}

std::vector<ProgramEquation> equationsOf(const ProgramSolve& solve) {
  std::vector<ProgramEquation> out;
  const std::size_t n = solve.size();
  const std::size_t columns = solve.kind == SolveKind::inverse ? n : n > 0 ? 1 : 0;
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      Expr left;
      for (std::size_t j = 0; j < n; ++j) left += solve.matrix[i * n + j] * solve.unknowns[j * columns + c];
      out.push_back({left, solve.kind == SolveKind::inverse ? Expr(i == c ? 1.0 : 0.0) : solve.right[i]});
    }
  }
  return out;
}

std::string afterOperations(const ProgramSolve& solve) {
  if (solve.empty()) return {};
  if (solve.kind == SolveKind::equations) return ", and the solution of the loop equations";
  return fmt::format(", and the inverse of a matrix of {0} x {0}", solve.size());
}

std::vector<Expr> EquationProgram::roots() const {
  std::vector<Expr> out;
  const auto append = [&](const std::vector<Expr>& more) { out.insert(out.end(), more.begin(), more.end()); };
  for (const ProgramOutput& output : outputs) append(output.entries);
  for (const auto* list : solve.lists()) append(*list);
  for (const ProgramEquation& equation : equations) append({equation.left, equation.right});
  return out;
}

std::unordered_set<std::string> EquationProgram::neededNames() const {
  std::unordered_set<std::string> needed;
  for (std::string& symbol : symbolsOf(roots())) needed.insert(std::move(symbol));
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
    if (!needed.contains(line->symbol.name())) continue;
    for (std::string& symbol : symbolsOf(line->value)) needed.insert(std::move(symbol));
  }
  return needed;
}

void EquationProgram::removeDeadLines() {
  const std::unordered_set<std::string> needed = neededNames();
  std::erase_if(lines_, [&](const ProgramLine& line) { return !needed.contains(line.symbol.name()); });
  std::erase_if(aliases_, [&](const ProgramAlias& a) {
    const std::vector<std::string> used = symbolsOf(a.value);
    return std::any_of(used.begin(), used.end(), [&](const std::string& symbol) { return !needed.contains(symbol); });
  });
  // Arrays stay whole, and stay arguments even if nothing reads them; the time goes where nothing depends on it.
  std::erase_if(symbols_, [&](const ProgramSymbol& s) { return s.index < 0 && !needed.contains(s.symbol.name()); });
  std::erase_if(known_, [&](const auto& value_and_symbol) { return !needed.contains(value_and_symbol.second.name()); });
  ranks_.clear();
  for (std::size_t k = 0; k < symbols_.size(); ++k) ranks_.emplace(symbols_[k].symbol.name(), k);
}

void EquationProgram::keepUsed(SymbolRole role) {
  if (std::none_of(symbols_.begin(), symbols_.end(), [&](const ProgramSymbol& s) { return s.role == role; })) return;
  const std::unordered_set<std::string> needed = neededNames();
  std::erase_if(symbols_, [&](const ProgramSymbol& s) { return s.role == role && !needed.contains(s.symbol.name()); });
  int index = 0;
  for (ProgramSymbol& s : symbols_) {
    if (s.role != role) continue;
    s.index = index++;
    s.name.i = index;
  }
  ranks_.clear();
  for (std::size_t k = 0; k < symbols_.size(); ++k) ranks_.emplace(symbols_[k].symbol.name(), k);
}

EquationProgram EquationProgram::withNumbers(const std::map<std::string, Expr>& numbers) const {
  EquationProgram out = *this;
  if (numbers.empty()) return out;
  out.lines_.clear();
  out.aliases_.clear();
  out.known_.clear();
  std::map<std::string, Expr> now = numbers;
  std::unordered_set<Expr> of_lines;
  for (const ProgramLine& line : lines_) of_lines.insert(line.symbol);
  std::erase_if(out.symbols_, [&](const ProgramSymbol& s) {
    return of_lines.contains(s.symbol) || numbers.contains(s.symbol.name());
  });
  out.ranks_.clear();
  for (std::size_t k = 0; k < out.symbols_.size(); ++k) out.ranks_.emplace(out.symbols_[k].symbol.name(), k);
  for (const ProgramLine& line : lines_) {
    out.section_ = line.section;
    const Expr value = substitute(line.value, now);
    const Expr used = out.let(symbolOf(line.symbol).name, value);
    if (!(used == line.symbol)) now.emplace(line.symbol.name(), used);
  }
  const auto change = [&](std::vector<Expr>& list) {
    for (Expr& e : list) e = substitute(e, now);
  };
  for (const ProgramAlias& a : aliases_) out.alias(a.name, substitute(a.value, now), a.reason);
  for (ProgramOutput& output : out.outputs) change(output.entries);
  for (auto* list : out.solve.lists()) change(*list);
  for (ProgramEquation& e : out.equations) e = {substitute(e.left, now), substitute(e.right, now)};
  return out;
}

SymbolName splitName(const std::string& name) {
  const std::size_t place = name.find('_');
  const bool split = place != std::string::npos && place > 0 && place + 1 < name.size() && name.size() - place < 6 &&
                     name.find_first_not_of("0123456789", place + 1) == std::string::npos;
  if (!split) return {name};
  return {name.substr(0, place), std::stoi(name.substr(place + 1))};
}

std::vector<Expr> EquationProgram::expanded(std::span<const Expr> es) const {
  std::map<std::string, Expr> values;
  for (const ProgramLine& line : lines_) values.emplace(line.symbol.name(), substitute(line.value, values));
  std::vector<Expr> out;
  for (const Expr& e : es) out.push_back(substitute(e, values));
  return out;
}

}  // namespace linkwork
