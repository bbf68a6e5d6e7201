#include "trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/simulate/methods.hpp"

namespace linkwork::random_mechanisms {

namespace {

// Implicit methods and those of high order find more for their time; first-order ones are drawn now and then.
double weightOf(const IntegratorInfo& info) {
  if (info.order == 1 && info.control == StepControl::fixed) return 0.1;
  if (info.control == StepControl::fixed) return 0.4;
  return info.name == "ode45" ? 0.3 : 1.0;
}

const Method* drawMethod(const std::vector<Method>& fitting, Draws& draws) {
  double left = 0.0;
  for (const Method& method : fitting) left += weightOf(*findIntegrator(method.integrator));
  left *= draws.share();
  for (const Method& method : fitting) {
    left -= weightOf(*findIntegrator(method.integrator));
    if (left < 0.0) return &method;
  }
  return fitting.empty() ? nullptr : &fitting.back();
}

void setSteps(const IntegratorInfo& info, Fineness fineness, RunOptions& options) {
  const bool finer = fineness == Fineness::finer;
  const bool of_index3 = options.system.stabilisation == "index3";
  options.steps.rtol = of_index3 || info.name == "ida" ? 1e-7 : 1e-8;
  if (info.order == 2) options.steps.rtol = 1e-5;  // a thousandth takes ten times the steps
  if (finer) options.steps.rtol *= 1e-2;
  options.steps.atol = 1e-2 * options.steps.rtol;
  if (info.control != StepControl::fixed) return;
  options.steps.step = options.until / (info.order >= 4 ? 600.0 : 1500.0) / (finer ? 4.0 : 1.0);
}

}  // namespace

std::string Trial::label() const {
  return fmt::format("{}{}, {}, {}", formulation, lifted ? " in space" : "", stabilisation, integrator);
}

std::vector<Trial> drawTrials(const Mechanism& mechanism, Draws& draws) {
  std::vector<Trial> out;
  const bool planar = mechanism.space == Space::planar;
  const Mechanism lifted = planar && draws.chance(0.25) ? liftToSpace(mechanism) : mechanism;
  for (int space = 0; space < (lifted.space == mechanism.space ? 1 : 2); ++space) {
    const Mechanism& posed = space == 0 ? mechanism : lifted;
    for (const FormulationInfo& info : formulations()) {
      if (info.softens || !formulationProblem(info.name, posed).empty()) continue;
      std::vector<Method> fitting = methods();
      // What runProblem asks, with one system for all integrators.
      std::map<std::string, std::unique_ptr<MechanismSystem>> systems;
      std::erase_if(fitting, [&](const Method& method) {
        if (method.formulation != info.name || method.fit != Fit::fits) return true;
        const Trial trial{method.formulation, method.stabilisation, method.integrator, space == 1};
        const RunOptions options = optionsOf(posed, trial, 1.0, 1, Fineness::usual);
        auto& system = systems[method.stabilisation];
        if (!system) system = makeSystem(posed, options.system);
        return !system->problem().empty() || !integratorProblem(method.integrator, *system, options.steps).empty();
      });
      const Method* method = drawMethod(fitting, draws);
      if (method != nullptr)
        out.push_back({method->formulation, method->stabilisation, method->integrator, space == 1});
    }
  }
  return out;
}

RunOptions optionsOf(const Mechanism& mechanism, const Trial& trial, double until, int samples, Fineness fineness) {
  RunOptions options = runOptions(mechanism);
  options.system.formulation = trial.formulation;
  options.system.stabilisation = trial.stabilisation;
  options.integrator = trial.integrator;
  options.until = until;
  options.output_step = until / samples;
  setSteps(*findIntegrator(trial.integrator), fineness, options);
  return options;
}

double promise(const RunOptions& options) {
  const IntegratorInfo& info = *findIntegrator(options.integrator);
  return takesFixedSteps(info, options.steps) ? (info.order >= 4 ? 1e-8 : 1e-6) : options.steps.rtol;
}

}  // namespace linkwork::random_mechanisms
