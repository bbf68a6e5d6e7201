// Whether a mechanism has rows that hold velocities alone, for those who cannot do with such.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// The first joint or drive with such a row, in words (joint "blade"); empty: there is none.
std::string holderOfVelocitiesAlone(const Mechanism& mechanism);

}  // namespace linkwork
