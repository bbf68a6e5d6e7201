// LinkAxes<G>: in which axes a recursion along a tree works, and what it takes to pass from a link to its parent.
//
// Every link has an origin O, the point of the joint that carries it. In the plane all screws are in ground axes, where
// passing on is a mere shift; in space they are in the link's own axes, those of its joint frame, where inertias and
// joint axes are constant. With R from the link's to the parent's axes (the plane: none) and p = O - O_parent:
//
//   motion into the link     v = R^T (v_p + w_p x p),  w = R^T w_p
//   force into the parent    f_p = R f,  n_p = R n + p x R f
//   inertia into the parent  X_p = R X R^T,  H_p = R H R^T - X_p p~,  J_p = R J R^T - (R H R^T)^T p~ + p~ H_p
//                            of f = X v + H w,  n = H^T v + J w
#pragma once

#include "linkwork/geometry/planar.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/recursion/screw.hpp"

namespace linkwork {

template <class G>
struct LinkAxes;

template <class T>
struct LinkAxes<Planar<T>> {
  using Vector = Vec2<T>;
  using Motion = Screw<T, 3>;
  using Force = Screw<T, 3>;
  using Inertia = SymmetricMatrix<T, 3>;
  static constexpr int kTurn = 2;  // the first entry that turns
  static constexpr std::array<const char*, 3> kVelocityLetters{"vx", "vy", "w"};
  static constexpr std::array<const char*, 3> kMotionLetters{"ax", "ay", "eps"};
  static constexpr std::array<const char*, 3> kSolvedLetters{"solvedx", "solvedy", "solvedn"};
  static constexpr std::array<const char*, 3> kForceLetters{"fx", "fy", "n"};
  static constexpr std::array<const char*, 3> kBiasLetters{"px", "py", "pn"};
  static constexpr std::array<const char*, 3> kGainLetters{"gx", "gy", "gn"};
  static constexpr std::array<const char*, 6> kInertiaLetters{"Xxx", "Xyx", "Xyy", "Ux", "Uy", "J"};

  // From the parent's origin and axes to the link's.
  struct Step {
    Vector p;
  };
  // Of a link against the ground: origin and axes of its body.
  struct Place {
    Vector O;
    T angle{};
    Rotation2<T> R;
  };
  // A rigid body about the link's origin: mass, first moment, inertia.
  struct Rigid {
    T mass{};
    Vector moment;
    T inertia{};
    Rigid& operator+=(const Rigid& b) {
      mass += b.mass;
      moment += b.moment;
      inertia += b.inertia;
      return *this;
    }
  };

  static Vector linear(const Motion& a) { return {a[0], a[1]}; }
  static Motion join(const Vector& v, const T& w) { return {{v.x, v.y, w}}; }

  static Motion intoLink(const Step& step, const Motion& a) { return join(linear(a) + perp(step.p) * a[2], a[2]); }
  static Force intoParent(const Step& step, const Force& f) { return {{f[0], f[1], f[2] + cross(step.p, linear(f))}}; }
  static Rigid intoParent(const Step& step, const Rigid& a) {
    return {a.mass, a.moment + step.p * a.mass, a.inertia + dot(step.p, a.moment * T(2.0) + step.p * a.mass)};
  }
  // With r = k x p:  H_p = H + X r,  J_p = J + r.H + r.H_p
  static Inertia intoParent(const Step& step, const Inertia& a) {
    const Vector r = perp(step.p);
    const Vector H{a(2, 0), a(2, 1)};
    const Vector H_p = H + Vector{a(0, 0) * r.x + a(1, 0) * r.y, a(1, 0) * r.x + a(1, 1) * r.y};
    Inertia out = a;
    out(2, 0) = H_p.x;
    out(2, 1) = H_p.y;
    out(2, 2) = a(2, 2) + dot(r, H + H_p);
    return out;
  }

