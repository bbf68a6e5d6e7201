#include "linkwork/scalar/interval_series.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace linkwork {

namespace {

constexpr std::size_t kOrder = IntervalSeries::kOrder;
constexpr double kMostFactors = 64;  // up to this power by products

bool isZero(const Interval& a) { return a.lo == 0.0 && a.hi == 0.0; }

// y with y' = slope(y) u', where slope's coefficient k - 1 is known once y's are up to k - 1:
//   y_k = (1/k) sum_{j=1..k} j u_j slope_{k-j}
Interval chained(const IntervalSeries& u, const IntervalSeries& slope, std::size_t k) {
  Interval sum;
  for (std::size_t j = 1; j <= k; ++j) {
    if (!isZero(u[j])) sum = sum + Interval(static_cast<double>(j)) * u[j] * slope[k - j];
  }
  return sum * Interval(1.0 / static_cast<double>(k));
}

// As above for a slope that is known as a whole.
IntervalSeries integrated(const Interval& value, const IntervalSeries& u, const IntervalSeries& slope) {
  IntervalSeries out;
  out[0] = value;
  for (std::size_t k = 1; k <= kOrder; ++k) out[k] = chained(u, slope, k);
  return out;
}

std::pair<IntervalSeries, IntervalSeries> sineAndCosine(const IntervalSeries& u) {
  IntervalSeries s;
  IntervalSeries c;
  s[0] = sin(u[0]);
  c[0] = cos(u[0]);
  for (std::size_t k = 1; k <= kOrder; ++k) {
    s[k] = chained(u, c, k);
    c[k] = -chained(u, s, k);
  }
  return {s, c};
}

// tan and tanh: y' = 1 + y^2, y' = 1 - y^2. Each coefficient is the slope times something, so that far from its step a
// tanh is as flat as it is.
IntervalSeries tangent(const IntervalSeries& u, const Interval& value, double sign) {
  IntervalSeries y;
  IntervalSeries slope;
  y[0] = value;
  slope[0] = Interval(1.0) + Interval(sign) * pow(value, 2.0);
  if (sign < 0.0) slope[0] = intersect(slope[0], {0.0, 1.0});
  for (std::size_t k = 1; k <= kOrder; ++k) {
    y[k] = chained(u, slope, k);
    Interval square;
    for (std::size_t j = 0; j <= k; ++j) square = square + y[j] * y[k - j];
    slope[k] = Interval(sign) * square;
  }
  return y;
}

// x^n for a base that stays positive, or away from zero where n is whole:
//   y_k = 1/(k x_0) sum_{j=1..k} (n j - (k - j)) x_j y_{k-j}
IntervalSeries power(const IntervalSeries& x, double n) {
  IntervalSeries y;
  y[0] = pow(x[0], n);
  for (std::size_t k = 1; k <= kOrder; ++k) {
    Interval sum;
    for (std::size_t j = 1; j <= k; ++j) {
      const double factor = n * static_cast<double>(j) - static_cast<double>(k - j);
      if (!isZero(x[j])) sum = sum + Interval(factor) * x[j] * y[k - j];
    }
    y[k] = sum / (Interval(static_cast<double>(k)) * x[0]);
  }
  return y;
}

IntervalSeries nowhere() { return IntervalSeries::rough(Interval::empty()); }

bool isConstant(const IntervalSeries& a) {
  for (std::size_t k = 1; k <= kOrder; ++k) {
    if (!isZero(a[k])) return false;
  }
  return a[0].width() == 0.0;
}

bool same(const IntervalSeries& a, const IntervalSeries& b) {
  return isConstant(a) && isConstant(b) && a[0].lo == b[0].lo;
}

// A table's derivative of some order over an interval: of pieces that are cubics at most, with knots among the ends
// looked at, extremes between two knots bounded by the slope from their middle.
Interval tableRange(const Table& table, int order, const Interval& u) {
  const auto& x = table.x();
  if (table.outside() == TableOutside::error && (u.hi < x.front() || u.lo > x.back())) return Interval::empty();
  Interval out = Interval::empty();
  const auto look = [&](double from, double to) {
    const double middle = 0.5 * (from + to);
    const double value = table.value(middle, order);
    // On the piece itself the next derivatives are those at its middle, up to the third.
    double reach = 0.0;
    double factor = 1.0;
    for (int k = 1; order + k <= 3; ++k) {
      factor *= 0.5 * (to - from) / k;
      reach += factor * std::abs(table.value(middle, order + k));
    }
    out = hull(out, {value - reach, value + reach});
  };
  const double lo = table.outside() == TableOutside::error ? std::max(u.lo, x.front()) : u.lo;
  const double hi = table.outside() == TableOutside::error ? std::min(u.hi, x.back()) : u.hi;
  double from = lo;
  for (auto knot = std::upper_bound(x.begin(), x.end(), lo); knot != x.end() && *knot < hi; ++knot) {
    look(from, *knot);
    from = *knot;
  }
  look(from, hi);
  return out;
}

// The first derivative that jumps where pieces of the table meet within u.
int roughOrder(const Table& table, const Interval& u) {
  if (table.kind() == TableKind::linear) return 1;
  const auto within = [&u](double knot) { return u.lo < knot && knot < u.hi; };
  if (table.isTwiceDifferentiable() || (!within(table.x().front()) && !within(table.x().back()))) return 3;
  return table.hasCorners() ? 1 : 2;
}

}  // namespace

