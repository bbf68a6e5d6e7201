#include "linkwork/codegen/program_steps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "linkwork/codegen/expr_order.hpp"
#include "linkwork/scalar/expr_apply.hpp"

namespace linkwork {

OperationCount& operator+=(OperationCount& a, const OperationCount& b) {
  a.mul += b.mul;
  a.add += b.add;
  a.div += b.div;
  a.trig += b.trig;
  a.other += b.other;
  return a;
}

namespace {

// ---- counting

void countNode(const Expr& e, OperationCount& total);

int countFactors(const std::vector<Factor>& factors, OperationCount& total) {
  for (const Factor& factor : factors) {
    countNode(factor.base, total);
    if (factor.exponent.isNumber() && isProductExponent(factor.exponent.number())) {
      total.mul += powNumberMultiplications(factor.exponent.number());
    } else {
      ++total.other;
      countNode(factor.exponent, total);
    }
  }
  return static_cast<int>(factors.size());
}

void countTerm(const Fraction& f, OperationCount& total) {
  int above = countFactors(f.numerator, total);
  int below = countFactors(f.denominator, total);
  if (f.numerator_number == 2.0 && above > 0) {
    ++total.add;
  } else if (f.numerator_number != 1.0) {
    ++above;
  }
  if (f.denominator_number != 1.0) ++below;
  total.mul += std::max(above - 1, 0) + std::max(below - 1, 0);
  if (below > 0) ++total.div;
}

void countNode(const Expr& e, OperationCount& total) {
  if (e.isNumber() || e.isSymbol()) return;
  switch (e.kind()) {
    case ExprKind::Neg:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Pow: {
      const std::vector<Fraction> terms = termsOf(e);
      for (const Fraction& term : terms) countTerm(term, total);
      total.add += static_cast<int>(terms.size()) - 1;
      return;
    }
    default:
      ++(isTrigonometric(e.kind()) ? total.trig : total.other);
      for (const Expr& operand : e.operands()) countNode(operand, total);
  }
}

// ---- the graph under all that the program computes

bool isSumKind(ExprKind kind) { return kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Neg; }
bool isProductKind(ExprKind kind) { return kind == ExprKind::Mul || kind == ExprKind::Div || kind == ExprKind::Neg; }

// The same with the other sign, if that is as simple: b - a for a - b, 2*x for -2*x.
std::optional<Expr> twinOf(const Expr& e) {
  const auto ops = e.operands();
  const bool numbered = (e.kind() == ExprKind::Mul || e.kind() == ExprKind::Div) && ops[0].isNumber();
  if (e.kind() == ExprKind::Sub || numbered) return -e;
  return std::nullopt;
}

// How often each node is read; a negation is no reading of its own.
std::unordered_map<Expr, int> usesOf(const std::vector<Expr>& roots) {
  std::unordered_map<Expr, int> uses;
  for (const Expr& root : roots) ++uses[root];
  const std::vector<Expr> order = postOrder(roots);
  for (auto e = order.rbegin(); e != order.rend(); ++e) {
    const int times = e->kind() == ExprKind::Neg ? uses[*e] : 1;
    const auto ops = e->operands();
    for (const Expr& operand : ops) uses[operand] += times;
  }
  for (const Expr& e : order) {
    const std::optional<Expr> twin = twinOf(e);
    const auto found = twin ? uses.find(*twin) : uses.end();
    if (found == uses.end() || *twin == e) continue;
    const int both = uses[e] + found->second;
    // Each of the two is met once in the loop: only the first adds up.
    if (e.structuralHash() < twin->structuralHash()) {
      found->second = both;
      uses[e] = both;
    }
  }
  return uses;
}

class Constants {
 public:
  explicit Constants(const EquationProgram& program) {
    for (const ProgramSymbol& s : program.symbols()) {
      if (s.role == SymbolRole::parameter) names_.insert(s.symbol.name());
    }
  }
  void add(const Expr& symbol) { names_.insert(symbol.name()); }

  bool contains(const Expr& e) {
    if (const std::optional<bool> answer = known(e)) return *answer;
    // Down to what is known, and no further: graphs are large and asked about often.
    std::vector<Expr> open = {e};
    while (!open.empty()) {
      const Expr part = open.back();
      bool all = true;
      bool ready = true;
      for (const Expr& operand : part.operands()) {
        const std::optional<bool> answer = known(operand);
        if (!answer) {
          open.push_back(operand);
          ready = false;
        } else {
          all = all && *answer;
        }
      }
      if (!ready) continue;
      known_.insert_or_assign(part, all);
      open.pop_back();
    }
    return known_.at(e);
  }

