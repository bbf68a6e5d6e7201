// Dual<N, T>: a value with its derivatives along N directions (forward differentiation); nests for second derivatives.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "linkwork/scalar/scalar.hpp"

namespace linkwork {

// True if the number and all its derivatives are exactly zero: multiplying by it must not turn an infinity into NaN.
constexpr bool isExactlyZero(double a) { return a == 0; }

// x = value + sum_i derivatives[i] e_i with e_i e_j = 0. Comparisons look at values only.
template <int N, class T = double>
struct Dual {
  static_assert(N > 0);
  T value{};
  std::array<T, static_cast<std::size_t>(N)> derivatives{};

  constexpr Dual() = default;
  constexpr Dual(const T& v) : value(v) {}  // NOLINT: constants are duals
  constexpr Dual(double v)                  // NOLINT
    requires(!std::same_as<T, double>)
      : value(v) {}

  // The independent variable of the given direction: d/de_direction = 1.
  static constexpr Dual variable(const T& v, int direction = 0) {
    Dual x(v);
    x.derivatives[static_cast<std::size_t>(direction)] = T(1.0);
    return x;
  }

  constexpr const T& derivative(int direction = 0) const { return derivatives[static_cast<std::size_t>(direction)]; }

  // f(a) with value f and slope f'(a); f(a, b) with both slopes.
  static constexpr Dual chain(const T& f, const T& slope, const Dual& a) {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = slope * a.derivatives[i];
    return r;
  }
  static constexpr Dual chain(const T& f, const T& slope_a, const Dual& a, const T& slope_b, const Dual& b) {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = slope_a * a.derivatives[i] + slope_b * b.derivatives[i];
    return r;
  }

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }
  constexpr Dual& operator+=(double b) { return *this = *this + b; }
  constexpr Dual& operator-=(double b) { return *this = *this - b; }
  constexpr Dual& operator*=(double b) { return *this = *this * b; }
  constexpr Dual& operator/=(double b) { return *this = *this / b; }

