// Actuator: a given effort along the coordinate that a constraint element measures: a distance, a slide, a turn.
//
//   Q = c_q^T F,  power F c'       c the coordinate, c_q its Jacobian row                [docs/theory/01, eq. 1.36]
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

// E is Distance, PointOnLine or an angle: the element that would prescribe the coordinate.
template <class G, class E>
struct Actuator {
  using T = typename G::Scalar;

  E along;

  // What the element measures; an angle in space in (-pi, pi].
  T coordinate(const PairPosition<G>& x) const { return along.phi(x, Motion<T>{})[0]; }

  void apply(const PairPosition<G>& x, const T& effort, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    const auto rows = along.jacobian(x);
    on_i += wrenchOf<G>(rows.first[0], effort);
    on_j += wrenchOf<G>(rows.second[0], effort);
  }
};

}  // namespace linkwork
