// Joints in space whose axes point against each other, and the half turn that brings them round.
#pragma once

#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

std::vector<int> flippedJoints(const Mechanism& mechanism, const std::vector<double>& q);

// Turns bodies by half a turn about their joint's point, with all that hangs on them, where the axes of the joint they
// hang on point against each other. True if there was one.
bool turnFlipped(const Mechanism& mechanism, std::vector<double>& q);

}  // namespace linkwork