IntervalSeries IntervalSeries::variable(const Interval& stretch) {
  IntervalSeries out;
  out[0] = stretch;
  out[1] = Interval(1.0);
  return out;
}

IntervalSeries IntervalSeries::rough(const Interval& value) {
  IntervalSeries out;
  out[0] = value;
  for (std::size_t k = 1; k <= kOrder; ++k) out[k] = value.isEmpty() ? value : Interval::entire();
  return out;
}

IntervalSeries IntervalSeries::derivative() const {
  IntervalSeries out;
  for (std::size_t k = 0; k < kOrder; ++k) out[k] = Interval(static_cast<double>(k + 1)) * c_[k + 1];
  // Of a polynomial it is zero again.
  out[kOrder] = isZero(c_[kOrder]) ? Interval() : c_[kOrder].isEmpty() ? c_[kOrder] : Interval::entire();
  return out;
}

IntervalSeries operator+(const IntervalSeries& a, const IntervalSeries& b) {
  IntervalSeries out;
  for (std::size_t k = 0; k <= kOrder; ++k) out[k] = a[k] + b[k];
  return out;
}

IntervalSeries operator-(const IntervalSeries& a, const IntervalSeries& b) {
  IntervalSeries out;
  for (std::size_t k = 0; k <= kOrder; ++k) out[k] = a[k] - b[k];
  return out;
}

IntervalSeries operator-(const IntervalSeries& a) {
  IntervalSeries out;
  for (std::size_t k = 0; k <= kOrder; ++k) out[k] = -a[k];
  return out;
}

IntervalSeries operator*(const IntervalSeries& a, const IntervalSeries& b) {
  IntervalSeries out;
  for (std::size_t k = 0; k <= kOrder; ++k) {
    Interval sum;
    for (std::size_t j = 0; j <= k; ++j) {
      if (!isZero(a[j]) && !isZero(b[k - j])) sum = sum + a[j] * b[k - j];
    }
    out[k] = sum;
  }
  return out;
}

IntervalSeries operator/(const IntervalSeries& a, const IntervalSeries& b) {
  // Where all values of the divisor overflow, so that the quotient is computed as zero.
  if (std::isinf(b[0].lo) && b[0].lo == b[0].hi && a[0].isBounded()) return {};
  if (b[0].isEmpty() || a[0].isEmpty()) return nowhere();
  if (b[0].contains(0.0)) return IntervalSeries::rough(Interval::entire());
  IntervalSeries out;
  for (std::size_t k = 0; k <= kOrder; ++k) {
    Interval sum = a[k];
    for (std::size_t j = 1; j <= k; ++j) {
      if (!isZero(b[j])) sum = sum - b[j] * out[k - j];
    }
    out[k] = sum / b[0];
  }
  return out;
}

IntervalSeries sqrt(const IntervalSeries& a) { return powNumber(a, 0.5); }
IntervalSeries sin(const IntervalSeries& a) { return sineAndCosine(a).first; }
IntervalSeries cos(const IntervalSeries& a) { return sineAndCosine(a).second; }

IntervalSeries tan(const IntervalSeries& a) {
  const Interval value = tan(a[0]);
  return value.isBounded() ? tangent(a, value, 1.0) : IntervalSeries::rough(value);
}

IntervalSeries tanh(const IntervalSeries& a) { return tangent(a, tanh(a[0]), -1.0); }

IntervalSeries asin(const IntervalSeries& a) {
  return integrated(asin(a[0]), a, powNumber(IntervalSeries(1.0) - powNumber(a, 2.0), -0.5));
}

IntervalSeries acos(const IntervalSeries& a) { return IntervalSeries(0.5 * std::numbers::pi) - asin(a); }

IntervalSeries atan(const IntervalSeries& a) {
  return integrated(atan(a[0]), a, IntervalSeries(1.0) / (IntervalSeries(1.0) + powNumber(a, 2.0)));
}

// By the quotient that stays away from zero; beside the line where the angle jumps, and at the origin, nothing is
// known.
IntervalSeries atan2(const IntervalSeries& y, const IntervalSeries& x) {
  if (x[0].lo > 0.0) return atan(y / x);
  if (y[0].lo > 0.0) return IntervalSeries(0.5 * std::numbers::pi) - atan(x / y);
  if (y[0].hi < 0.0) return IntervalSeries(-0.5 * std::numbers::pi) - atan(x / y);
  return IntervalSeries::rough({-std::numbers::pi, std::numbers::pi});
}

