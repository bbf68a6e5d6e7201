// ConstantVelocity: two shafts, one along the z axis of a frame on body i, one along that of a frame on body j, turn at
// equal speeds whatever the bend between them (1 row; with the shafts' common point a constant-velocity joint).
//
//   Phi   = (R_i x_i)^T (R_j y_j) - (R_i y_i)^T (R_j x_j)
//   Phi_q, Gamma: those of two Perpendicular rows, the second subtracted                    [docs/theory/01, eq. 1.25]
//
// The relative rotation R = [R_i frame]^T [R_j frame] has the axis sin(theta) n = (R_zy - R_yz, R_xz - R_zx, R_yx -
// R_xy) / 2: the row says that n has no z component, so that one frame is the other one bent about an axis across both
// shafts.
#pragma once

#include "linkwork/elements/perpendicular.hpp"

namespace linkwork {

template <class G>
struct ConstantVelocity {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector x_i, y_i;  // in axes of i
  typename G::Vector x_j, y_j;  // in axes of j

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& motion) const {
    return {xy().phi(x, motion)[0] - yx().phi(x, motion)[0]};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const { return less(xy().jacobian(x), yx().jacobian(x)); }
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    return less(xy().jacobianRate(x, v), yx().jacobianRate(x, v));
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    return {xy().gamma(x, v, motion)[0] - yx().gamma(x, v, motion)[0]};
  }

 private:
  static JacobianRows<G, kRows> less(JacobianRows<G, kRows> rows, const JacobianRows<G, kRows>& b) {
    for (std::size_t k = 0; k < rows.first[0].size(); ++k) {
      rows.first[0][k] -= b.first[0][k];
      rows.second[0][k] -= b.second[0][k];
    }
    return rows;
  }
  Perpendicular<G> xy() const { return {x_i, y_j}; }
  Perpendicular<G> yx() const { return {y_i, x_j}; }
};

}  // namespace linkwork
