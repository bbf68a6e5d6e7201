#include "result_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <filesystem>

#include "linkwork/io/hdf5_file.hpp"
#include "linkwork/io/page.hpp"
#include "linkwork/io/result_file.hpp"
#ifdef LINKWORK_HAS_PAGE
#include "page_template.hpp"
#endif

namespace linkwork::app {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

void onInterrupt(int /*signal*/) { interrupt_requested = 1; }

}  // namespace

bool interruptRequested() {
  static const bool installed = [] {
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    return true;
  }();
  return installed && interrupt_requested != 0;
}

std::string resultBase(const std::string& folder, const std::string& model_file) {
  return (std::filesystem::path(folder) / std::filesystem::path(model_file).stem()).string();
}

void printLedger(const Result& result) {
  fmt::print("{}: {}{}\n", result.name, wordFor(result.status), result.message.empty() ? "" : ": " + result.message);
  for (const LedgerLine& line : ledgerLines(result))
    fmt::print("  {:<8} {:<5} {}\n", line.label, wordFor(line.grade), line.sentence);
  for (const EventRecord& event : result.events) fmt::print("  event    {} at t = {:.9g} s\n", event.name, event.time);
  fmt::print("\n");
  for (const auto& [key, value] : ledgerTable(result.ledger)) fmt::print("  {:<52} {}\n", key, value);
}

bool writeFiles(const Mechanism& mechanism, const Result& result, const Diagnostics& diagnostics,
                const ResultFiles& files) {
  const std::string& base = files.base;
  std::vector<std::string> written;
  bool good = true;
  const auto report = [&](const std::string& problem, const std::string& path) {
    written.push_back(path);
    if (problem.empty()) return;
    fmt::print(stderr, "linkwork: error: {}\n", problem);
    good = false;
  };
  if (files.csv) {
    report(writeCsv(result, base + ".csv"), base + ".csv");
    if (!result.loads.empty()) report(writeLoadsCsv(result, base + "_loads.csv"), base + "_loads.csv");
  }
  if (files.hdf5) report(writeHdf5(result, base + ".h5"), base + ".h5");
  report(writeLedgerJson(result, base + ".json"), base + ".json");
  std::string page;
#ifdef LINKWORK_HAS_PAGE
  if (files.page) {
    std::vector<std::string> warnings;
    for (const Diagnostic& finding : diagnostics.all()) {
      if (finding.severity == Severity::warning) warnings.push_back(format(finding));
    }
    page = base + ".html";
    report(writePage(pageTemplate(), pageData(mechanism, result, warnings), page), page);
    written.pop_back();
  }
#else
  (void)mechanism;
  (void)diagnostics;
#endif
  if (good && !files.quiet) {
    fmt::print("\nresults  {}\n", fmt::join(written, ", "));
    if (!page.empty()) fmt::print("page     {}\n", std::filesystem::absolute(page).string());
  }
  return good;
}

}  // namespace linkwork::app
