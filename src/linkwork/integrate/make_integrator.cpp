#include "linkwork/integrate/make_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/dop853.hpp"
#include "linkwork/integrate/dopri5.hpp"
#include "linkwork/integrate/euler.hpp"
#include "linkwork/integrate/explicit_step.hpp"
#include "linkwork/integrate/ode45.hpp"
#include "linkwork/integrate/rk4.hpp"

namespace linkwork {
namespace {

using Maker = std::unique_ptr<Integrator> (*)(const OdeSystem&, const IntegratorOptions&);

template <class T>
std::unique_ptr<Integrator> make(const OdeSystem& system, const IntegratorOptions& options) {
  return std::make_unique<T>(system, options);
}

constexpr std::array<IntegratorInfo, 6> kInfo{{
    {"dopri5", "Dormand-Prince 5(4), adaptive step with PI control: for all that is not stiff", StepControl::adaptive,
     5},
    {"ode45", "Dormand-Prince 5(4) under the step control of MATLAB's ode45, to compare with it", StepControl::adaptive,
     5},
    {"dop853", "Dormand-Prince 8(5,3), adaptive step with PI control: for tight tolerances", StepControl::adaptive, 8},
    {"rk4", "classical Runge-Kutta of order 4 with a fixed step", StepControl::fixed, 4},
    {"explicit_step", "the textbook's step with a fixed h: q += h v + h^2 a/2, v += h a; first order",
     StepControl::fixed, 1},
    {"euler", "Euler's explicit step with a fixed h: x += h x'; first order", StepControl::fixed, 1},
}};
constexpr std::array<Maker, kInfo.size()> kMakers{make<Dopri5>, make<Ode45>,        make<Dop853>,
                                                  make<Rk4>,    make<ExplicitStep>, make<Euler>};

}  // namespace

std::span<const IntegratorInfo> integrators() { return kInfo; }

std::vector<std::string> integratorNames() {
  std::vector<std::string> names;
  for (const IntegratorInfo& info : kInfo) names.emplace_back(info.name);
  return names;
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
  if (std::string problem = options.problem(); !problem.empty()) return problem;
  if (info->control == StepControl::fixed && !(options.step > 0)) {
    return fmt::format("integrator \"{}\" has a fixed step: give step in seconds.", name);
  }
  if (info->control == StepControl::adaptive && options.time_rule == TimeRule::accumulate_time) {
    return fmt::format("integrator \"{}\" chooses its steps and cannot accumulate_time: use a fixed-step method.",
                       name);
  }
  const StateSpace space = system.space();
  if (name == "explicit_step" && (space.velocities() == 0 || space.velocities() != space.positions())) {
    return fmt::format(
        "integrator \"explicit_step\" needs a velocity for every position, but this system has {} positions "
        "and {} velocities: use euler.",
        space.positions(), space.velocities());
  }
  return {};
}

std::unique_ptr<Integrator> makeIntegrator(std::string_view name, const OdeSystem& system,
                                           const IntegratorOptions& options) {
  const std::string problem = integratorProblem(name, system, options);
  expect(problem.empty(), problem);
  return kMakers[static_cast<std::size_t>(findIntegrator(name) - kInfo.data())](system, options);
}

}  // namespace linkwork
