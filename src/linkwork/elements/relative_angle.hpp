// RelativeAngle: body i is turned against body j by a constant, or by a prescribed motion f(t) (1 row).
//
//   Phi   = phi_i - phi_j - phi_0 - f
//   Phi_q : i [ 0 | 1 ],  j [ 0 | -1 ]
//   Gamma = f''                                                   [docs/theory/01, eq. 1.4]
//   lambda: couple of j on i.
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct RelativeAngle {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  T phi_0{};

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& motion) const {
    return {x.i.angle - x.j.angle - phi_0 - motion.f};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& /*x*/) const {
    const T one(1.0);
    const T zero(0.0);
    return {{{{zero, zero, one}}}, {{{zero, zero, -one}}}};
  }

  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& /*x*/, const PairVelocity<G>& /*v*/) const { return {}; }

  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }

  std::array<T, kRows> gamma(const PairPosition<G>& /*x*/, const PairVelocity<G>& /*v*/,
                             const Motion<T>& motion) const {
    return {motion.fddot};
  }
};

}  // namespace linkwork
