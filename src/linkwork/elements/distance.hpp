// Distance: a point A of body i and a point B of body j stay a constant or prescribed length f(t) apart (1 row).
//
//   d     = r_j + R_j s_B - r_i - R_i s_A,  L = |d|,  u = d / L
//   Phi   = L - length - f
//   Phi_q : i -u^T [ I | W R_i s_A ],  j u^T [ I | W R_j s_B ]
//   Gamma = f'' - (|d'|^2 - (u^T d')^2) / L - u^T (R_i s_A w_i^2 - R_j s_B w_j^2)      [docs/theory/01, eq. 1.6]
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
    const T turn_i = -dot(u, perp(x.i.R * s_A));
    const T turn_j = dot(u, perp(x.j.R * s_B));
    return {{{{-u.x, -u.y, turn_i}}}, {{{u.x, u.y, turn_j}}}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    using std::sqrt;
    const auto d = separation(x);
    const T L = sqrt(dot(d, d));
    const auto u = d * (T(1.0) / L);
    const auto a = x.i.R * s_A;
    const auto b = x.j.R * s_B;
    const auto rate = v.j.v + perp(b) * v.j.w - v.i.v - perp(a) * v.i.w;
    const T stretch = dot(u, rate);
    return {motion.fddot - (dot(rate, rate) - stretch * stretch) / L -
            dot(u, a * (v.i.w * v.i.w) - b * (v.j.w * v.j.w))};
  }

 private:
  typename G::Vector separation(const PairPosition<G>& x) const { return x.j.r + x.j.R * s_B - x.i.r - x.i.R * s_A; }
  typename G::Vector direction(const PairPosition<G>& x) const {
    using std::sqrt;
    const auto d = separation(x);
    return d * (T(1.0) / sqrt(dot(d, d)));
  }
};

}  // namespace linkwork
