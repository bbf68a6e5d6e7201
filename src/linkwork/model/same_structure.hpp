// Whether two mechanisms have the same parts, whatever their numbers are.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// What `other` has otherwise than `first`, in words: "there are 5 bodies instead of 3"; empty where bodies, joints,
// drives, loads, inputs, outputs, events, traces, initial values and split bodies correspond, by name, kind and ends.
std::string differenceInStructure(const Mechanism& first, const Mechanism& other);

}  // namespace linkwork
