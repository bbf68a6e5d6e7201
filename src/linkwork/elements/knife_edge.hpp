// KnifeEdge: a point A of body i does not move across a blade fixed to i, as seen from body j on which it skates (1
// row, of velocities alone: where the blade gets to depends on the way it took). With a motion f(t) it moves across at
// f' instead: a conveyor under the blade, or a blade that slips as it is told.
//
//   n     : to the left of the blade e = R_i a. In the plane e turned by a right angle; in space, whichever way the
//           blade leans, the direction of (R_j b) x e, b the normal of the ice in axes of j
//   d     = A - r_j
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
  typename G::Vector axis;  // a, in axes of i
  typename G::Vector up;    // b, in axes of j; in space

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto n = across(x);
    return {{G::pointRow(x.i, s_A, n)},
            negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.j, pointInSecond(x), n)})};
  }

  // In axes of j the point at A moves at R_j^T c.
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto n = across(x);
    const auto n_rate = acrossRate(x, v);
    const auto of_j = sumOf(pointRowRate<G>(x.j, v.j, pointInSecond(x), n, n_rate),
                            G::directionRow(x.j, x.j.R.inverseTimes(slip(x, v)), n));
    return {{pointRowRate<G>(x.i, v.i, s_A, n, n_rate)}, negated(std::array<typename G::RowBlock, 1>{of_j})};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto approach = G::pointRate(x.i, v.i, s_A) - v.j.v;
    const auto bend = G::centripetal(x.i, v.i, s_A) - G::directionRate(x.j, v.j, x.j.R.inverseTimes(approach));
    return {motion.fddot - dot(acrossRate(x, v), slip(x, v)) - dot(across(x), bend)};
  }

  // n
  typename G::Vector across(const PairPosition<G>& x) const {
    if constexpr (G::kSpatial) {
      return unitOf(cross(x.j.R * up, x.i.R * axis));
    } else {
      return perp(x.i.R * axis);
    }
  }

 private:
  typename G::Vector acrossRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    if constexpr (G::kSpatial) {
      const auto e = x.i.R * axis;
      const auto b = x.j.R * up;
      return unitRateOf(cross(b, e),
                        cross(G::directionRate(x.j, v.j, up), e) + cross(b, G::directionRate(x.i, v.i, axis)));
    } else {
      return perp(G::directionRate(x.i, v.i, axis));
    }
  }
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
