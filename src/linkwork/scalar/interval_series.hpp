// IntervalSeries: a function of one variable over a stretch, as the intervals of its Taylor coefficients there.
//
//   coefficient(k) holds f^(k)(s)/k! for every s of the stretch
//
// so that, on any part of the stretch of length L, f differs from a polynomial of degree k - 1 by at most
// |coefficient(k)| L^k. Where a formula has a corner within the stretch, its derivatives are entire.
//
// A scalar like Dual, for Tape::evaluate; recurrences of the coefficients as in L. B. Rall, Automatic Differentiation,
// 1981, chapter 4.
#pragma once

#include <array>
#include <cstddef>

#include "linkwork/scalar/expr_apply.hpp"
#include "linkwork/scalar/interval.hpp"
#include "linkwork/scalar/table.hpp"

namespace linkwork {

class IntervalSeries {
 public:
  static constexpr std::size_t kOrder = 12;

  IntervalSeries() = default;
  IntervalSeries(double value) : c_{Interval(value)} {}  // NOLINT(google-explicit-constructor): numbers are constants
  // The variable itself over a stretch.
  static IntervalSeries variable(const Interval& stretch);
  // Values from this interval, of which nothing more is known.
  static IntervalSeries rough(const Interval& value);

  const Interval& operator[](std::size_t k) const { return c_[k]; }
  Interval& operator[](std::size_t k) { return c_[k]; }
  // The series of the derivative; its last coefficient is not known.
  IntervalSeries derivative() const;

 private:
  std::array<Interval, kOrder + 1> c_{};
};

IntervalSeries operator+(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator-(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator*(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator/(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries operator-(const IntervalSeries& a);

IntervalSeries sqrt(const IntervalSeries& a);
IntervalSeries sin(const IntervalSeries& a);
IntervalSeries cos(const IntervalSeries& a);
IntervalSeries tan(const IntervalSeries& a);
IntervalSeries asin(const IntervalSeries& a);
IntervalSeries acos(const IntervalSeries& a);
IntervalSeries atan(const IntervalSeries& a);
IntervalSeries atan2(const IntervalSeries& y, const IntervalSeries& x);
IntervalSeries sinh(const IntervalSeries& a);
IntervalSeries cosh(const IntervalSeries& a);
IntervalSeries tanh(const IntervalSeries& a);
IntervalSeries exp(const IntervalSeries& a);
IntervalSeries log(const IntervalSeries& a);
IntervalSeries abs(const IntervalSeries& a);
IntervalSeries sign(const IntervalSeries& a);
IntervalSeries pow(const IntervalSeries& base, const IntervalSeries& exponent);
IntervalSeries min(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries max(const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries select(const IntervalSeries& condition, const IntervalSeries& a, const IntervalSeries& b);
IntervalSeries applyTable(const TablePointer& table, int order, const IntervalSeries& a);

template <>
IntervalSeries powNumber(const IntervalSeries& x, double n);

}  // namespace linkwork
