// linkwork compare: one model under every method that applies, and how well the runs agree.
#include "linkwork/study/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "compare_stiffness.hpp"
#include "linkwork/files/compare_file.hpp"
#include "linkwork/files/compare_plot.hpp"
#include "linkwork/report/compare_page.hpp"
#include "linkwork/study/compare_table.hpp"
#include "linkwork/study/compare_words.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "result_output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

constexpr const char* kBoth = "both";
constexpr const char* kPlanar = "planar";

struct Options : ModelOptions {
  std::string out = "out";
  std::string report;
  std::vector<std::string> formulations, stabilisations, integrators;
  std::optional<double> until, output_step, within;
  MethodOptions method;
  StiffnessOptions stiffness;
  bool converge = false;
  bool no_page = false;
  bool json = false;
};

int badInput(const std::string& problem) {
  printErr("linkwork compare: error: {}\n", problem);
  return kBadInput;
}

// "all" stands for every one there is.
std::vector<std::string> names(const std::vector<std::string>& given, const std::vector<std::string>& all) {
  return given == std::vector<std::string>{"all"} ? all : given;
}

CompareRequest requestOf(const Mechanism& mechanism, const Options& options) {
  CompareRequest out;
  out.run = runOptions(mechanism);
  options.method.apply(out.run);
  out.run.until = options.until.value_or(out.run.until);
  out.run.output_step = options.output_step.value_or(out.run.output_step);
  out.run.columns = Columns::standard;
  out.formulations = names(options.formulations, exactFormulationNames());
  out.stabilisations = names(options.stabilisations, stabilisationNames());
  out.integrators = names(options.integrators, integratorNames());
  out.also_lifted = options.space == kBoth;
  out.within = options.within.value_or(out.within);
  return out;
}

// Why the request makes no sense for this mechanism; empty if it does.
std::string problemOf(const Mechanism& mechanism, const CompareRequest& request, const Options& options) {
  if (options.space == kPlanar && mechanism.space == Space::spatial)
    return "the model is one in space and cannot be taken for one in the plane: leave out --space.";
  if (std::string text = request.problem(); !text.empty()) return text;
  const std::vector<ComparedRun> plan = plannedRuns(mechanism, request);
  if (std::string text = planProblem(plan); !text.empty()) return text;
  std::vector<RunOptions> methods;
  for (const ComparedRun& run : plan) {
    if (run.applies()) methods.push_back(optionsOf(request, run.method));
  }
  return options.method.problem(methods);
}

void printTable(const TextTable& table) {
  for (const std::string& line : alignedLines(table, Align::left)) printOut("  {}\n", withoutTrailingSpaces(line));
}

void print(const CompareReport& report) {
  const Comparison& comparison = *report.comparison;
  printOut("{}: {}\n", report.name, verdictOf(comparison));
  if (report.convergence != nullptr) printOut("{}\n", wordsFor(*report.convergence));
  printOut("\ngreatest differences from the reference, relative; runs part where one exceeds {:.2g}\n",
           comparison.within);
  printTable(differenceTable(comparison));
  printOut("\neach run by itself\n");
  printTable(effortTable(comparison));
  if (report.convergence != nullptr) {
    printOut("\nconvergence: estimates of the relative error\n");
    printTable(convergenceTable(*report.convergence));
  }
  const std::vector<std::string> reasons = reasonsOf(comparison.runs);
  if (!reasons.empty()) printOut("\ndo not apply\n");
  for (const std::string& reason : reasons) printOut("  {}\n", reason);
}

// The results' path but for its ending.
std::string baseOf(const Options& options) { return resultBase(options.out, options.file) + "_compare"; }

std::vector<std::string> pathsOf(const Options& options) {
  const std::string base = baseOf(options);
  std::vector<std::string> out{base + ".csv", base + ".svg", base + ".json", options.report};
  if (!options.no_page && hasPage()) out.push_back(base + ".html");
  return out;
}

// False where something could not be written.
bool write(const CompareReport& report, const Mechanism& mechanism, const Diagnostics& diagnostics,
           const Options& options) {
  const std::string base = baseOf(options);
  std::vector<std::pair<std::string, std::string>> files{
      {base + ".csv", writeCompareCsv(report, base + ".csv")},
      {base + ".svg", writeCompareText(compareSvg(report), base + ".svg")},
      {base + ".json", writeCompareText(compareJson(report) + "\n", base + ".json")}};
  if (!options.report.empty())
    files.emplace_back(options.report, writeCompareText(compareMarkdown(report), options.report));
  const bool with_page = !options.no_page && hasPage();
  const std::string page = base + ".html";
  if (with_page)
    files.emplace_back(page, writePageFile(comparePageData(report, mechanism, warningsOf(diagnostics)), page));
  bool good = true;
  std::string list;
  for (const auto& [path, problem] : files) {
    if (path != page) list += (list.empty() ? "" : ", ") + path;
    if (problem.empty()) continue;
    printErr("linkwork compare: error: {}\n", problem);
    good = false;
  }
  if (good && !options.json) {
    printOut("\nresults  {}\n", list);
    if (with_page) printOut("page     {}\n", std::filesystem::absolute(page).string());
  }
  return good;
}

