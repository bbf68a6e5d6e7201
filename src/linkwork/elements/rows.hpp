// What every constraint element fills in: its rows of the Jacobian, body by body, and the motion it follows.
//
// jacobianRate is d/dt Phi_q along the motion; with it  Phi_q' v - (-Phi_t)' = -Gamma.
#pragma once

#include <array>
#include <type_traits>

#include "linkwork/base/row_level.hpp"
#include "linkwork/geometry/planar.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// Value and time derivatives of a prescribed motion f(t); zero for a joint. Rows of velocities alone know f' and f''.
template <class T>
struct Motion {
  T f{};
  T fdot{};
  T fddot{};
};

// The level of an element's rows: an element without phi has rows of velocities alone. For them Phi_q is the derivative
// of the row by the velocities, and -Phi_t its right-hand side.
template <class E>
constexpr RowLevel levelOf() {
  return requires { &E::phi; } ? RowLevel::position : RowLevel::velocity;
}

// 1/length, and a finite number at length zero: a spring that shrinks to nothing has no direction, and pulls in none.
template <class T>
T reciprocalOfLength(const T& length) {
  if constexpr (std::is_same_v<T, Expr>) {
    return T(1.0) / length;  // in letters a length is never zero
  } else {
    return T(1.0) / max(length, T(1e-100));
  }
}

// Blocks of Phi_q for the first (i) and second (j) body of an element with R rows.
template <class G, int R>
struct JacobianRows {
  std::array<typename G::RowBlock, R> first;
  std::array<typename G::RowBlock, R> second;
};

template <class T, std::size_t F, std::size_t R>
std::array<std::array<T, F>, R> negated(std::array<std::array<T, F>, R> rows) {
  for (auto& row : rows) {
    for (T& entry : row) entry = -entry;
  }
  return rows;
}

template <int R, class Vector>
auto components(const Vector& v) {
  static_assert(R == Vector::kSize);
  if constexpr (R == 2) {
    return std::array{v.x, v.y};
  } else {
    return std::array{v.x, v.y, v.z};
  }
}

// Rates of G::pointRow(x, s, n) and G::directionRow(x, a, d) along a motion in which n and d, in ground axes, change at
// n_rate and d_rate. As seen from the body a ground vector turns backwards: (R^T n)' = R^T n' - w x R^T n.
template <class G>
typename G::RowBlock directionRowRate(const typename G::Position& x, const typename G::Velocity& v,
                                      const typename G::Vector& a, const typename G::Vector& d,
                                      const typename G::Vector& d_rate) {
  if constexpr (G::kSpatial) {
    const typename G::Vector turn = cross(a, x.R.inverseTimes(d_rate) - cross(v.w, x.R.inverseTimes(d)));
    using T = typename G::Scalar;
    return {T(0.0), T(0.0), T(0.0), turn.x, turn.y, turn.z};
  } else {
    return G::directionRow(x, a, d_rate - perp(d) * v.w);
  }
}
template <class G>
typename G::RowBlock pointRowRate(const typename G::Position& x, const typename G::Velocity& v,
                                  const typename G::Vector& s, const typename G::Vector& n,
                                  const typename G::Vector& n_rate) {
  auto row = directionRowRate<G>(x, v, s, n, n_rate);
  for (int k = 0; k < G::kDimension; ++k) row[static_cast<std::size_t>(k)] = n_rate[k];
  return row;
}

template <class T, std::size_t F>
std::array<T, F> sumOf(std::array<T, F> a, const std::array<T, F>& b) {
  for (std::size_t k = 0; k < F; ++k) a[k] += b[k];
  return a;
}

// Of a turning about d, in axes of the body: in space.
template <class G>
typename G::RowBlock turnRow(const typename G::Vector& d) {
  static_assert(G::kSpatial);
  using T = typename G::Scalar;
  return {T(0.0), T(0.0), T(0.0), d.x, d.y, d.z};
}

// u / |u|, and its rate (u' - e (e^T u')) / |u|.
template <class Vector>
Vector unitOf(const Vector& u) {
  using T = std::decay_t<decltype(u.x)>;
  return u * (T(1.0) / sqrt(dot(u, u)));
}
template <class Vector>
Vector unitRateOf(const Vector& u, const Vector& rate) {
  using T = std::decay_t<decltype(u.x)>;
  const T over = T(1.0) / sqrt(dot(u, u));
  const Vector e = u * over;
  return (rate - e * dot(e, rate)) * over;
}

// Force and moment that a row of the Jacobian brings with a multiplier: the row's transpose times it.
template <class G>
typename G::Wrench wrenchOf(const typename G::RowBlock& row, const typename G::Scalar& size) {
  if constexpr (G::kSpatial) {
    return {{row[0] * size, row[1] * size, row[2] * size}, {row[3] * size, row[4] * size, row[5] * size}};
  } else {
    return {{row[0] * size, row[1] * size}, row[2] * size};
  }
}

// Position and velocity of the two bodies an element joins. Ground stands still at the origin.
template <class G>
struct PairPosition {
  const typename G::Position& i;
  const typename G::Position& j;
};

template <class G>
struct PairVelocity {
  const typename G::Velocity& i;
  const typename G::Velocity& j;
};

}  // namespace linkwork
