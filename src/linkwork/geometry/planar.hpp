// Planar<T>: the geometry policy of motion in the x-y plane; three numbers per body, (x, y, angle).
//
// Notation: r = r_WC, position of the body's centre of mass in ground axes; R = R_WB; w = angle rate;
// perp(v) = W v with W = [[0, -1], [1, 0]], so that d(R s)/dt = perp(R s) w.
#pragma once

#include <array>
#include <span>

#include "linkwork/scalar/scalar.hpp"

namespace linkwork {

template <class T>
struct Vec2 {
  T x{};
  T y{};

  static constexpr int kSize = 2;
  const T& operator[](int k) const { return k == 0 ? x : y; }

  Vec2& operator+=(const Vec2& b) {
    x += b.x;
    y += b.y;
    return *this;
  }
  Vec2& operator-=(const Vec2& b) {
    x -= b.x;
    y -= b.y;
    return *this;
  }
  friend Vec2 operator+(Vec2 a, const Vec2& b) { return a += b; }
  friend Vec2 operator-(Vec2 a, const Vec2& b) { return a -= b; }
  friend Vec2 operator-(const Vec2& a) { return {-a.x, -a.y}; }
  friend Vec2 operator*(const Vec2& a, const T& k) { return {a.x * k, a.y * k}; }
};

template <class T>
T dot(const Vec2<T>& a, const Vec2<T>& b) {
  return a.x * b.x + a.y * b.y;
}

template <class T>
Vec2<T> perp(const Vec2<T>& a) {
  return {-a.y, a.x};
}

// z component of a x b, the planar moment of force b at arm a: (W a)^T b.
template <class T>
T cross(const Vec2<T>& a, const Vec2<T>& b) {
  return a.x * b.y - a.y * b.x;
}

template <class T>
struct Rotation2 {
  T c{1.0};
  T s{0.0};

  static Rotation2 fromAngle(const T& angle) {
    using std::cos;
    using std::sin;
    return {cos(angle), sin(angle)};
  }
  Vec2<T> operator*(const Vec2<T>& a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  Vec2<T> inverseTimes(const Vec2<T>& a) const { return {c * a.x + s * a.y, c * a.y - s * a.x}; }
};

template <class T>
struct Planar {
  using Scalar = T;
  using Vector = Vec2<T>;
  static constexpr bool kSpatial = false;
  static constexpr int kDimension = 2;
  static constexpr int kCoordinates = 3;  // (x, y, angle)
  static constexpr int kFreedoms = 3;

  // One row of a constraint Jacobian for one body.
  using RowBlock = std::array<T, kFreedoms>;

  struct Position {
    Vector r;
    T angle{};
    Rotation2<T> R;
  };
  struct Velocity {
    Vector v;
    T w{};
  };
  // Generalised force on a body: force, and moment about the centre of mass.
  struct Wrench {
    Vector force;
    T moment{};

    Wrench& operator+=(const Wrench& b) {
      force += b.force;
      moment += b.moment;
      return *this;
    }
    friend Wrench operator-(const Wrench& a) { return {-a.force, -a.moment}; }
  };

  static Position position(const T& x, const T& y, const T& angle) {
    return {{x, y}, angle, Rotation2<T>::fromAngle(angle)};
  }
  static Position position(std::span<const T> q) { return position(q[0], q[1], q[2]); }
  static Velocity velocity(std::span<const T> v) { return {{v[0], v[1]}, v[2]}; }

  static Vector unit(int axis) { return axis == 0 ? Vector{T(1.0), T(0.0)} : Vector{T(0.0), T(1.0)}; }
  // Of a point s and of a direction a fixed to a body, both in body axes: place, rate, and what the rates alone add to
  // the second derivative.
  static Vector pointIn(const Position& x, const Vector& s) { return x.r + x.R * s; }
  static Vector pointRate(const Position& x, const Velocity& v, const Vector& s) { return v.v + perp(x.R * s) * v.w; }
  static Vector directionRate(const Position& x, const Velocity& v, const Vector& a) { return perp(x.R * a) * v.w; }
  static Vector centripetal(const Position& x, const Velocity& v, const Vector& s) { return (x.R * s) * -(v.w * v.w); }

  // Derivatives with respect to the body's motion: of the point r + R s (a row per axis), of n^T (r + R s), of (R a)^T
  // d.
  static std::array<RowBlock, kDimension> pointRows(const Position& x, const Vector& s) {
    const Vector a = perp(x.R * s);
    return {{{T(1.0), T(0.0), a.x}, {T(0.0), T(1.0), a.y}}};
  }
  static RowBlock pointRow(const Position& x, const Vector& s, const Vector& n) {
    return {n.x, n.y, dot(n, perp(x.R * s))};
  }
  static RowBlock directionRow(const Position& x, const Vector& a, const Vector& d) {
    return {T(0.0), T(0.0), dot(perp(x.R * a), d)};
  }

  static Wrench forceAt(const Position& x, const Vector& s, const Vector& force) {
    return {force, cross(x.R * s, force)};
  }
  static Wrench moment(const Position& /*x*/, const Vector& /*axis*/, const T& size) { return {Vector{}, size}; }
  static T power(const Wrench& wrench, const Velocity& velocity) {
    return dot(wrench.force, velocity.v) + wrench.moment * velocity.w;
  }
  static void put(const Wrench& wrench, std::span<T> f) {
    f[0] = wrench.force.x;
    f[1] = wrench.force.y;
    f[2] = wrench.moment;
  }

  // What a body resists with: entries of its mass block, and the inertial forces that its rates alone bring.
  struct Inertia {
    T mass{};
    T inertia{};
  };
  static constexpr std::array<std::array<int, 2>, 3> kMassEntries{{{0, 0}, {1, 1}, {2, 2}}};
  static std::array<T, 3> massValues(const Inertia& body) { return {body.mass, body.mass, body.inertia}; }
  static Wrench gyroscopic(const Inertia& /*body*/, const Velocity& /*v*/) { return {}; }
  static T kineticEnergy(const Inertia& body, const Velocity& v) {
    return T(0.5) * (body.mass * dot(v.v, v.v) + body.inertia * v.w * v.w);
  }

  static void coordinateRate(std::span<const T> /*q*/, std::span<const T> v, std::span<T> qdot) {
    for (int k = 0; k < kFreedoms; ++k) qdot[static_cast<std::size_t>(k)] = v[static_cast<std::size_t>(k)];
  }
};

// Moves coordinates along the surface they live on, by a small displacement in the body's freedoms.
inline void retract(Planar<double> /*geometry*/, std::span<double> q, std::span<const double> step) {
  for (std::size_t k = 0; k < 3; ++k) q[k] += step[k];
}
// The step with retract(from, step) = to.
inline void difference(Planar<double> /*geometry*/, std::span<const double> from, std::span<const double> to,
                       std::span<double> step) {
  for (std::size_t k = 0; k < 3; ++k) step[k] = to[k] - from[k];
}
// Returns whether the coordinates had to be changed.
inline bool normalise(Planar<double> /*geometry*/, std::span<double> /*q*/) { return false; }

}  // namespace linkwork
