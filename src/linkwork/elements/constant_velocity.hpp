// ConstantVelocity: two shafts, one along the z axis of a frame on body i, one along that of a frame on body j, turn at
// equal speeds whatever the bend between them (1 row; with the shafts' common point a constant-velocity joint).
//
//   A = (R_i x_i)^T (R_j y_j) - (R_i y_i)^T (R_j x_j)
//   u = 1 + (R_i x_i)^T (R_j x_j) + (R_i y_i)^T (R_j y_j) + (R_i z_i)^T (R_j z_j)
//   Phi   = A / sqrt(u)
//   Phi_q = A_q u^(-1/2) - 1/2 A u^(-3/2) u_q
//   Gamma = Gamma_A u^(-1/2) + A' u' u^(-3/2) - 3/4 A u'^2 u^(-5/2) - 1/2 A u^(-3/2) Gamma_u
//                                                                                           [docs/theory/01, eq. 1.25]
// The relative rotation, by beta about n, has A = -2 n_z sin(beta) and u = 4 cos^2(beta/2), so that Phi is
// -2 n_z sin(beta/2), up to a sign that changes where the shafts are folded back: one frame is the other one bent about
// an axis across both shafts. A alone says so too, but for half a turn, which it allows about any axis; there all its
// derivatives vanish, and a run that came by went on by turning about the wrong one. Of Phi the derivative by a turn
// has the same size at every bend.
#pragma once

#include "linkwork/elements/perpendicular.hpp"

namespace linkwork {

template <class G>
struct ConstantVelocity {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  // The frames' first two axes, unit vectors at right angles.
  typename G::Vector x_i, y_i;  // in axes of i
  typename G::Vector x_j, y_j;  // in axes of j

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    return {twist(x) / sqrt(closeness(x))};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const T A = twist(x);
    const T u = closeness(x);
    const T root = T(1.0) / sqrt(u);
    // Phi_q = A_q u^(-1/2) - 1/2 A u^(-3/2) u_q
    return sum(twistRows(x), root, closenessRows(x), T(-0.5) * A * root / u);
  }

  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const T A = twist(x);
    const T u = closeness(x);
    const T A_rate = twistRate(x, v);
    const T u_rate = closenessRate(x, v);
    const T root = T(1.0) / sqrt(u);
    // Phi_q' = A_q' u^(-1/2) - 1/2 A_q u^(-3/2) u' - 1/2 A u^(-3/2) u_q' - (1/2 A' u^(-3/2) - 3/4 A u^(-5/2) u') u_q
    const JacobianRows<G, kRows> of_twist =
        sum(less(xy().jacobianRate(x, v), yx().jacobianRate(x, v)), root, twistRows(x), T(-0.5) * u_rate * root / u);
    const JacobianRows<G, kRows> of_closeness =
        sum(plus(plus(xx().jacobianRate(x, v), yy().jacobianRate(x, v)), zz().jacobianRate(x, v)),
            T(-0.5) * A * root / u, closenessRows(x), (T(0.75) * A * u_rate / u - T(0.5) * A_rate) * root / u);
    return plus(of_twist, of_closeness);
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const T A = twist(x);
    const T u = closeness(x);
    const T A_rate = twistRate(x, v);
    const T u_rate = closenessRate(x, v);
    const T of_A = xy().gamma(x, v, motion)[0] - yx().gamma(x, v, motion)[0];
    const T of_u = xx().gamma(x, v, motion)[0] + yy().gamma(x, v, motion)[0] + zz().gamma(x, v, motion)[0];
    // Gamma = Gamma_A u^(-1/2) + A' u' u^(-3/2) - 3/4 A u'^2 u^(-5/2) - 1/2 A u^(-3/2) Gamma_u
    return {(of_A + (A_rate * u_rate - T(0.75) * A * u_rate * u_rate / u - T(0.5) * A * of_u) / u) / sqrt(u)};
  }

 private:
  using Rows = JacobianRows<G, kRows>;

  static Rows sum(Rows rows, const T& p, const Rows& other, const T& q) {
    for (std::size_t k = 0; k < rows.first[0].size(); ++k) {
      rows.first[0][k] = p * rows.first[0][k] + q * other.first[0][k];
      rows.second[0][k] = p * rows.second[0][k] + q * other.second[0][k];
    }
    return rows;
  }
  static Rows plus(const Rows& a, const Rows& b) { return sum(a, T(1.0), b, T(1.0)); }
  static Rows less(const Rows& a, const Rows& b) { return sum(a, T(1.0), b, T(-1.0)); }

  T twist(const PairPosition<G>& x) const { return xy().phi(x, {})[0] - yx().phi(x, {})[0]; }
  T closeness(const PairPosition<G>& x) const {
    return T(1.0) + xx().phi(x, {})[0] + yy().phi(x, {})[0] + zz().phi(x, {})[0];
  }
  Rows twistRows(const PairPosition<G>& x) const { return less(xy().jacobian(x), yx().jacobian(x)); }
  Rows closenessRows(const PairPosition<G>& x) const {
    return plus(plus(xx().jacobian(x), yy().jacobian(x)), zz().jacobian(x));
  }
  T twistRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    return rateOf(xy(), x, v) - rateOf(yx(), x, v);
  }
  T closenessRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    return rateOf(xx(), x, v) + rateOf(yy(), x, v) + rateOf(zz(), x, v);
  }
  static T rateOf(const Perpendicular<G>& row, const PairPosition<G>& x, const PairVelocity<G>& v) {
    return dot(G::directionRate(x.i, v.i, row.a), x.j.R * row.b) +
           dot(x.i.R * row.a, G::directionRate(x.j, v.j, row.b));
  }

  Perpendicular<G> xy() const { return {x_i, y_j}; }
  Perpendicular<G> yx() const { return {y_i, x_j}; }
  Perpendicular<G> xx() const { return {x_i, x_j}; }
  Perpendicular<G> yy() const { return {y_i, y_j}; }
  Perpendicular<G> zz() const {
    if constexpr (G::kSpatial) {
      return {cross(x_i, y_i), cross(x_j, y_j)};
    } else {
      return {x_i, x_j};  // there are no shafts in the plane
    }
  }
};

}  // namespace linkwork
