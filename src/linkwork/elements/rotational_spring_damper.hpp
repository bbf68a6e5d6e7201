// RotationalSpringDamper: a torsion element between body i and body j.
//
//   theta = phi_j - phi_i + offset,  torque on j: M = -k (theta - theta_0) - c theta',  opposite on i
//                                                                  [docs/theory/01, eq. 1.10]
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct RotationalSpringDamper {
  using T = typename G::Scalar;

  T offset{};  // angle of the frame on j minus angle of the frame on i
  T stiffness{};
  T damping{};
  T free_angle{};

  struct State {
    T angle{};
    T rate{};
    T torque{};  // on j
  };

  State state(const PairPosition<G>& x, const PairVelocity<G>& v) const {
    State out;
    out.angle = x.j.angle - x.i.angle + offset;
    out.rate = v.j.w - v.i.w;
    out.torque = -(stiffness * (out.angle - free_angle) + damping * out.rate);
    return out;
  }

  void apply(const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    on_i.moment -= s.torque;
    on_j.moment += s.torque;
  }

  T storedEnergy(const State& s) const {
    const T turn = s.angle - free_angle;
    return T(0.5) * stiffness * turn * turn;
  }

  T dissipatedPower(const State& s) const { return damping * s.rate * s.rate; }
};

}  // namespace linkwork
