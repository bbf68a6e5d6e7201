// PointOnLine: a point A of body i lies on a straight line of body j through B with normal n (1 row). With a motion
// f(t) and the line's direction for n it prescribes the slide along the line.
//
//   n     = R_j v,  v the unit normal in axes of j
//   Phi   = n^T (r_j + R_j s_B - r_i - R_i s_A) - f
//   Phi_q : i [ -n^T | -n^T W R_i s_A ],  j [ n^T | n^T W (r_i + R_i s_A - r_j) ]
//   Gamma = n^T [ 2 W (r_j' - r_i') w_j + (r_j - r_i) w_j^2 - R_i s_A (w_j - w_i)^2 ] + f''
//                                                                  [docs/theory/01, eq. 1.5; true off the surface too]
//   lambda: the force on i is -lambda n, through A.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct PointOnLine {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector s_A;
  typename G::Vector s_B;
  typename G::Vector normal;  // v, in axes of j

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& motion) const {
    return {dot(x.j.R * normal, x.j.r + x.j.R * s_B - x.i.r - x.i.R * s_A) - motion.f};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto n = x.j.R * normal;
    const auto a = x.i.R * s_A;
    const T turn_i = -dot(n, perp(a));
    const T turn_j = dot(n, perp(x.i.r + a - x.j.r));
    return {{{{-n.x, -n.y, turn_i}}}, {{{n.x, n.y, turn_j}}}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto n = x.j.R * normal;
    const T w_rel = v.j.w - v.i.w;
    const auto bracket =
        perp(v.j.v - v.i.v) * (T(2.0) * v.j.w) + (x.j.r - x.i.r) * (v.j.w * v.j.w) - (x.i.R * s_A) * (w_rel * w_rel);
    return {dot(n, bracket) + motion.fddot};
  }
};

}  // namespace linkwork