 private:
  std::optional<bool> known(const Expr& e) const {
    if (e.isNumber()) return true;
    if (e.isSymbol()) return names_.contains(e.name());
    const auto found = known_.find(e);
    if (found == known_.end()) return std::nullopt;
    return found->second;
  }

  std::unordered_set<std::string> names_;
  std::unordered_map<Expr, bool> known_;
};

// Draws constants together within products and sums.
class Regrouping {
 public:
  Regrouping(const std::vector<Expr>& roots, Constants& constants) : uses_(usesOf(roots)), constants_(constants) {}

  Expr apply(const Expr& root) {
    for (const Expr& e : postOrder(std::span(&root, 1))) {
      if (!done_.contains(e)) done_.emplace(e, rebuilt(e));
    }
    return done_.at(root);
  }

 private:
  struct Part {
    Expr e;
    bool inverse;  // a divisor, or a term with a minus
  };

  Expr rebuilt(const Expr& e) {
    if (e.operands().empty() || constants_.contains(e)) return e;
    if (e.kind() == ExprKind::Mul || e.kind() == ExprKind::Div) return regroup(e, true);
    if (e.kind() == ExprKind::Add || e.kind() == ExprKind::Sub) return regroup(e, false);
    return plain(e);
  }

  Expr plain(const Expr& e) {
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(done_.at(operand));
    return withOperands(e, operands);
  }

  // Parts of the chain of products (or sums) that hangs on e and is used only there.
  std::vector<Part> partsOf(const Expr& e, bool product, bool& negative) {
    std::vector<Part> parts, open = {{e, false}};
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      const ExprKind kind = part.e.kind();
      const bool chain = product ? isProductKind(kind) : isSumKind(kind);
      const bool inner = part.e == e || (uses_.at(part.e) == 1 && !constants_.contains(part.e));
      if (!chain || !inner) {
        parts.push_back(part);
        continue;
      }
      const auto ops = part.e.operands();
      if (kind == ExprKind::Neg) {
        if (product) negative = !negative;
        open.push_back({ops[0], product ? part.inverse : !part.inverse});
        continue;
      }
      const bool turns = kind == ExprKind::Div || kind == ExprKind::Sub;
      open.push_back({ops[1], part.inverse != turns});
      open.push_back({ops[0], part.inverse});
    }
    return parts;
  }

  Expr regroup(const Expr& e, bool product) {
    bool negative = false;
    const std::vector<Part> parts = partsOf(e, product, negative);
    int constant_parts = 0;
    bool divides = false;
    for (const Part& part : parts) {
      if (!constants_.contains(part.e)) continue;
      ++constant_parts;
      divides = divides || (product && part.inverse);
    }
    if (constant_parts < 2 && !divides) return plain(e);
    Expr constant = product ? 1.0 : 0.0;
    std::optional<Expr> rest, taken;  // what is added and subtracted, or multiplied by and divided by
    for (const Part& part : parts) {
      if (constants_.contains(part.e)) {
        constant = joined(constant, part, product);
        continue;
      }
      std::optional<Expr>& to = part.inverse ? taken : rest;
      to = to ? joined(*to, {done_.at(part.e), false}, product) : done_.at(part.e);
    }
    Expr out = rest ? joined(constant, {*rest, false}, product) : constant;
    if (taken) out = joined(out, {*taken, true}, product);
    return negative ? -out : out;
  }

  static Expr joined(const Expr& to, const Part& part, bool product) {
    if (product) return part.inverse ? to / part.e : to * part.e;
    return part.inverse ? to - part.e : to + part.e;
  }

  std::unordered_map<Expr, int> uses_;
  std::unordered_map<Expr, Expr> done_;
  Constants& constants_;
};

// Names what is shared and what is constant, step by step.
class Naming {
 public:
  Naming(ProgramSteps& out, Constants& constants, const std::vector<Expr>& roots)
      : out_(out), constants_(constants), uses_(usesOf(roots)) {
    for (const Expr& unknown : out.program.solve.unknowns) after_.insert(unknown.name());
  }

  void lowerLine(const Expr& symbol, const Expr& value, int line) {
    line_ = line;
    in_constant_ = constants_.contains(value);
    lowerBelow(value);
    const auto found = done_.find(value);
    addStep(symbol, found != done_.end() ? found->second : formed(value));
    // From here on the value goes by this name.
    if (!value.operands().empty() && value.kind() != ExprKind::Neg) done_.insert_or_assign(value, symbol);
  }

  // An entry of an output or of the solve block: may stay a formula.
  Expr lowerEntry(const Expr& e) {
    line_ = -1;
    in_constant_ = false;
    if (!constants_.contains(e)) lowerBelow(e);
    return valueOf(e);
  }

