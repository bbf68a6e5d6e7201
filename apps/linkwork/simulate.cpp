// linkwork simulate: run, print the ledger, leave the results, the load table and the page.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "equations_linear.hpp"
#include "equations_verbs.hpp"
#include "linkwork/files/hdf5_file.hpp"
#include "linkwork/files/result_file.hpp"
#include "linkwork/formulation/compliant/soften.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/read/fail_condition.hpp"
#include "linkwork/simulate/auto_method.hpp"
#include "linkwork/simulate/equations_run.hpp"
#include "linkwork/simulate/softened_run.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "result_output.hpp"
#include "steady_point.hpp"
#include "summary.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options : SteadyOptions {
  std::string out = "out";
  std::optional<double> until, output_step, checkpoint_every;
  std::vector<std::string> formats{"csv"};
  std::string columns;  // empty: as the model file says
  std::string fail_if;
  MethodOptions method;
  bool json = false;
  bool no_page = false;
  bool generated = false;
  bool resume = false;
  bool steady = false;

  bool writes(const char* format) const { return std::find(formats.begin(), formats.end(), format) != formats.end(); }
  // The results' path but for its ending.
  std::string base() const { return resultBase(out, file); }
  ResultFiles files() const { return {base(), writes("csv"), writes("hdf5"), !no_page, json}; }
  std::string checkpointPath() const { return base() + ".checkpoint"; }
};

void printError(const std::string& problem) { printErr("linkwork simulate: error: {}\n", problem); }

// What is asked for on the command line, over what the model file says; nullopt when it cannot be. Methods that neither
// names are left open.
std::optional<RunOptions> chosenOptions(const Mechanism& mechanism, const std::optional<EquationsModel>& equations,
                                        const Options& options) {
  RunOptions open;
  open.system.formulation = kAuto;
  open.integrator = kAuto;
  RunOptions out = givenOptions(mechanism, open);
  options.method.apply(out);
  out.until = options.until.value_or(out.until);
  out.output_step = options.output_step.value_or(out.output_step);
  out.checkpoint_step = options.checkpoint_every.value_or(kChosenCheckpointStep);
  if (!options.columns.empty()) out.columns = options.columns == "all" ? Columns::all : Columns::standard;
  out.generated = options.generated;
  std::string problem;
  if (options.writes("hdf5") && !hasHdf5())
    problem = "this program was built without HDF5: leave hdf5 out of --format, or build with libhdf5-dev.";
  const RunOptions named = equations ? equationsRunOptions(*equations, out) : chooseByMechanism(mechanism, out);
  if (problem.empty()) problem = equations ? equationsRunProblem(*equations, named) : runProblem(mechanism, named);
  if (problem.empty()) problem = options.method.problem({&named, 1}, equations ? "variant" : "");
  if (problem.empty()) return out;
  printError(problem);
  return std::nullopt;
}

// The condition of --fail-if, checked against what will be recorded; nullopt and a message where it makes no sense.
std::optional<FailCondition> failCondition(const Mechanism& mechanism, const RunOptions& run, const std::string& text) {
  const Recorder recorder(mechanism, 0, run.columns);
  auto parsed = FailCondition::parse(text, recorder.series());
  if (auto* condition = std::get_if<FailCondition>(&parsed)) return std::move(*condition);
  const TextError& error = std::get<TextError>(parsed);
  printError(fmt::format("--fail-if: {}.{}\n  {}\n  {:>{}}", error.message, error.hint.empty() ? "" : " " + error.hint,
                         text, "^", error.offset + 1));
  return std::nullopt;
}

// What to go on from, if that is asked for and there is something; false and a message where it is refused.
bool findCheckpoint(const Options& options, const RunIdentity& identity, Checkpoint& checkpoint) {
  const std::string path = options.checkpointPath();
  checkpoint = readCheckpoint(path, identity);
  if (!options.resume) {
    if (checkpoint.found)
      printErr("linkwork simulate: note: {} could be resumed with --resume; this run starts anew\n", path);
    checkpoint = {};
    return true;
  }
  if (!checkpoint.problem.empty()) {
    printError(checkpoint.problem + ".");
    return false;
  }
  if (!checkpoint.found)
    printErr("linkwork simulate: note: no checkpoint at {}; the run starts at the beginning\n", path);
  return true;
}

