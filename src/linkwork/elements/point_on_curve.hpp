// PointOnCurve: a point A of body i stays at a constant distance from a plane curve of body j (1 row): on it, or beside
// it as the centre of a roller. In space a PointOnLine row keeps A in the plane of the curve.
//
//   p     = (u_x^T (A - B), u_y^T (A - B)) in axes of j;  d(p) its signed distance, n, t normal and tangent at the foot
//   Phi   = d(p) - offset
//   Phi_q : that of n^T (A - B) with n fixed to j
//   Gamma = -(n^T (A - B))''_rates + kappa / (1 - kappa d) (t^T p')^2                       [docs/theory/01, eq. 1.28]
//   lambda: the force on i is lambda n, through A.
#pragma once

#include <memory>

#include "linkwork/elements/point_on_line.hpp"
#include "linkwork/elements/spline_curve.hpp"

namespace linkwork {

template <class G>
struct PointOnCurve {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  typename G::Vector s_A;       // in axes of i
  typename G::Vector s_B;       // in axes of j
  typename G::Vector u_x, u_y;  // in axes of j
  std::shared_ptr<const SplineCurve> curve;
  T offset{};
  std::string name;  // of its letters, for Expr

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    return {distance(x).d - offset};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto at = distance(x);
    const JacobianRows<G, kRows> to_B = along(u_x * at.n_x + u_y * at.n_y).jacobian(x);
    return {negated(to_B.first), negated(to_B.second)};
  }

  // The rows are linear in the normal, which turns as the foot moves along: n' = -kappa / (1 - kappa d) (t^T p') t.
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto at = distance(x);
    const auto tangent = u_x * at.n_y - u_y * at.n_x;
    const JacobianRows<G, kRows> fixed = along(u_x * at.n_x + u_y * at.n_y).jacobianRate(x, v);
    const JacobianRows<G, kRows> turning = along(tangent * -(at.bend * slipOf(x, v, tangent))).jacobian(x);
    using Rows = std::array<typename G::RowBlock, 1>;
    return {negated(Rows{sumOf(fixed.first[0], turning.first[0])}),
            negated(Rows{sumOf(fixed.second[0], turning.second[0])})};
  }

  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {}; }

  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto at = distance(x);
    const auto tangent = u_x * at.n_y - u_y * at.n_x;
    const T slip = slipOf(x, v, tangent);
    return {at.bend * slip * slip - along(u_x * at.n_x + u_y * at.n_y).gamma(x, v, motion)[0]};
  }

  // Whether the foot of A has left an open curve.
  bool beyond(const PairPosition<G>& x) const {
    const auto p = place(x);
    return curve->beyond(valueOf(p.x), valueOf(p.y));
  }

 private:
  // u^T (B - A) for a direction u of j.
  PointOnLine<G> along(const typename G::Vector& u) const { return {s_A, s_B, u}; }

  // t^T p'
  T slipOf(const PairPosition<G>& x, const PairVelocity<G>& v, const typename G::Vector& tangent) const {
    const auto d = G::pointIn(x.i, s_A) - G::pointIn(x.j, s_B);
    const auto d_rate = G::pointRate(x.i, v.i, s_A) - G::pointRate(x.j, v.j, s_B);
    return dot(x.j.R * tangent, d_rate) + dot(G::directionRate(x.j, v.j, tangent), d);
  }
  Vec2<T> place(const PairPosition<G>& x) const {
    const auto d = G::pointIn(x.i, s_A) - G::pointIn(x.j, s_B);
    return {dot(x.j.R * u_x, d), dot(x.j.R * u_y, d)};
  }
  SplineCurve::Distance<T> distance(const PairPosition<G>& x) const {
    if constexpr (std::is_same_v<T, Expr>) {
      // A spline has no formula worth reading: its distance, normal and bend are letters.
      return {Expr::symbol(name + ".d"), Expr::symbol(name + ".n_x"), Expr::symbol(name + ".n_y"),
              Expr::symbol(name + ".bend")};
    } else {
      const auto p = place(x);
      return curve->distance(p.x, p.y);
    }
  }
};

}  // namespace linkwork
