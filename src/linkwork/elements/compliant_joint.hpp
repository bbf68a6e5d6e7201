// CompliantJoint: springs and dampers in the place of a joint's constraints, between a frame A on body i (the joint's
// first) and a frame B on body j. L and P are the frames' points, a_k and b_k their axes.
//
//   u_k = a_k^T (P - L),  u_k' = a_k^T (v_P - v_iP),  v_iP: of body i where P is
//   F = - sum a_k (c_k u_k + d_k u_k')                                             [docs/theory/14, eq. 14.1, 14.2]
//   between like axes:  s = a_k x b_k,  cos phi = a_k^T b_k,  T = - sum c_Rk f(phi) s - d_Rk (w - b_k b_k^T w)
//   universal:  g = a_x^T b_y,  n = b_y x a_x,  T = - (c_U g + d_U g') n,  g' = w^T n      [docs/theory/14, eq. 14.3]
//   body j: F and T at P;  body i: -F and -T, at P too
//
//   law     energy of unit stiffness      f
//   chord   |a - b|^2 / 2                 1
//   angle   phi^2 / 2                     phi / sin phi
//   sin2    |s|^2 / 2                     cos phi
//
// The slope of phi itself, 1 / sin phi, is never formed: f s is regular at phi = 0. In the plane there is one turn, and
// one spring.
#pragma once

#include <algorithm>
#include <array>

#include "linkwork/elements/load.hpp"

namespace linkwork {

// From which turn JOINT.axis_angle is: of the axis that both bodies share, of the whole frame, of two axes that stand
// at right angles.
enum class AxisAngle { none, between_z, whole, off_square };

template <class G>
struct CompliantJoint {
  using T = typename G::Scalar;
  static constexpr std::size_t kDims = static_cast<std::size_t>(G::kDimension);
  static constexpr std::size_t kTurns = G::kSpatial ? 3 : 1;
  // Force and moment on the second body, gap, angle of the axes.
  static constexpr int kScalars = static_cast<int>(kDims + kTurns) + 2;

  using Turning = std::array<T, kTurns>;  // components of a moment or a turn, in ground axes
  struct Mount {
    typename G::Vector point;  // from the centre of mass
    std::array<typename G::Vector, kDims> axes;
  };

  Mount a;     // on i
  Mount b;     // on j
  T offset{};  // in the plane: angle of the frame on j minus angle of the frame on i
  std::array<T, kDims> stiffness{}, damping{};
  // In space: of the springs between like axes; in the plane of the turn.
  Turning turn_stiffness{}, turn_damping{};
  T cross_stiffness{}, cross_damping{};  // c_U, d_U
  std::array<bool, kDims> slides_held{};
  std::array<bool, kTurns> turns_held{};  // those between whose axes there is a spring
  bool crossed = false;
  TurnLaw law = TurnLaw::chord;
  AxisAngle axis_angle = AxisAngle::none;
  bool in_ground_axes = false;

  struct State {
    typename G::Vector P_in_i;  // from i's centre of mass, in axes of i
    typename G::Vector force;   // on j, ground axes
    Turning moment{};           // on j about P, ground axes
    T open2{};                  // square of the gap
    T energy{}, dissipated{};
  };

  // No load of a mechanism: a joint places it.
  static bool takes(const Load& /*load*/) { return false; }
  static std::vector<LoadScalar> scalars(const Load& /*load*/) { return {}; }
  static void place(const Load& /*load*/, auto& /*in*/) {}

  State state(const PairPosition<G>& x, const PairVelocity<G>& v, const LoadInput<T>& /*input*/ = {}) const {
    State out;
    slide(x, v, out);
    if constexpr (G::kSpatial) {
      turnInSpace(x, v, out);
    } else {
      turnInPlane(x, v, out);
    }
    return out;
  }

