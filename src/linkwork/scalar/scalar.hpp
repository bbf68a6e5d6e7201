// What a kernel may ask of its number type, and select() and valueOf() for double.
//
// Kernels are written once as templates and run with double, Dual and Expr. Inside namespace linkwork the functions
// below are called without a prefix: for double they are found here, for the other scalars by argument-dependent
// lookup.
#pragma once

#include <cmath>
#include <concepts>

namespace linkwork {

using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

constexpr double min(double a, double b) { return b < a ? b : a; }
constexpr double max(double a, double b) { return a < b ? b : a; }
constexpr double sign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }

// a if condition >= 0, else b (also when the condition is not a number). Both a and b are computed: guard what divides.
constexpr double select(double condition, double a, double b) { return condition >= 0 ? a : b; }

// The plain number behind a scalar, for reports and decisions outside of kernels.
constexpr double valueOf(double a) { return a; }

template <class T>
concept Scalar = std::constructible_from<T, double> && std::copyable<T> && requires(T m, const T& a, const T& b) {
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  { 2.0 * a } -> std::convertible_to<T>;
  m += a;
  m -= a;
  m *= a;
  m /= a;
  { sqrt(a) } -> std::convertible_to<T>;
  { sin(a) } -> std::convertible_to<T>;
  { cos(a) } -> std::convertible_to<T>;
  { tan(a) } -> std::convertible_to<T>;
  { asin(a) } -> std::convertible_to<T>;
  { acos(a) } -> std::convertible_to<T>;
  { atan(a) } -> std::convertible_to<T>;
  { atan2(a, b) } -> std::convertible_to<T>;
  { sinh(a) } -> std::convertible_to<T>;
  { cosh(a) } -> std::convertible_to<T>;
  { tanh(a) } -> std::convertible_to<T>;
  { exp(a) } -> std::convertible_to<T>;
  { log(a) } -> std::convertible_to<T>;
  { abs(a) } -> std::convertible_to<T>;
  { sign(a) } -> std::convertible_to<T>;
  { pow(a, b) } -> std::convertible_to<T>;
  { pow(a, 2.0) } -> std::convertible_to<T>;
  { min(a, b) } -> std::convertible_to<T>;
  { max(a, b) } -> std::convertible_to<T>;
  { select(a, a, b) } -> std::convertible_to<T>;
  { valueOf(a) } -> std::convertible_to<double>;
};

}  // namespace linkwork
