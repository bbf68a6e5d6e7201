// The rows of a body that rolls on another (elements/rolling_contact.hpp says where they touch, and what n and C are).
// With c the velocity of the second body's point at C against that of the first one there:
//
//   RollingNormal  they touch (1 row):                              Phi = gap,        Phi' = n^T c
//   RollingSlip    they do not slip along d (1 row of velocities alone; u(t): the first body's surface moves at u):
//                                                                   d^T c = u
//   RollingPivot   they do not spin about n against each other (1 row of velocities alone, in space):
//                                                                   n^T (w_j - w_i) = 0
//   RollingArc     no slip, counted from the drawing (1 row, in the plane):
//                    on a line     Phi = t^T (M - P) + r (phi_j - phi_i) - offset,   Phi' = t^T c
//                    on a circle   Phi = L_0 (angle from a to M - P),  a at the angle  phi_i + k (phi_j - phi_i) +
//                    offset,
//                                  k = +-r / L_0: where M is when nothing has slipped
//
//   Phi_q : j d^T (rows of C on j),  i -d^T (rows of C on i)
//   Gamma = u' - d'^T c - d^T [ (c of C, j) + w_j x R_j (arm of C on j)' - the same of i ]  [docs/theory/01, eq. 1.48]
//   lambda: the force of the first body on the second is lambda d, through C.
#pragma once

#include "linkwork/elements/rolling_contact.hpp"

namespace linkwork {

// Rows of c along d, which changes at d_rate; both in ground axes.
template <class G>
JacobianRows<G, 1> contactRows(const PairPosition<G>& x, const typename RollingContact<G>::Touch& at,
                               const typename G::Vector& d) {
  return {negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.i, at.arm_i, d)}), {G::pointRow(x.j, at.arm_j, d)}};
}
template <class G>
JacobianRows<G, 1> contactRowRates(const PairPosition<G>& x, const PairVelocity<G>& v,
                                   const typename RollingContact<G>::Touch& at,
                                   const typename RollingContact<G>::TouchRate& rate, const typename G::Vector& d,
                                   const typename G::Vector& d_rate) {
  const auto rowRate = [&](const auto& position, const auto& velocity, const auto& arm, const auto& arm_rate) {
    return sumOf(pointRowRate<G>(position, velocity, arm, d, d_rate), G::directionRow(position, arm_rate, d));
  };
  return {negated(std::array<typename G::RowBlock, 1>{rowRate(x.i, v.i, at.arm_i, rate.arm_i)}),
          {rowRate(x.j, v.j, at.arm_j, rate.arm_j)}};
}

template <class G>
struct RollingNormal {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;

  RollingContact<G> contact;

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    return {contact.gap(x, contact.touch(x))};
  }
  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto at = contact.touch(x);
    return contactRows<G>(x, at, at.n);
  }
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto at = contact.touch(x);
    const auto rate = contact.touchRate(x, v, at);
    return contactRowRates<G>(x, v, at, rate, at.n, rate.n);
  }
  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {T(0.0)}; }
  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& /*motion*/) const {
    const auto at = contact.touch(x);
    const auto rate = contact.touchRate(x, v, at);
    return {-dot(rate.n, contact.slip(x, v, at)) - dot(at.n, contact.slipBend(x, v, at, rate))};
  }
};

// Which tangent a row is about:
//   fixed    R_i a
//   round    u = n x R_i a made a unit, or (`second`) n x that: where the first body is round no tangent stays fixed;
//   in
//            the plane -(n turned by a right angle)
//   roller   of a wheel whose rim has rollers: the axis of the one that touches. f is the way the wheel rolls, the
//            direction of (axle) x n: cosine f + sine n x f
enum class Tangent { fixed, round, round_second, roller };

template <class G>
struct RollingSlip {
  using T = typename G::Scalar;
  using Vector = typename G::Vector;
  static constexpr int kRows = 1;

