// A run of a mechanism that was lifted to space, with its series named and measured as those of the plane.
#pragma once

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// Angles of bodies in the place of quaternions, with the turns made, and moments about z; what lies across the plane is
// left out. `planar` is the mechanism before it was lifted.
Result planarView(const Mechanism& planar, Result lifted);

}  // namespace linkwork
