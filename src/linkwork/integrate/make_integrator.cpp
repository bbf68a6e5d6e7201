#include "linkwork/integrate/make_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/bdf2.hpp"
#include "linkwork/integrate/dop853.hpp"
#include "linkwork/integrate/dopri5.hpp"
#include "linkwork/integrate/euler.hpp"
#include "linkwork/integrate/explicit_step.hpp"
#include "linkwork/integrate/gauss4.hpp"
#include "linkwork/integrate/generalized_alpha.hpp"
#include "linkwork/integrate/ode45.hpp"
#include "linkwork/integrate/radau5.hpp"
#include "linkwork/integrate/rattle.hpp"
#include "linkwork/integrate/rk4.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/system/canonical_system.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {
namespace {

using Maker = std::unique_ptr<Integrator> (*)(const OdeSystem&, const IntegratorOptions&);

template <class T>
std::unique_ptr<Integrator> make(const OdeSystem& system, const IntegratorOptions& options) {
  return std::make_unique<T>(system, options);
}

std::unique_ptr<Integrator> makeGeneralizedAlpha(const OdeSystem& system, const IntegratorOptions& options) {
  if (options.step > 0) return std::make_unique<GeneralizedAlphaFixed>(system, options);
  return std::make_unique<GeneralizedAlphaAdaptive>(system, options);
}

// One entry each: what it is, and who makes it.
struct Entry {
  IntegratorInfo info;
  Maker make;
};
constexpr auto kEntries = std::to_array<Entry>({
    {{"dopri5", "Dormand-Prince 5(4), adaptive step with PI control: for all that is not stiff", StepControl::adaptive,
      5},
     make<Dopri5>},
    {{"ode45", "Dormand-Prince 5(4) under the step control of MATLAB's ode45, to compare with it",
      StepControl::adaptive, 5},
     make<Ode45>},
    {{"dop853", "Dormand-Prince 8(5,3), adaptive step with PI control: for tight tolerances", StepControl::adaptive, 8},
     make<Dop853>},
    {{"rk4", "classical Runge-Kutta of order 4 with a fixed step", StepControl::fixed, 4}, make<Rk4>},
    {{"explicit_step", "the textbook's step with a fixed h: q += h v + h^2 a/2, v += h a; first order",
      StepControl::fixed, 1, EquationForm::ode, false, true},
     make<ExplicitStep>},
    {{"euler", "Euler's explicit step with a fixed h: x += h x'; first order", StepControl::fixed, 1}, make<Euler>},
    {{"radau5", "Radau IIA of order 5, implicit, adaptive step: for stiff models, and for ggl and index3",
      StepControl::adaptive, 5, EquationForm::ode_or_dae},
     make<Radau5>},
    {{"generalized_alpha", "generalized-alpha on the constraints themselves, damping by rho; adaptive, or fixed steps",
      StepControl::either, 2, EquationForm::mechanical},
     makeGeneralizedAlpha},
    {{"bdf2", "backward differences of order 2 on the constraints themselves, with a fixed step", StepControl::fixed, 2,
      EquationForm::mechanical},
     make<Bdf2>},
    {{"gauss4", "Gauss's method of order 4 with a fixed step, symplectic: for trees in impulses, over long times",
      StepControl::fixed, 4, EquationForm::canonical},
     make<Gauss4>},
    {{"rattle", "RATTLE of order 2 with a fixed step, symplectic: for impulses with loops and balls, over long times",
      StepControl::fixed, 2, EquationForm::canonical},
     make<Rattle>},
    {{"cvode", "SUNDIALS CVODE: backward differentiation of orders 1 to 5, for stiff models", StepControl::adaptive, 5,
      EquationForm::ode, true},
     makeCvode},
    {{"arkode", "SUNDIALS ARKODE: diagonally implicit Runge-Kutta of order 4, for stiff models", StepControl::adaptive,
      4, EquationForm::ode, true},
     makeArkode},
    {{"ida", "SUNDIALS IDA: backward differentiation of orders 1 to 5 on the constraints themselves",
      StepControl::adaptive, 5, EquationForm::dae, true},
     makeIda},
});
constexpr auto kInfo = [] {
  std::array<IntegratorInfo, kEntries.size()> out;
  std::transform(kEntries.begin(), kEntries.end(), out.begin(), [](const Entry& entry) { return entry.info; });
  return out;
}();

// What is wrong with the options for this method; empty if nothing is.
std::string stepProblem(const IntegratorInfo& info, const IntegratorOptions& options) {
  if (std::string problem = options.problem(); !problem.empty()) return problem;
  if (info.control == StepControl::fixed && !(options.step > 0)) {
    return fmt::format("integrator \"{}\" has a fixed step: give step in seconds.", info.name);
  }
  if (!takesFixedSteps(info, options) && options.time_rule == TimeRule::accumulate_time) {
    return fmt::format("integrator \"{}\" chooses its steps and cannot accumulate_time: use a fixed-step method.",
                       info.name);
  }
  return {};
}

// What is in the way of a method that takes the constraints at the level of positions; empty if nothing is.
std::string mechanicalProblem(std::string_view name, const OdeSystem& system) {
  const MechanicalSystem* mechanical = system.mechanical();
  if (mechanical == nullptr) {
    return fmt::format(
        "integrator \"{}\" takes the constraints themselves, and these equations do not show them: add --stabilisation "
        "index3, or use dopri5.",
        name);
  }
  for (int r = 0; r < mechanical->rows(); ++r) {
    if (mechanical->level(r) == RowLevel::position) continue;
    return fmt::format(
        "integrator \"{}\" takes the constraints at the level of positions, and {} holds velocities alone: use radau5, "
        "or stabilisation projection with dopri5.",
        name, mechanical->rowName(r));
  }
  return {};
}

// What is in the way of a method that keeps the structure of motions in impulses; empty if nothing is.
std::string canonicalProblem(std::string_view name, const OdeSystem& system) {
  const CanonicalSystem* canonical = system.canonical();
  if (canonical == nullptr) {
    return fmt::format(
        "integrator \"{}\" takes coordinates and their impulses, and these equations do not have them: add "
        "--formulation hamiltonian, or use rk4.",
        name);
  }
  if (const std::string obstacle = canonical->obstacle(); !obstacle.empty()) {
    return fmt::format("integrator \"{}\" does not go here: {}.", name, obstacle);
  }
  if (name == "gauss4" && canonical->rows() > 0) {
    return fmt::format(
        "integrator \"gauss4\" is for trees, and this mechanism has loops or other constraints ({} cut rows), which it "
        "would let drift: use rattle.",
        canonical->rows());
  }
  if (name == "gauss4" && !canonical->balls().empty()) {
    return "integrator \"gauss4\" is for joints with an impulse for every coordinate, and this mechanism has balls or "
           "bodies that float, with quaternions: use rattle.";
  }
  return {};
}

}  // namespace

