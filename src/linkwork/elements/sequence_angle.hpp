// SequenceAngle: one of the three angles that lead from a frame on body i to one on body j in space by turns about
// three axes, each about an axis as the turns before it left it: R = R_a(1) R_b(2) R_c(3), with axes such as z, x, y.
//
//   R_uv  = (axis u of the frame on i)^T (axis v of that on j);  e = +1 where a, b, (the axis that is left, or c)
//   follow
//           each other as x, y, z do, else -1
//   a, b, c all different:   1 = atan2(-e R_bc, R_cc),  sin 2 = e R_ac,  3 = atan2(-e R_ab, R_aa)
//   a = c, d the one left:   1 = atan2(R_ba, -e R_da),  cos 2 = R_aa,    3 = atan2(R_ab, e R_ad)
//
// With p the first axis (fixed to i), s the third (fixed to j), m the second and W = W_j - W_i
//
//   D = m^T (s x p),   1' = (m x s)^T W / D,   2' = m^T W,   3' = (p x m)^T W / D
//
// which is without meaning where s and p are parallel (D = 0).                              [docs/theory/01, eq. 1.50]
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

struct AxisSequence {
  std::array<int, 3> axes{2, 0, 1};
  bool repeats() const { return axes[0] == axes[2]; }
  int left() const { return 3 - axes[0] - axes[1]; }  // neither the first nor the second
  double sense() const { return (axes[0] + 1) % 3 == axes[1] ? 1.0 : -1.0; }
};

template <class G>
struct SequenceAngle {
  static_assert(G::kSpatial);
  using T = typename G::Scalar;
  using Vector = typename G::Vector;

  AxisSequence sequence;
  int which = 0;            // 0, 1, 2: the first, second, third turn
  Rotation3<T> on_i, on_j;  // axes of the frames in those of the bodies

  // Cosine and sine of the angle, up to a common positive factor.
  struct Parts {
    T C{}, S{};
  };
  Parts parts(const PairPosition<G>& x) const {
    const auto [a, b, c] = sequence.axes;
    const int d = sequence.left();
    const T e(sequence.sense());
    const auto entry = [&](int u, int v) { return dot(x.i.R * column(on_i, u), x.j.R * column(on_j, v)); };
    if (sequence.repeats()) {
      if (which == 0) return {-e * entry(d, a), entry(b, a)};
      if (which == 2) return {e * entry(a, d), entry(a, b)};
      const T y = entry(b, a);
      const T z = entry(d, a);
      return {entry(a, a), sqrt(y * y + z * z)};
    }
    if (which == 0) return {entry(c, c), -e * entry(b, c)};
    if (which == 2) return {entry(a, a), -e * entry(a, b)};
    const T y = entry(b, c);
    const T z = entry(c, c);
    return {sqrt(y * y + z * z), e * entry(a, c)};
  }

  // Among the angles that differ by whole turns the one nearest to `near`; with letters `near` is added.
  T angleNear(const PairPosition<G>& x, const T& near) const {
    const Parts p = parts(x);
    if constexpr (std::is_same_v<T, Expr>) {
      return atan2(p.S, p.C) + near;
    } else {
      const T c = cos(near);
      const T s = sin(near);
      return near + atan2(p.S * c - p.C * s, p.C * c + p.S * s);
    }
  }

  T rate(const PairPosition<G>& x, const PairVelocity<G>& v) const { return dot(lever(x), turning(x, v)); }

  // Of the angle, by the freedoms of both bodies.
  JacobianRows<G, 1> rows(const PairPosition<G>& x) const {
    const Vector d = lever(x);
    return {negated(std::array<typename G::RowBlock, 1>{turnRow<G>(x.i.R.inverseTimes(d))}),
            {turnRow<G>(x.j.R.inverseTimes(d))}};
  }
  JacobianRows<G, 1> rowRates(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const Vector d = lever(x);
    const Vector d_rate = leverRate(x, v);
    const auto inBody = [&](const auto& position, const auto& velocity) {
      return position.R.inverseTimes(d_rate) - cross(velocity.w, position.R.inverseTimes(d));
    };
    return {negated(std::array<typename G::RowBlock, 1>{turnRow<G>(inBody(x.i, v.i))}), {turnRow<G>(inBody(x.j, v.j))}};
  }
  // What the rates alone add to the second derivative.
  T bend(const PairPosition<G>& x, const PairVelocity<G>& v) const { return dot(leverRate(x, v), turning(x, v)); }

 private:
  static const Vector& column(const Rotation3<T>& R, int k) { return k == 0 ? R.x : k == 1 ? R.y : R.z; }
  Vector first(const PairPosition<G>& x) const { return x.i.R * column(on_i, sequence.axes[0]); }
  Vector third(const PairPosition<G>& x) const { return x.j.R * column(on_j, sequence.axes[2]); }
  static Vector turning(const PairPosition<G>& x, const PairVelocity<G>& v) { return x.j.R * v.j.w - x.i.R * v.i.w; }
  // The second axis is this way along s x p.
  T side() const { return T(sequence.repeats() ? -1.0 : sequence.sense()); }

  // d in ground axes, with which the rate is d^T W.
  Vector lever(const PairPosition<G>& x) const {
    const Vector p = first(x);
    const Vector s = third(x);
    const Vector u = cross(s, p);
    const Vector m = unitOf(u) * side();
    if (which == 1) return m;
    return (which == 0 ? cross(m, s) : cross(p, m)) * (T(1.0) / dot(m, u));
  }
  Vector leverRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const Vector p = first(x);
    const Vector s = third(x);
    const Vector p_rate = G::directionRate(x.i, v.i, column(on_i, sequence.axes[0]));
    const Vector s_rate = G::directionRate(x.j, v.j, column(on_j, sequence.axes[2]));
    const Vector u = cross(s, p);
    const Vector u_rate = cross(s_rate, p) + cross(s, p_rate);
    const Vector m = unitOf(u) * side();
    const Vector m_rate = unitRateOf(u, u_rate) * side();
    if (which == 1) return m_rate;
    const Vector n = which == 0 ? cross(m, s) : cross(p, m);
    const Vector n_rate = which == 0 ? cross(m_rate, s) + cross(m, s_rate) : cross(p_rate, m) + cross(p, m_rate);
    // D = m^T u, and m^T u' is its rate: m' is across u.
    const T over = T(1.0) / dot(m, u);
    return (n_rate - n * (dot(m, u_rate) * over)) * over;
  }
};

}  // namespace linkwork
