// Which bodies' motions the forces on a body depend on, and groups of bodies that can be moved at once to tell the
// dependences apart.
//
// Body b acts on body a when an element joins them, when a relation holds both, or when a load on a names b in its
// formula. A group holds bodies of which no body feels two: derivatives along the motions of a whole group then come
// from one evaluation. Along a chain three groups suffice, however long it is.
#pragma once

#include <vector>

#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

struct BodyCoupling {
  std::vector<std::vector<int>> by_motion;    // of each body: those whose motion it feels, itself too; ascending
  std::vector<std::vector<int>> by_velocity;  // the same through loads alone
  std::vector<std::vector<int>> groups;       // every body once
};

// For Planar<double> and Spatial<double>.
template <class G>
BodyCoupling bodyCoupling(const Mechanism& mechanism, const AbsoluteEquations<G>& equations);

}  // namespace linkwork
