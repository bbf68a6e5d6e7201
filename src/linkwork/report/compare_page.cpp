#include "linkwork/report/compare_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linkwork/report/page.hpp"
#include "linkwork/report/page_parts.hpp"
#include "linkwork/study/compare_table.hpp"
#include "linkwork/study/compare_words.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDrift = "drift";

std::string seriesName(const ComparedRun& run, std::string_view what) { return fmt::format("{}: {}", run.label, what); }

// As many values as there are samples at the same times. Grouped by what they are: a legend then names the runs alone.
void addSeries(const ComparedRun& run, std::string_view what, const char* unit, std::vector<double> values,
               Result& result) {
  values.resize(std::min(values.size(), result.time.size()));
  result.series.push_back({seriesName(run, what), unit, std::string(what), run.label, std::move(values)});
}

// The reference's result with the differences and the drift of all runs behind its own series.
Result withDifferences(const Comparison& comparison) {
  if (!comparison.reference) return {};
  Result result = comparison.runs[*comparison.reference].result;
  for (std::size_t k = 0; k < comparison.runs.size(); ++k) {
    const ComparedRun& run = comparison.runs[k];
    if (!run.comparable()) continue;
    if (k != *comparison.reference) {
      for (const Aspect aspect : kAspects) {
        if (run.difference.compared[aspect] > 0)
          addSeries(run, wordFor(aspect), "", run.difference.over_time[aspect], result);
      }
    }
    if (const Series* drift = run.result.find("violation.position")) addSeries(run, kDrift, "m", drift->values, result);
  }
  return result;
}

// A plot for each aspect and one for the drift, with a curve for each run.
Json plotsJson(const Comparison& comparison, const Result& result) {
  Json out = Json::array();
  const auto add = [&](std::string_view what, const std::string& title) {
    Json names = Json::array();
    for (const ComparedRun& run : comparison.runs) {
      const std::string name = seriesName(run, what);
      if (run.comparable() && result.find(name) != nullptr) names.push_back(name);
    }
    if (!names.empty()) out.push_back({{"title", title}, {"series", std::move(names)}, {"log", true}});
  };
  for (const Aspect aspect : kAspects)
    add(wordFor(aspect), fmt::format("Difference in the {}, relative", wordFor(aspect)));
  add(kDrift, "Drift: norm of the constraint equations");
  return out;
}

Json partingsJson(const Comparison& comparison) {
  Json out = Json::array();
  for (const ComparedRun& run : comparison.runs) {
    if (!run.comparable() || !run.difference.parting) continue;
    const Parting& parting = *run.difference.parting;
    out.push_back({{"run", run.label},
                   {"time", parting.time},
                   {"kind", parting.kind},
                   {"name", parting.place},
                   {"series", parting.series},
                   {"relative", parting.relative}});
  }
  return out;
}

}  // namespace

std::string comparePageData(const CompareReport& report, const Mechanism& mechanism,
                            const std::vector<std::string>& warnings) {
  const Comparison& comparison = *report.comparison;
  const Result result = withDifferences(comparison);
  Json out = Json::parse(pageOutline(mechanism, result, warnings));
  out["title"] = fmt::format("{}: comparison of methods", report.name);
  out["start"] = "comparison";
  // Runs that stopped early have fewer values.
  for (Json& series : out["series"]) {
    const Series* found = result.find(series["name"].get<std::string>());
    if (found != nullptr && found->values.size() < result.time.size()) series["partial"] = true;
  }
  Json& part = out["comparison"];
  part["verdict"] = Json::array({verdictOf(comparison)});
  if (report.convergence != nullptr) part["verdict"].push_back(wordsFor(*report.convergence));
  part["within"] = comparison.within;
  part["reference"] = comparison.reference ? Json(comparison.runs[*comparison.reference].label) : Json();
  part["partings"] = partingsJson(comparison);
  part["plots"] = plotsJson(comparison, result);
  part["refused"] = reasonsOf(comparison.runs);
  part["tables"] =
      Json::array({tableJson("Greatest differences from the reference",
                             fmt::format("Relative; runs part where one exceeds {:.2g}.", comparison.within),
                             differenceTable(comparison)),
                   tableJson("Each run by itself", "Drift: norms of the constraint equations in m and rad.",
                             effortTable(comparison))});
  if (report.convergence != nullptr)
    part["tables"].push_back(
        tableJson("Convergence", "Estimates of the relative error.", convergenceTable(*report.convergence)));
  if (const TextTable own = ownSettingsTable(comparison); own.size() > 1)
    part["tables"].push_back(tableJson("Settings of single runs", "Those that not all runs share.", own));
  return pageData(out.dump(-1, ' ', false, Json::error_handler_t::replace), result);
}

}  // namespace linkwork
