// Applied loads: a force at a point of one body, and a couple on one body with its opposite on another.
//
//   force F at arm R s:  Q = (F, (W R s)^T F)      couple M:  Q_j = (0, M), Q_i = (0, -M)
//                                                                  [docs/theory/01, eq. 1.7, 1.8]
#pragma once

#include "linkwork/elements/rows.hpp"

namespace linkwork {

template <class G>
struct PointForce {
  using T = typename G::Scalar;
  enum class Components { ground_axes, body_axes };

  typename G::Vector s;  // in body axes, from the centre of mass
  Components components = Components::ground_axes;

  typename G::Wrench wrench(const typename G::Position& x, const typename G::Vector& given) const {
    const auto force = components == Components::body_axes ? x.R * given : given;
    return G::forceAt(x, s, force);
  }
};

template <class G>
struct Couple {
  using T = typename G::Scalar;

  typename G::Vector axis;  // in axes of j; the plane has but one

  void apply(const PairPosition<G>& x, const T& moment, typename G::Wrench& on_i, typename G::Wrench& on_j) const {
    const auto along = x.j.R * axis;
    on_i += G::moment(x.i, along, -moment);
    on_j += G::moment(x.j, along, moment);
  }
};

}  // namespace linkwork
