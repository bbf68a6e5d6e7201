#include "result_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/hdf5_file.hpp"
#include "linkwork/files/result_file.hpp"
#include "linkwork/report/page.hpp"
#include "output.hpp"

#ifdef LINKWORK_HAS_PAGE
#include "page_template.hpp"
#endif

namespace linkwork::app {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

// The model file whose results these are to replace, where it is another than theirs; empty: none, or the same.
std::string replacedModel(const std::string& ledger_path, const Result& result) {
  std::ifstream file(ledger_path);
  if (!file) return {};
  const nlohmann::json old = nlohmann::json::parse(file, nullptr, false);  // no exceptions: it may be anything
  const Setting* own_file = findSetting(result.provenance, "model file");
  const Setting* own_hash = findSetting(result.provenance, "model hash");
  if (own_file == nullptr || own_hash == nullptr || !old.is_object() || !old.contains("provenance")) return {};
  const nlohmann::json& from = old["provenance"];
  if (!from.is_object() || from.value("model hash", "") == own_hash->text()) return {};
  std::string other = from.value("model file", "");
  std::error_code error;
  if (other.empty() || other == own_file->text() || std::filesystem::equivalent(other, own_file->text(), error))
    return {};
  return other;
}

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

std::vector<std::string> warningsOf(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity == Severity::warning) out.push_back(format(finding));
  }
  return out;
}

#ifdef LINKWORK_HAS_PAGE
bool hasPage() { return true; }
std::string writePageFile(const std::string& data, const std::string& path) {
  return writePage(pageTemplate(), data, path);
}
#else
bool hasPage() { return false; }
std::string writePageFile(const std::string& /*data*/, const std::string& path) {
  return fmt::format("cannot write {}: this program was built without the page (LINKWORK_PAGE=OFF)", path);
}
#endif

bool canBeWritten(std::string_view verb, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::string problem = path.empty() ? std::string() : writingProblem(path);
    if (problem.empty()) continue;
    printErr("linkwork {}: error: {}\n", verb, problem);
    return false;
  }
  return true;
}

std::vector<std::string> pathsOf(const ResultFiles& files) {
  std::vector<std::string> out{files.base + ".json"};
  if (files.csv) out.insert(out.end(), {files.base + ".csv", files.base + "_loads.csv"});
  if (files.hdf5) out.push_back(files.base + ".h5");
  if (files.page && hasPage()) out.push_back(files.base + ".html");
  return out;
}

bool writeFiles(const Mechanism& mechanism, const Result& result, const Diagnostics& diagnostics,
                const ResultFiles& files) {
  const std::string& base = files.base;
  const std::string replaced = replacedModel(base + ".json", result);
  std::vector<std::string> written;
  bool good = true;
  const auto report = [&](const std::string& problem, const std::string& path) {
    written.push_back(path);
    if (problem.empty()) return;
    printErr("linkwork: error: {}\n", problem);
    good = false;
  };
  if (files.csv) {
    report(writeCsv(result, base + ".csv"), base + ".csv");
    if (!result.loads.empty()) report(writeLoadsCsv(result, base + "_loads.csv"), base + "_loads.csv");
  }
  const bool with_page = files.page && hasPage();
  std::string outline;
  if (files.hdf5 || with_page) outline = pageOutline(mechanism, result, warningsOf(diagnostics));
  if (files.hdf5) report(writeHdf5(result, outline, base + ".h5"), base + ".h5");
  report(writeLedgerJson(result, files.csv && with_page ? outline : std::string(), base + ".json"), base + ".json");
  std::string page;
  if (with_page) {
    page = base + ".html";
    report(writePageFile(pageData(outline, result), page), page);
    written.pop_back();
  }
  if (good && !replaced.empty()) printErr("note: these results replace those of {} in {}.*\n", replaced, base);
  if (good && !files.quiet) {
    printOut("\nresults  {}\n", fmt::join(written, ", "));
    if (!page.empty()) printOut("page     {}\n", std::filesystem::absolute(page).string());
  }
  return good;
}

}  // namespace linkwork::app
