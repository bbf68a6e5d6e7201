// Lifting: a mechanism written for the plane, as a mechanism in space.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Each joint keeps its word. In space a revolute has five rows, a prismatic five, a pin_slot four (the pin's axis stays
// across the plane), a fixed six, a distance one. Bodies without a tensor are taken for thin plates: Jxx = Jyy = Jzz
// / 2.
Mechanism liftToSpace(Mechanism mechanism);

// What lifting assumes of this planar mechanism, in a sentence or two for the user.
std::string liftReport(const Mechanism& planar);

}  // namespace linkwork