int exitCode(const Mechanism& mechanism, const Result& result, bool written,
             const std::optional<FailCondition>& condition) {
  if (result.status == RunStatus::failed) {
    printErr("{}: error: {}\n", mechanism.file_name, result.message);
    return kNumericalFailure;
  }
  if (result.status == RunStatus::interrupted) return kInterrupted;
  if (!written) return kBadInput;
  const std::string failure = condition ? condition->failure(result) : std::string();
  if (failure.empty()) return kGood;
  printErr("linkwork simulate: failed: {}\n", failure);
  return kConditionHolds;
}

// The model and where it starts: as drawn, or in a steady motion with the parameters that were found for it. Of a file
// of equations also these; the mechanism is then the frame that they are recorded in.
struct Start {
  std::optional<Mechanism> mechanism;
  std::optional<EquationsModel> equations;
  std::optional<EquationsStart> equations_start;
  std::optional<Assembly> steady;
  int exit_code = kBadInput;
};

Start startOf(const Options& options, Diagnostics& diagnostics) {
  Start out;
  if (isEquationsFile(options.file)) {
    if (options.steady) {
      EquationsSteadyAsked asked;
      static_cast<SteadyOptions&>(asked.model) = options;
      EquationsSteadyStart start = steadyStartOfEquations(asked);
      out.exit_code = start.exit_code;
      out.equations = std::move(start.model);
      if (out.equations) out.equations_start = {true, {}, {}, {}, std::move(start.x), {}};
    } else if (!options.given.empty() || !options.find.empty()) {
      printError("--given and --find go with --steady.");
    } else {
      out.equations = readEquations(options, diagnostics);
    }
    if (out.equations) out.mechanism = recordedFrame(*out.equations);
    return out;
  }
  if (!options.steady) {
    if (!options.given.empty() || !options.find.empty()) {
      printError("--given and --find go with --steady.");
      return out;
    }
    out.mechanism = readModel(options, diagnostics);
    return out;
  }
  std::optional<SteadyPoint> point = findSteadyPoint("simulate", options, out.exit_code);
  if (!point) return out;
  const SteadyModel& model = point->follower->solver().model();
  out.mechanism = model.mechanism;
  out.steady = model.assembly;
  const std::vector<double>& x = point->motion.absolute;
  std::copy_n(x.begin(), out.steady->q.size(), out.steady->q.begin());
  std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(out.steady->q.size()), out.steady->v.size(),
              out.steady->v.begin());
  std::copy(x.end() - static_cast<std::ptrdiff_t>(out.steady->turns.size()), x.end(), out.steady->turns.begin());
  return out;
}

std::optional<Assembly> assemblyFor(Start& start) {
  if (start.steady) return start.steady;
  if (!start.equations) return assembleModel(*start.mechanism);
  if (!start.equations_start) start.equations_start = startEquations(*start.equations);
  if (!start.equations_start) return std::nullopt;
  return assemblyOf(*start.equations_start);
}

// The run, its checkpoints and its page are those of the mechanism with springs, where it is run so.
bool softenFor(const RunOptions& options, Start& start, std::optional<Assembly>& assembly) {
  const FormulationInfo* info = findFormulation(options.system.formulation);
  if (info != nullptr && info->softens && !hasCompliance(*start.mechanism) && !isSoftened(*start.mechanism, options))
    printErr(
        "linkwork simulate: note: no loop of this model is closed at a joint that can be made of springs; this is the "
        "same as --formulation recursive\n");
  if (!isSoftened(*start.mechanism, options)) return true;
  const std::vector<std::string> rows = hardCuts(*start.mechanism);
  if (!rows.empty()) {
    printErr("linkwork simulate: note: {} {} constraint rows: no joint of such a kind can be made of springs\n",
             fmt::join(rows, ", "), rows.size() == 1 ? "stays" : "stay");
  }
  start.mechanism = softenedMechanism(*start.mechanism, *assembly, options);
  assembly = assembleModel(*start.mechanism);
  return assembly.has_value();
}

