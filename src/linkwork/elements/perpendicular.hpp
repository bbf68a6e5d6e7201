// Perpendicular: a direction a of body i and a direction b of body j stay at right angles (1 row).
//
//   Phi   = (R_i a)^T (R_j b)
//   Phi_q : i the turn of a against R_j b,  j the turn of b against R_i a
//   Gamma = -[ (c of a)^T R_j b + 2 a'^T b' + (R_i a)^T (c of b) ]                          [docs/theory/01, eq. 1.22]
//   lambda: a couple of j on i of the size lambda about (R_i a) x (R_j b).
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct Perpendicular {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector a;  // in axes of i
  typename G::Vector b;  // in axes of j

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    return {dot(x.i.R * a, x.j.R * b)};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    return {{G::directionRow(x.i, a, x.j.R * b)}, {G::directionRow(x.j, b, x.i.R * a)}};
  }

  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    return {{directionRowRate<G>(x.i, v.i, a, x.j.R * b, G::directionRate(x.j, v.j, b))},
            {directionRowRate<G>(x.j, v.j, b, x.i.R * a, G::directionRate(x.i, v.i, a))}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& /*motion*/) const {
    return {-(dot(G::centripetal(x.i, v.i, a), x.j.R * b) +
              T(2.0) * dot(G::directionRate(x.i, v.i, a), G::directionRate(x.j, v.j, b)) +
              dot(x.i.R * a, G::centripetal(x.j, v.j, b)))};
  }
};

}  // namespace linkwork
