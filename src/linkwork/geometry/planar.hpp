// Planar<T>: the geometry policy of motion in the x-y plane; three numbers per body, (x, y, angle).
//
// Notation: r = r_WC, position of the body's centre of mass in ground axes; R = R_WB; w = angle rate;
// perp(v) = W v with W = [[0, -1], [1, 0]], so that d(R s)/dt = perp(R s) w.
#pragma once

#include <array>

#include "linkwork/scalar/scalar.hpp"

namespace linkwork {

template <class T>
struct Vec2 {
  T x{};
  T y{};

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
  static constexpr int kFreedoms = 3;  // (x, y, angle)

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
  };

  static Position position(const T& x, const T& y, const T& angle) {
    return {{x, y}, angle, Rotation2<T>::fromAngle(angle)};
  }
  static Wrench forceAt(const Vector& arm, const Vector& force) { return {force, cross(arm, force)}; }
  static T power(const Wrench& wrench, const Velocity& velocity) {
    return dot(wrench.force, velocity.v) + wrench.moment * velocity.w;
  }
};

}  // namespace linkwork
