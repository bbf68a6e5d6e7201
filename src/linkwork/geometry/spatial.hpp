// Spatial<T>: the geometry policy of motion in space; seven coordinates per body, (x, y, z) of the centre of mass in
// ground axes and a unit quaternion (scalar first) from body to ground axes; six freedoms, (v in ground axes, w in body
// axes).
//
// Notation as in the plane: r = r_WC, R = R_WB, w = w_WB in body axes, so that d(R s)/dt = R (w x s).
#pragma once

#include <array>
#include <cmath>
#include <span>

#include "linkwork/scalar/scalar.hpp"

namespace linkwork {

template <class T>
struct Vec3 {
  T x{};
  T y{};
  T z{};

  static constexpr int kSize = 3;
  const T& operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }

  Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  friend Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  friend Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vec3 operator*(const Vec3& a, const T& k) { return {a.x * k, a.y * k, a.z * k}; }
};

template <class T>
T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A rotation matrix by its columns, the body's axes in the outer axes.
template <class T>
struct Rotation3 {
  Vec3<T> x{T(1.0), T(0.0), T(0.0)};
  Vec3<T> y{T(0.0), T(1.0), T(0.0)};
  Vec3<T> z{T(0.0), T(0.0), T(1.0)};

  // Of a quaternion, which need not be of unit length: the matrix is that of q / |q|, so that derivatives are those of
  // a rotation in every direction.
  static Rotation3 fromQuaternion(const T& qw, const T& qx, const T& qy, const T& qz) {
    const T s = T(2.0) / (qw * qw + qx * qx + qy * qy + qz * qz);
    return {{T(1.0) - s * (qy * qy + qz * qz), s * (qx * qy + qw * qz), s * (qx * qz - qw * qy)},
            {s * (qx * qy - qw * qz), T(1.0) - s * (qx * qx + qz * qz), s * (qy * qz + qw * qx)},
            {s * (qx * qz + qw * qy), s * (qy * qz - qw * qx), T(1.0) - s * (qx * qx + qy * qy)}};
  }
  static Rotation3 aboutZ(const T& angle) {
    const T c = cos(angle);
    const T s = sin(angle);
    return {{c, s, T(0.0)}, {-s, c, T(0.0)}, {T(0.0), T(0.0), T(1.0)}};
  }

  Vec3<T> operator*(const Vec3<T>& a) const { return x * a.x + y * a.y + z * a.z; }
  Rotation3 operator*(const Rotation3& b) const { return {*this * b.x, *this * b.y, *this * b.z}; }
  Vec3<T> inverseTimes(const Vec3<T>& a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
};

template <class T>
struct Spatial {
  using Scalar = T;
  using Vector = Vec3<T>;
  static constexpr bool kSpatial = true;
  static constexpr int kDimension = 3;
  static constexpr int kCoordinates = 7;
  static constexpr int kFreedoms = 6;

  using RowBlock = std::array<T, kFreedoms>;

  struct Position {
    Vector r;
    Rotation3<T> R;
  };
  struct Velocity {
    Vector v;  // of the centre of mass, ground axes
    Vector w;  // body axes
  };
  // Force in ground axes, and moment about the centre of mass in body axes.
  struct Wrench {
    Vector force;
    Vector moment;

    Wrench& operator+=(const Wrench& b) {
      force += b.force;
      moment += b.moment;
      return *this;
    }
    friend Wrench operator-(const Wrench& a) { return {-a.force, -a.moment}; }
  };

  static Position position(std::span<const T> q) {
    return {{q[0], q[1], q[2]}, Rotation3<T>::fromQuaternion(q[3], q[4], q[5], q[6])};
  }
  static Velocity velocity(std::span<const T> v) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }

  static Vector unit(int axis) {
    const T one(1.0);
    const T zero(0.0);
    return axis == 0 ? Vector{one, zero, zero} : axis == 1 ? Vector{zero, one, zero} : Vector{zero, zero, one};
  }
  static Vector pointIn(const Position& x, const Vector& s) { return x.r + x.R * s; }
  static Vector pointRate(const Position& x, const Velocity& v, const Vector& s) { return v.v + x.R * cross(v.w, s); }
  static Vector directionRate(const Position& x, const Velocity& v, const Vector& a) { return x.R * cross(v.w, a); }
  static Vector centripetal(const Position& x, const Velocity& v, const Vector& s) {
    return x.R * cross(v.w, cross(v.w, s));
  }

  // n^T R (w x s) = w^T (s x R^T n)
  static RowBlock pointRow(const Position& x, const Vector& s, const Vector& n) {
    const Vector turn = cross(s, x.R.inverseTimes(n));
    return {n.x, n.y, n.z, turn.x, turn.y, turn.z};
  }
  static std::array<RowBlock, kDimension> pointRows(const Position& x, const Vector& s) {
    const T one(1.0);
    const T zero(0.0);
    return {pointRow(x, s, {one, zero, zero}), pointRow(x, s, {zero, one, zero}), pointRow(x, s, {zero, zero, one})};
  }
  static RowBlock directionRow(const Position& x, const Vector& a, const Vector& d) {
    const Vector turn = cross(a, x.R.inverseTimes(d));
    return {T(0.0), T(0.0), T(0.0), turn.x, turn.y, turn.z};
  }

