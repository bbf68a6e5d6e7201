#include "linkwork/io/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "linkwork/io/atomic_file.hpp"

namespace linkwork {

namespace {

// A header cell: quoted when it holds what would end it.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string oneLine(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

nlohmann::ordered_json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [key, value] : list) out[key] = value;
  return out;
}

}  // namespace

std::string writeCsv(const Result& result, const std::string& path) {
  return writeAtomically(path, [&](std::ostream& out) {
    out << "# Linkwork result: " << oneLine(result.name) << "\n# status: " << wordFor(result.status);
    if (!result.message.empty()) out << " (" << oneLine(result.message) << ")";
    out << '\n';
    for (const auto* list : {&result.settings, &result.provenance}) {
      for (const auto& [key, value] : *list) out << "# " << oneLine(key) << ": " << oneLine(value) << '\n';
    }
    if (const auto names = seriesNotUnique(result); !names.empty()) {
      out << "# not unique, the least of many that fit: " << oneLine(fmt::format("{}", fmt::join(names, ", "))) << '\n';
    }
    out << "time [s]";
    for (const Series& series : result.series) {
      out << ',' << cell(series.unit.empty() ? series.name : fmt::format("{} [{}]", series.name, series.unit));
    }
    out << '\n';
    fmt::memory_buffer line;
    for (std::size_t k = 0; k < result.time.size(); ++k) {
      line.clear();
      fmt::format_to(std::back_inserter(line), "{}", result.time[k]);
      for (const Series& series : result.series) fmt::format_to(std::back_inserter(line), ",{}", series.values[k]);
      line.push_back('\n');
      out.write(line.data(), static_cast<std::streamsize>(line.size()));
    }
  });
}

std::string ledgerJson(const Result& result) {
  const Ledger& l = result.ledger;
  nlohmann::ordered_json out;
  out["format"] = "linkwork-result";
  out["version"] = 1;
  out["name"] = result.name;
  out["status"] = wordFor(result.status);
  out["message"] = result.message;
  out["settings"] = pairs(result.settings);
  out["provenance"] = pairs(result.provenance);
  out["samples"] = result.time.size();
  out["events"] = nlohmann::ordered_json::array();
  for (const EventRecord& event : result.events) out["events"].push_back({{"name", event.name}, {"time", event.time}});
  auto& ledger = out["ledger"];
  ledger["violation"] = {{"position", l.worst_position},
                         {"velocity", l.worst_velocity},
                         {"acceleration", l.worst_acceleration},
                         {"position_at_end", l.final_position}};
  ledger["energy"] = {{"worst_balance", l.worst_energy_balance}, {"exchanged", l.energy_scale}};
  ledger["rank"] = {{"rows", l.rows},
                    {"rank", l.rank},
                    {"degrees_of_freedom", l.degrees_of_freedom},
                    {"smallest_relative_pivot", l.smallest_pivot},
                    {"nearest_row", l.nearest_row},
                    {"dependent_rows", l.dependent_rows},
                    {"joints_with_reactions_not_unique", l.joints_not_unique},
                    {"redundant", l.rows - l.rank},
                    {"reaction_length", l.reaction_length},
                    {"series_not_unique", seriesNotUnique(result)}};
  ledger["rank"]["changes"] = nlohmann::ordered_json::array();
  for (const RankChange& change : l.rank_changes)
    ledger["rank"]["changes"].push_back(
        {{"time", change.time}, {"rank", change.rank}, {"lasts", change.lasts}, {"joints", change.joints}});
  ledger["outputs_without_value"] = nlohmann::ordered_json::array();
  for (const OutputGap& gap : l.output_gaps)
    ledger["outputs_without_value"].push_back({{"name", gap.name}, {"time", gap.time}});
  ledger["steps"] = {{"accepted", l.steps},
                     {"refused", l.rejected},
                     {"evaluations", l.evaluations},
                     {"projection_solves", l.projection_solves},
                     {"output_evaluations", l.output_evaluations},
                     {"smallest", l.smallest_step},
                     {"largest", l.largest_step}};
  ledger["worst_linear_residual"] = l.worst_linear_residual;
  ledger["reference_length"] = l.reference_length;
  for (const LedgerLine& line : ledgerLines(result)) ledger["grades"][line.id] = wordFor(line.grade);
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string writeLedgerJson(const Result& result, const std::string& path) {
  return writeAtomically(path, [&](std::ostream& out) { out << ledgerJson(result) << '\n'; });
}

}  // namespace linkwork
