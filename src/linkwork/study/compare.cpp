#include "linkwork/study/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/diagnostics.hpp"
#include "linkwork/codegen/program_steps.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/simulate/generated_system.hpp"
#include "linkwork/study/common_samples.hpp"
#include "linkwork/study/compare_words.hpp"
#include "linkwork/study/planar_view.hpp"

namespace linkwork {

namespace {

// Writing out the equations of more bodies takes longer than most runs.
constexpr std::size_t kMostBodiesCounted = 8;
// Below this an energy balance or a drift is round-off and tells no run from another.
constexpr double kRoundOff = 1e-12;

std::vector<std::string> withoutRepeats(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

std::vector<std::string> given(const std::vector<std::string>& names, const std::vector<std::string>& otherwise) {
  return withoutRepeats(names.empty() ? otherwise : names);
}

double energyErrorOf(const ComparedRun& run) { return std::max(energyError(run.result.ledger), kRoundOff); }

// Whose method brings its joints back at every step, or that has nothing to bring back.
bool driftsNot(const ComparedRun& run) {
  const Ledger& ledger = run.result.ledger;
  return run.method.stabilisation == "projection" || ledger.worst_position <= kRoundOff * ledger.reference_length;
}

// Those that satisfy a wish, or all if none does.
template <class Wish>
std::vector<std::size_t> narrowed(const std::vector<std::size_t>& candidates, const Wish& wish) {
  std::vector<std::size_t> out;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(out), wish);
  return out.empty() ? candidates : out;
}

std::optional<std::size_t> referenceAmong(const std::vector<ComparedRun>& runs) {
  std::vector<std::size_t> candidates;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (runs[k].comparable()) candidates.push_back(k);
  }
  if (candidates.empty()) return std::nullopt;
  candidates = narrowed(candidates, [&](std::size_t k) { return runs[k].wentThrough(); });
  candidates = narrowed(candidates, [&](std::size_t k) { return !runs[k].softens(); });
  candidates = narrowed(candidates, [&](std::size_t k) { return driftsNot(runs[k]); });
  candidates = narrowed(candidates, [&](std::size_t k) {
    const Ledger& ledger = runs[k].result.ledger;
    return ledger.worst_position <= kWellClosed * ledger.reference_length;
  });
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t k : candidates) best = std::min(best, energyErrorOf(runs[k]));
  return narrowed(candidates, [&](std::size_t k) { return energyErrorOf(runs[k]) <= 10.0 * best; }).front();
}

std::optional<EvaluationCost> costOf(const Mechanism& mechanism, const SystemOptions& options) {
  if (mechanism.bodies.size() > kMostBodiesCounted) return std::nullopt;
  const WrittenEquations written = generatedEquations(mechanism, options);
  if (!written.program) return std::nullopt;
  const ProgramSteps steps = stepsOf(*written.program);
  return EvaluationCost{steps.count, static_cast<int>(steps.solve.unknowns.size())};
}

// One space of the mechanism: as it was read, or lifted.
struct Stage {
  const Mechanism* mechanism = nullptr;
  const Assembly* assembly = nullptr;
  std::map<std::string, std::optional<EvaluationCost>> costs;  // by formulation

  const std::optional<EvaluationCost>& cost(const SystemOptions& options) {
    const auto found = costs.find(options.formulation);
    if (found != costs.end()) return found->second;
    return costs.emplace(options.formulation, costOf(*mechanism, options)).first->second;
  }
};

void runOne(Stage& stage, const RunOptions& options, const RunControl& control, ComparedRun& run) {
  const auto begin = std::chrono::steady_clock::now();
  run.result = simulate(*stage.mechanism, *stage.assembly, options, control);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.cost = stage.cost(options.system);
}

}  // namespace

std::string CompareRequest::problem() const {
  SystemOptions system = run.system;
  for (const std::string& name : formulations) {
    system.formulation = name;
    system.stabilisation = "projection";
    if (findFormulation(name) == nullptr) return system.problem();
  }
  system.formulation = "absolute";  // has them all
  for (const std::string& name : given(stabilisations, {run.system.stabilisation})) {
    system.stabilisation = name;
    if (std::string text = system.problem(); !text.empty()) return text;
  }
  for (const std::string& name : integrators) {
    if (findIntegrator(name) != nullptr) continue;
    const std::string guess = didYouMean(name, integratorNames());
    return fmt::format("there is no integrator \"{}\"; there are: {}.{}", name, fmt::join(integratorNames(), ", "),
                       guess.empty() ? "" : " " + guess);
  }
  if (!(within > 0.0) || !std::isfinite(within))
    return fmt::format("the difference up to which runs agree must be positive, it is {:.6g}; 1e-4 is a good start.",
                       within);
  RunOptions whole = run;
  whole.system = system;
  return whole.problem();
}

RunOptions optionsOf(const CompareRequest& request, const ComparedMethod& method) {
  RunOptions out = request.run;
  out.system.formulation = method.formulation;
  out.system.stabilisation = method.stabilisation;
  out.integrator = method.integrator;
  return out;
}

