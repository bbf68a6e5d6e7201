// Coincidence: a point A of body i and a point B of body j are one point (2 rows in the plane).
//
//   Phi   = r_i + R_i s_A - r_j - R_j s_B
//   Phi_q : i [ I | W R_i s_A ],  j [ -I | -W R_j s_B ]
//   Gamma = R_i s_A w_i^2 - R_j s_B w_j^2                         [docs/theory/01, eq. 1.3]
//   lambda: force of j on i, ground components, through the point.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct Coincidence {
  using T = typename G::Scalar;
  static constexpr int kRows = 2;

  typename G::Vector s_A;  // in axes of i, from its centre of mass
  typename G::Vector s_B;  // in axes of j, from its centre of mass

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    const auto d = x.i.r + x.i.R * s_A - x.j.r - x.j.R * s_B;
    return {d.x, d.y};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto a = perp(x.i.R * s_A);
    const auto b = perp(x.j.R * s_B);
    const T one(1.0);
    const T zero(0.0);
    return {{{{one, zero, a.x}, {zero, one, a.y}}}, {{{-one, zero, -b.x}, {zero, -one, -b.y}}}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {T(0.0), T(0.0)}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& /*motion*/) const {
    const auto g = (x.i.R * s_A) * (v.i.w * v.i.w) - (x.j.R * s_B) * (v.j.w * v.j.w);
    return {g.x, g.y};
  }
};

}  // namespace linkwork