  // An entry of a matrix: a name, a number or the negative of one, so that it fits every language's brackets.
  Expr lowerCell(const Expr& e, SymbolName name) {
    Expr value = lowerEntry(e);
    const Expr& size = value.kind() == ExprKind::Neg ? value.operands()[0] : value;
    if (size.operands().empty()) return value;
    Expr symbol = out_.program.temporary(std::move(name));
    addStep(symbol, value);
    if (e.kind() != ExprKind::Neg) done_.insert_or_assign(e, symbol);
    return symbol;
  }

  void finish() {
    out_.steps.insert(out_.steps.begin(), constant_steps_.begin(), constant_steps_.end());
    std::stable_partition(out_.steps.begin(), out_.steps.end(), [](const ProgramStep& s) { return !s.after_solve; });
  }

 private:
  void addStep(const Expr& symbol, const Expr& value) {
    ProgramStep step{symbol, value, constants_.contains(value), dependsOnSolve(value), line_, countOperations(value)};
    if (step.constant) constants_.add(symbol);
    if (step.after_solve) after_.insert(symbol.name());
    (step.constant ? constant_steps_ : out_.steps).push_back(std::move(step));
  }

  bool dependsOnSolve(const Expr& e) const {
    if (after_.empty()) return false;
    const std::vector<std::string> names = symbolsOf(e);
    return std::any_of(names.begin(), names.end(), [&](const std::string& n) { return after_.contains(n); });
  }

  // All nodes under e, without e. Within a constant that a line uses only the whole is of interest.
  void lowerBelow(const Expr& e) {
    for (const Expr& part : postOrder(std::span(&e, 1))) {
      if (part == e || part.operands().empty() || done_.contains(part)) continue;
      if (!in_constant_ && constants_.contains(part)) continue;
      done_.emplace(part, settled(part));
    }
  }

  Expr valueOf(const Expr& e) {
    if (e.operands().empty()) return e;
    if (!in_constant_ && constants_.contains(e)) return namedConstant(e);
    const auto found = done_.find(e);
    if (found != done_.end()) return found->second;
    return done_.emplace(e, settled(e)).first->second;
  }

  // A name for a constant formula; its sign stays outside.
  Expr namedConstant(const Expr& e) {
    if (e.operands().empty()) return e;
    if (e.kind() == ExprKind::Neg) return -namedConstant(e.operands()[0]);
    for (const bool opposite : {false, true}) {
      const auto found = done_.find(opposite ? -e : e);
      if (found != done_.end() && found->second.isSymbol()) return opposite ? -found->second : found->second;
    }
    in_constant_ = true;
    lowerBelow(e);
    const Expr value = formed(e);
    in_constant_ = false;
    Expr symbol = out_.program.temporary({"k", ++constant_names_});
    addStep(symbol, value);
    done_.insert_or_assign(e, symbol);
    return symbol;
  }

  // The node over what its operands became; with a name of its own where it is read twice.
  Expr settled(const Expr& e) {
    if (e.kind() == ExprKind::Neg) return -valueOf(e.operands()[0]);
    if (const std::optional<Expr> twin = twinOf(e)) {
      const auto found = done_.find(*twin);
      if (found != done_.end() && found->second.isSymbol()) return -found->second;
    }
    Expr value = formed(e);
    const auto uses = uses_.find(e);
    const bool shared = uses != uses_.end() && uses->second > 1;
    if (!shared || value.operands().empty() || value.kind() == ExprKind::Neg) return value;
    return named(value);
  }

  Expr named(const Expr& value) {
    Expr symbol = out_.program.temporary({"z", ++shared_names_});
    addStep(symbol, value);
    return symbol;
  }

  Expr formed(const Expr& e) {
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(valueOf(operand));
    if (e.kind() == ExprKind::Neg) return -operands[0];
    if (operands.empty()) return e;
    if (e.kind() == ExprKind::Pow && operands[1].isNumber() && isProductExponent(operands[1].number()))
      return wholePower(operands[0], operands[1].number());
    return withOperands(e, operands);
  }

  // Powers of names only, and none above three.
  Expr wholePower(const Expr& of, double exponent) {
    const double size = std::abs(exponent);
    const bool odd = std::fmod(size, 2.0) != 0.0;
    if (of.kind() == ExprKind::Neg) {
      const Expr power = wholePower(of.operands()[0], exponent);
      return odd ? -power : power;
    }
    const Expr base = of.isSymbol() ? of : named(of);
    if (size <= 3.0) return pow(base, Expr(exponent));
    const Expr half = named(wholePower(base, (odd ? size - 1.0 : size) / 2.0));
    const Expr power = odd ? pow(half, 2.0) * base : pow(half, 2.0);
    return exponent < 0.0 ? Expr(1.0) / power : power;
  }

