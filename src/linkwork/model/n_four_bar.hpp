// The N-four-bar benchmark: N windows side by side, one degree of freedom, redundant only where all uprights lie flat.
#pragma once

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// N + 1 uprights pinned to ground at (i, 0), N couplers on top; every link is a rod of 1 m and 1 kg with its body frame
// at its first end and its x axis along it. Drawn upright; the tops start at 1 m/s in x. Joints: G0.. (ground to
// upright i), A0.. (upright i to coupler i), B0.. (coupler i to upright i + 1). Throws ContractError for fewer than one
// window.
Mechanism buildNFourBar(int windows);

}  // namespace linkwork