  void apply(const PairPosition<G>& x, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    on_j += G::forceAt(x.j, b.point, s.force);
    on_i += G::forceAt(x.i, in_ground_axes ? a.point : s.P_in_i, -s.force);
    if constexpr (G::kSpatial) {
      const typename G::Vector moment{s.moment[0], s.moment[1], s.moment[2]};
      on_j.moment += x.j.R.inverseTimes(moment);
      on_i.moment -= x.i.R.inverseTimes(moment);
    } else {
      on_j.moment += s.moment[0];
      on_i.moment -= s.moment[0];
    }
  }

  T storedEnergy(const State& s) const { return s.energy; }
  T suppliedPower(const State& /*s*/, const PairVelocity<G>& /*v*/) const { return T(0.0); }
  T dissipatedPower(const State& s) const { return s.dissipated; }
  int switches() const { return 0; }
  void switchValues(const State& /*s*/, std::span<T> /*out*/) const {}

  void values(const PairPosition<G>& x, const State& s, std::span<T> out) const {
    for (std::size_t k = 0; k < kDims; ++k) out[k] = s.force[static_cast<int>(k)];
    std::copy(s.moment.begin(), s.moment.end(), out.begin() + kDims);
    out[kDims + kTurns] = sqrt(max(s.open2, T(0.0)));
    out[kDims + kTurns + 1] = axisAngle(x);
  }
  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    const typename G::Velocity still{};
    State out = state(x, {still, still});
    out.force = vectorFrom<G>(scalars.data());
    std::copy_n(scalars.begin() + kDims, kTurns, out.moment.begin());
    return out;
  }

 private:
  // Below this square of the sine phi / sin phi is its series, exact to round-off there.
  static constexpr double kSmall = 1e-3;
  static constexpr double kTiny = 1e-30;

  void slide(const PairPosition<G>& x, const PairVelocity<G>& v, State& out) const {
    const auto P = G::pointIn(x.j, b.point);
    const auto L = G::pointIn(x.i, a.point);
    out.P_in_i = x.i.R.inverseTimes(P - x.i.r);
    const auto open = P - L;
    const auto open_rate =
        G::pointRate(x.j, v.j, b.point) - G::pointRate(x.i, v.i, in_ground_axes ? a.point : out.P_in_i);
    for (std::size_t k = 0; k < kDims; ++k) {
      if (!slides_held[k]) continue;
      const auto n = in_ground_axes ? G::unit(static_cast<int>(k)) : x.i.R * a.axes[k];
      const T u = dot(n, open);
      const T rate = dot(n, open_rate);
      out.force += n * -(stiffness[k] * u + damping[k] * rate);
      out.open2 += u * u;
      out.energy += T(0.5) * stiffness[k] * u * u;
      out.dissipated += damping[k] * rate * rate;
    }
  }

  // phi / sin phi up to half a turn, from the square of the sine and the cosine.
  static T overSine(const T& s2, const T& cosine) {
    const T s = sqrt(max(s2, T(kTiny)));
    const T quotient = atan2(s, cosine) / s;
    const T series =
        T(1.0) +
        s2 * (T(1.0 / 6) + s2 * (T(3.0 / 40) + s2 * (T(15.0 / 336) + s2 * (T(105.0 / 3456) + s2 * T(945.0 / 42240)))));
    return select(min(cosine, T(kSmall) - s2), series, quotient);
  }

  // f(phi) and the energy, of unit stiffness; chord2 = |a - b|^2.
  std::array<T, 2> answer(const T& s2, const T& cosine, const T& chord2) const {
    switch (law) {
      case TurnLaw::chord: break;
      case TurnLaw::angle: {
        const T over = overSine(s2, cosine);
        return {over, T(0.5) * over * over * s2};
      }
      case TurnLaw::sin2: return {cosine, T(0.5) * s2};
      case TurnLaw::printed: {
        const T phi = overSine(s2, cosine) * sqrt(max(s2, T(kTiny)));
        return {-phi / cosine, T(0.5) * phi * phi};
      }
    }
    return {T(1.0), T(0.5) * chord2};
  }