  friend constexpr Dual operator+(const Dual& a) { return a; }
  friend constexpr Dual operator-(const Dual& a) {
    Dual r(-a.value);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = -a.derivatives[i];
    return r;
  }

  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = a.derivatives[i] + b.derivatives[i];
    return r;
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.value - b.value);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = a.derivatives[i] - b.derivatives[i];
    return r;
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, b.value, a, a.value, b);
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    // (a/b)' = (a' - (a/b) b') / b
    const T quotient = a.value / b.value;
    Dual r(quotient);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = (a.derivatives[i] - quotient * b.derivatives[i]) / b.value;
    return r;
  }

  // With a plain number only the work that is needed.
  friend constexpr Dual operator+(const Dual& a, double b) {
    Dual r = a;
    r.value += b;
    return r;
  }
  friend constexpr Dual operator+(double a, const Dual& b) { return b + a; }
  friend constexpr Dual operator-(const Dual& a, double b) {
    Dual r = a;
    r.value -= b;
    return r;
  }
  friend constexpr Dual operator-(double a, const Dual& b) {
    Dual r = -b;
    r.value += a;
    return r;
  }
  friend constexpr Dual operator*(const Dual& a, double b) {
    Dual r(a.value * b);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = a.derivatives[i] * b;
    return r;
  }
  friend constexpr Dual operator*(double a, const Dual& b) { return b * a; }
  friend constexpr Dual operator/(const Dual& a, double b) {
    Dual r(a.value / b);
    for (std::size_t i = 0; i < N; ++i) r.derivatives[i] = a.derivatives[i] / b;
    return r;
  }
  friend constexpr Dual operator/(double a, const Dual& b) {
    const T quotient = a / b.value;
    return chain(quotient, -quotient / b.value, b);
  }

  friend constexpr bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend constexpr bool operator>(const Dual& a, const Dual& b) { return b.value < a.value; }
  friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend constexpr bool operator>=(const Dual& a, const Dual& b) { return b.value <= a.value; }

  friend constexpr double valueOf(const Dual& a) { return valueOf(a.value); }
  friend constexpr bool isExactlyZero(const Dual& a) {
    bool zero = isExactlyZero(a.value);
    for (const T& d : a.derivatives) zero = zero && isExactlyZero(d);
    return zero;
  }

  friend Dual sqrt(const Dual& a) {
    const T root = sqrt(a.value);
    return chain(root, 0.5 / root, a);
  }
  friend Dual sin(const Dual& a) { return chain(sin(a.value), cos(a.value), a); }
  friend Dual cos(const Dual& a) { return chain(cos(a.value), -sin(a.value), a); }
  friend Dual tan(const Dual& a) {
    const T t = tan(a.value);
    return chain(t, 1.0 + t * t, a);
  }
  friend Dual asin(const Dual& a) { return chain(asin(a.value), 1.0 / sqrt(1.0 - a.value * a.value), a); }
  friend Dual acos(const Dual& a) { return chain(acos(a.value), -1.0 / sqrt(1.0 - a.value * a.value), a); }
  friend Dual atan(const Dual& a) { return chain(atan(a.value), 1.0 / (1.0 + a.value * a.value), a); }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const T r2 = x.value * x.value + y.value * y.value;
    return chain(atan2(y.value, x.value), x.value / r2, y, -y.value / r2, x);
  }
  friend Dual sinh(const Dual& a) { return chain(sinh(a.value), cosh(a.value), a); }
  friend Dual cosh(const Dual& a) { return chain(cosh(a.value), sinh(a.value), a); }
  friend Dual tanh(const Dual& a) {
    const T t = tanh(a.value);
    return chain(t, 1.0 - t * t, a);
  }
  friend Dual exp(const Dual& a) {
    const T e = exp(a.value);
    return chain(e, e, a);
  }
  friend Dual log(const Dual& a) { return chain(log(a.value), 1.0 / a.value, a); }

  // At the kinks: abs has slope 0 at 0; min, max and select take the derivatives of the side whose value they take.
  friend Dual abs(const Dual& a) { return chain(abs(a.value), sign(a.value), a); }
  friend constexpr Dual sign(const Dual& a) { return Dual(sign(a.value)); }
  friend constexpr Dual min(const Dual& a, const Dual& b) { return valueOf(b) < valueOf(a) ? b : a; }
  friend constexpr Dual max(const Dual& a, const Dual& b) { return valueOf(a) < valueOf(b) ? b : a; }
  friend constexpr Dual select(const Dual& condition, const Dual& a, const Dual& b) {
    return valueOf(condition) >= 0 ? a : b;
  }

  friend Dual pow(const Dual& a, double n) {
    // A constant exponent keeps negative bases legal and x^0 flat everywhere, also at x = 0.
    if (n == 0) return Dual(T(1.0));
    return chain(pow(a.value, n), n * pow(a.value, n - 1.0), a);
  }
  friend Dual pow(const Dual& a, const Dual& b) {
    // (a^b)' = b a^(b-1) a' + a^b log(a) b'; a term whose factor b or b' is exactly zero is left out, so that a
    // constant exponent behaves as above.
    const T power = pow(a.value, b.value);
    const T slope_a = isExactlyZero(b.value) ? T(0.0) : T(b.value * pow(a.value, b.value - 1.0));
    bool exponent_varies = false;
    for (const T& d : b.derivatives) exponent_varies = exponent_varies || !isExactlyZero(d);
    if (!exponent_varies) return chain(power, slope_a, a);
    // 0^b stays 0 while b > 0.
    const bool stays_zero = valueOf(a) == 0 && valueOf(b) > 0;
    const T slope_b = stays_zero ? T(0.0) : T(power * log(a.value));
    return chain(power, slope_a, a, slope_b, b);
  }
};

static_assert(Scalar<Dual<1>> && Scalar<Dual<1, Dual<1>>>);

}  // namespace linkwork
