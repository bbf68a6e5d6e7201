// The same mechanism with its flexible links rigid.
#pragma once

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Joints inside flexible links hold everything, but for those of which [initial] gives something, or of which it gives
// something of a body behind them.
Mechanism withRigidLinks(Mechanism mechanism);

}  // namespace linkwork
