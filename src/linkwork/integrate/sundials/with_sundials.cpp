#include <fmt/format.h>

#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/system/dae_system.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {
namespace {

// Without a solve that the system offers CVODE and ARKODE have a dense Jacobian by differences: this many columns take
// 70 MB and as many evaluations.
constexpr int kMostUnknowns = 3000;

}  // namespace

bool hasSundials() { return true; }

std::string sundialsProblem(std::string_view name, const OdeSystem& system) {
  if (name == "ida") {
    if (system.dae() != nullptr) return {};
    return "integrator \"ida\" takes the constraints themselves, and these equations do not show them: add "
           "--stabilisation "
           "ggl, or use cvode.";
  }
  if (system.space().size() > kMostUnknowns && makeShiftedSolve(system) == nullptr) {
    return fmt::format(
        "integrator \"{}\" forms a dense Jacobian by differences, too large for the {} unknowns of this system (at "
        "most "
        "{}): use dopri5 or dop853, or radau5 or ida with stabilisation ggl.",
        name, system.space().size(), kMostUnknowns);
  }
  return {};
}

}  // namespace linkwork
