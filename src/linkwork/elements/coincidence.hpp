// Coincidence: a point A of body i and a point B of body j are one point (2 rows in the plane, 3 in space).
//
//   Phi   = r_i + R_i s_A - r_j - R_j s_B
//   Phi_q : i the rows of the point A, j minus those of B; in the plane [ I | W R_i s_A ], [ -I | -W R_j s_B ]
//   Gamma = -c_i + c_j, c the centripetal accelerations of A and B: in the plane R_i s_A w_i^2 - R_j s_B w_j^2
//                                                                                              [docs/theory/01,
//                                                                                              eq. 1.3]
//   lambda: force of j on i, ground components, through the point.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct Coincidence {
  using T = typename G::Scalar;
  static constexpr int kRows = G::kDimension;

  typename G::Vector s_A;  // in axes of i, from its centre of mass
  typename G::Vector s_B;  // in axes of j, from its centre of mass

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    return components<kRows>(G::pointIn(x.i, s_A) - G::pointIn(x.j, s_B));
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    return {G::pointRows(x.i, s_A), negated(G::pointRows(x.j, s_B))};
  }

  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    JacobianRows<G, kRows> out;
    for (int k = 0; k < kRows; ++k) {
      const auto row = static_cast<std::size_t>(k);
      out.first[row] = pointRowRate<G>(x.i, v.i, s_A, G::unit(k), {});
      out.second[row] = pointRowRate<G>(x.j, v.j, s_B, G::unit(k), {});
    }
    out.second = negated(out.second);
    return out;
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& /*motion*/) const {
    return components<kRows>(G::centripetal(x.j, v.j, s_B) - G::centripetal(x.i, v.i, s_A));
  }
};

}  // namespace linkwork