  void turnInPlane(const PairPosition<G>& x, const PairVelocity<G>& v, State& out) const {
    if (!turns_held[0]) return;
    const T phi = x.j.angle - x.i.angle + offset;
    const T w = v.j.w - v.i.w;
    const T half = sin(T(0.5) * phi);
    const T s = sin(phi);
    const auto [f, energy] = answer(s * s, cos(phi), T(4.0) * half * half);
    out.moment[0] -= turn_stiffness[0] * f * s + turn_damping[0] * w;
    out.energy += turn_stiffness[0] * energy;
    out.dissipated += turn_damping[0] * w * w;
  }

  void turnInSpace(const PairPosition<G>& x, const PairVelocity<G>& v, State& out) const {
    const auto w = x.j.R * v.j.w - x.i.R * v.i.w;
    typename G::Vector moment{};
    for (std::size_t k = 0; k < kDims; ++k) {
      if (!turns_held[k]) continue;
      const auto e_a = x.i.R * a.axes[k];
      const auto e_b = x.j.R * b.axes[k];
      const auto s = cross(e_a, e_b);
      const auto chord = e_a - e_b;
      const auto [f, energy] = answer(dot(s, s), dot(e_a, e_b), dot(chord, chord));
      const auto across = w - e_b * dot(w, e_b);
      moment -= s * (turn_stiffness[k] * f) + across * turn_damping[k];
      out.energy += turn_stiffness[k] * energy;
      out.dissipated += turn_damping[k] * dot(across, across);
    }
    if (crossed) {
      const auto a_x = x.i.R * a.axes[0];
      const auto b_y = x.j.R * b.axes[1];
      const auto n = cross(b_y, a_x);
      const T g = dot(a_x, b_y);
      const T rate = dot(w, n);
      moment -= n * (cross_stiffness * g + cross_damping * rate);
      out.energy += T(0.5) * cross_stiffness * g * g;
      out.dissipated += cross_damping * rate * rate;
    }
    for (std::size_t k = 0; k < kTurns; ++k) out.moment[k] = moment[static_cast<int>(k)];
  }

  // By sine and cosine, or by half of both, so that small angles keep their digits.
  T axisAngle(const PairPosition<G>& x) const {
    if constexpr (!G::kSpatial) {
      const T phi = x.j.angle - x.i.angle + offset;
      return axis_angle == AxisAngle::none ? T(0.0) : abs(atan2(sin(phi), cos(phi)));
    } else {
      const auto length = [](const auto& d) { return sqrt(max(dot(d, d), T(kTiny * kTiny))); };
      switch (axis_angle) {
        case AxisAngle::none: break;
        case AxisAngle::between_z: {
          const auto e_a = x.i.R * a.axes[2];
          const auto e_b = x.j.R * b.axes[2];
          return atan2(length(cross(e_a, e_b)), dot(e_a, e_b));
        }
        case AxisAngle::whole: {
          // sum of a_k x b_k = 2 sin phi times the axis, sum of a_k^T b_k = 1 + 2 cos phi
          auto twice = cross(x.i.R * a.axes[0], x.j.R * b.axes[0]);
          T trace = dot(x.i.R * a.axes[0], x.j.R * b.axes[0]);
          for (std::size_t k = 1; k < kDims; ++k) {
            twice += cross(x.i.R * a.axes[k], x.j.R * b.axes[k]);
            trace += dot(x.i.R * a.axes[k], x.j.R * b.axes[k]);
          }
          return atan2(length(twice), trace - T(1.0));
        }
        case AxisAngle::off_square: {
          const auto a_x = x.i.R * a.axes[0];
          const auto b_y = x.j.R * b.axes[1];
          return abs(atan2(dot(a_x, b_y), length(cross(a_x, b_y))));
        }
      }
      return T(0.0);
    }
  }
};

}  // namespace linkwork
