#include "linkwork/simulate/equations_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/diagnostics.hpp"
#include "linkwork/simulate/auto_method.hpp"
#include "linkwork/simulate/methods.hpp"

namespace linkwork {

namespace {

constexpr const char* kFormulation = "quasivelocity";

// The variant of the options is one of equations; those of hamiltonian have other words.
RunOptions withoutVariant(RunOptions options) {
  options.system.variant = SystemOptions().variant;
  return options;
}

// Forms of velocities act with their rates, constraints of positions with their second ones.
std::vector<ActingFormula> actingFormulas(const EquationsModel& model) {
  std::vector<ActingFormula> out;
  const auto addAll = [&](const char* kind, const std::string& name, const std::vector<Expr>& formulas,
                          int derivatives) {
    for (const Expr& formula : formulas) out.push_back({kind, name, formula, derivatives});
  };
  for (const EquationsForm& form : model.quasi_velocities) addAll("quasi-velocity", form.name, {form.value}, 1);
  for (const EquationsForm& form : model.constraints)
    addAll("constraint", form.name, {form.value}, form.of_positions ? 2 : 1);
  for (const EquationsBody& body : model.bodies) {
    addAll("body", body.name, body.velocity, 1);
    addAll("body", body.name, body.angular_velocity, 1);
    addAll("body", body.name, {body.kinetic_energy}, 1);
  }
  addAll("potential of", model.frame.name, {model.potential}, 0);
  for (const EquationsForce& force : model.forces) {
    addAll("force", force.name, {force.value}, 0);
    addAll("force", force.name, force.force, 0);
    addAll("force", force.name, force.couple, 0);
  }
  return out;
}

}  // namespace

RunOptions equationsRunOptions(const EquationsModel& model, RunOptions options) {
  const bool open = options.system.formulation == kAuto;
  if (open) options.system.formulation = kFormulation;
  return chooseByMechanism(model.frame, options);
}

std::string equationsRunProblem(const EquationsModel& model, const RunOptions& options) {
  if (options.system.formulation != kFormulation)
    return fmt::format("equations have the formulation {} alone, and \"{}\" is asked for: leave --formulation out.",
                       kFormulation, options.system.formulation);
  const std::vector<std::string> variants = equationsVariantNames();
  if (std::find(variants.begin(), variants.end(), options.system.variant) == variants.end())
    return fmt::format(
        "there is no variant \"{}\" of equations; there are: {}.{}", options.system.variant, fmt::join(variants, ", "),
        didYouMean(options.system.variant, variants).empty() ? "" : " " + didYouMean(options.system.variant, variants));
  if (options.generated) return "--generated writes code for mechanisms, and this file holds equations: leave it out.";
  const RunOptions plain = withoutVariant(options);
  if (std::string text = plain.problem(); !text.empty()) return text;
  std::string text = methodProblem(options.system.formulation, options.system.stabilisation, options.integrator);
  if (!text.empty()) return text;
  const EquationsSystem system(model);
  text = integratorProblem(options.integrator, system, options.steps);
  if (!text.empty() && findIntegrator(options.integrator) == nullptr)
    text += fmt::format(" {}", didYouMean(options.integrator, integratorNames()));
  return text;
}

Assembly assemblyOf(const EquationsStart& start) {
  Assembly out;
  out.ok = start.ok;
  out.q.assign(start.x.begin(), start.x.end() - 1);  // the loop puts the work behind
  return out;
}

Result simulateEquations(const EquationsModel& model, const Mechanism& frame, const EquationsStart& start,
                         const RunOptions& options, const RunControl& control) {
  expect(start.ok, "simulateEquations: there is no start");
  EquationsSystemOptions own;
  own.projects = options.system.stabilisation == "projection";
  own.variant = equationsVariantOf(options.system.variant);
  const EquationsSystem system(model, own);
  RunControl with_formulas = control;
  with_formulas.formulas = actingFormulas(model);
  Result out = simulate(frame, system, assemblyOf(start), options, with_formulas);
  if (own.variant != EquationsVariant::corrected) {
    const auto behind = std::find_if(out.settings.begin(), out.settings.end(),
                                     [](const Setting& setting) { return setting.name == "stabilisation"; });
    out.settings.insert(behind, {"variant", options.system.variant + ", which is wrong: for study"});
  }
  return out;
}

}  // namespace linkwork
