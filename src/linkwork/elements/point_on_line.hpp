// PointOnLine: a point A of body i lies on a straight line (in space: in a plane) of body j through B with normal n (1
// row). With a motion f(t) and a direction for n it prescribes the slide along that direction.
//
//   n     = R_j v,  v the unit normal in axes of j,  d = r_j + R_j s_B - r_i - R_i s_A
//   Phi   = n^T d - f
//   Phi_q : i -n^T (rows of A),  j n^T (rows of B) + (turn of n)^T d
//   Gamma = f'' - n^T (c_j - c_i) - 2 n'^T d' - (c of n)^T d, c the centripetal terms of B, A and n
//           in the plane: n^T [ 2 W (r_j' - r_i') w_j + (r_j - r_i) w_j^2 - R_i s_A (w_j - w_i)^2 ] + f''
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
    return {dot(x.j.R * normal, G::pointIn(x.j, s_B) - G::pointIn(x.i, s_A)) - motion.f};
  }

  // With s_B taken together with d, the turn of j reads n^T W (A - r_j): fewer terms than B's row and n's turn apart.
  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto n = x.j.R * normal;
    const auto A_in_j = x.j.R.inverseTimes(G::pointIn(x.i, s_A) - x.j.r);
    return {negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.i, s_A, n)}), {G::pointRow(x.j, A_in_j, n)}};
  }

  // n is fixed to j; A moves in j at R_j^T ((A - r_j)' - w_j x (A - r_j)).
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto n = x.j.R * normal;
    const auto n_rate = G::directionRate(x.j, v.j, normal);
    const auto A_in_j = x.j.R.inverseTimes(G::pointIn(x.i, s_A) - x.j.r);
    const auto A_rate = x.j.R.inverseTimes(G::pointRate(x.i, v.i, s_A) - v.j.v - G::directionRate(x.j, v.j, A_in_j));
    auto of_j = G::pointRow(x.j, A_rate, n);
    for (int k = 0; k < G::kDimension; ++k) of_j[static_cast<std::size_t>(k)] = n_rate[k];
    return {negated(std::array<typename G::RowBlock, 1>{pointRowRate<G>(x.i, v.i, s_A, n, n_rate)}), {of_j}};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto n = x.j.R * normal;
    const auto d = G::pointIn(x.j, s_B) - G::pointIn(x.i, s_A);
    const auto d_rate = G::pointRate(x.j, v.j, s_B) - G::pointRate(x.i, v.i, s_A);
    const auto bend = G::centripetal(x.j, v.j, s_B) - G::centripetal(x.i, v.i, s_A);
    return {motion.fddot - dot(n, bend) - T(2.0) * dot(G::directionRate(x.j, v.j, normal), d_rate) -
            dot(G::centripetal(x.j, v.j, normal), d)};
  }
};

}  // namespace linkwork