int exitCode(const Comparison& comparison, bool written, const Options& options) {
  if (comparison.interrupted) return kInterrupted;
  if (!written) return kBadInput;
  const std::optional<double> worst = comparison.worst();
  if (!worst) {
    printErr("linkwork compare: error: no two runs went through, so that nothing could be compared.\n");
    return kNumericalFailure;
  }
  if (!options.within || comparison.agree() == true) return kGood;
  if (*worst > *options.within) {
    const bool ends_apart = std::any_of(comparison.runs.begin(), comparison.runs.end(),
                                        [&](const ComparedRun& run) { return endsApart(comparison, run); });
    printErr("linkwork compare: failed: the runs differ by {:.3g}, more than {:.3g}{}\n", *worst, *options.within,
             ends_apart ? "; they do not end at the same time" : "");
    return kConditionHolds;
  }
  const ComparedRun& failed = *comparison.failed();
  printErr("linkwork compare: error: `{}` could not go on, so that it agrees with nothing: {}\n", failed.label,
           failed.result.message);
  return kNumericalFailure;
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const bool only_lifted = options.space != kBoth && options.space != kPlanar;
  ModelOptions model = options;
  if (!only_lifted) model.space.clear();
  const std::optional<Mechanism> mechanism = readModel(model, diagnostics);
  if (!mechanism) return kBadInput;
  const CompareRequest request = requestOf(*mechanism, options);
  if (options.stiffness.stiffness) {
    if (!beginRun("compare",
                  workloadOf(*mechanism, request.run.until, request.run.output_step, request.run.columns, 2)))
      return kBadInput;
    return compareStiffness(*mechanism, options.stiffness, request.run,
                            resultBase(options.out, options.file) + "_stiffness", options.json);
  }
  if (const std::string problem = problemOf(*mechanism, request, options); !problem.empty()) return badInput(problem);
  const std::vector<ComparedRun> plan = plannedRuns(*mechanism, request);
  const auto runs = std::count_if(plan.begin(), plan.end(), [](const ComparedRun& run) { return run.applies(); });
  if (!beginRun("compare", workloadOf(*mechanism, request.run.until, request.run.output_step, request.run.columns,
                                      static_cast<int>(runs))))
    return kBadInput;
  const std::optional<Assembly> assembly = assembleModel(*mechanism);
  if (!assembly) return kNumericalFailure;
  if (!canBeWritten("compare", pathsOf(options))) return kBadInput;

  interruptRequested();  // from now on
  Progress progress;
  CompareControl control;
  control.interrupted = interruptRequested;
  control.progress = [&](double t, double until) { progress.show(t, until); };
  Convergence convergence;
  if (options.converge) {
    convergence = converge(*mechanism, *assembly, request, control);
  } else {
    convergence.comparison = compare(*mechanism, *assembly, request, control);
  }
  progress.clear();
  const CompareReport report{mechanism->name, &convergence.comparison, options.converge ? &convergence : nullptr};
  if (options.json) {
    printOut("{}\n", compareJson(report));
  } else {
    print(report);
  }
  flushOut();
  const bool written = write(report, *mechanism, diagnostics, options);
  return exitCode(convergence.comparison, written, options);
}

}  // namespace

void addCompare(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->space = kBoth;
  Verb& verb = line.add("compare", "Run a model under every method that applies, and say how they agree",
                        [options] { return run(*options); });
  options->addFile(verb);
  verb.add("--formulations", options->formulations, "Those to compare, such as absolute,recursive; all if left out")
      .separatedBy(',');
  verb.add("--stabilisations", options->stabilisations,
           "Those to compare, such as projection,none, or all; the model's own if left out")
      .separatedBy(',');
  verb.add("--integrators", options->integrators,
           "Those to compare, such as dopri5,radau5, or all; the model's own if left out")
      .separatedBy(',');
  verb.add("--space", options->space, "Of a planar file: both (in the plane, and lifted to space), planar or spatial")
      .oneOf({kBoth, kPlanar, "spatial"})
      .showDefault();
  verb.add("--until", options->until, "End of the runs in seconds").in("s");
  verb.add("--output-step", options->output_step, "Time between compared samples in seconds").in("s");
  verb.add("--within", options->within,
           "Relative difference up to which runs agree; given, a greater one has exit code 3");
  verb.add("--converge", options->converge,
           "Tighten the tolerances until the differences settle, and say which digits can be trusted");
  verb.add("--out", options->out, "Folder for the results").showDefault();
  verb.add("--report", options->report, "Markdown file for a table to cite, with versions and settings");
  verb.add("--no-page", options->no_page, "Write no page");
  verb.add("--json", options->json, "Print the comparison as JSON");
  options->method.addNumbers(verb, {"stiffness", "rotational_stiffness"});
  Option& stiffness = verb.add("--stiffness", options->stiffness.stiffness,
                               "Springs in the place of joints against hard joints, over stiffnesses in N/m: 1e4..1e9, "
                               "or 1e5,1e6,1e7");
  verb.add(
          "--rotational-stiffness", options->stiffness.rotational,
          "With --stiffness: the same of springs that turn, in N m/rad; else of the same frequency, or the model's own")
      .needs(stiffness);
  verb.add("--richardson", options->stiffness.richardson,
           "With --stiffness: the limit that neighbouring stiffnesses make, and the error that they show")
      .needs(stiffness);
}

}  // namespace linkwork::app
