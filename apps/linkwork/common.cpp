#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "linkwork/analyse/drive_conflicts.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/methods.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

constexpr const char* kSpatial = "spatial";
constexpr const char* kMultiples = "multiples";
constexpr const char* kAccumulateTime = "accumulate_time";

}  // namespace

void ModelOptions::addFile(Verb& verb) {
  verb.add("FILE", file, "Model file").required();
  verb.add("--set", set, "Another value for a parameter of the model, such as \"L=12 mm\"; once for each").oneEach();
}

void ModelOptions::addSpace(Verb& verb) {
  verb.add("--space", space, "spatial: take a planar file for a mechanism in space").oneOf({kSpatial});
}

std::optional<Mechanism> readModel(const ModelOptions& model, Diagnostics& diagnostics, InputsAs inputs) {
  ReadOptions options;
  options.inputs = inputs;
  for (const std::string& text : model.set) {
    if (std::optional<ParameterSetting> setting = parseSetting(text, diagnostics))
      options.set.push_back(*std::move(setting));
  }
  std::optional<Mechanism> mechanism;
  if (!diagnostics.hasErrors()) mechanism = readModelFile(model.file, diagnostics, options);
  if (mechanism && model.space == kSpatial && mechanism->space == Space::planar) {
    const Source whole{std::make_shared<const std::string>(mechanism->file_name), 1, 1};
    diagnostics.note(whole, liftReport(*mechanism));
    mechanism = liftToSpace(std::move(*mechanism));
  }
  const std::string findings = diagnostics.format();
  std::fputs(findings.c_str(), stderr);
  const auto errors = std::count_if(diagnostics.all().begin(), diagnostics.all().end(),
                                    [](const Diagnostic& finding) { return finding.severity == Severity::error; });
  if (!mechanism && errors > 1) fmt::print(stderr, "{} errors\n", errors);
  return mechanism;
}

std::optional<Assembly> assembleModel(const Mechanism& mechanism) {
  Assembly assembly = assemble(mechanism);
  Diagnostics findings;
  addFindings(mechanism, assembly, findings);
  fmt::print(stderr, "{}", findings.format());
  if (!assembly.ok) return std::nullopt;
  return assembly;
}

void addFindings(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& findings) {
  // The place may be in an included file.
  const auto placed = [&](Source where) {
    if (!where.file) where.file = std::make_shared<const std::string>(mechanism.file_name);
    return where;
  };
  for (const AssemblyWarning& warning : assembly.warnings) {
    findings.warning(placed(warning.where), warning.text + ".", warning.hint);
  }
  const bool drives_fight = reportDriveConflicts(mechanism, assembly, findings);
  if (!assembly.ok && !drives_fight) findings.error(placed(assembly.where), assembly.problem + ".", assembly.hint);
}

void MethodOptions::add(Verb& verb) {
  verb.add("--formulation", formulation,
           fmt::format("How the equations are set up: {}", fmt::join(formulationNames(), ", ")));
  verb.add("--stabilisation", stabilisation,
           fmt::format("How the joints are kept closed: {}", fmt::join(stabilisationNames(), ", ")));
  verb.add("--integrator", integrator, fmt::format("How time is stepped: {}", fmt::join(integratorNames(), ", ")));
  addNumbers(verb);
}

void MethodOptions::addNumbers(Verb& verb) {
  verb_ = &verb;
  verb.add("--rtol", rtol, "Relative tolerance per step");
  verb.add("--atol", atol, "Absolute tolerance per step");
  verb.add("--step", step, "Step in seconds of a fixed-step integrator");
  verb.add("--max-step", max_step, "Largest step in seconds");
  verb.add("--time-rule", time_rule,
           "How a fixed-step integrator counts time: multiples of the step, or accumulate_time, adding it up as a "
           "textbook's loop does")
      .oneOf({kMultiples, kAccumulateTime});
  verb.add("--alpha", alpha, "Baumgarte's alpha in 1/s");
  verb.add("--beta", beta, "Baumgarte's beta in 1/s");
  verb.add("--penalty", penalty, "Penalty of the augmented Lagrangian in kg");
  verb.add("--omega", omega, "Frequency of the augmented Lagrangian in 1/s");
  verb.add("--mu", mu, "Damping ratio of the augmented Lagrangian");
  verb.add("--rho", rho, "Damping of generalized_alpha: what a step leaves of an infinitely fast swing");
  verb.add("--opening", opening, fmt::format("How hamiltonian opens loops: {}", fmt::join(openingNames(), ", ")));
  verb.add("--variant", variant,
           fmt::format("hamiltonian with a part as its paper has it: {}", fmt::join(variantNames(), ", ")));
  verb.add("--reaction-length", reaction_length,
           "Length in metres by which moments are divided where reactions of least norm are chosen");
}

void MethodOptions::apply(RunOptions& options) const {
  options.system.formulation = formulation.value_or(options.system.formulation);
  options.system.stabilisation = stabilisation.value_or(options.system.stabilisation);
  options.system.alpha = alpha.value_or(options.system.alpha);
  options.system.beta = beta.value_or(options.system.beta);
  options.system.penalty = penalty.value_or(options.system.penalty);
  options.system.omega = omega.value_or(options.system.omega);
  options.system.mu = mu.value_or(options.system.mu);
  options.system.opening = opening.value_or(options.system.opening);
  options.system.variant = variant.value_or(options.system.variant);
  options.system.reaction_length = reaction_length.value_or(options.system.reaction_length);
  options.integrator = integrator.value_or(options.integrator);
  options.steps.rtol = rtol.value_or(options.steps.rtol);
  options.steps.atol = atol.value_or(options.steps.atol);
  options.steps.step = step.value_or(options.steps.step);
  options.steps.rho = rho.value_or(options.steps.rho);
  options.steps.max_step = max_step.value_or(options.steps.max_step);
  if (time_rule)
    options.steps.time_rule = *time_rule == kAccumulateTime ? TimeRule::accumulate_time : TimeRule::multiples;
}

std::string MethodOptions::problem(std::span<const RunOptions> methods) const {
  for (const std::string& given : verb_->given()) {
    std::string text;
    for (const RunOptions& method : methods) {
      text = optionProblem(given, method);
      if (text.empty()) break;
    }
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace linkwork::app
