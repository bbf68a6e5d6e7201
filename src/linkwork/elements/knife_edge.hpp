// KnifeEdge: a point A of body i does not move across a blade fixed to i, as seen from body j on which it skates (1
// row, of velocities alone: where the blade gets to depends on the way it took). With a motion f(t) it moves across at
// f' instead: a conveyor under the blade, or a blade that slips as it is told.
//
//   n     = R_i a,  a the unit normal of the blade in axes of i,  d = A - r_j
//   c     = A' - r_j' - w_j x d                     velocity of A relative to the points of j
//   row   : n^T c = f'
//   Phi_q : i n^T (rows of A),  j -n^T (rows of the point of j that is at A): the derivative by velocities
//   Gamma = f'' - n'^T c - n^T [ (centripetal of A) - w_j x (A' - r_j') ]                   [docs/theory/01, eq. 1.43]
//   lambda: the force on i is lambda n, through A.
//
// There is no Phi, and so no function phi: levelOf (elements/rows.hpp) reads that off.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct KnifeEdge {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector s_A;
  typename G::Vector normal;  // a, in axes of i

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto n = x.i.R * normal;
    return {{G::pointRow(x.i, s_A, n)},
            negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.j, pointInSecond(x), n)})};
  }

  // n turns with i; in axes of j the point at A moves at R_j^T c.
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto n = x.i.R * normal;
    const auto n_rate = G::directionRate(x.i, v.i, normal);
    const auto of_j = sumOf(pointRowRate<G>(x.j, v.j, pointInSecond(x), n, n_rate),
                            G::directionRow(x.j, x.j.R.inverseTimes(slip(x, v)), n));
    return {{pointRowRate<G>(x.i, v.i, s_A, n, n_rate)}, negated(std::array<typename G::RowBlock, 1>{of_j})};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto approach = G::pointRate(x.i, v.i, s_A) - v.j.v;
    const auto bend = G::centripetal(x.i, v.i, s_A) - G::directionRate(x.j, v.j, x.j.R.inverseTimes(approach));
    return {motion.fddot - dot(G::directionRate(x.i, v.i, normal), slip(x, v)) - dot(x.i.R * normal, bend)};
  }

 private:
  // The point of j that is at A, in axes of j.
  typename G::Vector pointInSecond(const PairPosition<G>& x) const {
    return x.j.R.inverseTimes(G::pointIn(x.i, s_A) - x.j.r);
  }
  // c
  typename G::Vector slip(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    return G::pointRate(x.i, v.i, s_A) - v.j.v - G::directionRate(x.j, v.j, pointInSecond(x));
  }
};

}  // namespace linkwork
