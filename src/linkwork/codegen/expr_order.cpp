#include "linkwork/codegen/expr_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace linkwork {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view takeDigits(std::string_view& s) {
  std::size_t n = 0;
  while (n < s.size() && isDigit(s[n])) ++n;
  std::string_view digits = s.substr(0, n);
  s.remove_prefix(n);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

enum Rank { kNumber, kSymbol, kBracket, kOtherFunction, kNamedFunction };

Rank rankOf(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::Num: return kNumber;
    case ExprKind::Sym: return kSymbol;
    case ExprKind::Neg:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Pow: return kBracket;
    // Last, so that a name like "\sin x" is never followed by a factor that could be read as part of its argument.
    case ExprKind::Sinh:
    case ExprKind::Cosh:
    case ExprKind::Tanh:
    case ExprKind::Log: return kNamedFunction;
    case ExprKind::Atan2: return kOtherFunction;
    default: return isTrigonometric(e.kind()) ? kNamedFunction : kOtherFunction;
  }
}

// A total order of doubles (numbers of an expression may be infinite or not a number).
std::strong_ordering compareNumbers(double a, double b) {
  if (a < b) return std::strong_ordering::less;
  if (a > b) return std::strong_ordering::greater;
  return std::bit_cast<std::uint64_t>(a) <=> std::bit_cast<std::uint64_t>(b);
}

std::strong_ordering compareFactors(const Factor& a, const Factor& b) {
  if (const auto c = compareForReading(a.base, b.base); c != 0) return c;
  return compareForReading(b.exponent, a.exponent);  // x^2 before x
}

std::strong_ordering compareFactorLists(const std::vector<Factor>& a, const std::vector<Factor>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (const auto c = compareFactors(a[i], b[i]); c != 0) return c;
  }
  return a.size() <=> b.size();
}

std::strong_ordering compareTerms(const Fraction& a, const Fraction& b) {
  if (a.isNumber() != b.isNumber()) return a.isNumber() ? std::strong_ordering::greater : std::strong_ordering::less;
  const auto highest = [](const Fraction& f) {
    Rank rank = kNumber;
    for (const Factor& factor : f.numerator) rank = std::max(rank, rankOf(factor.base));
    for (const Factor& factor : f.denominator) rank = std::max(rank, rankOf(factor.base));
    return rank;
  };
  if (const auto c = highest(a) <=> highest(b); c != 0) return c;
  if (const auto c = compareFactorLists(a.numerator, b.numerator); c != 0) return c;
  if (const auto c = compareFactorLists(a.denominator, b.denominator); c != 0) return c;
  if (const auto c = compareNumbers(a.numerator_number, b.numerator_number); c != 0) return c;
  if (const auto c = compareNumbers(a.denominator_number, b.denominator_number); c != 0) return c;
  return a.negative <=> b.negative;
}

// Sorts, and joins whole powers of one base.
void arrange(std::vector<Factor>& factors) {
  const auto whole = [](const Expr& e) { return e.isNumber() && e.number() == std::floor(e.number()); };
  std::stable_sort(factors.begin(), factors.end(),
                   [](const Factor& a, const Factor& b) { return compareFactors(a, b) < 0; });
  std::vector<Factor> joined;
  std::size_t last_whole = 0;  // one past the last whole power in joined
  for (Factor& factor : factors) {
    const bool joins = whole(factor.exponent) && last_whole > 0 && joined[last_whole - 1].base == factor.base;
    if (joins) {
      joined[last_whole - 1].exponent += factor.exponent;
      continue;
    }
    joined.push_back(std::move(factor));
    if (whole(joined.back().exponent)) last_whole = joined.size();
  }
  factors = std::move(joined);
}

}  // namespace

std::strong_ordering compareNames(std::string_view a, std::string_view b) {
  std::string_view rest_a = a, rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    if (isDigit(rest_a.front()) && isDigit(rest_b.front())) {
      const std::string_view digits_a = takeDigits(rest_a), digits_b = takeDigits(rest_b);
      if (const auto c = digits_a.size() <=> digits_b.size(); c != 0) return c;
      if (const auto c = digits_a <=> digits_b; c != 0) return c;
      continue;
    }
    if (const auto c = lower(rest_a.front()) <=> lower(rest_b.front()); c != 0) return c;
    rest_a.remove_prefix(1);
    rest_b.remove_prefix(1);
  }
  if (const auto c = rest_a.size() <=> rest_b.size(); c != 0) return c;
  return a <=> b;
}