std::vector<ComparedRun> plannedRuns(const Mechanism& mechanism, const CompareRequest& request) {
  const bool lifts = request.also_lifted && mechanism.space == Space::planar;
  const std::vector<std::string> formulations = given(request.formulations, exactFormulationNames());
  const std::vector<std::string> stabilisations = given(request.stabilisations, {request.run.system.stabilisation});
  const std::vector<std::string> integrators = given(request.integrators, {request.run.integrator});
  const VariedParts varied{stabilisations.size() > 1, integrators.size() > 1, lifts};
  std::vector<ComparedRun> out;
  for (int space = 0; space < (lifts ? 2 : 1); ++space) {
    const Mechanism posed = space == 1 ? liftToSpace(mechanism) : mechanism;
    for (const std::string& formulation : formulations) {
      for (const std::string& stabilisation : stabilisations) {
        for (const std::string& integrator : integrators) {
          ComparedRun run;
          run.method = {formulation, stabilisation, integrator, space == 1};
          run.label = labelOf(run.method, varied);
          run.problem = runProblem(posed, optionsOf(request, run.method));
          out.push_back(std::move(run));
        }
      }
    }
  }
  return out;
}

std::string planProblem(const std::vector<ComparedRun>& plan) {
  std::vector<std::string> good;
  for (const ComparedRun& run : plan) {
    if (run.applies()) good.push_back(run.label);
  }
  if (good.size() > 1) return {};
  std::string reasons;
  for (const std::string& reason : reasonsOf(plan)) reasons += "\n  " + reason;
  return fmt::format("there is nothing to compare: {}; ask for more formulations, stabilisations or integrators.{}",
                     good.empty() ? "none of the runs applies" : fmt::format("{} is the only run", good.front()),
                     reasons);
}

std::optional<double> Comparison::worst() const {
  std::optional<double> out;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    if (k == reference || !runs[k].wentThrough() || !runs[k].comparable() || runs[k].softens()) continue;
    out = std::max(out.value_or(0.0), runs[k].difference.worst());
  }
  return out;
}

bool ComparedRun::softens() const {
  const FormulationInfo* info = findFormulation(method.formulation);
  return info != nullptr && info->softens;
}

const ComparedRun* Comparison::failed() const {
  const auto found = std::find_if(runs.begin(), runs.end(), [](const ComparedRun& run) {
    return run.applies() && run.result.status == RunStatus::failed;
  });
  return found == runs.end() ? nullptr : &*found;
}

std::optional<bool> Comparison::agree() const {
  const std::optional<double> difference = worst();
  if (!difference) return std::nullopt;
  return *difference <= within && failed() == nullptr;
}

Comparison compare(const Mechanism& mechanism, const Assembly& assembly, const CompareRequest& request,
                   const CompareControl& control) {
  expect(assembly.ok, "compare: the mechanism is not assembled");
  expect(request.problem().empty(), request.problem());
  Comparison out;
  out.within = request.within;
  out.runs = plannedRuns(mechanism, request);
  const bool lifts = std::any_of(out.runs.begin(), out.runs.end(), [](const auto& run) { return run.method.lifted; });
  const Mechanism lifted = lifts ? liftToSpace(mechanism) : Mechanism();
  const Assembly lifted_assembly = lifts ? assemble(lifted) : Assembly();
  Stage own{&mechanism, &assembly, {}};
  Stage space{&lifted, &lifted_assembly, {}};

  const auto count = std::count_if(out.runs.begin(), out.runs.end(), [](const auto& run) { return run.applies(); });
  double done = 0.0;
  RunControl run_control;
  run_control.interrupted = control.interrupted;
  run_control.progress = [&](double t, double until) {
    if (control.progress) control.progress(done + t, static_cast<double>(count) * until);
  };
  for (std::size_t k = 0; k < out.runs.size(); ++k) {
    ComparedRun& run = out.runs[k];
    if (run.method.lifted && run.applies() && !lifted_assembly.ok)
      run.problem = fmt::format("it cannot be assembled in space: {}.", lifted_assembly.problem);
    if (!run.applies()) continue;
    runOne(run.method.lifted ? space : own, optionsOf(request, run.method), run_control, run);
    if (run.method.lifted) run.result = planarView(mechanism, std::move(run.result));
    done += request.run.until;
    if (run.result.status != RunStatus::interrupted) continue;
    out.interrupted = true;
    out.runs.resize(k + 1);
  }
  std::vector<Result*> results;
  for (ComparedRun& run : out.runs) {
    if (run.comparable()) results.push_back(&run.result);
  }
  keepCommonSamples(results);
  out.reference = referenceAmong(out.runs);
  for (ComparedRun& run : out.runs) {
    if (out.reference && run.comparable())
      run.difference = differencesOf(mechanism, out.runs[*out.reference].result, run.result, request.within);
  }
  return out;
}

}  // namespace linkwork
