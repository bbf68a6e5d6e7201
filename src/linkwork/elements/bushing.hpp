// Bushing: a cushion between a frame A on body i and a frame B on body j, stiff in all directions together.
//
//   x = (R_A^T (p_B - p_A), phi),  phi the turn of B against A: an angle in the plane, the rotation vector in space
//   generalised force f = F_0 - K x - C x',  Q = x_q^T f          [docs/theory/01, eq. 1.37]
//   stored 1/2 x^T K x - F_0^T x,  taken x'^T C x'
//
// As Q is the transposed slope of x times f, the elastic part is minus the slope of the stored energy at any turn, not
// only at small ones. In space phi = 2 psi q_v / |q_v| with the quaternion (q_w, q_v) of R_A^T R_B and tan psi = |q_v|
// / q_w; it has the same components in axes of A and of B, and
//   phi' = w + 1/2 phi x w + k phi x (phi x w),  k = (1 - psi cot psi) / (4 psi^2),  w of B against A in axes of B
// which holds up to half a turn.
#pragma once

#include <algorithm>
#include <array>

#include "linkwork/elements/load.hpp"

namespace linkwork {

template <class G>
struct Bushing {
  using T = typename G::Scalar;
  static constexpr int kSize = G::kFreedoms;
  static constexpr int kScalars = kSize;
  static constexpr int kTurns = kSize - G::kDimension;
  using Vector = std::array<T, static_cast<std::size_t>(kSize)>;
  using Matrix = std::array<Vector, static_cast<std::size_t>(kSize)>;

  // A frame on a body: its point from the centre of mass, its axes, both in body axes.
  struct Mount {
    typename G::Vector point;
    std::array<typename G::Vector, G::kDimension> axes;
  };

  Mount a;     // on i
  Mount b;     // on j
  T offset{};  // in the plane: angle of the frame on j minus angle of the frame on i
  Matrix stiffness{}, damping{};
  Vector preload{};

  struct State {
    Vector x{}, rate{}, force{};  // force on j, in axes of A
    JacobianRows<G, kSize> rows;  // x_q
  };

  static bool takes(const Load& load) { return load.kind == LoadKind::bushing; }
  static std::vector<LoadScalar> scalars(const Load& /*load*/) {
    std::vector<LoadScalar> out = vectorScalars<G>("force", "N", LoadPart::other);
    if constexpr (G::kSpatial) {
      for (const LoadScalar& moment : vectorScalars<G>("moment", "N*m", LoadPart::other)) out.push_back(moment);
    } else {
      out.push_back({"moment", "N*m"});
    }
    return out;
  }
  static void place(const Load& load, auto& in) { in.add(made(load, in), load.first, load.second); }

  State state(const PairPosition<G>& x, const PairVelocity<G>& v, const LoadInput<T>& /*input*/ = {}) const {
    State out;
    displacement(x, out);
    turn(x, out);
    for (std::size_t k = 0; k < kCount; ++k)
      out.rate[k] = times(out.rows.first[k], v.i) + times(out.rows.second[k], v.j);
    for (std::size_t r = 0; r < kCount; ++r) {
      out.force[r] = preload[r];
      for (std::size_t c = 0; c < kCount; ++c) out.force[r] -= stiffness[r][c] * out.x[c] + damping[r][c] * out.rate[c];
    }
    return out;
  }
  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    const typename G::Velocity still{};
    State out = state(x, {still, still});
    std::copy(scalars.begin(), scalars.end(), out.force.begin());
    return out;
  }
  void values(const PairPosition<G>& /*x*/, const State& s, std::span<T> out) const {
    std::copy(s.force.begin(), s.force.end(), out.begin());
  }

  void apply(const PairPosition<G>& /*x*/, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    for (std::size_t k = 0; k < kCount; ++k) {
      on_i += wrenchOf<G>(s.rows.first[k], s.force[k]);
      on_j += wrenchOf<G>(s.rows.second[k], s.force[k]);
    }
  }

  T storedEnergy(const State& s) const {
    T sum(0.0);
    for (std::size_t r = 0; r < kCount; ++r) {
      sum -= preload[r] * s.x[r];
      for (std::size_t c = 0; c < kCount; ++c) sum += T(0.5) * s.x[r] * stiffness[r][c] * s.x[c];
    }
    return sum;
  }

  T suppliedPower(const State& /*s*/, const PairVelocity<G>& /*v*/) const { return T(0.0); }
  int switches() const { return 0; }
  void switchValues(const State& /*s*/, std::span<T> /*out*/) const {}
  T dissipatedPower(const State& s) const {
    T sum(0.0);
    for (std::size_t r = 0; r < kCount; ++r) {
      for (std::size_t c = 0; c < kCount; ++c) sum += s.rate[r] * damping[r][c] * s.rate[c];
    }
    return sum;
  }

 private:
  static constexpr std::size_t kCount = static_cast<std::size_t>(kSize);
  static constexpr std::size_t kDims = static_cast<std::size_t>(G::kDimension);
  // Below this share (of sin^2 psi) the quotients of small numbers give way to their series, exact to round-off there.
  static constexpr double kSmall = 1e-3;

  static Mount mountOf(const typename G::Vector& point, const auto& axes) {
    if constexpr (G::kSpatial) {
      return {point, {axes.x, axes.y, axes.z}};
    } else {
      return {point, {axes.x, axes.y}};
    }
  }

