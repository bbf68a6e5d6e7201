// RotationalSpringDamper: a torsion element between body i and body j about the common z axis of a frame on each.
//
//   theta = turn of the frame on j against the frame on i,  torque on j: M = -M_0 - k (theta - theta_0) - c theta',
//   opposite on i in the plane theta = phi_j - phi_i + offset; in space theta is known up to whole turns, and the
//   branch nearest to theta_0 counts [docs/theory/01, eq. 1.10] in space the moments are M times the slopes of theta
//   along the bodies' turns, so that the power is M theta' at every pose: M about the z axis where the two frames share
//   it, and still an exchange of energy where they lean apart
#pragma once

#include "linkwork/elements/axial_angle.hpp"
#include "linkwork/elements/load.hpp"

namespace linkwork {

template <class G>
struct RotationalSpringDamper {
  using T = typename G::Scalar;
  static constexpr int kScalars = 2;

  T offset{};          // in the plane: angle of the frame on j minus angle of the frame on i
  AxialAngle<G> turn;  // in space: of j (as its first body) against i
  T stiffness{};
  T damping{};
  T free_angle{};
  T preload{};  // M_0

  struct State {
    T angle{};
    T rate{};
    T torque{};  // on j
  };

  static bool takes(const Load& load) { return load.kind == LoadKind::rotational_spring_damper; }
  static std::vector<LoadScalar> scalars(const Load& /*load*/) { return {{"torque", "N*m"}, {"angle", "rad"}}; }
  static void place(const Load& load, auto& in) {
    in.add(RotationalSpringDamper{in.constant(load.on_second.angle) - in.constant(load.on_first.angle),
                                  in.turnOf(load.on_first, load.on_second), in.constant(load.stiffness),
                                  in.constant(load.damping), in.constant(load.free_length), in.constant(load.preload)},
           load.first, load.second);
  }

  // With the angle in space that is nearest to the counted turn; in the plane there is no choice.
  State state(const PairPosition<G>& x, const PairVelocity<G>& v,
              [[maybe_unused]] const LoadInput<T>& input = {}) const {
    State out;
    if constexpr (G::kSpatial) {
      out.angle = turn.angleNear({x.j, x.i}, input.turn == nullptr ? free_angle : *input.turn);
      out.rate = turn.rate({x.j, x.i}, {v.j, v.i});
    } else {
      out.angle = x.j.angle - x.i.angle + offset;
      out.rate = v.j.w - v.i.w;
    }
    out.torque = -(preload + stiffness * (out.angle - free_angle) + damping * out.rate);
    return out;
  }
  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    const typename G::Velocity still{};
    State out = state(x, {still, still});
    out.torque = scalars[0];
    return out;
  }
  void values(const PairPosition<G>& /*x*/, const State& s, std::span<T> out) const {
    out[0] = s.torque;
    out[1] = s.angle;
  }

  void apply(const PairPosition<G>& x, const State& s, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    if constexpr (G::kSpatial) {
      const auto slopes = turn.jacobian({x.j, x.i});
      on_i += couple(slopes.second[0], s.torque);
      on_j += couple(slopes.first[0], s.torque);
    } else {
      on_i += G::moment(x.i, {}, -s.torque);
      on_j += G::moment(x.j, {}, s.torque);
    }
  }

  T storedEnergy(const State& s) const {
    const T turned = s.angle - free_angle;
    return preload * turned + T(0.5) * stiffness * turned * turned;
  }

  T suppliedPower(const State& /*s*/, const PairVelocity<G>& /*v*/) const { return T(0.0); }
  T dissipatedPower(const State& s) const { return damping * s.rate * s.rate; }
  int switches() const { return 0; }
  void switchValues(const State& /*s*/, std::span<T> /*out*/) const {}

 private:
  static typename G::Wrench couple(const typename G::RowBlock& slope, const T& torque) {
    return {{}, {slope[3] * torque, slope[4] * torque, slope[5] * torque}};
  }
};

}  // namespace linkwork