  static Inertia asMatrix(const Rigid& a) {
    Inertia out;
    out(0, 0) = out(1, 1) = a.mass;
    out(2, 0) = -a.moment.y;
    out(2, 1) = a.moment.x;
    out(2, 2) = a.inertia;
    return out;
  }
  static Force times(const Rigid& a, const Motion& b) {
    return join(linear(b) * a.mass + perp(a.moment) * b[2], a.inertia * b[2] + cross(a.moment, linear(b)));
  }
  // What a rigid body's rates alone ask for: -w^2 times its first moment.
  static Force rateForce(const Rigid& a, const Motion& v) { return join(a.moment * -(v[2] * v[2]), T(0.0)); }
  // Omega h: what a momentum's rate has besides the forces, in these axes and about a point that moves.
  static Force momentumRate(const Motion& v, const Force& h) { return join(Vector{}, cross(linear(v), linear(h))); }
};

template <class T>
struct LinkAxes<Spatial<T>> {
  using Vector = Vec3<T>;
  using Motion = Screw<T, 6>;
  using Force = Screw<T, 6>;
  using Inertia = SymmetricMatrix<T, 6>;
  static constexpr int kTurn = 3;
  static constexpr std::array<const char*, 6> kVelocityLetters{"Vx", "Vy", "Vz", "Wx", "Wy", "Wz"};
  static constexpr std::array<const char*, 6> kMotionLetters{"ax", "ay", "az", "epsx", "epsy", "epsz"};
  static constexpr std::array<const char*, 6> kSolvedLetters{"solvedx",  "solvedy",  "solvedz",
                                                             "solvednx", "solvedny", "solvednz"};
  static constexpr std::array<const char*, 6> kForceLetters{"fx", "fy", "fz", "nx", "ny", "nz"};
  static constexpr std::array<const char*, 6> kBiasLetters{"px", "py", "pz", "pnx", "pny", "pnz"};
  static constexpr std::array<const char*, 6> kGainLetters{"gx", "gy", "gz", "gnx", "gny", "gnz"};
  static constexpr std::array<const char*, 21> kInertiaLetters{"Xxx", "Xyx", "Xyy", "Xzx", "Xzy", "Xzz", "Hxx",
                                                               "Hyx", "Hzx", "Jxx", "Hxy", "Hyy", "Hzy", "Jyx",
                                                               "Jyy", "Hxz", "Hyz", "Hzz", "Jzx", "Jzy", "Jzz"};

  struct Step {
    Rotation3<T> R;
    Vector p;
  };
  struct Place {
    Vector O;
    Rotation3<T> R;  // of the link's axes
  };
  struct Rigid {
    T mass{};
    Vector moment;
    typename Spatial<T>::Inertia inertia;  // about the link's origin; its mass is not used
    Rigid& operator+=(const Rigid& b) {
      mass += b.mass;
      moment += b.moment;
      inertia.xx += b.inertia.xx;
      inertia.yy += b.inertia.yy;
      inertia.zz += b.inertia.zz;
      inertia.xy += b.inertia.xy;
      inertia.xz += b.inertia.xz;
      inertia.yz += b.inertia.yz;
      return *this;
    }
  };
  // A 3x3 matrix by its columns.
  struct Matrix {
    Vector x, y, z;
    Vector operator*(const Vector& a) const { return x * a.x + y * a.y + z * a.z; }
  };

  static Vector linear(const Motion& a) { return {a[0], a[1], a[2]}; }
  static Vector angular(const Motion& a) { return {a[3], a[4], a[5]}; }
  static Motion join(const Vector& v, const Vector& w) { return {{v.x, v.y, v.z, w.x, w.y, w.z}}; }

  static Motion intoLink(const Step& step, const Motion& a) {
    return join(step.R.inverseTimes(linear(a) + cross(angular(a), step.p)), step.R.inverseTimes(angular(a)));
  }
  static Force intoParent(const Step& step, const Force& f) {
    const Vector force = step.R * linear(f);
    return join(force, step.R * angular(f) + cross(step.p, force));
  }

  // R S R^T of a symmetric matrix given by its rows.
  static typename Spatial<T>::Inertia turned(const Rotation3<T>& R, const typename Spatial<T>::Inertia& S) {
    // Rows of R, and S applied to them.
    const Vector rx{R.x.x, R.y.x, R.z.x};
    const Vector ry{R.x.y, R.y.y, R.z.y};
    const Vector rz{R.x.z, R.y.z, R.z.z};
    const Vector Sx = S.times(rx);
    const Vector Sy = S.times(ry);
    const Vector Sz = S.times(rz);
    return {S.mass, dot(rx, Sx), dot(ry, Sy), dot(rz, Sz), dot(ry, Sx), dot(rz, Sx), dot(rz, Sy)};
  }
  // The inertia of a body about a point at -c from its mass centre, from that about the centre, and back: sign -1.
  static typename Spatial<T>::Inertia shifted(typename Spatial<T>::Inertia S, const Vector& c, const T& mass) {
    S.xx += mass * (c.y * c.y + c.z * c.z);
    S.yy += mass * (c.x * c.x + c.z * c.z);
    S.zz += mass * (c.x * c.x + c.y * c.y);
    S.xy -= mass * (c.x * c.y);
    S.xz -= mass * (c.x * c.z);
    S.yz -= mass * (c.y * c.z);
    return S;
  }

