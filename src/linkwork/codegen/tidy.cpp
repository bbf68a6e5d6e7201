#include "linkwork/codegen/tidy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "linkwork/codegen/expr_order.hpp"

namespace linkwork {

namespace {

Expr productOf(const std::vector<Factor>& factors) {
  Expr out = 1.0;
  for (const Factor& factor : factors) out *= pow(factor.base, factor.exponent);
  return out;
}

// k * what, written as a quotient where k is one over a whole number.
Expr scaled(double k, const Expr& what) {
  const double inverse = std::round(1.0 / k);
  if (std::abs(inverse) > 1.0 && std::abs(inverse) < 1000.0 && 1.0 / inverse == k) return what / Expr(inverse);
  return Expr(k) * what;
}

// A number that takes this many characters is no decimal that someone wrote.
constexpr std::size_t kLongDecimal = 9;

// k * a as a quotient where k is a long decimal and one over a whole number.
Expr tidiedProduct(const Expr& product) {
  const auto operands = product.operands();
  for (const std::size_t which : {std::size_t{0}, std::size_t{1}}) {
    if (!operands[which].isNumber() || fmt::format("{}", operands[which].number()).size() < kLongDecimal) continue;
    return scaled(operands[which].number(), operands[1 - which]);
  }
  return product;
}

// (k a)^n as k^n a^n, so that squares of halves are joined with others.
Expr tidiedPower(const Expr& power) {
  const auto operands = power.operands();
  const bool product = operands[0].kind() == ExprKind::Mul || operands[0].kind() == ExprKind::Div;
  if (!product || !operands[1].isNumber() || std::round(operands[1].number()) != operands[1].number()) return power;
  const Fraction f = fractionOf(operands[0]);
  const double number = (f.negative ? -1.0 : 1.0) * f.numerator_number / f.denominator_number;
  if (number == 1.0 || number == 0.0) return power;
  Expr what = productOf(f.numerator);
  if (!f.denominator.empty()) what /= productOf(f.denominator);
  return scaled(std::pow(number, operands[1].number()), pow(what, operands[1]));
}

struct Term {
  Expr what;  // without its number
  double number = 0.0;
};

Expr collectedSum(const Expr& sum) {
  std::vector<Term> terms;
  bool joined = false;
  for (const Fraction& f : termsOf(sum)) {
    const double number = (f.negative ? -1.0 : 1.0) * f.numerator_number / f.denominator_number;
    Expr what = productOf(f.numerator);
    if (!f.denominator.empty()) what /= productOf(f.denominator);
    const auto same = std::find_if(terms.begin(), terms.end(), [&](const Term& term) { return term.what == what; });
    if (same == terms.end()) {
      terms.push_back({what, number});
    } else {
      same->number += number;
      joined = true;
    }
  }
  if (!joined) return sum;
  Expr out = 0.0;
  for (const Term& term : terms) {
    if (term.number != 0.0) out += scaled(term.number, term.what);
  }
  return out;
}

Expr tidiedNode(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::Add:
    case ExprKind::Sub: return collectedSum(e);
    case ExprKind::Mul: return tidiedProduct(e);
    case ExprKind::Pow: return tidiedPower(e);
    default: return e;
  }
}

}  // namespace

std::vector<Expr> tidied(std::span<const Expr> es) {
  std::unordered_map<Expr, Expr> done;
  for (const Expr& e : postOrder(es)) {
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(done.at(operand));
    const Expr rebuilt = operands.empty() ? e : withOperands(e, operands);
    done.emplace(e, tidiedNode(rebuilt));
  }
  std::vector<Expr> out;
  for (const Expr& e : es) out.push_back(done.at(e));
  return out;
}

Expr tidied(const Expr& e) { return tidied(std::span<const Expr>(&e, 1)).front(); }

}  // namespace linkwork
