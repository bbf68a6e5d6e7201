// Distance: a point A of body i and a point B of body j stay a constant or prescribed length f(t) apart (1 row).
//
//   d     = r_j + R_j s_B - r_i - R_i s_A,  L = |d|,  u = d / L
//   Phi   = L - length - f
//   Phi_q : i -u^T (rows of A),  j u^T (rows of B)
//   Gamma = f'' - (|d'|^2 - (u^T d')^2) / L - u^T (c_j - c_i), c the centripetal terms      [docs/theory/01, eq. 1.6]
//   lambda: compression; the force on i is -lambda u.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct Distance {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector s_A;
  typename G::Vector s_B;
  T length{};

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& motion) const {
    using std::sqrt;
    const auto d = separation(x);
    return {sqrt(dot(d, d)) - length - motion.f};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto u = direction(x);
    return {negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.i, s_A, u)}), {G::pointRow(x.j, s_B, u)}};
  }

  // u' = (d' - u (u^T d')) / L
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    using std::sqrt;
    const auto d = separation(x);
    const T over = T(1.0) / sqrt(dot(d, d));
    const auto u = d * over;
    const auto rate = G::pointRate(x.j, v.j, s_B) - G::pointRate(x.i, v.i, s_A);
    const auto u_rate = (rate - u * dot(u, rate)) * over;
    return {negated(std::array<typename G::RowBlock, 1>{pointRowRate<G>(x.i, v.i, s_A, u, u_rate)}),
            {pointRowRate<G>(x.j, v.j, s_B, u, u_rate)}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    using std::sqrt;
    const auto d = separation(x);
    const T L = sqrt(dot(d, d));
    const auto u = d * (T(1.0) / L);
    const auto rate = v.j.v + G::directionRate(x.j, v.j, s_B) - v.i.v - G::directionRate(x.i, v.i, s_A);
    const T stretch = dot(u, rate);
    return {motion.fddot - (dot(rate, rate) - stretch * stretch) / L -
            dot(u, G::centripetal(x.j, v.j, s_B) - G::centripetal(x.i, v.i, s_A))};
  }

 private:
  // This order, and that of `rate`, is what codegen looks for to name the parts of a formula.
  typename G::Vector separation(const PairPosition<G>& x) const { return x.j.r + x.j.R * s_B - x.i.r - x.i.R * s_A; }
  typename G::Vector direction(const PairPosition<G>& x) const {
    using std::sqrt;
    const auto d = separation(x);
    return d * (T(1.0) / sqrt(dot(d, d)));
  }
};

}  // namespace linkwork
