// A mechanism as the formulation "compliant" runs it: springs at its cut joints, as stiff as a first run with
// constraints asks for.
#pragma once

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/simulate/run_options.hpp"

namespace linkwork {

// Whether these options run the mechanism with other joints than it has.
bool isSoftened(const Mechanism& mechanism, const RunOptions& options);

// The mechanism with springs. Where the stiffness follows from forces, a first run with constraints tells the greatest
// that the joints carry; `assembly` is that with constraints.
Mechanism softenedMechanism(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options);

}  // namespace linkwork