  RollingContact<G> contact;
  Tangent along = Tangent::fixed;
  Vector a;  // in axes of i
  T cosine{1.0};
  T sine{};

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto at = contact.touch(x);
    return contactRows<G>(x, at, tangent(x, at));
  }
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto at = contact.touch(x);
    const auto rate = contact.touchRate(x, v, at);
    return contactRowRates<G>(x, v, at, rate, tangent(x, at), tangentRate(x, v, at, rate));
  }
  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }
  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto at = contact.touch(x);
    const auto rate = contact.touchRate(x, v, at);
    return {motion.fddot - dot(tangentRate(x, v, at, rate), contact.slip(x, v, at)) -
            dot(tangent(x, at), contact.slipBend(x, v, at, rate))};
  }

 private:
  using Touch = typename RollingContact<G>::Touch;
  using TouchRate = typename RollingContact<G>::TouchRate;

  Vector tangent(const PairPosition<G>& x, const Touch& at) const {
    if (along == Tangent::fixed) return x.i.R * a;
    if constexpr (G::kSpatial) {
      if (along == Tangent::roller) {
        const Vector f = unitOf(cross(x.j.R * contact.axle, at.n));
        return f * cosine + cross(at.n, f) * sine;
      }
      const Vector t = unitOf(cross(at.n, x.i.R * a));
      return along == Tangent::round ? t : cross(at.n, t);
    } else {
      return -perp(at.n);
    }
  }

  Vector tangentRate(const PairPosition<G>& x, const PairVelocity<G>& v, const Touch& at, const TouchRate& rate) const {
    if (along == Tangent::fixed) return G::directionRate(x.i, v.i, a);
    if constexpr (G::kSpatial) {
      if (along == Tangent::roller) {
        const Vector e = x.j.R * contact.axle;
        const Vector u = cross(e, at.n);
        const Vector f_rate = unitRateOf(u, cross(G::directionRate(x.j, v.j, contact.axle), at.n) + cross(e, rate.n));
        return f_rate * cosine + (cross(rate.n, unitOf(u)) + cross(at.n, f_rate)) * sine;
      }
      const Vector g = x.i.R * a;
      const Vector u = cross(at.n, g);
      const Vector t_rate = unitRateOf(u, cross(rate.n, g) + cross(at.n, G::directionRate(x.i, v.i, a)));
      return along == Tangent::round ? t_rate : cross(rate.n, unitOf(u)) + cross(at.n, t_rate);
    } else {
      return -perp(rate.n);
    }
  }
};

template <class G>
struct RollingPivot {
  static_assert(G::kSpatial);
  using T = typename G::Scalar;
  using Vector = typename G::Vector;
  static constexpr int kRows = 1;

  RollingContact<G> contact;

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    const auto at = contact.touch(x);
    return {negated(std::array<typename G::RowBlock, 1>{turnRow<G>(x.i.R.inverseTimes(at.n))}), {turnRow<G>(at.m)}};
  }
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    const auto at = contact.touch(x);
    const auto rate = contact.touchRate(x, v, at);
    return {negated(std::array<typename G::RowBlock, 1>{turnRow<G>(rateInFirst(x, v, at, rate))}),
            {turnRow<G>(rate.m)}};
  }
  std::array<T, kRows> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }
  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    const auto at = contact.touch(x);
    const auto rate = contact.touchRate(x, v, at);
    return {motion.fddot - dot(rate.m, v.j.w) + dot(rateInFirst(x, v, at, rate), v.i.w)};
  }

 private:
  // (R_i^T n)' = R_i^T (n' - w_i x n)
  static Vector rateInFirst(const PairPosition<G>& x, const PairVelocity<G>& v,
                            const typename RollingContact<G>::Touch& at,
                            const typename RollingContact<G>::TouchRate& rate) {
    return x.i.R.inverseTimes(rate.n - G::directionRate(x.i, v.i, x.i.R.inverseTimes(at.n)));
  }
};

