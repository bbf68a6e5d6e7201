#include "linkwork/scalar/interval.hpp"

#include <algorithm>
#include <numbers>

namespace linkwork {

namespace {

// Zero times an end that is infinite is zero: no value of the interval is infinite itself.
double product(double a, double b) { return a == 0.0 || b == 0.0 ? 0.0 : a * b; }

// Of a function that rises.
template <class Function>
Interval rising(const Interval& a, const Function& f) {
  return {f(a.lo), f(a.hi)};
}

// Whether phase + k * period lies in a for some whole k.
bool meets(const Interval& a, double phase, double period) {
  return std::floor((a.hi - phase) / period) >= std::ceil((a.lo - phase) / period);
}

// Of cosine, from its extremes that lie in a.
Interval cosine(const Interval& a) {
  if (a.isEmpty()) return a;
  if (!a.isBounded()) return {-1.0, 1.0};
  const double at_lo = std::cos(a.lo);
  const double at_hi = std::cos(a.hi);
  Interval out(std::min(at_lo, at_hi), std::max(at_lo, at_hi));
  if (meets(a, 0.0, 2.0 * std::numbers::pi)) out.hi = 1.0;
  if (meets(a, std::numbers::pi, 2.0 * std::numbers::pi)) out.lo = -1.0;
  return out;
}

}  // namespace

Interval hull(const Interval& a, const Interval& b) {
  if (a.isEmpty()) return b;
  if (b.isEmpty()) return a;
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval intersect(const Interval& a, const Interval& b) {
  if (a.isEmpty() || b.isEmpty()) return Interval::empty();
  const Interval out(std::max(a.lo, b.lo), std::min(a.hi, b.hi));
  return out.lo <= out.hi ? out : a;  // round-off alone keeps them apart
}

// Ends of opposite infinities leave their sum open.
Interval operator+(const Interval& a, const Interval& b) {
  Interval out(a.lo + b.lo, a.hi + b.hi);
  if (!out.isEmpty() || a.isEmpty() || b.isEmpty()) return out;
  if (std::isnan(out.lo)) out.lo = -std::numeric_limits<double>::infinity();
  if (std::isnan(out.hi)) out.hi = std::numeric_limits<double>::infinity();
  return out;
}

Interval operator*(const Interval& a, const Interval& b) {
  if (a.isEmpty() || b.isEmpty()) return Interval::empty();
  const double p = product(a.lo, b.lo);
  const double q = product(a.lo, b.hi);
  const double r = product(a.hi, b.lo);
  const double s = product(a.hi, b.hi);
  return {std::min(std::min(p, q), std::min(r, s)), std::max(std::max(p, q), std::max(r, s))};
}

Interval operator/(const Interval& a, const Interval& b) {
  if (a.isEmpty() || b.isEmpty()) return Interval::empty();
  if (b.contains(0.0)) return Interval::entire();
  return a * Interval(1.0 / b.hi, 1.0 / b.lo);
}

Interval cos(const Interval& a) { return cosine(a); }
Interval sin(const Interval& a) { return cosine(a - Interval(0.5 * std::numbers::pi)); }

Interval tan(const Interval& a) {
  if (a.isEmpty()) return a;
  if (!a.isBounded() || meets(a, 0.5 * std::numbers::pi, std::numbers::pi)) return Interval::entire();
  return rising(a, [](double x) { return std::tan(x); });
}

Interval asin(const Interval& a) {
  if (a.lo > 1.0 || a.hi < -1.0) return Interval::empty();
  return rising(a, [](double x) { return std::asin(std::clamp(x, -1.0, 1.0)); });
}
Interval acos(const Interval& a) { return Interval(0.5 * std::numbers::pi) - asin(a); }
Interval atan(const Interval& a) {
  return rising(a, [](double x) { return std::atan(x); });
}
Interval sinh(const Interval& a) {
  return rising(a, [](double x) { return std::sinh(x); });
}
Interval cosh(const Interval& a) {
  return rising(abs(a), [](double x) { return std::cosh(x); });
}
Interval tanh(const Interval& a) {
  return rising(a, [](double x) { return std::tanh(x); });
}
Interval exp(const Interval& a) {
  return rising(a, [](double x) { return std::exp(x); });
}

Interval log(const Interval& a) {
  if (a.hi < 0.0) return Interval::empty();
  return rising(a, [](double x) { return std::log(std::max(x, 0.0)); });
}

Interval abs(const Interval& a) {
  if (a.contains(0.0)) return {0.0, a.magnitude()};
  return {std::min(std::abs(a.lo), std::abs(a.hi)), a.magnitude()};
}

Interval pow(const Interval& a, double exponent) {
  if (a.isEmpty()) return a;
  const bool whole = exponent == std::floor(exponent);
  if (!whole && a.hi < 0.0) return Interval::empty();
  if (exponent < 0.0) {
    if (a.contains(0.0)) return Interval::entire();
    return Interval(1.0) / pow(a, -exponent);
  }
  if (whole && std::fmod(exponent, 2.0) == 0.0)
    return rising(abs(a), [exponent](double x) { return std::pow(x, exponent); });
  const Interval base = whole ? a : Interval(std::max(a.lo, 0.0), a.hi);
  return rising(base, [exponent](double x) { return std::pow(x, exponent); });
}

}  // namespace linkwork
