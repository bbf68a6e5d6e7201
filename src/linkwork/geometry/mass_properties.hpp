// Mass, centre of mass and inertia matrix of solids, and how they are moved, turned and put together.
//
// Closed forms with J about the centre of mass. Solids with an axis (rod, cylinder, tube, capsule) start at the origin
// and run along x; the others sit with their centre at the origin, a disc with its axis along z.
#pragma once

#include <array>
#include <numbers>
#include <span>

#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

// Entries of a symmetric matrix. As an inertia: xx = integral of (y^2 + z^2) dm, xy = - integral of x y dm.
template <class T>
struct Symmetric3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};

  Symmetric3& operator+=(const Symmetric3& b) {
    xx += b.xx;
    yy += b.yy;
    zz += b.zz;
    xy += b.xy;
    xz += b.xz;
    yz += b.yz;
    return *this;
  }
  friend Symmetric3 operator*(const Symmetric3& a, const T& k) {
    return {a.xx * k, a.yy * k, a.zz * k, a.xy * k, a.xz * k, a.yz * k};
  }
  Vec3<T> times(const Vec3<T>& a) const {
    return {xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z, xz * a.x + yz * a.y + zz * a.z};
  }
};

template <class T>
struct MassProperties {
  T mass{};
  Vec3<T> com{};
  Symmetric3<T> inertia{};  // about the centre of mass
};

// --- moving
// ------------------------------------------------------------------------------------------------------------

// m (d^2 I - d d^T): what Steiner adds when the reference point moves by d from the centre of mass.
template <class T>
Symmetric3<T> steiner(const T& mass, const Vec3<T>& d) {
  const T x = d.x * d.x;
  const T y = d.y * d.y;
  const T z = d.z * d.z;
  return Symmetric3<T>{y + z, x + z, x + y, -(d.x * d.y), -(d.x * d.z), -(d.y * d.z)} * mass;
}

// R J R^T
template <class T>
Symmetric3<T> turned(const Rotation3<T>& R, const Symmetric3<T>& J) {
  // Rows of R as vectors: (R J R^T)_ij = r_i^T J r_j.
  const Vec3<T> r0{R.x.x, R.y.x, R.z.x};
  const Vec3<T> r1{R.x.y, R.y.y, R.z.y};
  const Vec3<T> r2{R.x.z, R.y.z, R.z.z};
  const Vec3<T> j0 = J.times(r0);
  const Vec3<T> j1 = J.times(r1);
  const Vec3<T> j2 = J.times(r2);
  return {dot(r0, j0), dot(r1, j1), dot(r2, j2), dot(r0, j1), dot(r0, j2), dot(r1, j2)};
}

// A solid given in its own axes, in the axes that see them turned by R with their origin at p.
template <class T>
MassProperties<T> placed(const MassProperties<T>& solid, const Rotation3<T>& R, const Vec3<T>& p) {
  return {solid.mass, p + R * solid.com, turned(R, solid.inertia)};
}

// Several solids as one. Their masses must not sum to zero.
template <class T>
MassProperties<T> combined(std::span<const MassProperties<T>> parts) {
  MassProperties<T> whole;
  for (const MassProperties<T>& part : parts) {
    whole.mass += part.mass;
    whole.com += part.com * part.mass;
  }
  whole.com = whole.com * (T(1.0) / whole.mass);
  for (const MassProperties<T>& part : parts) {
    whole.inertia += part.inertia;
    whole.inertia += steiner<T>(part.mass, part.com - whole.com);
  }
  return whole;
}

// --- solids
// ------------------------------------------------------------------------------------------------------------

template <class T>
T tubeVolume(const T& length, const T& radius, const T& inner_radius) {
  return T(std::numbers::pi) * (radius * radius - inner_radius * inner_radius) * length;
}

template <class T>
T sphereVolume(const T& radius) {
  return T(4.0 * std::numbers::pi / 3.0) * radius * radius * radius;
}