  // J_p = R J R^T - p~ h~ - h~ p~ - m p~ p~ with h = R (first moment):  -(p~ h~ + h~ p~) = 2 (p.h) E - p h^T - h p^T
  static Rigid intoParent(const Step& step, const Rigid& a) {
    const Vector h = step.R * a.moment;
    const Vector& p = step.p;
    typename Spatial<T>::Inertia J = turned(step.R, a.inertia);
    const Vector k = h * T(2.0) + p * a.mass;
    J.xx += p.y * k.y + p.z * k.z;
    J.yy += p.x * k.x + p.z * k.z;
    J.zz += p.x * k.x + p.y * k.y;
    J.xy -= p.x * h.y + p.y * (h.x + p.x * a.mass);
    J.xz -= p.x * h.z + p.z * (h.x + p.x * a.mass);
    J.yz -= p.y * h.z + p.z * (h.y + p.y * a.mass);
    return {a.mass, h + p * a.mass, J};
  }

  static Inertia intoParent(const Step& step, const Inertia& a) {
    const Rotation3<T>& R = step.R;
    const auto rotated = [&](int first) {
      return turned(R, {T(0.0), a(first, first), a(first + 1, first + 1), a(first + 2, first + 2), a(first + 1, first),
                        a(first + 2, first), a(first + 2, first + 1)});
    };
    const auto X = rotated(0);
    const auto J = rotated(3);
    // R H R^T, H by its columns: column j of R H R^T is R (H r_j) with r_j the j-th row of R.
    const Matrix H{{a(3, 0), a(3, 1), a(3, 2)}, {a(4, 0), a(4, 1), a(4, 2)}, {a(5, 0), a(5, 1), a(5, 2)}};
    const Matrix H1{R * (H * Vector{R.x.x, R.y.x, R.z.x}), R * (H * Vector{R.x.y, R.y.y, R.z.y}),
                    R * (H * Vector{R.x.z, R.y.z, R.z.z})};
    // H_p = H1 - X p~: columns of -p~ are p x e_j with the opposite sign, so that column j is H1_j + X (e_j x p).
    const Vector& p = step.p;
    const T zero(0.0);
    const Matrix H_p{H1.x + X.times({zero, -p.z, p.y}), H1.y + X.times({p.z, zero, -p.x}),
                     H1.z + X.times({-p.y, p.x, zero})};
    // J_p = J1 + p~ H_p + (p~ H1)^T
    const auto minor = [&](const Vector& column, int row) {  // entry of p x column
      return row == 0   ? p.y * column.z - p.z * column.y
             : row == 1 ? p.z * column.x - p.x * column.z
                        : p.x * column.y - p.y * column.x;
    };
    Inertia out;
    out(0, 0) = X.xx;
    out(1, 1) = X.yy;
    out(2, 2) = X.zz;
    out(1, 0) = X.xy;
    out(2, 0) = X.xz;
    out(2, 1) = X.yz;
    const Vector* columns[] = {&H_p.x, &H_p.y, &H_p.z};
    const Vector* before[] = {&H1.x, &H1.y, &H1.z};
    const T J1[3][3] = {{J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}};
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) out(3 + j, i) = (*columns[j])[i];
      for (int i = j; i < 3; ++i) out(3 + i, 3 + j) = J1[i][j] + minor(*columns[j], i) + minor(*before[i], j);
    }
    return out;
  }

  static Inertia asMatrix(const Rigid& a) {
    Inertia out;
    for (int k = 0; k < 3; ++k) out(k, k) = a.mass;
    // H = -h~
    const Vector& h = a.moment;
    out(3, 1) = -h.z;
    out(3, 2) = h.y;
    out(4, 0) = h.z;
    out(4, 2) = -h.x;
    out(5, 0) = -h.y;
    out(5, 1) = h.x;
    out(3, 3) = a.inertia.xx;
    out(4, 4) = a.inertia.yy;
    out(5, 5) = a.inertia.zz;
    out(4, 3) = a.inertia.xy;
    out(5, 3) = a.inertia.xz;
    out(5, 4) = a.inertia.yz;
    return out;
  }
  static Force times(const Rigid& a, const Motion& b) {
    return join(linear(b) * a.mass + cross(angular(b), a.moment),
                a.inertia.times(angular(b)) + cross(a.moment, linear(b)));
  }
  // w x (w x h) and w x J w
  static Force rateForce(const Rigid& a, const Motion& v) {
    const Vector w = angular(v);
    return join(cross(w, cross(w, a.moment)), cross(w, a.inertia.times(w)));
  }
  static Force momentumRate(const Motion& v, const Force& h) {
    const Vector w = angular(v);
    return join(cross(w, linear(h)), cross(linear(v), linear(h)) + cross(w, angular(h)));
  }
};

}  // namespace linkwork
