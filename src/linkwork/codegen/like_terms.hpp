// Like terms of a sum brought together: L - L/2 becomes L/2. For equations that a person reads; values change only by rounding.
#pragma once

#include <span>
#include <vector>

#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// In every sum below the expression, terms that differ only by a number in front become one; those that cancel go.
Expr collectLikeTerms(const Expr& e);
std::vector<Expr> collectLikeTerms(std::span<const Expr> es);

}  // namespace linkwork
