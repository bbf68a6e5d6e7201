// The drive that prescribes a named quantity: what `[drives]` on a joint or body means, and how given initial values
// are held.
#pragma once

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// For a rate, the drive of the coordinate that has this rate. Not for time. The name and source are left to the caller.
Drive driveOf(const Mechanism& mechanism, const Quantity& quantity, Expr motion);

// The frame on the second body along whose x axis the slide of a joint is counted.
Frame slideFrame(const Joint& joint);

}  // namespace linkwork
