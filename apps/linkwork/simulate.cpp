// linkwork simulate: run, print the ledger, leave CSV, JSON and the page.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>

#include "linkwork/io/page.hpp"
#include "linkwork/io/result_file.hpp"
#include "verbs.hpp"
#ifdef LINKWORK_HAS_PAGE
#include "page_template.hpp"
#endif

namespace linkwork::app {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

void onInterrupt(int /*signal*/) { interrupt_requested = 1; }

struct Options {
  std::string file;
  std::string space;
  std::string out = "out";
  std::optional<double> until, output_step;
  MethodOptions method;
  bool json = false;
  bool no_page = false;
};

// A line with the time reached, rewritten in place; only on a terminal, ten times a second.
class Progress {
 public:
  void show(double t, double until) {
    if (!terminal_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    shown_ = true;
    fmt::print(stderr, "\rt = {:.4g} of {:.4g} s ({:.0f} %)   ", t, until, 100.0 * t / until);
  }
  void clear() const {
    if (shown_) fmt::print(stderr, "\r{:60}\r", "");
  }

 private:
  bool terminal_ = ::isatty(2) == 1;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void printLedger(const Result& result) {
  fmt::print("{}: {}{}\n", result.name, wordFor(result.status), result.message.empty() ? "" : ": " + result.message);
  for (const LedgerLine& line : ledgerLines(result))
    fmt::print("  {:<8} {:<5} {}\n", line.label, wordFor(line.grade), line.sentence);
  for (const EventRecord& event : result.events) fmt::print("  event    {} at t = {:.9g} s\n", event.name, event.time);
  fmt::print("\n");
  for (const auto& [key, value] : ledgerTable(result.ledger)) fmt::print("  {:<52} {}\n", key, value);
}

// Writes what was asked for; prints where it is, or why it is not.
bool writeFiles(const Mechanism& mechanism, const Result& result, const Diagnostics& diagnostics,
                const Options& options) {
  const std::string base = (std::filesystem::path(options.out) / std::filesystem::path(options.file).stem()).string();
  std::vector<std::string> warnings;
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity == Severity::warning) warnings.push_back(format(finding));
  }
  bool good = true;
  const auto report = [&](const std::string& problem) {
    if (problem.empty()) return;
    fmt::print(stderr, "linkwork: error: {}\n", problem);
    good = false;
  };
  report(writeCsv(result, base + ".csv"));
  report(writeLedgerJson(result, base + ".json"));
  std::string page;
#ifdef LINKWORK_HAS_PAGE
  if (!options.no_page) {
    page = base + ".html";
    report(writePage(pageTemplate(), pageData(mechanism, result, warnings), page));
  }
#else
  (void)mechanism;
#endif
  if (good && !options.json) {
    fmt::print("\nresults  {0}.csv, {0}.json\n", base);
    if (!page.empty()) fmt::print("page     {}\n", std::filesystem::absolute(page).string());
  }
  return good;
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<Mechanism> mechanism = readModel(options.file, diagnostics, options.space);
  if (!mechanism) return kBadInput;
  RunOptions run_options = runOptions(*mechanism);
  options.method.apply(run_options);
  run_options.until = options.until.value_or(run_options.until);
  run_options.output_step = options.output_step.value_or(run_options.output_step);
  if (const std::string problem = runProblem(*mechanism, run_options); !problem.empty()) {
    fmt::print(stderr, "linkwork simulate: error: {}\n", problem);
    return kBadInput;
  }
  const std::optional<Assembly> assembly = assembleModel(*mechanism);
  if (!assembly) return kNumericalFailure;

  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  Progress progress;
  RunControl control;
  control.interrupted = [] { return interrupt_requested != 0; };
  control.progress = [&](double t, double until) { progress.show(t, until); };
  const Result result = simulate(*mechanism, *assembly, run_options, control);
  progress.clear();

  if (options.json) {
    fmt::print("{}\n", ledgerJson(result));
  } else {
    printLedger(result);
  }
  std::fflush(stdout);
  for (const OutputGap& gap : result.ledger.output_gaps) {
    fmt::print(stderr, "{}: warning: output \"{}\" is not a number at t = {:.6g} s\n", mechanism->file_name, gap.name,
               gap.time);
  }
  const bool written = writeFiles(*mechanism, result, diagnostics, options);
  if (result.status == RunStatus::failed) {
    fmt::print(stderr, "{}: error: {}\n", mechanism->file_name, result.message);
    return kNumericalFailure;
  }
  if (result.status == RunStatus::interrupted) return kInterrupted;
  return written ? kGood : kBadInput;
}

}  // namespace

void addSimulate(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("simulate", "Run a model and leave results and a page to look at");
  verb->add_option("FILE", options->file, "Model file")->required();
  addSpaceOption(*verb, options->space);
  verb->add_option("--until", options->until, "End of the run in seconds");
  verb->add_option("--output-step", options->output_step, "Time between recorded samples in seconds");
  verb->add_option("--out", options->out, "Folder for the results")->capture_default_str();
  verb->add_flag("--no-page", options->no_page, "Write no page");
  verb->add_flag("--json", options->json, "Print the ledger as JSON");
  options->method.add(*verb);
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace linkwork::app
