// Stands in for this folder where the library is not there (LINKWORK_SUNDIALS off).
#include <fmt/format.h>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"

namespace linkwork {
namespace {

std::unique_ptr<Integrator> refuse() { throw ContractError("this build has no SUNDIALS"); }

}  // namespace

bool hasSundials() { return false; }

std::string sundialsProblem(std::string_view name, const OdeSystem& /*system*/) {
  return fmt::format(
      "integrator \"{}\" comes from the library SUNDIALS, which this build of Linkwork does not have: install "
      "libsundials-dev and build again, or use dopri5, dop853 or radau5.",
      name);
}

std::unique_ptr<Integrator> makeCvode(const OdeSystem& /*system*/, const IntegratorOptions& /*options*/) {
  return refuse();
}
std::unique_ptr<Integrator> makeArkode(const OdeSystem& /*system*/, const IntegratorOptions& /*options*/) {
  return refuse();
}
std::unique_ptr<Integrator> makeIda(const OdeSystem& /*system*/, const IntegratorOptions& /*options*/) {
  return refuse();
}

}  // namespace linkwork
