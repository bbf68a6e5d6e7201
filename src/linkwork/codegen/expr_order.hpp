// How a person would order and group an expression: sums of signed terms, fractions of factors. Shared by the writers.
//
// Everything here depends on structure and names only, never on addresses, ids or the order of building.
#pragma once

#include <compare>
#include <string_view>
#include <vector>

#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// Names as people sort them: x2 before x10, letters without regard to case unless nothing else differs.
std::strong_ordering compareNames(std::string_view a, std::string_view b);

// Numbers, then symbols, then brackets, then functions; never equal for different expressions.
std::strong_ordering compareForReading(const Expr& a, const Expr& b);

struct Factor {
  Expr base;
  Expr exponent = 1.0;
};

// sign * (numerator_number * numerator...) / (denominator_number * denominator...), factors in reading order.
struct Fraction {
  bool negative = false;
  double numerator_number = 1;
  double denominator_number = 1;
  std::vector<Factor> numerator;
  std::vector<Factor> denominator;

  bool isNumber() const { return numerator.empty() && denominator.empty() && denominator_number == 1; }
  bool hasDenominator() const { return !denominator.empty() || denominator_number != 1; }
};

// Numbers are multiplied together and equal bases are joined; nothing is cancelled or expanded.
Fraction fractionOf(const Expr& e);

// The terms of a sum in reading order, a positive one first if there is any; numbers are added up and stand last unless
// they are the only positive term. Never empty.
std::vector<Fraction> termsOf(const Expr& e);

}  // namespace linkwork
