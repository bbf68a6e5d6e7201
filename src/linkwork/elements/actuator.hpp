// Actuator: a given effort along the coordinate that a constraint element measures: a distance, a slide, a turn.
//
//   Q = c_q^T F,  power F c'       c the coordinate, c_q its Jacobian row                [docs/theory/01, eq. 1.36]
#pragma once

#include <type_traits>

#include "linkwork/elements/axial_angle.hpp"
#include "linkwork/elements/distance.hpp"
#include "linkwork/elements/load.hpp"
#include "linkwork/elements/point_on_line.hpp"
#include "linkwork/elements/relative_angle.hpp"

namespace linkwork {

// E is Distance, PointOnLine or an angle: the element of the drive of the same kind.
template <class G, class E>
struct Actuator : GivenLoad<G> {
  using T = typename G::Scalar;
  using State = typename GivenLoad<G>::State;
  static constexpr int kScalars = 2;
  static constexpr DriveKind kAlong = std::is_same_v<E, Distance<G>>      ? DriveKind::distance
                                      : std::is_same_v<E, PointOnLine<G>> ? DriveKind::slide
                                                                          : DriveKind::angle;

  E along;

  Actuator() = default;
  explicit Actuator(const E& element) : along(element) {}

  static bool takes(const Load& load) { return load.kind == LoadKind::actuator && load.along == kAlong; }
  static std::vector<LoadScalar> scalars(const Load& /*load*/) {
    constexpr bool kTurns = kAlong == DriveKind::angle;
    constexpr const char* kCoordinate = kTurns ? "angle" : kAlong == DriveKind::slide ? "slide" : "length";
    return {{"effort", kTurns ? "N*m" : "N"},
            {kCoordinate, kTurns ? "rad" : "m", LoadPart::other, kTurns && G::kSpatial}};
  }
  static void place(const Load& load, auto& in) {
    const std::vector<LoadFormula> effort{{load.moment, "actuator"}};
    const auto a = in.arm(load.first, load.on_first.point);
    const auto b = in.arm(load.second, load.on_second.point);
    if constexpr (kAlong == DriveKind::distance) {
      in.add(Actuator(E{a, b, T(0.0)}), load.first, load.second, effort);
    } else if constexpr (kAlong == DriveKind::slide) {
      in.add(Actuator(E{a, b, in.axesOf(load.on_second).x}), load.first, load.second, effort);
    } else if constexpr (G::kSpatial) {
      in.add(Actuator(in.turnOf(load.on_first, load.on_second)), load.second, load.first, effort);
    } else {
      in.add(Actuator(E{in.constant(load.on_first.angle) - in.constant(load.on_second.angle)}), load.second, load.first,
             effort);
    }
  }

  // What the element measures; an angle in space in (-pi, pi].
  T coordinate(const PairPosition<G>& x) const { return along.phi(x, Motion<T>{})[0]; }

  State state(const PairPosition<G>& x, const PairVelocity<G>& /*v*/, const LoadInput<T>& input) const {
    return exerting(x, {input.given, 1});
  }
  State exerting(const PairPosition<G>& x, std::span<const T> scalars) const {
    State out;
    out.size = scalars[0];
    const auto rows = along.jacobian(x);
    out.on_i += wrenchOf<G>(rows.first[0], out.size);
    out.on_j += wrenchOf<G>(rows.second[0], out.size);
    return out;
  }
  void values(const PairPosition<G>& x, const State& s, std::span<T> out) const {
    out[0] = s.size;
    out[1] = coordinate(x);
  }
};

}  // namespace linkwork