  ProgramSteps& out_;
  Constants& constants_;
  std::unordered_map<Expr, int> uses_;
  std::unordered_map<Expr, Expr> done_;
  std::unordered_set<std::string> after_;
  std::vector<ProgramStep> constant_steps_;
  int line_ = -1;
  bool in_constant_ = false;  // what is being written is constant altogether
  int constant_names_ = 0;
  int shared_names_ = 0;
};

void apply(std::vector<Expr>& list, const auto& change) {
  for (Expr& e : list) e = change(e);
}

// Names that served others which folding has since made superfluous.
void dropUnused(ProgramSteps& out) {
  std::unordered_set<std::string> needed;
  const auto need = [&](const Expr& e) {
    for (std::string& name : symbolsOf(e)) needed.insert(std::move(name));
  };
  for (const auto* list : out.solve.lists()) std::for_each(list->begin(), list->end(), need);
  for (const ProgramOutput& output : out.outputs) std::for_each(output.entries.begin(), output.entries.end(), need);
  std::vector<ProgramStep> kept;
  for (std::size_t k = out.steps.size(); k-- > 0;) {
    if (!needed.contains(out.steps[k].symbol.name())) continue;
    need(out.steps[k].value);
    kept.push_back(std::move(out.steps[k]));
  }
  std::reverse(kept.begin(), kept.end());
  out.steps = std::move(kept);
}

void addUp(ProgramSteps& out) {
  out.line_count.resize(out.program.lines().size());
  for (const ProgramStep& step : out.steps) {
    (step.constant ? out.constant_count : out.count) += step.count;
    if (step.constant) continue;
    (step.line < 0 ? out.output_count : out.line_count[static_cast<std::size_t>(step.line)]) += step.count;
  }
  const auto addEntries = [&](const std::vector<Expr>& entries) {
    for (const Expr& e : entries) {
      const OperationCount count = countOperations(e);
      out.count += count;
      out.output_count += count;
    }
  };
  for (const auto* list : out.solve.lists()) addEntries(*list);
  for (const ProgramOutput& output : out.outputs) addEntries(output.entries);
}

}  // namespace

OperationCount countOperations(const Expr& e) {
  OperationCount total;
  countNode(e, total);
  return total;
}

ProgramSteps stepsOf(EquationProgram program) {
  ProgramSteps out;
  program.equations.clear();
  program.removeDeadLines();
  out.solve = program.solve;
  out.outputs = program.outputs;
  Constants constants(program);
  std::vector<Expr> values;
  for (const ProgramLine& line : program.lines()) {
    if (constants.contains(line.value)) constants.add(line.symbol);
    values.push_back(line.value);
  }
  const auto roots = [&] {
    std::vector<Expr> all = values;
    for (const auto* list : out.solve.lists()) all.insert(all.end(), list->begin(), list->end());
    for (const ProgramOutput& output : out.outputs) all.insert(all.end(), output.entries.begin(), output.entries.end());
    return all;
  };
  Regrouping regrouping(roots(), constants);
  const auto regroup = [&](const Expr& e) { return regrouping.apply(e); };
  apply(values, regroup);
  for (auto* list : out.solve.lists()) apply(*list, regroup);
  for (ProgramOutput& output : out.outputs) apply(output.entries, regroup);

  out.program = program;
  Naming naming(out, constants, roots());
  const auto entry = [&](const Expr& e) { return naming.lowerEntry(e); };
  for (std::size_t k = 0; k < values.size(); ++k)
    naming.lowerLine(program.lines()[k].symbol, values[k], static_cast<int>(k));
  const auto applyToCells = [&](std::vector<Expr>& cells, const std::string& letter, int cols) {
    for (int e = 0; e < static_cast<int>(cells.size()); ++e) {
      Expr& cell = cells[static_cast<std::size_t>(e)];
      cell = naming.lowerCell(cell, {letter, e / cols + 1, e % cols + 1});
    }
  };
  applyToCells(out.solve.matrix, "S", std::max(static_cast<int>(out.solve.size()), 1));
  apply(out.solve.right, entry);
  applyToCells(out.solve.rows, "P", std::max(static_cast<int>(out.solve.width), 1));
  applyToCells(out.solve.effects, "X", std::max(static_cast<int>(out.solve.width), 1));
  for (ProgramOutput& output : out.outputs) {
    if (output.cols > 0) {
      applyToCells(output.entries, output.letter, output.cols);
    } else {
      apply(output.entries, entry);
    }
  }
  naming.finish();
  dropUnused(out);
  addUp(out);
  return out;
}

}  // namespace linkwork
