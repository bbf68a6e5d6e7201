// The start of a mechanism with compliant joints: that of the same mechanism with constraints in their place, moved by
// what its springs give way under the forces that the constraints carry there. Springs at rest would be loaded at once,
// and swing about that deflection for ever.
#pragma once

#include "linkwork/analyse/assemble.hpp"

namespace linkwork {

// `hard` is the assembled start with constraints in the place of springs (withHardJoints); `mechanism` has the springs.
// Moves q by the least of all motions (metric M) that opens each joint by C^-1 lambda, closes what is not compliant,
// and takes v along. Where lambda is one of many, the springs choose the one with the least lambda^T C^-1 lambda.
//                                                                                        [docs/theory/14, eq. 14.7]
void deflectStart(const Mechanism& mechanism, const Mechanism& hard_mechanism, double t, Assembly& hard);

}  // namespace linkwork
