// RollingContact: where two bodies touch, the first a plane, a cylinder or a ball (or, inside = true, hollow), the
// second round: what the rows of elements/rolling.hpp are made of. Body i is the first, body j the second.
//
//   n       unit normal, from the first body to the second; plane: R_i n_0; round: +-(K - P) / |K - P|, of a cylinder
//           across its axis e = R_i e_0
//   K       what is round about it: M; of a disc on a ball the point of the rim (of its core: the circle of radius
//           r - rho about M) that is nearest to P, or farthest from it where it rolls inside: M -+ (r - rho) d, d the
//           direction of M - P across the axle
//   m       n in axes of j
//   s(m)    the point of j that lies farthest against n, from the centre M of its roundness:
//             ball       -r m
//             disc       -(r - rho) d - rho m,  d the direction of m across the axle, rho its rounding (a tyre)
//             ellipsoid  -A m / sqrt(m^T A m),  A = diag(squares of the semi-axes)
//             on a ball  K - M - rho m
//   C       = r_j + R_j (s_M + s(m)), the point of contact; the arms of C on both bodies, in body axes
//   gap     plane: n^T (C - P); round: +-(|K - P| - L_0),  L_0 the distance |K - P| of bodies that touch
//
// s is the gradient of a function that is homogeneous in m, or K - P lies in the plane of d and the axle; either way
// m^T s' = 0: however C wanders on j, the gap grows at n^T (velocity of the point of j at C - that of the point of i
// there).                                                                                  [docs/theory/01, eq. 1.47]
#pragma once

#include "linkwork/elements/rows.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

template <class G>
struct RollingContact {
  using T = typename G::Scalar;
  using Vector = typename G::Vector;

  RollingOn on = RollingOn::plane;
  RollingShape shape = RollingShape::ball;
  bool inside = false;
  Vector s_P;      // of i: a point of the plane, or the centre of its roundness
  Vector s_M;      // of j
  Vector normal;   // of i: the plane's n_0, or the cylinder's axis e_0
  Vector axle;     // of j: a disc's
  T radius{};      // of j, the outer one
  T rounding{};    // rho
  Vector squares;  // of an ellipsoid's semi-axes
  T between{};     // L_0

  struct Touch {
    Vector n, m;      // in ground axes; in those of j
    Vector arm_i;     // C in axes of i
    Vector arm_j;     // and of j
    Vector apart;     // K - P, in ground axes; of cylinders across the axis
    T distance{1.0};  // its length, where the first body is round
  };
  struct TouchRate {
    Vector n;  // in ground axes
    Vector m;
    Vector arm_i, arm_j;
  };

  Touch touch(const PairPosition<G>& x) const {
    using std::sqrt;
    Touch out;
    if (on == RollingOn::plane) {
      out.n = x.i.R * normal;
      out.m = x.j.R.inverseTimes(out.n);
      out.arm_j = s_M + farthest(out.m);
    } else {
      const Vector between_centres = G::pointIn(x.j, s_M) - G::pointIn(x.i, s_P);
      const Vector core = touchesByRim() ? rimPoint(x.j.R.inverseTimes(between_centres)) : Vector{};
      out.apart = across(x, touchesByRim() ? between_centres + x.j.R * core : between_centres);
      out.distance = sqrt(dot(out.apart, out.apart));
      out.n = out.apart * (sign() / out.distance);
      out.m = x.j.R.inverseTimes(out.n);
      out.arm_j = touchesByRim() ? s_M + core - out.m * rounding : s_M + farthest(out.m);
    }
    out.arm_i = x.i.R.inverseTimes(G::pointIn(x.j, out.arm_j) - x.i.r);
    return out;
  }

  TouchRate touchRate(const PairPosition<G>& x, const PairVelocity<G>& v, const Touch& at) const {
    TouchRate out;
    if (on == RollingOn::plane) {
      out.n = G::directionRate(x.i, v.i, normal);
      out.m = x.j.R.inverseTimes(out.n - G::directionRate(x.j, v.j, at.m));
      out.arm_j = farthestRate(at.m, out.m);
    } else {
      Vector apart = G::pointIn(x.j, s_M) - G::pointIn(x.i, s_P);
      Vector rate = G::pointRate(x.j, v.j, s_M) - G::pointRate(x.i, v.i, s_P);
      Vector core_rate{};
      if (touchesByRim()) {
        const Vector own = x.j.R.inverseTimes(apart);
        const Vector core = rimPoint(own);
        core_rate = rimPointRate(own, x.j.R.inverseTimes(rate - G::directionRate(x.j, v.j, own)));
        apart = apart + x.j.R * core;
        rate = rate + G::directionRate(x.j, v.j, core) + x.j.R * core_rate;
      }
      const Vector apart_rate = acrossRate(x, v, apart, rate);
      const Vector u = at.apart * (T(1.0) / at.distance);
      out.n = (apart_rate - u * dot(u, apart_rate)) * (sign() / at.distance);
      out.m = x.j.R.inverseTimes(out.n - G::directionRate(x.j, v.j, at.m));
      out.arm_j = touchesByRim() ? core_rate - out.m * rounding : farthestRate(at.m, out.m);
    }
    const Vector C_rate = G::pointRate(x.j, v.j, at.arm_j) + x.j.R * out.arm_j;
    out.arm_i = x.i.R.inverseTimes(C_rate - v.i.v - G::directionRate(x.i, v.i, at.arm_i));
    return out;
  }