IntervalSeries sinh(const IntervalSeries& a) { return IntervalSeries(0.5) * exp(a) - IntervalSeries(0.5) * exp(-a); }

IntervalSeries cosh(const IntervalSeries& a) {
  IntervalSeries out = IntervalSeries(0.5) * exp(a) + IntervalSeries(0.5) * exp(-a);
  out[0] = intersect(out[0], cosh(a[0]));
  return out;
}

IntervalSeries exp(const IntervalSeries& a) {
  IntervalSeries out;
  out[0] = exp(a[0]);
  for (std::size_t k = 1; k <= kOrder; ++k) out[k] = chained(a, out, k);
  return out;
}

IntervalSeries log(const IntervalSeries& a) {
  if (a[0].hi < 0.0) return nowhere();
  return integrated(log(a[0]), a, IntervalSeries(1.0) / a);
}

IntervalSeries abs(const IntervalSeries& a) {
  if (a[0].lo >= 0.0) return a;
  if (a[0].hi <= 0.0) return -a;
  return IntervalSeries::rough(abs(a[0]));
}

IntervalSeries sign(const IntervalSeries& a) {
  if (a[0].isEmpty()) return nowhere();
  if (a[0].lo > 0.0) return 1.0;
  if (a[0].hi < 0.0) return -1.0;
  return isConstant(a) ? IntervalSeries(0.0) : IntervalSeries::rough({-1.0, 1.0});
}

IntervalSeries pow(const IntervalSeries& base, const IntervalSeries& exponent) {
  if (isConstant(exponent)) return powNumber(base, exponent[0].lo);
  return exp(exponent * log(base));
}

IntervalSeries min(const IntervalSeries& a, const IntervalSeries& b) {
  if (a[0].hi <= b[0].lo || same(a, b)) return a;
  if (b[0].hi <= a[0].lo) return b;
  if (a[0].isEmpty() || b[0].isEmpty()) return nowhere();
  return IntervalSeries::rough({std::min(a[0].lo, b[0].lo), std::min(a[0].hi, b[0].hi)});
}

IntervalSeries max(const IntervalSeries& a, const IntervalSeries& b) { return -min(-a, -b); }

IntervalSeries select(const IntervalSeries& condition, const IntervalSeries& a, const IntervalSeries& b) {
  if (condition[0].lo >= 0.0) return a;
  if (condition[0].hi < 0.0 || condition[0].isEmpty()) return b;
  return same(a, b) ? a : IntervalSeries::rough(hull(a[0], b[0]));
}

IntervalSeries applyTable(const TablePointer& table, int order, const IntervalSeries& a) {
  if (a[0].isEmpty()) return nowhere();
  // The mark of a corner is only looked at for its sign.
  if (order == kTableCorner) return IntervalSeries::rough(Interval::entire());
  if (!a[0].isBounded()) return IntervalSeries::rough(Interval::entire());
  const auto& x = table->x();
  const auto knot = std::upper_bound(x.begin(), x.end(), a[0].lo);
  const bool meets_knot = knot != x.end() && *knot < a[0].hi;
  // f(u + d) = sum_k f^(k)(u) d^k/k!, d = a less its value: up to the third derivative, or that which jumps at knots.
  const int known = (meets_knot ? roughOrder(*table, a[0]) : 3) - order;
  IntervalSeries away = a;
  away[0] = Interval(0.0);
  IntervalSeries d_power(1.0);
  IntervalSeries out(0.0);
  double factorial = 1.0;
  for (int k = 0; k <= std::max(known, 0); ++k) {
    if (k > 0) d_power = d_power * away;
    factorial *= std::max(k, 1);
    const Interval value = tableRange(*table, order + k, a[0]) * Interval(1.0 / factorial);
    if (value.isEmpty()) return nowhere();
    IntervalSeries constant;
    constant[0] = value;
    out = out + constant * d_power;
  }
  if (!meets_knot) return out;
  for (std::size_t k = static_cast<std::size_t>(std::max(known, 0)) + 1; k <= kOrder; ++k) out[k] = Interval::entire();
  return out;
}

template <>
IntervalSeries powNumber(const IntervalSeries& x, double n) {
  if (n == 0.0) return 1.0;
  if (x[0].isEmpty()) return nowhere();
  const bool whole = n == std::floor(n);
  const bool away = whole ? !x[0].contains(0.0) : x[0].lo > 0.0;
  // Small whole powers by products also where the base passes zero; their value alone is had more closely.
  if (whole && n > 0.0 && n <= kMostFactors) {
    IntervalSeries out = x;
    for (int k = 1; k < static_cast<int>(n); ++k) out = out * x;
    out[0] = pow(x[0], n);
    return out;
  }
  return away ? power(x, n) : IntervalSeries::rough(pow(x[0], n));
}

}  // namespace linkwork
