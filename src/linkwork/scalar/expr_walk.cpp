// Walks over the expression graph, all of them loops over a list: graphs may be 100,000 deep.
#include <algorithm>
#include <unordered_map>
#include <vector>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/expr.hpp"
#include "linkwork/scalar/expr_apply.hpp"

namespace linkwork {

namespace {

// Numbers that were met: most of the time of a walk goes into asking.
class MetBefore {
 public:
  // Whether it is new.
  bool insert(std::uint64_t id) {
    if (2 * (count_ + 1) > places_.size()) grow();
    std::uint64_t& place = placeOf(id);
    if (place == id + 1) return false;
    place = id + 1;
    ++count_;
    return true;
  }

 private:
  // The id and one, or 0: free.
  std::uint64_t& placeOf(std::uint64_t id) {
    constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15U;  // 2^64 over the golden ratio
    std::size_t k = static_cast<std::size_t>((id * kSpread) >> 32U) & (places_.size() - 1);
    while (places_[k] != 0 && places_[k] != id + 1) k = (k + 1) & (places_.size() - 1);
    return places_[k];
  }
  void grow() {
    std::vector<std::uint64_t> old(std::max<std::size_t>(32, 2 * places_.size()), 0);
    old.swap(places_);
    for (const std::uint64_t place : old) {
      if (place != 0) placeOf(place - 1) = place;
    }
  }

  std::vector<std::uint64_t> places_;
  std::size_t count_ = 0;
};

// Calls visit(e) for every part, each after its operands.
template <class Visit>
void forEachPart(std::span<const Expr> roots, const Visit& visit) {
  struct Open {
    const Expr* e;  // the roots keep it
    std::size_t next_operand;
  };
  MetBefore met;
  std::vector<Open> stack;
  for (const Expr& root : roots) {
    if (!met.insert(root.id())) continue;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
      Open& top = stack.back();
      const auto operands = top.e->operands();
      if (top.next_operand == operands.size()) {
        visit(*top.e);
        stack.pop_back();
        continue;
      }
      const Expr& operand = operands[top.next_operand++];
      if (met.insert(operand.id())) stack.push_back({&operand, 0});
    }
  }
}

}  // namespace

std::vector<Expr> postOrder(std::span<const Expr> roots) {
  std::vector<Expr> order;
  forEachPart(roots, [&](const Expr& part) { order.push_back(part); });
  return order;
}

std::vector<std::string> symbolsOf(std::span<const Expr> es) {
  std::vector<std::string> names;
  forEachPart(es, [&](const Expr& part) {
    if (part.isSymbol()) names.push_back(part.name());
  });
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
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
  forEachPart(std::span(&e, 1), [&](const Expr& part) {
    if (part == symbol) {
      derivatives.emplace(part.id(), 1.0);
      return;
    }
    const auto ops = part.operands();
    const auto depends = [&](const Expr& x) { return derivatives.contains(x.id()); };
    if (std::none_of(ops.begin(), ops.end(), depends)) return;
    Expr slope = differential(part, derivativeOf(ops, 0), derivativeOf(ops, 1), derivativeOf(ops, 2));
    if (!slope.isNumber(0.0)) derivatives.emplace(part.id(), std::move(slope));
  });
  return derivativeOf(std::span(&e, 1), 0);
}

Expr substitute(const Expr& e, const std::map<std::string, Expr>& replacements) {
  std::unordered_map<std::uint64_t, Expr> changed;  // nodes not listed stay as they are
  const auto valueAfter = [&](const Expr& x) -> const Expr& {
    const auto found = changed.find(x.id());
    return found == changed.end() ? x : found->second;
  };
  forEachPart(std::span(&e, 1), [&](const Expr& part) {
    if (part.isSymbol()) {
      const auto found = replacements.find(part.name());
      if (found != replacements.end()) changed.emplace(part.id(), found->second);
      return;
    }
    const auto ops = part.operands();
    if (std::none_of(ops.begin(), ops.end(), [&](const Expr& x) { return changed.contains(x.id()); })) return;
    Expr values[3];
    for (std::size_t i = 0; i < ops.size(); ++i) values[i] = valueAfter(ops[i]);
    changed.emplace(part.id(), withOperands(part, {values, ops.size()}));
  });
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
