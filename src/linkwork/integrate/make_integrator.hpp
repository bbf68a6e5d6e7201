// All integrators by name.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/integrate/integrator.hpp"

namespace linkwork {

enum class StepControl { fixed, adaptive, either };  // either: fixed where a step is given

// Which face of a system a method integrates: OdeSystem itself, its dae(), its dae() where there is one, its
// mechanical() or its canonical().
enum class EquationForm { ode, dae, ode_or_dae, mechanical, canonical };

struct IntegratorInfo {
  std::string_view name;
  std::string_view description;  // one line
  StepControl control = StepControl::adaptive;
  int order = 0;
  EquationForm form = EquationForm::ode;
  bool sundials = false;      // the library's
  bool second_rates = false;  // takes the rates of velocities for second rates of coordinates
};

std::span<const IntegratorInfo> integrators();
std::vector<std::string> integratorNames();
// Whether such an integrator takes the fixed step of the options.
bool takesFixedSteps(const IntegratorInfo& info, const IntegratorOptions& options);
const IntegratorInfo* findIntegrator(std::string_view name);  // nullptr if there is none of that name

// Why makeIntegrator would refuse, in one sentence with a way out; empty if it would not.
std::string integratorProblem(std::string_view name, const OdeSystem& system, const IntegratorOptions& options);

// Throws ContractError with integratorProblem's sentence if there is one. The system must outlive the integrator.
std::unique_ptr<Integrator> makeIntegrator(std::string_view name, const OdeSystem& system,
                                           const IntegratorOptions& options);

}  // namespace linkwork