// The length is that between the centres of the round ends.
template <class T>
T capsuleVolume(const T& length, const T& radius) {
  return tubeVolume<T>(length, radius, T(0.0)) + sphereVolume(radius);
}

// Jxx = m (r^2 + ri^2) / 2,  Jyy = Jzz = m (3 (r^2 + ri^2) + L^2) / 12
template <class T>
MassProperties<T> tube(const T& mass, const T& length, const T& radius, const T& inner_radius) {
  const T round = radius * radius + inner_radius * inner_radius;
  const T across = mass * (T(3.0) * round + length * length) / T(12.0);
  return {mass, {length / T(2.0), T(0.0), T(0.0)}, {mass * round / T(2.0), across, across, T(0.0), T(0.0), T(0.0)}};
}

template <class T>
MassProperties<T> cylinder(const T& mass, const T& length, const T& radius) {
  return tube<T>(mass, length, radius, T(0.0));
}

// Thin: Jxx = 0.
template <class T>
MassProperties<T> rod(const T& mass, const T& length) {
  return tube<T>(mass, length, T(0.0), T(0.0));
}

// With mc the mass of the cylinder and ms that of both half spheres, whose centres of mass lie 3 r / 8 from their flat
// sides: Jxx = mc r^2 / 2 + 2 ms r^2 / 5,  Jyy = Jzz = mc (3 r^2 + L^2) / 12 + ms (2 r^2 / 5 + L^2 / 4 + 3 L r / 8)
template <class T>
MassProperties<T> capsule(const T& mass, const T& length, const T& radius) {
  const T square = radius * radius;
  // Shares of the volume pi r^2 L + 4/3 pi r^3, both over pi r^2.
  const T whole = length + T(4.0 / 3.0) * radius;
  const T middle = mass * length / whole;
  const T ends = mass * (T(4.0 / 3.0) * radius) / whole;
  const T along = middle * square / T(2.0) + ends * (T(0.4) * square);
  const T across = middle * (T(3.0) * square + length * length) / T(12.0) +
                   ends * (T(0.4) * square + length * length / T(4.0) + T(0.375) * length * radius);
  return {mass, {length / T(2.0), T(0.0), T(0.0)}, {along, across, across, T(0.0), T(0.0), T(0.0)}};
}

template <class T>
MassProperties<T> sphere(const T& mass, const T& radius) {
  const T J = T(0.4) * mass * radius * radius;
  return {mass, {}, {J, J, J, T(0.0), T(0.0), T(0.0)}};
}

template <class T>
MassProperties<T> box(const T& mass, const T& a, const T& b, const T& c) {
  const T share = mass / T(12.0);
  return {
      mass, {}, {share * (b * b + c * c), share * (a * a + c * c), share * (a * a + b * b), T(0.0), T(0.0), T(0.0)}};
}

// Jzz = m r^2 / 2,  Jxx = Jyy = m (3 r^2 + h^2) / 12; thin if the thickness h is zero.
template <class T>
MassProperties<T> disc(const T& mass, const T& radius, const T& thickness) {
  const T square = radius * radius;
  const T across = mass * (T(3.0) * square + thickness * thickness) / T(12.0);
  return {mass, {}, {across, across, mass * square / T(2.0), T(0.0), T(0.0), T(0.0)}};
}

// --- checks
// ------------------------------------------------------------------------------------------------------------

// Eigenvalues, smallest first. Entries must be finite.
std::array<double, 3> principalMoments(const Symmetric3<double>& J);

// Whether a matrix can be the inertia of any distribution of mass about a point.
enum class InertiaFault {
  none,
  negative,  // a principal moment is below zero
  triangle,  // one is larger than the sum of the two others
};
// Of principal moments, smallest first. Against the sum of the others a moment may stand out by 1e-3 of itself, as
// entries rounded to three digits do; below zero only by what rounding in the last place does.
InertiaFault faultOf(const std::array<double, 3>& principal);

}  // namespace linkwork
