// GeneratedSystem: a system whose right-hand side is computed by code that was written and compiled for this very
// mechanism; for everything else, and wherever that code finds rows that depend on others, it asks the system it stands
// for.
#pragma once

#include <memory>
#include <string>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/shared_object.hpp"
#include "linkwork/formulation/make_system.hpp"

namespace linkwork {

// The equations that such code computes, in the style with the fewest operations; or why there are none.
WrittenEquations generatedEquations(const Mechanism& mechanism, const SystemOptions& options);

// Null if no code can be written or compiled for it; `notice` then says why.
std::unique_ptr<MechanismSystem> makeGeneratedSystem(const Mechanism& mechanism, const SystemOptions& options,
                                                     std::unique_ptr<MechanismSystem>& numeric,
                                                     const CompilerChoice& compiler, std::string& notice);

}  // namespace linkwork