template <class G>
struct RollingArc {
  static_assert(!G::kSpatial);
  using T = typename G::Scalar;
  using Vector = typename G::Vector;
  static constexpr int kRows = 1;

  RollingSlip<G> slip;
  T frame{};  // angle of the frame on i in axes of i
  T offset{};

  std::array<T, kRows> phi(const PairPosition<G>& x, const Motion<T>& /*motion*/) const {
    const RollingContact<G>& contact = slip.contact;
    const Vector apart = G::pointIn(x.j, contact.s_M) - G::pointIn(x.i, contact.s_P);
    const T first = x.i.angle + frame;
    const T turned = x.j.angle - first;
    if (contact.on == RollingOn::plane) return {dot(x.i.R * slip.a, apart) + contact.radius * turned - offset};
    using std::atan2;
    const T angle = first + share() * turned + offset;
    const Vector a = Rotation2<T>::fromAngle(angle) * Vector{T(1.0), T(0.0)};
    return {contact.between * atan2(cross(a, apart), dot(a, apart))};
  }

  JacobianRows<G, kRows> jacobian(const PairPosition<G>& x) const {
    if (slip.contact.on == RollingOn::plane) return slip.jacobian(x);
    const Vector n = lever(x).n;
    auto rows = JacobianRows<G, 1>{negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.i, slip.contact.s_P, n)}),
                                   {G::pointRow(x.j, slip.contact.s_M, n)}};
    const T of_second = share() * slip.contact.between;
    rows.first[0][2] += of_second - slip.contact.between;
    rows.second[0][2] -= of_second;
    return rows;
  }
  JacobianRows<G, kRows> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    if (slip.contact.on == RollingOn::plane) return slip.jacobianRate(x, v);
    const Lever at = lever(x);
    const Vector n_rate = leverRate(at, apartRate(x, v));
    return {negated(std::array<typename G::RowBlock, 1>{pointRowRate<G>(x.i, v.i, slip.contact.s_P, at.n, n_rate)}),
            {pointRowRate<G>(x.j, v.j, slip.contact.s_M, at.n, n_rate)}};
  }
  std::array<T, kRows> minusPhiT(const Motion<T>& /*motion*/) const { return {T(0.0)}; }
  std::array<T, kRows> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    if (slip.contact.on == RollingOn::plane) return slip.gamma(x, v, motion);
    const Lever at = lever(x);
    const Vector rate = apartRate(x, v);
    const Vector bend = G::centripetal(x.j, v.j, slip.contact.s_M) - G::centripetal(x.i, v.i, slip.contact.s_P);
    return {-dot(leverRate(at, rate), rate) - dot(at.n, bend)};
  }

 private:
  // n = L_0 / L t, t across u = (M - P) / L: the angle of M - P grows at t^T (M - P)' / L.
  struct Lever {
    Vector n, u;
    T over{};  // 1 / L
  };
  Lever lever(const PairPosition<G>& x) const {
    using std::sqrt;
    const Vector apart = G::pointIn(x.j, slip.contact.s_M) - G::pointIn(x.i, slip.contact.s_P);
    const T over = T(1.0) / sqrt(dot(apart, apart));
    const Vector u = apart * over;
    return {perp(u) * (slip.contact.between * over), u, over};
  }
  // (t / L)' = -(u (t^T d') + t (u^T d')) / L^2,  d = M - P
  Vector leverRate(const Lever& at, const Vector& rate) const {
    return -(at.u * dot(at.n, rate) + at.n * dot(at.u, rate)) * at.over;
  }
  Vector apartRate(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    return G::pointRate(x.j, v.j, slip.contact.s_M) - G::pointRate(x.i, v.i, slip.contact.s_P);
  }
  // +-r / L_0
  T share() const { return T(slip.contact.inside ? -1.0 : 1.0) * slip.contact.radius / slip.contact.between; }
};

}  // namespace linkwork
