// Walks over the expression graph, all of them loops over a list: graphs may be 100,000 deep.
#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/expr.hpp"
#include "linkwork/scalar/expr_apply.hpp"

namespace linkwork {

std::vector<Expr> postOrder(std::span<const Expr> roots) {
  struct Visit {
    Expr e;
    std::size_t next_operand;
  };
  std::vector<Expr> order;
  std::unordered_set<std::uint64_t> seen;
  std::vector<Visit> stack;
  for (const Expr& root : roots) {
    if (!seen.insert(root.id()).second) continue;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      Visit& top = stack.back();
      if (top.next_operand == top.e.operands().size()) {
        order.push_back(std::move(top.e));
        stack.pop_back();
        continue;
      }
      Expr operand = top.e.operands()[top.next_operand++];
      if (seen.insert(operand.id()).second) stack.push_back({std::move(operand), 0});
    }
  }
  return order;
}

std::vector<std::string> symbolsOf(std::span<const Expr> es) {
  std::set<std::string> names;
  for (const Expr& e : postOrder(es)) {
    if (e.isSymbol()) names.insert(e.name());
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> symbolsOf(const Expr& e) { return symbolsOf(std::span(&e, 1)); }

namespace {

// d(e) from e and the differentials of its operands.
Expr differential(const Expr& e, const Expr& da, const Expr& db, const Expr& dc) {
  const auto ops = e.operands();
  const Expr& a = ops[0];
  switch (e.kind()) {
    case ExprKind::Num:
    case ExprKind::Sym: break;
    case ExprKind::Neg: return -da;
    case ExprKind::Add: return da + db;
    case ExprKind::Sub: return da - db;
    case ExprKind::Mul: return da * ops[1] + a * db;
    case ExprKind::Div:
      // (a/b)' = a'/b - a b'/b^2
      return da / ops[1] - a * db / pow(ops[1], 2.0);
    case ExprKind::Pow: {
      // (a^b)' = b a^(b-1) a' + a^b log(a) b'; the logarithm only where the exponent varies
      const Expr& b = ops[1];
      const Expr from_base = da.isNumber(0) ? Expr() : b * pow(a, b - 1.0) * da;
      return db.isNumber(0) ? from_base : from_base + e * log(a) * db;
    }
    case ExprKind::Sqrt: return da / (2.0 * e);
    case ExprKind::Sin: return cos(a) * da;
    case ExprKind::Cos: return -(sin(a) * da);
    case ExprKind::Tan: return (1.0 + pow(e, 2.0)) * da;
    case ExprKind::Asin: return da / sqrt(1.0 - pow(a, 2.0));
    case ExprKind::Acos: return -(da / sqrt(1.0 - pow(a, 2.0)));
    case ExprKind::Atan: return da / (1.0 + pow(a, 2.0));
    case ExprKind::Atan2: return (ops[1] * da - a * db) / (pow(ops[1], 2.0) + pow(a, 2.0));
    case ExprKind::Sinh: return cosh(a) * da;
    case ExprKind::Cosh: return sinh(a) * da;
    case ExprKind::Tanh: return (1.0 - pow(e, 2.0)) * da;
    case ExprKind::Exp: return e * da;
    case ExprKind::Log: return da / a;
    case ExprKind::Abs: return sign(a) * da;
    case ExprKind::Sign: return Expr();
    case ExprKind::Min: return select(ops[1] - a, da, db);
    case ExprKind::Max: return select(a - ops[1], da, db);
    case ExprKind::Select: return select(a, db, dc);
    case ExprKind::Table:
      // The mark of a corner is only looked at for its sign.
      if (e.tableOrder() == kTableCorner) return Expr();
      return applyTable(e.table(), e.tableOrder() + 1, a) * da;
  }
  throw ContractError("differentiate: numbers and symbols have no operands");
}

}  // namespace

Expr differentiate(const Expr& e, const Expr& symbol) {
  expect(symbol.isSymbol(), "differentiate: can only differentiate by a symbol");
  std::unordered_map<std::uint64_t, Expr> derivatives;  // of those nodes that depend on the symbol
  const auto derivativeOf = [&](std::span<const Expr> operands, std::size_t i) {
    if (i >= operands.size()) return Expr();
    const auto found = derivatives.find(operands[i].id());
    return found == derivatives.end() ? Expr() : found->second;
  };
  for (const Expr& part : postOrder(std::span(&e, 1))) {
    if (part == symbol) {
      derivatives.emplace(part.id(), 1.0);
      continue;
    }
    const auto ops = part.operands();
    if (ops.empty()) continue;
    const Expr da = derivativeOf(ops, 0);
    const Expr db = derivativeOf(ops, 1);
    const Expr dc = derivativeOf(ops, 2);
    if (da.isNumber(0) && db.isNumber(0) && dc.isNumber(0)) continue;
    derivatives.emplace(part.id(), differential(part, da, db, dc));
  }
  return derivativeOf(std::span(&e, 1), 0);
}

Expr substitute(const Expr& e, const std::map<std::string, Expr>& replacements) {
  std::unordered_map<std::uint64_t, Expr> changed;  // nodes not listed stay as they are
  const auto valueAfter = [&](const Expr& x) -> const Expr& {
    const auto found = changed.find(x.id());
    return found == changed.end() ? x : found->second;
  };
  for (const Expr& part : postOrder(std::span(&e, 1))) {
    if (part.isSymbol()) {
      const auto found = replacements.find(part.name());
      if (found != replacements.end()) changed.emplace(part.id(), found->second);
      continue;
    }
    const auto ops = part.operands();
    if (std::none_of(ops.begin(), ops.end(), [&](const Expr& x) { return changed.contains(x.id()); })) continue;
    Expr values[3];
    for (std::size_t i = 0; i < ops.size(); ++i) values[i] = valueAfter(ops[i]);
    changed.emplace(part.id(), withOperands(part, {values, ops.size()}));
  }
  return valueAfter(e);
}

double evaluate(const Expr& e, const std::map<std::string, double>& values) {
  std::unordered_map<std::uint64_t, double> results;
  const auto operandValue = [&](std::span<const Expr> operands, std::size_t i) {
    return i < operands.size() ? results.at(operands[i].id()) : 0.0;
  };
  for (const Expr& part : postOrder(std::span(&e, 1))) {
    const auto ops = part.operands();
    double result = 0;
    if (part.isNumber()) {
      result = part.number();
    } else if (part.isSymbol()) {
      const auto found = values.find(part.name());
      expect(found != values.end(), "evaluate: symbol \"" + part.name() + "\" has no value");
      result = found->second;
    } else if (part.kind() == ExprKind::Pow && ops[1].isNumber()) {
      result = powNumber(operandValue(ops, 0), ops[1].number());
    } else if (part.kind() == ExprKind::Table) {
      result = applyTable(part.table(), part.tableOrder(), operandValue(ops, 0));
    } else {
      result = applyKind(part.kind(), operandValue(ops, 0), operandValue(ops, 1), operandValue(ops, 2));
    }
    results.emplace(part.id(), result);
  }
  return results.at(e.id());
}

}  // namespace linkwork
