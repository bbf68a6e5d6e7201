// Interval: all values between two ends; what comes out of an operation holds every value that the operation has for
// values from its operands.
//
// Ends are not rounded outward: those who ask want bounds to some digits, not proofs to the last one. An end may be
// infinite. What is defined for no value of its operands is the empty interval, whose ends are no numbers.
#pragma once

#include <cmath>
#include <limits>

namespace linkwork {

struct Interval {
  double lo = 0.0;
  double hi = 0.0;

  constexpr Interval() = default;
  constexpr Interval(double value) : lo(value), hi(value) {}  // NOLINT(google-explicit-constructor): numbers are points
  constexpr Interval(double low, double high) : lo(low), hi(high) {}

  static constexpr Interval entire() {
    return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  }
  static constexpr Interval empty() {
    return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  }

  bool isEmpty() const { return std::isnan(lo) || std::isnan(hi); }
  bool isBounded() const { return std::isfinite(lo) && std::isfinite(hi); }
  bool contains(double value) const { return lo <= value && value <= hi; }
  double width() const { return hi - lo; }
  double magnitude() const { return std::fmax(std::abs(lo), std::abs(hi)); }
};

Interval hull(const Interval& a, const Interval& b);       // an empty one adds nothing
Interval intersect(const Interval& a, const Interval& b);  // of two that hold the same values

Interval operator+(const Interval& a, const Interval& b);
inline Interval operator-(const Interval& a) { return {-a.hi, -a.lo}; }
inline Interval operator-(const Interval& a, const Interval& b) { return a + (-b); }
Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);  // entire where the divisor may be zero

Interval sin(const Interval& a);
Interval cos(const Interval& a);
Interval tan(const Interval& a);
Interval asin(const Interval& a);
Interval acos(const Interval& a);
Interval atan(const Interval& a);
Interval sinh(const Interval& a);
Interval cosh(const Interval& a);
Interval tanh(const Interval& a);
Interval exp(const Interval& a);
Interval log(const Interval& a);
Interval abs(const Interval& a);
// A power by a number.
Interval pow(const Interval& a, double exponent);

}  // namespace linkwork
