// RotationalSpringDamper: a torsion element between body i and body j about the z axis of a frame on j.
//
//   theta = turn of the frame on j against the frame on i,  torque on j: M = -k (theta - theta_0) - c theta',  opposite on i
//   in the plane theta = phi_j - phi_i + offset; in space theta is known up to whole turns, and the branch nearest to
//   theta_0 counts                                                                         [docs/theory/01, eq. 1.10]
#pragma once

#include <numbers>

#include "linkwork/elements/axial_angle.hpp"
#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct RotationalSpringDamper {
  using T = typename G::Scalar;

  T offset{};          // in the plane: angle of the frame on j minus angle of the frame on i
  AxialAngle<G> turn;  // in space: of j (as its first body) against i
  T stiffness{};
  T damping{};
  T free_angle{};
  typename G::Vector axis;  // in axes of j

  struct State {
    T angle{};
    T rate{};
    T torque{};  // on j
  };

  State state(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    State out;
    if constexpr (G::kSpatial) {
      Motion<T> rest;
      rest.f = free_angle;
      out.angle = free_angle + turn.phi({x.j, x.i}, rest)[0];
      out.rate = turn.rate({x.j, x.i}, {v.j, v.i});
    } else {
      out.angle = x.j.angle - x.i.angle + offset;
      out.rate = v.j.w - v.i.w;
    }
    out.torque = -(stiffness * (out.angle - free_angle) + damping * out.rate);
    return out;
  }

  void apply(const PairPosition<G>& x, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    const auto along = x.j.R * axis;
    on_i += G::moment(x.i, along, -s.torque);
    on_j += G::moment(x.j, along, s.torque);
  }

  T storedEnergy(const State& s) const {
    const T turned = s.angle - free_angle;
    return T(0.5) * stiffness * turned * turned;
  }

  T dissipatedPower(const State& s) const { return damping * s.rate * s.rate; }
};

}  // namespace linkwork
