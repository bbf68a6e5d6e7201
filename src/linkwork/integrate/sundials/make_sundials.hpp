// SUNDIALS' CVODE, ARKODE and IDA as integrators. The only header of this folder that others include: the library's own
// headers stay behind it. C. Woodward et al.: SUNDIALS, ACM Trans. Math. Software 31 (2005) 363-396.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "linkwork/integrate/integrator.hpp"

namespace linkwork {

// Whether this build has the library.
bool hasSundials();

// Why one of the three cannot be made for this system, in one sentence with a way out; empty if it can.
std::string sundialsProblem(std::string_view name, const OdeSystem& system);

std::unique_ptr<Integrator> makeCvode(const OdeSystem& system, const IntegratorOptions& options);
std::unique_ptr<Integrator> makeArkode(const OdeSystem& system, const IntegratorOptions& options);
std::unique_ptr<Integrator> makeIda(const OdeSystem& system, const IntegratorOptions& options);

}  // namespace linkwork