int run(const Options& options) {
  Diagnostics diagnostics;
  Start start = startOf(options, diagnostics);
  const std::optional<Mechanism>& mechanism = start.mechanism;
  if (!mechanism) return start.exit_code;
  std::optional<RunOptions> run_options = chosenOptions(*mechanism, start.equations, options);
  if (!run_options) return kBadInput;
  std::optional<FailCondition> condition;
  if (!options.fail_if.empty()) {
    condition = failCondition(*mechanism, *run_options, options.fail_if);
    if (!condition) return kBadInput;
  }
  if (!beginRun("simulate", workloadOf(*mechanism, run_options->until, run_options->output_step, run_options->columns)))
    return kBadInput;
  std::optional<Assembly> assembly = assemblyFor(start);
  if (!assembly) return kNumericalFailure;
  if (!canBeWritten("simulate", pathsOf(options.files()))) return kBadInput;
  // Printed already; the page shows them too.
  if (start.equations) {
    addFindings(*start.equations, *start.equations_start, diagnostics);
    *run_options = equationsRunOptions(*start.equations, *run_options);
  } else {
    addFindings(*mechanism, *assembly, diagnostics);
    addIntegrableRows(*mechanism, *assembly, diagnostics);
    *run_options = chooseByFirstSteps(*mechanism, *assembly, *run_options);
    if (!softenFor(*run_options, start, assembly)) return kNumericalFailure;
  }
  Checkpoint checkpoint;
  if (!findCheckpoint(options, runIdentity(*mechanism, *run_options, assembly->state()), checkpoint)) return kBadInput;

  interruptRequested();  // from now on
  Progress progress;
  RunControl control;
  control.interrupted = interruptRequested;
  control.progress = [&](double t, double until) { progress.show(t, until); };
  control.note = [&](const std::string& text) {
    progress.clear();
    printErr("linkwork simulate: warning: {}\n", text);
  };
  if (options.checkpoint_every != 0.0) control.checkpoint_path = options.checkpointPath();
  if (options.checkpoint_every) control.checkpoint_wall = 0.0;  // asked for: all of them
  if (checkpoint.found) control.resume = &checkpoint;
  const Result result =
      start.equations ? simulateEquations(*start.equations, *mechanism, *start.equations_start, *run_options, control)
                      : simulate(*mechanism, *assembly, *run_options, control);
  progress.clear();

  if (options.json) {
    printOut("{}\n", ledgerJson(result));
  } else {
    printSummary(result);
  }
  flushOut();
  for (const OutputGap& gap : result.ledger.output_gaps) {
    printErr("{}: warning: output \"{}\" is not a number at t = {:.6g} s\n", mechanism->file_name, gap.name, gap.time);
  }
  const bool written = writeFiles(*mechanism, result, diagnostics, options.files());
  // What a run that is over left on its way is of use only where its results could not be written.
  std::error_code ignored;
  if (written && result.status != RunStatus::interrupted)
    std::filesystem::remove(options.checkpointPath(), ignored);
  else if (std::filesystem::exists(options.checkpointPath(), ignored))
    printErr("linkwork simulate: note: {} is kept: the same command with --resume goes on from there\n",
             options.checkpointPath());
  return exitCode(*mechanism, result, written, condition);
}

}  // namespace

void addSimulate(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb =
      line.add("simulate", "Run a model and leave results and a page to look at", [options] { return run(*options); });
  options->addFile(verb);
  options->addSpace(verb);
  verb.add("--steady", options->steady, "Start in the steady motion nearest to the assembled start");
  options->addConditions(verb);
  verb.add("--until", options->until, "End of the run in seconds").in("s");
  verb.add("--output-step", options->output_step, "Time between recorded samples in seconds").in("s");
  verb.add("--out", options->out, "Folder for the results").showDefault();
  verb.add("--format", options->formats, "Of the series: csv, hdf5 or csv,hdf5")
      .separatedBy(',')
      .oneOf({"csv", "hdf5"})
      .showDefault();
  verb.add("--columns", options->columns,
           "standard, or all: reactions at both bodies in both axes, Euler angles, the method's own multipliers")
      .oneOf({"standard", "all"});
  verb.add("--checkpoint-every", options->checkpoint_every,
           "Time of the model between two checkpoints in seconds; 0 for none")
      .in("s")
      .nonNegative();
  verb.add("--resume", options->resume, "Go on from the checkpoint of a run that did not end");
  verb.add("--fail-if", options->fail_if, "Condition on the ledger or on extremes that gives exit code 3");
  verb.add("--generated", options->generated,
           "Compile the equations of this model with the system's C compiler (CC or cc) and run them");
  verb.add("--no-page", options->no_page, "Write no page");
  verb.add("--json", options->json, "Print the ledger as JSON");
  options->method.add(verb);
}

}  // namespace linkwork::app