  static Bushing made(const Load& load, auto& in) {
    Bushing out;
    out.a = mountOf(in.arm(load.first, load.on_first.point), in.axesOf(load.on_first));
    out.b = mountOf(in.arm(load.second, load.on_second.point), in.axesOf(load.on_second));
    out.offset = in.constant(load.on_second.angle) - in.constant(load.on_first.angle);
    // In the plane: x, y and the turn about z.
    const auto entry = [](std::size_t k) { return G::kSpatial || k < 2 ? k : std::size_t{5}; };
    for (std::size_t r = 0; r < kCount; ++r) {
      out.preload[r] = in.constant(load.bushing_preload[entry(r)]);
      for (std::size_t c = 0; c < kCount; ++c) {
        out.stiffness[r][c] = in.constant(load.bushing_stiffness[entry(r)][entry(c)]);
        out.damping[r][c] = in.constant(load.bushing_damping[entry(r)][entry(c)]);
      }
    }
    return out;
  }

  static T times(const typename G::RowBlock& row, const typename G::Velocity& v) {
    if constexpr (G::kSpatial) {
      return row[0] * v.v.x + row[1] * v.v.y + row[2] * v.v.z + row[3] * v.w.x + row[4] * v.w.y + row[5] * v.w.z;
    } else {
      return row[0] * v.v.x + row[1] * v.v.y + row[2] * v.w;
    }
  }

  // x_k = (R_i a_k)^T d; with B taken in axes of i the turn of i needs one row only.
  void displacement(const PairPosition<G>& x, State& out) const {
    const auto B = G::pointIn(x.j, b.point);
    const auto d = B - G::pointIn(x.i, a.point);
    const auto B_in_i = x.i.R.inverseTimes(B - x.i.r);
    for (std::size_t k = 0; k < kDims; ++k) {
      const auto n = x.i.R * a.axes[k];
      out.x[k] = dot(n, d);
      out.rows.first[k] = negated(std::array<typename G::RowBlock, 1>{G::pointRow(x.i, B_in_i, n)})[0];
      out.rows.second[k] = G::pointRow(x.j, b.point, n);
    }
  }

  void turn(const PairPosition<G>& x, State& out) const {
    if constexpr (G::kSpatial) {
      turnInSpace(x, out);
    } else {
      const T one(1.0);
      const T zero(0.0);
      out.x[kDims] = x.j.angle - x.i.angle + offset;
      out.rows.first[kDims] = {zero, zero, -one};
      out.rows.second[kDims] = {zero, zero, one};
    }
  }

  void turnInSpace(const PairPosition<G>& x, State& out) const {
    // R = R_A^T R_B, its quaternion and its rotation vector.
    std::array<std::array<T, 3>, 3> R;
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) R[r][c] = dot(x.i.R * a.axes[r], x.j.R * b.axes[c]);
    }
    const T q_w = T(0.5) * sqrt(max(T(1.0) + R[0][0] + R[1][1] + R[2][2], T(1e-30)));
    const T over = T(0.25) / q_w;
    const typename G::Vector q_v{(R[2][1] - R[1][2]) * over, (R[0][2] - R[2][0]) * over, (R[1][0] - R[0][1]) * over};
    const T s2 = dot(q_v, q_v);
    const T s = sqrt(max(s2, T(kSmall)));
    // psi / sin psi and k, in powers of sin^2 psi and of psi^2 where these are small.
    const T psi_over_s = select(
        s2 - T(kSmall), atan2(s, q_w) / s,
        T(1.0) + s2 * (T(1.0 / 6) +
                       s2 * (T(3.0 / 40) + s2 * (T(15.0 / 336) + s2 * (T(105.0 / 3456) + s2 * T(945.0 / 42240))))));
    const T psi2 = psi_over_s * psi_over_s * s2;
    const T k =
        select(s2 - T(kSmall), (T(1.0) - psi_over_s * q_w) / (T(4.0) * max(psi2, T(kSmall))),
               T(1.0 / 12) +
                   psi2 * (T(1.0 / 180) + psi2 * (T(1.0 / 1890) + psi2 * (T(1.0 / 18900) + psi2 * T(1.0 / 187110)))));
    const auto phi = q_v * (T(2.0) * psi_over_s);
    for (std::size_t r = 0; r < 3; ++r) {
      out.x[3 + r] = phi[static_cast<int>(r)];
      // Row r of phi' = J w is J^T e_r = e_r - 1/2 phi x e_r + k phi x (phi x e_r), a direction in axes of B.
      typename G::Vector e{T(r == 0 ? 1.0 : 0.0), T(r == 1 ? 1.0 : 0.0), T(r == 2 ? 1.0 : 0.0)};
      const auto once = cross(phi, e);
      const auto in_b = e - once * T(0.5) + cross(phi, once) * k;
      // To the axes of the bodies: w of B against A is that of j less that of i.
      const auto in_ground = x.j.R * (b.axes[0] * in_b.x + b.axes[1] * in_b.y + b.axes[2] * in_b.z);
      const auto on_i = x.i.R.inverseTimes(in_ground);
      const auto on_j = x.j.R.inverseTimes(in_ground);
      const T zero(0.0);
      out.rows.first[3 + r] = {zero, zero, zero, -on_i.x, -on_i.y, -on_i.z};
      out.rows.second[3 + r] = {zero, zero, zero, on_j.x, on_j.y, on_j.z};
    }
  }
};

}  // namespace linkwork