std::span<const IntegratorInfo> integrators() { return kInfo; }

std::vector<std::string> integratorNames() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : kInfo) names.emplace_back(info.name);
  return names;
}

bool takesFixedSteps(const IntegratorInfo& info, const IntegratorOptions& options) {
  return info.control == StepControl::fixed || (info.control == StepControl::either && options.step > 0);
}

const IntegratorInfo* findIntegrator(std::string_view name) {
  const auto found =
      std::find_if(kInfo.begin(), kInfo.end(), [name](const IntegratorInfo& info) { return info.name == name; });
  return found == kInfo.end() ? nullptr : &*found;
}

std::string integratorProblem(std::string_view name, const OdeSystem& system, const IntegratorOptions& options) {
  const IntegratorInfo* info = findIntegrator(name);
  if (info == nullptr) {
    return fmt::format("integrator \"{}\" is not known: choose one of {}.", name, fmt::join(integratorNames(), ", "));
  }
  if (std::string problem = stepProblem(*info, options); !problem.empty()) return problem;
  if (info->form == EquationForm::mechanical) {
    if (std::string problem = mechanicalProblem(name, system); !problem.empty()) return problem;
  }
  if (info->form == EquationForm::canonical) return canonicalProblem(name, system);
  if (info->sundials) return sundialsProblem(name, system);
  const StateSpace space = system.space();
  if (name == "explicit_step" && (space.velocities() == 0 || space.velocities() != space.positions())) {
    return fmt::format(
        "integrator \"explicit_step\" needs a velocity for every position, but this system has {} positions "
        "and {} velocities: use euler.",
        space.positions(), space.velocities());
  }
  if (name == "radau5" && system.dae() == nullptr && space.controlled() > kMostDenseUnknowns &&
      makeShiftedSolve(system) == nullptr) {
    return fmt::format(
        "integrator \"radau5\" would fill a matrix of {0} x {0} numbers for this system: use the stabilisation ggl or "
        "index3, whose matrices are sparse, or dopri5.",
        space.controlled());
  }
  return {};
}

std::unique_ptr<Integrator> makeIntegrator(std::string_view name, const OdeSystem& system,
                                           const IntegratorOptions& options) {
  const std::string problem = integratorProblem(name, system, options);
  expect(problem.empty(), problem);
  return kEntries[static_cast<std::size_t>(findIntegrator(name) - kInfo.data())].make(system, options);
}

}  // namespace linkwork