  T gap(const PairPosition<G>& x, const Touch& at) const {
    if (on == RollingOn::plane) return dot(at.n, G::pointIn(x.j, at.arm_j) - G::pointIn(x.i, s_P));
    return sign() * (at.distance - between);
  }

  // A disc whose axle is the normal of the plane, or leads through the centre of the ball: within a thousandth of a
  // radian of where no point of its rim is the one that touches.
  bool liesFlat(const PairPosition<G>& x) const {
    if constexpr (G::kSpatial) {
      if (shape != RollingShape::disc) return false;
      const bool flat = on == RollingOn::plane;
      const Vector towards = flat ? x.i.R * normal : G::pointIn(x.j, s_M) - G::pointIn(x.i, s_P);
      const Vector across = cross(towards, x.j.R * axle);
      return valueOf(dot(across, across)) < 1e-6 * valueOf(dot(towards, towards));
    } else {
      return false;
    }
  }

  // Velocity of the point of j at C less that of the point of i there.
  static Vector slip(const PairPosition<G>& x, const PairVelocity<G>& v, const Touch& at) {
    return G::pointRate(x.j, v.j, at.arm_j) - G::pointRate(x.i, v.i, at.arm_i);
  }
  // Its rate, without what accelerations add.
  static Vector slipBend(const PairPosition<G>& x, const PairVelocity<G>& v, const Touch& at, const TouchRate& rate) {
    return G::centripetal(x.j, v.j, at.arm_j) + G::directionRate(x.j, v.j, rate.arm_j) -
           (G::centripetal(x.i, v.i, at.arm_i) + G::directionRate(x.i, v.i, rate.arm_i));
  }

 private:
  T sign() const { return T(inside ? -1.0 : 1.0); }
  bool touchesByRim() const { return G::kSpatial && shape == RollingShape::disc && on == RollingOn::ball; }

  // A disc's direction of m across its axle, and its length before it is made a unit.
  struct Across {
    Vector d;
    T size{};
  };
  Across acrossAxle(const Vector& m) const {
    using std::sqrt;
    const Vector u = m - axle * dot(m, axle);
    const T size = sqrt(dot(u, u));
    return {u * (T(1.0) / size), size};
  }

  // K - M in axes of j, of a disc on a ball; `own` is M - P in these axes.
  Vector rimPoint(const Vector& own) const {
    if constexpr (G::kSpatial) return acrossAxle(own).d * (sign() * (rounding - radius));
    return {};
  }
  Vector rimPointRate(const Vector& own, const Vector& rate) const {
    if constexpr (G::kSpatial) return directionAcrossRate(acrossAxle(own), rate) * (sign() * (rounding - radius));
    return {};
  }

  Vector farthest(const Vector& m) const {
    using std::sqrt;
    if constexpr (G::kSpatial) {
      if (shape == RollingShape::disc) return -(acrossAxle(m).d * (radius - rounding) + m * rounding);
      if (shape == RollingShape::ellipsoid) {
        const Vector a = scaled(m);
        return a * (T(-1.0) / sqrt(dot(m, a)));
      }
    }
    return m * -radius;
  }

  // d' = (u' - d (d^T u')) / |u|
  Vector directionAcrossRate(const Across& to, const Vector& rate) const {
    const Vector u_rate = rate - axle * dot(rate, axle);
    return (u_rate - to.d * dot(to.d, u_rate)) * (T(1.0) / to.size);
  }

  Vector farthestRate(const Vector& m, const Vector& rate) const {
    if constexpr (G::kSpatial) {
      if (shape == RollingShape::disc)
        return -(directionAcrossRate(acrossAxle(m), rate) * (radius - rounding) + rate * rounding);
      if (shape == RollingShape::ellipsoid) {
        const Vector a = scaled(m);
        using std::sqrt;
        const T square = dot(m, a);
        const T over = T(1.0) / sqrt(square);
        return (a * (dot(a, rate) / square) - scaled(rate)) * over;
      }
    }
    return rate * -radius;
  }

  Vector scaled(const Vector& m) const {
    if constexpr (G::kSpatial) {
      return {squares.x * m.x, squares.y * m.y, squares.z * m.z};
    } else {
      return m;
    }
  }

  Vector across(const PairPosition<G>& x, const Vector& d) const {
    if (on != RollingOn::cylinder) return d;
    const Vector e = x.i.R * normal;
    return d - e * dot(e, d);
  }
  Vector acrossRate(const PairPosition<G>& x, const PairVelocity<G>& v, const Vector& d, const Vector& rate) const {
    if (on != RollingOn::cylinder) return rate;
    const Vector e = x.i.R * normal;
    const Vector e_rate = G::directionRate(x.i, v.i, normal);
    return rate - e_rate * dot(e, d) - e * (dot(e_rate, d) + dot(e, rate));
  }
};

}  // namespace linkwork
