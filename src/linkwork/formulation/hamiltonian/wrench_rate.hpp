// What a wrench on a body, fixed to the impulses eta of loops, brings to the rate of a momentum that is reckoned about
// points that move: its own rate, in ground axes, and v x f.                              [docs/theory/09, eq. 9.5]
//
//   kappa = (f', n' + v x f)    z = (f, n) = Phi_q^T eta,  (f', n') = Phi_q'^T eta;  moments in space in body axes
#pragma once

#include "linkwork/geometry/planar.hpp"
#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

template <class G>
typename G::Wrench rateOfWrench([[maybe_unused]] const typename G::Position& x, const typename G::Velocity& v,
                                const typename G::Wrench& z, const typename G::Wrench& rate) {
  if constexpr (G::kSpatial) {
    return {rate.force, rate.moment + cross(v.w, z.moment) + x.R.inverseTimes(cross(v.v, z.force))};
  } else {
    return {rate.force, rate.moment + cross(v.v, z.force)};
  }
}

}  // namespace linkwork
