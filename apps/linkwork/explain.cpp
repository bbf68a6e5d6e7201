// linkwork explain: the equations of motion of a model, entry by entry, with numbers at one time or with letters.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "equations_linear.hpp"
#include "equations_verbs.hpp"
#include "explain_json.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/explain_hamiltonian.hpp"
#include "linkwork/codegen/explain_linkage.hpp"
#include "linkwork/codegen/explain_quasi_velocity.hpp"
#include "linkwork/codegen/explain_writer.hpp"
#include "linkwork/formulation/linkage/linkage_plan.hpp"
#include "linkwork/simulate/provenance.hpp"
#include "linkwork/simulate/state_at.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options : ModelOptions {
  double at = 0.0;
  bool symbolic = false;
  bool matrices = false;
  bool json = false;
  std::string format = "text";
  std::string form;
  std::string variant = "corrected";
  SystemOptions system;  // formulation, opening

  ExplainedAs explained() const { return findFormulation(system.formulation)->explained; }
  bool quasiVelocities() const { return findFormulation(system.formulation)->state == StateKind::quasi_velocities; }
};

int print(const Mechanism& mechanism, Explanation explanation, const Options& options) {
  if (options.json) {
    writeOut(explanationJson(explanation, mechanism));
    return kGood;
  }
  if (!mechanism.set.empty()) explanation.words += " " + parametersSetInWords(mechanism);
  writeOut(options.format == "latex" ? explanationLatex(explanation) : explanationText(explanation));
  return kGood;
}

int fail(const Mechanism& mechanism, double t, const std::string& problem) {
  printErr("{}: error: the equations at t = {:.6g} s: {}.\n", mechanism.file_name, t, problem);
  return kNumericalFailure;
}

Explanation explain(const Options& options, const Mechanism& mechanism, std::span<const double> x,
                    const Assembly& assembly) {
  if (!options.form.empty()) return explainLinkage(mechanism, options.form, options.at, x, assembly);
  if (options.quasiVelocities()) {
    return explainQuasiVelocity(mechanism, options.at, x, assembly,
                                options.matrices ? ExplainedMatrices::of_each_body : ExplainedMatrices::sums);
  }
  switch (options.explained()) {
    case ExplainedAs::impulses_and_sweeps:
      return explainHamiltonian(mechanism, options.system, options.at, x, assembly);
    case ExplainedAs::bodies_and_multipliers: return explainState(mechanism, options.at, x, assembly);
    case ExplainedAs::nothing: break;
  }
  throw ContractError("explain: a formulation that is not explained");
}

int run(const Options& options) {
  if (!(options.at >= 0.0) || !std::isfinite(options.at)) {
    printErr("linkwork explain: error: --at is {:.6g} s; give a time from 0 on.\n", options.at);
    return kBadInput;
  }
  if (isEquationsFile(options.file)) {
    if (refusesOptions("explain", {{"--symbolic", options.symbolic},
                                   {"--form", !options.form.empty()},
                                   {"--format", options.format != "text"},
                                   {"--json", options.json}}))
      return kBadInput;
    return explainEquations(options, options.at, options.matrices, options.variant);
  }
  if (options.variant != "corrected") {
    printErr("linkwork explain: error: --variant is for files of equations, and this one holds a mechanism.\n");
    return kBadInput;
  }
  if (options.matrices && !options.quasiVelocities()) {
    printErr("linkwork explain: error: --matrices goes with --formulation quasivelocity.\n");
    return kBadInput;
  }
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModel(options, diagnostics);
  if (!mechanism) return kBadInput;
  if (mechanism->space == Space::spatial && options.explained() == ExplainedAs::bodies_and_multipliers) {
    printErr(
        "{}: error: explain writes the equations of planar files only, and this one is in space: add --formulation "
        "hamiltonian or quasivelocity.\n",
        mechanism->file_name);
    return kBadInput;
  }
  const std::string obstacle = options.form.empty() ? std::string() : linkage::linkageObstacle(*mechanism);
  if (!obstacle.empty()) {
    printErr("{}: error: {}: form {} does not fit; leave --form out.\n", mechanism->file_name, obstacle, options.form);
    return kBadInput;
  }
  if (options.symbolic) return print(*mechanism, explainSymbols(*mechanism), options);
  const std::optional<Assembly> assembly = assembleModel(*mechanism);
  if (!assembly) return kNumericalFailure;
  const StateAt state = stateAt(*mechanism, *assembly, fineOptions(), options.at);
  if (!state.ok) return fail(*mechanism, options.at, state.problem);
  mechanism->run.set("reaction_length", assembly->reaction_length);  // so that reactions are those of the other verbs
  const Explanation explanation = explain(options, *mechanism, state.x, *assembly);
  if (!explanation.problem.empty()) return fail(*mechanism, options.at, explanation.problem);
  return print(*mechanism, explanation, options);
}

}  // namespace

void addExplain(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("explain",
                        "Write out the equations of motion: constraints, Jacobian, masses, forces, solution, reactions",
                        [options] { return run(*options); });
  options->addFile(verb);
  Option& at = verb.add("--at", options->at, "Time in seconds; later than 0, the motion is followed up to it")
                   .in("s")
                   .showDefault();
  Option& symbolic =
      verb.add("--symbolic", options->symbolic, "With letters instead of numbers, without the solution").excludes(at);
  Option& formulation =
      verb.add("--formulation", options->system.formulation,
               "absolute, hamiltonian (impulses, sweeps and loops) or quasivelocity (rows, A, B and the symbols Gamma)")
          .oneOf(explainedFormulations())
          .showDefault()
          .excludes(symbolic);
  verb.add("--opening", options->system.opening, "How hamiltonian opens loops")
      .oneOf(openingNames())
      .showDefault()
      .needs(formulation);
  verb.add("--form", options->form,
           "Of a planar mechanism of hinges: its coefficients in one of the linkage forms instead")
      .oneOf(linkageFormNames())
      .excludes(symbolic)
      .excludes(formulation);
  Option& matrices =
      verb.add("--matrices", options->matrices,
               "With --formulation quasivelocity, and of equations: all matrices that A and B are made of");
  verb.add("--variant", options->variant,
           "Of equations, with --matrices: B as the paper has it, which is wrong: for study")
      .oneOf(equationsVariantNames())
      .needs(matrices);
  verb.add("--json", options->json, "As one JSON object instead, with all digits");
  verb.add("--format", options->format, "text or latex (a whole document)").oneOf({"text", "latex"}).showDefault();
}

}  // namespace linkwork::app