  static Wrench forceAt(const Position& x, const Vector& s, const Vector& force) {
    return {force, cross(s, x.R.inverseTimes(force))};
  }
  // About an axis given in ground axes.
  static Wrench moment(const Position& x, const Vector& axis, const T& size) {
    return {Vector{}, x.R.inverseTimes(axis) * size};
  }
  static T power(const Wrench& wrench, const Velocity& velocity) {
    return dot(wrench.force, velocity.v) + dot(wrench.moment, velocity.w);
  }
  static void put(const Wrench& wrench, std::span<T> f) {
    for (int k = 0; k < 3; ++k) {
      const auto place = static_cast<std::size_t>(k);
      f[place] = wrench.force[k];
      f[place + 3] = wrench.moment[k];
    }
  }

  // Inertia about the centre of mass in body axes; products are entries of the matrix.
  struct Inertia {
    T mass{};
    T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

    Vector times(const Vector& w) const {
      return {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z};
    }
  };
  static constexpr std::array<std::array<int, 2>, 9> kMassEntries{
      {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {4, 3}, {5, 3}, {5, 4}}};
  static std::array<T, 9> massValues(const Inertia& body) {
    return {body.mass, body.mass, body.mass, body.xx, body.yy, body.zz, body.xy, body.xz, body.yz};
  }
  // -w x J w, Euler's term.
  static Wrench gyroscopic(const Inertia& body, const Velocity& v) { return {Vector{}, cross(body.times(v.w), v.w)}; }
  static T kineticEnergy(const Inertia& body, const Velocity& v) {
    return T(0.5) * (body.mass * dot(v.v, v.v) + dot(v.w, body.times(v.w)));
  }

  // r' = v,  q' = q o (0, w) / 2
  static void coordinateRate(std::span<const T> q, std::span<const T> v, std::span<T> qdot) {
    for (std::size_t k = 0; k < 3; ++k) qdot[k] = v[k];
    const T half(0.5);
    const T &qw = q[3], &qx = q[4], &qy = q[5], &qz = q[6];
    const T &wx = v[3], &wy = v[4], &wz = v[5];
    qdot[3] = -half * (qx * wx + qy * wy + qz * wz);
    qdot[4] = half * (qw * wx + qy * wz - qz * wy);
    qdot[5] = half * (qw * wy + qz * wx - qx * wz);
    qdot[6] = half * (qw * wz + qx * wy - qy * wx);
  }
};

// q <- q o exp(step / 2), of unit length.
inline void retract(Spatial<double> /*geometry*/, std::span<double> q, std::span<const double> step) {
  for (std::size_t k = 0; k < 3; ++k) q[k] += step[k];
  const double angle = std::sqrt(step[3] * step[3] + step[4] * step[4] + step[5] * step[5]);
  const double c = std::cos(0.5 * angle);
  const double s = angle > 1e-8 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
  const double ex = s * step[3];
  const double ey = s * step[4];
  const double ez = s * step[5];
  const double w = q[3] * c - q[4] * ex - q[5] * ey - q[6] * ez;
  const double x = q[3] * ex + q[4] * c + q[5] * ez - q[6] * ey;
  const double y = q[3] * ey - q[4] * ez + q[5] * c + q[6] * ex;
  const double z = q[3] * ez + q[4] * ey - q[5] * ex + q[6] * c;
  const double size = std::sqrt(w * w + x * x + y * y + z * z);
  q[3] = w / size;
  q[4] = x / size;
  q[5] = y / size;
  q[6] = z / size;
}

// The step with retract(from, step) = to; of the two turns that lead there, the shorter one. A quaternion and its
// opposite are the same pose.
inline void difference(Spatial<double> /*geometry*/, std::span<const double> from, std::span<const double> to,
                       std::span<double> step) {
  for (std::size_t k = 0; k < 3; ++k) step[k] = to[k] - from[k];
  // from^-1 o to = (cos(angle / 2), sin(angle / 2) axis), up to length and sign
  const double w = from[3] * to[3] + from[4] * to[4] + from[5] * to[5] + from[6] * to[6];
  const double x = from[3] * to[4] - from[4] * to[3] - from[5] * to[6] + from[6] * to[5];
  const double y = from[3] * to[5] + from[4] * to[6] - from[5] * to[3] - from[6] * to[4];
  const double z = from[3] * to[6] - from[4] * to[5] + from[5] * to[4] - from[6] * to[3];
  const double sign = w < 0.0 ? -1.0 : 1.0;
  const double s = std::sqrt(x * x + y * y + z * z);
  const double factor = s > 1e-8 * std::abs(w) ? 2.0 * std::atan2(s, sign * w) / s : 2.0 / (sign * w);
  step[3] = sign * factor * x;
  step[4] = sign * factor * y;
  step[5] = sign * factor * z;
}

inline bool normalise(Spatial<double> /*geometry*/, std::span<double> q) {
  const double size = std::sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
  // A unit in the last place of the sum of four squares: nothing to gain below it.
  if (std::abs(size - 1.0) <= 4e-16) return false;
  for (std::size_t k = 3; k < 7; ++k) q[k] /= size;
  return true;
}

}  // namespace linkwork
