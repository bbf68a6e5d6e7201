// What each expression node means, once for every scalar: shared by folding, evaluation, substitution and the tape.
#pragma once

#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// Exponents up to this size are computed by multiplication, which is faster than pow and legal for negative bases.
inline constexpr int kLargestProductExponent = 16;

inline bool isProductExponent(double n) { return std::abs(n) <= kLargestProductExponent && n == std::floor(n); }

// x^n for a number n.
template <class T>
T powNumber(const T& x, double n) {
  if (!isProductExponent(n)) return pow(x, n);
  int remaining = static_cast<int>(std::abs(n));
  T result(1.0);
  T square = x;
  bool started = false;
  while (remaining > 0) {
    if (remaining % 2 == 1) {
      result = started ? T(result * square) : square;
      started = true;
    }
    remaining /= 2;
    if (remaining > 0) square = square * square;
  }
  return n < 0 ? T(1.0 / result) : result;
}

template <>
inline Expr powNumber(const Expr& x, double n) {
  return pow(x, Expr(n));
}

// Multiplications that powNumber spends on |n|.
inline int powNumberMultiplications(double n) {
  int remaining = static_cast<int>(std::abs(n));
  int count = 0;
  for (bool started = false; remaining > 0; remaining /= 2) {
    if (remaining % 2 == 1 && started) ++count;
    started = started || remaining % 2 == 1;
    if (remaining > 1) ++count;
  }
  return count;
}

// The value of a node from the values of its operands; unused operands are ignored.
template <class T>
T applyKind(ExprKind kind, const T& a, const T& b, const T& c) {
  switch (kind) {
    case ExprKind::Num:
    case ExprKind::Sym:
    case ExprKind::Table: break;
    case ExprKind::Neg: return -a;
    case ExprKind::Add: return a + b;
    case ExprKind::Sub: return a - b;
    case ExprKind::Mul: return a * b;
    case ExprKind::Div: return a / b;
    case ExprKind::Pow: return pow(a, b);
    case ExprKind::Sqrt: return sqrt(a);
    case ExprKind::Sin: return sin(a);
    case ExprKind::Cos: return cos(a);
    case ExprKind::Tan: return tan(a);
    case ExprKind::Asin: return asin(a);
    case ExprKind::Acos: return acos(a);
    case ExprKind::Atan: return atan(a);
    case ExprKind::Atan2: return atan2(a, b);
    case ExprKind::Sinh: return sinh(a);
    case ExprKind::Cosh: return cosh(a);
    case ExprKind::Tanh: return tanh(a);
    case ExprKind::Exp: return exp(a);
    case ExprKind::Log: return log(a);
    case ExprKind::Abs: return abs(a);
    case ExprKind::Sign: return sign(a);
    case ExprKind::Min: return min(a, b);
    case ExprKind::Max: return max(a, b);
    case ExprKind::Select: return select(a, b, c);
  }
  throw ContractError("applyKind: numbers and symbols have no operands, and a kind names no table");
}

}  // namespace linkwork