std::strong_ordering compareForReading(const Expr& left, const Expr& right) {
  // Different nodes differ in themselves or in some operand, and equal operands are the same node: so the comparison
  // walks down one path.
  Expr a = left, b = right;
  while (true) {
    if (a == b) return std::strong_ordering::equal;
    if (const auto c = rankOf(a) <=> rankOf(b); c != 0) return c;
    if (const auto c = a.kind() <=> b.kind(); c != 0) return c;
    if (a.isNumber()) return compareNumbers(a.number(), b.number());
    if (a.isSymbol()) return compareNames(a.name(), b.name());
    if (a.kind() == ExprKind::Table) {
      if (const auto c = compareNames(a.table()->name(), b.table()->name()); c != 0) return c;
      if (const auto c = a.tableOrder() <=> b.tableOrder(); c != 0) return c;
      // Two tables of one name, from two files: their contents have no order to read in, but a lasting one.
      if (const auto c = a.table()->hash() <=> b.table()->hash(); c != 0) return c;
      if (a.operands()[0] == b.operands()[0]) return std::strong_ordering::equal;
    }
    std::size_t i = 0;
    while (a.operands()[i] == b.operands()[i]) ++i;
    Expr next_a = a.operands()[i], next_b = b.operands()[i];
    a = std::move(next_a);
    b = std::move(next_b);
  }
}

Fraction fractionOf(const Expr& e) {
  Fraction f;
  struct Part {
    Expr e;
    bool below;
  };
  std::vector<Part> open = {{e, false}};
  while (!open.empty()) {
    const auto [part, below] = std::move(open.back());
    open.pop_back();
    const auto ops = part.operands();
    auto& factors = below ? f.denominator : f.numerator;
    switch (part.kind()) {
      case ExprKind::Num: {
        double& number = below ? f.denominator_number : f.numerator_number;
        const double size = std::abs(part.number());
        if (std::signbit(part.number())) f.negative = !f.negative;
        const double joined = number * size;
        if (number == 1 || std::isnormal(joined) || size == 0) {
          number = joined;
        } else {
          factors.push_back({Expr(size)});
        }
        break;
      }
      case ExprKind::Neg:
        f.negative = !f.negative;
        open.push_back({ops[0], below});
        break;
      case ExprKind::Mul:
        open.push_back({ops[1], below});
        open.push_back({ops[0], below});
        break;
      case ExprKind::Div:
        open.push_back({ops[1], !below});
        open.push_back({ops[0], below});
        break;
      case ExprKind::Pow:
        if (ops[1].isNumber() && ops[1].number() < 0 && ops[1].number() == std::floor(ops[1].number())) {
          (below ? f.numerator : f.denominator).push_back({ops[0], -ops[1]});
        } else {
          factors.push_back({ops[0], ops[1]});
        }
        break;
      default: factors.push_back({part});
    }
  }
  arrange(f.numerator);
  arrange(f.denominator);
  return f;
}

std::vector<Fraction> termsOf(const Expr& e) {
  struct Part {
    Expr e;
    bool negative;
  };
  std::vector<Fraction> terms;
  double constant = 0;
  std::vector<Part> open = {{e, false}};
  while (!open.empty()) {
    const auto [part, negative] = std::move(open.back());
    open.pop_back();
    const auto ops = part.operands();
    switch (part.kind()) {
      case ExprKind::Num: constant += negative ? -part.number() : part.number(); break;
      case ExprKind::Neg: open.push_back({ops[0], !negative}); break;
      case ExprKind::Add:
      case ExprKind::Sub:
        open.push_back({ops[1], negative != (part.kind() == ExprKind::Sub)});
        open.push_back({ops[0], negative});
        break;
      default: {
        Fraction term = fractionOf(part);
        term.negative = term.negative != negative;
        terms.push_back(std::move(term));
      }
    }
  }
  if (constant != 0 || terms.empty()) terms.push_back(fractionOf(Expr(constant)));
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Fraction& a, const Fraction& b) { return compareTerms(a, b) < 0; });
  const auto positive = std::find_if(terms.begin(), terms.end(), [](const Fraction& t) { return !t.negative; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  return terms;
}

}  // namespace linkwork
