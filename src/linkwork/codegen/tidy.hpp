// Expressions tidied for a person to read: L - L/2 becomes L/2, 0.08333333333333333*L^2 becomes L^2/12. Values change
// only by rounding.
#pragma once

#include <span>
#include <vector>

#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// In every sum, terms that differ only by a number in front become one, and those that cancel go. A long decimal in
// front that is one over a whole number becomes a quotient. (L/2)^2 becomes L^2/4.
Expr tidied(const Expr& e);
std::vector<Expr> tidied(std::span<const Expr> es);

}  // namespace linkwork
