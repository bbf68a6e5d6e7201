#include "linkwork/files/compare_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/study/compare_table.hpp"
#include "linkwork/study/compare_words.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json perAspect(const PerAspect<T>& values) {
  Json out;
  for (const Aspect aspect : kAspects) out[std::string(wordFor(aspect))] = values[aspect];
  return out;
}

Json differencesJson(const Differences& differences) {
  Json out;
  for (const Aspect aspect : kAspects) {
    const Difference& greatest = differences.greatest[aspect];
    out[std::string(wordFor(aspect))] = {{"relative", greatest.relative}, {"absolute", greatest.absolute},
                                         {"unit", greatest.unit},         {"series", greatest.series},
                                         {"time", greatest.time},         {"compared", differences.compared[aspect]}};
  }
  return out;
}

Json runJson(const Comparison& comparison, std::size_t k) {
  const ComparedRun& run = comparison.runs[k];
  Json out{{"label", run.label},
           {"formulation", run.method.formulation},
           {"stabilisation", run.method.stabilisation},
           {"integrator", run.method.integrator},
           {"lifted", run.method.lifted},
           {"applies", run.applies()}};
  if (!run.applies()) {
    out["reason"] = run.problem;
    return out;
  }
  const Ledger& ledger = run.result.ledger;
  out["status"] = wordFor(run.result.status);
  if (!run.result.message.empty()) out["message"] = run.result.message;
  out["reached"] = run.reached();
  out["settings"] = jsonSettings(ownSettings(comparison, run));
  if (k != comparison.reference && run.comparable()) {
    out["difference"] = differencesJson(run.difference);
    out["worst"] = run.difference.worst();
    if (const auto& parting = run.difference.parting)
      out["parts"] = {{"time", parting->time},
                      {"kind", parting->kind},
                      {"name", parting->place},
                      {"series", parting->series},
                      {"relative", parting->relative}};
    if (const auto& endings = run.difference.endings)
      out["ends"] = {{"time", endings->other}, {"reference", endings->reference}, {"relative", endings->relative}};
    out["not_compared"] = run.difference.left_out;
  }
  out["drift"] = {{"position", ledger.worst_position},
                  {"velocity", ledger.worst_velocity},
                  {"acceleration", ledger.worst_acceleration}};
  out["energy_balance"] = ledger.worst_energy_balance;
  out["evaluations"] = ledger.evaluations;
  out["steps"] = ledger.steps;
  out["refused"] = ledger.rejected;
  if (run.cost) out["operations"] = {{"counted", run.cost->count.total()}, {"loop_rows", run.cost->loop_rows}};
  out["seconds"] = run.seconds;
  return out;
}

Json convergenceJson(const Convergence& convergence) {
  Json out{{"settled", convergence.settled()}, {"words", wordsFor(convergence)}, {"best", convergence.best}};
  if (!convergence.stopped.empty()) out["stopped"] = convergence.stopped;
  if (convergence.levels.size() > 1) out["digits"] = perAspect(convergence.digits);
  for (const ConvergenceLevel& level : convergence.levels) {
    Json entry = Json::object();
    if (level.rtol > 0.0) entry = {{"rtol", level.rtol}, {"atol", level.atol}};
    if (level.step > 0.0) entry["step"] = level.step;
    entry["spread"] = perAspect(level.spread);
    entry["change"] = perAspect(level.change);
    entry["ends"] = level.ends;
    entry["evaluations"] = level.evaluations;
    entry["seconds"] = level.seconds;
    out["levels"].push_back(std::move(entry));
  }
  return out;
}

std::string markdownCell(std::string text) {
  for (std::size_t k = 0; (k = text.find('|', k)) != std::string::npos; k += 2) text.insert(k, 1, '\\');
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string markdownTable(const TextTable& table) {
  std::string out;
  for (std::size_t row = 0; row < table.size(); ++row) {
    out += '|';
    for (const std::string& cell : table[row]) out += fmt::format(" {} |", markdownCell(cell));
    out += '\n';
    if (row > 0) continue;
    out += '|';
    for (std::size_t k = 0; k < table[row].size(); ++k) out += "---|";
    out += '\n';
  }
  return out;
}

}  // namespace

