// AxialAngle: the turn of body i against body j about an axis of j, in space, follows f(t) (1 row). The counterpart of
// RelativeAngle: an orientation knows its angle only up to whole turns, so that the difference to f is taken the short
// way.
//
//   a = R_i a_0, x = R_j x_0, y = R_j y_0;  C = a^T x,  S = a^T y;  theta = atan2(S, C)
//   Phi   = theta - f, reduced to (-pi, pi]
//   theta' = (C S' - S C') / rho^2,  rho^2 = C^2 + S^2
//   Gamma = f'' - (C S'' - S C'')_rates / rho^2 + 2 theta' (C C' + S S') / rho^2            [docs/theory/01, eq. 1.23]
//   lambda: couple of j on i about the axis.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct AxialAngle {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector a_0;  // in axes of i, at right angles to the axis
  typename G::Vector x_0;  // in axes of j: where a points at angle zero
  typename G::Vector y_0;  // in axes of j: where a points after a quarter turn

  struct Parts {
    T C{}, S{};
  };
  Parts parts(const PairPosition<G>& x) const {
    const auto a = x.i.R * a_0;
    return {dot(a, x.j.R * x_0), dot(a, x.j.R * y_0)};
  }

  // In (-pi, pi].
  T angle(const PairPosition<G>& x) const {
    const Parts p = parts(x);
    return atan2(p.S, p.C);
  }

  // Among the angles that differ by whole turns the one nearest to `near`: theta = near + (theta - near, the short
  // way).
  // With letters nobody can tell which is nearest: `near` is then a number of whole turns, to be added.
  T angleNear(const PairPosition<G>& x, const T& near) const {
    if constexpr (std::is_same_v<T, Expr>) {
      return angle(x) + near;
    } else {
      return near + phi(x, {near, T(0.0), T(0.0)})[0];
    }
  }

  T rate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const Parts p = parts(x);
    const Parts rates = partRates(x, v);
    return (p.C * rates.S - p.S * rates.C) / (p.C * p.C + p.S * p.S);
  }

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& motion) const {
    const Parts p = parts(x);
    const T c = cos(motion.f);
    const T s = sin(motion.f);
    return {atan2(p.S * c - p.C * s, p.C * c + p.S * s)};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const Parts p = parts(x);
    const T over = T(1.0) / (p.C * p.C + p.S * p.S);
    const auto a = x.i.R * a_0;
    // C dS - S dC is linear in the directions: the turn of a against (C y - S x), of x and y against a.
    const auto along = x.j.R * (y_0 * (p.C * over) - x_0 * (p.S * over));
    return {{G::directionRow(x.i, a_0, along)}, {G::directionRow(x.j, y_0 * (p.C * over) - x_0 * (p.S * over), a)}};
  }

  // With e = (C y_0 - S x_0) / rho^2 in axes of j, whose rate comes from C' and S'.
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const Parts p = parts(x);
    const Parts rates = partRates(x, v);
    const T over = T(1.0) / (p.C * p.C + p.S * p.S);
    const T shrink = T(2.0) * (p.C * rates.C + p.S * rates.S) * over;  // (rho^2)' / rho^2
    const auto e = y_0 * (p.C * over) - x_0 * (p.S * over);
    const auto e_rate = y_0 * ((rates.C - p.C * shrink) * over) - x_0 * ((rates.S - p.S * shrink) * over);
    const auto a = x.i.R * a_0;
    return {
        {directionRowRate<G>(x.i, v.i, a_0, x.j.R * e, G::directionRate(x.j, v.j, e) + x.j.R * e_rate)},
        {sumOf(directionRowRate<G>(x.j, v.j, e, a, G::directionRate(x.i, v.i, a_0)), G::directionRow(x.j, e_rate, a))}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const Parts p = parts(x);
    const Parts rates = partRates(x, v);
    const T over = T(1.0) / (p.C * p.C + p.S * p.S);
    const T theta_rate = (p.C * rates.S - p.S * rates.C) * over;
    const T bend = (p.C * bendOf(x, v, y_0) - p.S * bendOf(x, v, x_0)) * over;
    return {motion.fddot - bend + T(2.0) * theta_rate * (p.C * rates.C + p.S * rates.S) * over};
  }

 private:
  Parts partRates(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto a = x.i.R * a_0;
    const auto a_rate = G::directionRate(x.i, v.i, a_0);
    return {dot(a_rate, x.j.R * x_0) + dot(a, G::directionRate(x.j, v.j, x_0)),
            dot(a_rate, x.j.R * y_0) + dot(a, G::directionRate(x.j, v.j, y_0))};
  }
  // What the rates alone add to the second derivative of a^T (R_j e).
  T bendOf(const PairPosition<G>& x, const PairVelocity<G>& v, const typename G::Vector& e) const {
    return dot(G::centripetal(x.i, v.i, a_0), x.j.R * e) +
           T(2.0) * dot(G::directionRate(x.i, v.i, a_0), G::directionRate(x.j, v.j, e)) +
           dot(x.i.R * a_0, G::centripetal(x.j, v.j, e));
  }
};

}  // namespace linkwork