std::string compareJson(const CompareReport& report) {
  const Comparison& comparison = *report.comparison;
  Json out{{"format", "linkwork-comparison"}, {"version", 1}, {"name", report.name}};
  out["verdict"] = verdictOf(comparison);
  out["within"] = comparison.within;
  const std::optional<double> worst = comparison.worst();
  out["worst"] = worst ? Json(*worst) : Json();
  const std::optional<bool> agree = comparison.agree();
  out["agree"] = agree ? Json(*agree) : Json();
  out["interrupted"] = comparison.interrupted;
  out["reference"] = comparison.reference ? Json(comparison.runs[*comparison.reference].label) : Json();
  for (std::size_t k = 0; k < comparison.runs.size(); ++k) out["runs"].push_back(runJson(comparison, k));
  if (report.convergence != nullptr) out["convergence"] = convergenceJson(*report.convergence);
  out["settings"] = jsonSettings(commonSettings(comparison));
  out["provenance"] = jsonSettings(provenanceOf(comparison));
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string compareMarkdown(const CompareReport& report) {
  const Comparison& comparison = *report.comparison;
  std::string out = fmt::format("# Comparison of methods: {}\n\n{}\n", report.name, verdictOf(comparison));
  if (report.convergence != nullptr) out += fmt::format("\n{}\n", wordsFor(*report.convergence));
  out += fmt::format("\nGreatest differences from the reference, relative; runs part where one exceeds {:.2g}.\n\n{}",
                     comparison.within, markdownTable(differenceTable(comparison)));
  out += fmt::format("\nEach run by itself; drift: norms of the constraint equations in m and rad.\n\n{}",
                     markdownTable(effortTable(comparison)));
  if (report.convergence != nullptr)
    out += fmt::format("\nConvergence: estimates of the relative error.\n\n{}",
                       markdownTable(convergenceTable(*report.convergence)));
  std::string refused;
  for (const std::string& reason : reasonsOf(comparison.runs)) refused += fmt::format("- {}\n", reason);
  if (!refused.empty()) out += fmt::format("\nDo not apply:\n\n{}", refused);
  TextTable settings{{"setting", "value"}};
  for (const auto& list : {provenanceOf(comparison), commonSettings(comparison)}) {
    for (const Setting& setting : list) settings.push_back({setting.name, setting.text()});
  }
  out += fmt::format("\nVersions and settings of all runs:\n\n{}", markdownTable(settings));
  if (const TextTable own = ownSettingsTable(comparison); own.size() > 1)
    out += fmt::format("\nSettings that not all runs share:\n\n{}", markdownTable(own));
  return out;
}

std::string writeCompareCsv(const CompareReport& report, const std::string& path) {
  const Comparison& comparison = *report.comparison;
  return writeAtomically(path, [&](std::ostream& out) {
    out << "# Linkwork comparison: relative differences from the reference";
    if (comparison.reference) out << ": " << comparison.runs[*comparison.reference].label;
    out << "\ntime [s]";
    std::vector<const ComparedRun*> runs;
    const std::vector<double>* time = nullptr;
    for (const ComparedRun& run : comparison.runs) {
      if (!run.comparable()) continue;
      runs.push_back(&run);
      for (const Aspect aspect : kAspects) out << ',' << run.label << '.' << wordFor(aspect);
      out << ',' << run.label << ".drift [m]";
      if (time == nullptr || run.result.time.size() > time->size()) time = &run.result.time;
    }
    out << '\n';
    for (std::size_t k = 0; time != nullptr && k < time->size(); ++k) {
      out << fmt::format("{}", (*time)[k]);
      for (const ComparedRun* run : runs) {
        for (const Aspect aspect : kAspects) {
          const std::vector<double>& values = run->difference.over_time[aspect];
          out << (k < values.size() ? fmt::format(",{}", values[k]) : ",");
        }
        const std::vector<double>& drift = run->result.find("violation.position")->values;
        out << (k < drift.size() ? fmt::format(",{}", drift[k]) : ",");
      }
      out << '\n';
    }
  });
}

std::string writeCompareText(const std::string& text, const std::string& path) {
  return writeAtomically(path, [&](std::ostream& out) { out << text; });
}

}  // namespace linkwork
