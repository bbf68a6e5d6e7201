#include "linkwork/files/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/result/chunk_log.hpp"

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

void writeHead(const Result& result, const char* what, std::ostream& out) {
  out << "# " << what << ": " << oneLine(result.name) << "\n# status: " << wordFor(result.status);
  if (!result.message.empty()) out << " (" << oneLine(result.message) << ")";
  out << '\n';
  for (const auto* list : {&result.settings, &result.provenance}) {
    for (const Setting& setting : *list)
      out << "# " << oneLine(setting.name) << ": " << oneLine(setting.text()) << '\n';
  }
}

// Components that are one of many that fit: "force.x force.y"; empty where all are unique.
std::string notUnique(const JointLoad& load) {
  std::string out;
  for (const bool moment : {false, true}) {
    for (std::size_t k = 0; k < 3; ++k) {
      if ((moment ? load.moment_unique : load.force_unique)[k]) continue;
      out += fmt::format("{}{}.{}", out.empty() ? "" : " ", moment ? "moment" : "force", "xyz"[k]);
    }
  }
  return out;
}

}  // namespace

std::string columnHead(const Series& series) {
  return series.unit.empty() ? series.name : fmt::format("{} [{}]", series.name, series.unit);
}

std::string seriesChecksum(const Result& result) {
  std::uint64_t hash = fnv1a64({});
  const auto add = [&](const std::vector<double>& values) {
    for (const double value : values) {
      const auto bytes = std::bit_cast<std::array<char, sizeof(double)>>(value);
      hash = fnv1a64({bytes.data(), bytes.size()}, hash);
    }
  };
  add(result.time);
  for (const Series& series : result.series) add(series.values);
  return fmt::format("fnv1a64:{:016x}", hash);
}

std::string writeCsv(const Result& result, const std::string& path) {
  return writeAtomically(path, [&](std::ostream& out) {
    writeHead(result, "Linkwork result", out);
    if (const auto names = seriesNotUnique(result); !names.empty()) {
      out << "# not unique, the least of many that fit: " << oneLine(fmt::format("{}", fmt::join(names, ", "))) << '\n';
    }
    out << "time [s]";
    for (const Series& series : result.series) {
      out << ',' << cell(columnHead(series));
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

std::string writeLoadsCsv(const Result& result, const std::string& path) {
  return writeAtomically(path, [&](std::ostream& out) {
    writeHead(result, "Linkwork load table", out);
    out << "# on BODY by JOINT, moments about the joint's point on that body; extremes over the samples\n"
        << "joint,body,end,axes,quantity,extreme,time [s],force.x [N],force.y [N],force.z [N],moment.x [N*m],"
           "moment.y [N*m],moment.z [N*m],force [N],moment [N*m],not unique\n";
    for (const LoadCase& row : result.loads) {
      const auto& f = row.load.force;
      const auto& m = row.load.moment;
      out << fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", cell(row.joint), cell(row.body),
                         row.end == LoadEnd::second ? "second" : "first",
                         row.axes == LoadAxes::ground ? "ground" : "body", row.quantity,
                         row.extreme == Extreme::least ? "min" : "max", row.time, f[0], f[1], f[2], m[0], m[1], m[2],
                         std::hypot(f[0], f[1], f[2]), std::hypot(m[0], m[1], m[2]), notUnique(row.load));
    }
  });
}

std::string ledgerJson(const Result& result) {
  const Ledger& l = result.ledger;
  nlohmann::ordered_json out;
  out["format"] = "linkwork-result";
  out["version"] = kResultVersion;
  out["name"] = result.name;
  out["status"] = wordFor(result.status);
  out["message"] = result.message;
  out["settings"] = jsonSettings(result.settings);
  out["provenance"] = jsonSettings(result.provenance);
  out["samples"] = result.time.size();
  out["events"] = nlohmann::ordered_json::array();
  for (const EventRecord& event : result.events) out["events"].push_back({{"name", event.name}, {"time", event.time}});
  auto& ledger = out["ledger"];
  ledger["violation"] = {{"position", l.worst_position},
                         {"velocity", l.worst_velocity},
                         {"acceleration", l.worst_acceleration},
                         {"position_at_end", l.final_position}};
  ledger["energy"] = {
      {"worst_balance", l.worst_energy_balance}, {"exchanged", l.energy_scale}, {"possible", l.possible_energy}};
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
  if (l.position_degrees_of_freedom != l.degrees_of_freedom) {
    ledger["rank"]["degrees_of_freedom_of_positions"] = l.position_degrees_of_freedom;
  }
  if (l.turned > 0.0) ledger["rank"]["turned"] = l.turned;
  ledger["rank"]["changes"] = nlohmann::ordered_json::array();
  for (const RankChange& change : l.rank_changes)
    ledger["rank"]["changes"].push_back({{"time", change.time},
                                         {"rank", change.rank},
                                         {"lasts", change.lasts},
                                         {"joints", change.joints},
                                         {"passed_over", change.passed_over}});
  ledger["outputs_without_value"] = nlohmann::ordered_json::array();
  for (const OutputGap& gap : l.output_gaps)
    ledger["outputs_without_value"].push_back({{"name", gap.name}, {"time", gap.time}});
  for (const LiftOff& lift : l.lift_offs) ledger["lift_offs"].push_back({{"joint", lift.joint}, {"time", lift.time}});
  for (const SpringJoint& joint : l.spring_joints)
    ledger["spring_joints"].push_back({{"joint", joint.joint},
                                       {"origin", joint.origin},
                                       {"stiffness", joint.stiffness},
                                       {"rotational_stiffness", joint.rotational_stiffness},
                                       {"frequency", joint.frequency},
                                       {"step_times_frequency", joint.frequency * l.largest_step},
                                       {"greatest_gap", joint.greatest_gap},
                                       {"greatest_gap_at", joint.gap_at},
                                       {"greatest_angle", joint.greatest_angle},
                                       {"greatest_force", joint.greatest_force},
                                       {"greatest_moment", joint.greatest_moment},
                                       {"greatest_energy", joint.greatest_energy},
                                       {"ringing", joint.ringing},
                                       {"ringing_at", joint.ringing_at}});
  ledger["steps"] = {{"accepted", l.steps},
                     {"refused", l.rejected},
                     {"stiff", l.stiff_steps},
                     {"evaluations", l.evaluations},
                     {"projection_solves", l.projection_solves},
                     {"penalty_iterations", l.penalty_iterations},
                     {"repartitions", l.repartitions},
                     {"output_evaluations", l.output_evaluations},
                     {"restarts", l.restarts},
                     {"smallest", l.smallest_step},
                     {"largest", l.largest_step}};
  if (l.jumps > 0) ledger["jumps"] = {{"count", l.jumps}, {"energy", l.jump_energy}};
  if (l.retaken > 0) ledger["steps"]["retaken"] = l.retaken;
  for (const MissedSpike& spike : l.missed_spikes)
    ledger["steps"]["missed"].push_back({{"time", spike.time}, {"body", spike.body}, {"step_to_try", spike.step}});
  for (const LooseBound& loose : l.loose_bounds)
    ledger["steps"]["not_looked_through"].push_back(
        {{"owner", loose.owner}, {"from", loose.from}, {"to", loose.to}, {"longest_step", loose.step}});
  ledger["worst_linear_residual"] = l.worst_linear_residual;
  ledger["reference_length"] = l.reference_length;
  for (const LedgerLine& line : ledgerLines(result)) ledger["grades"][line.id] = wordFor(line.grade);
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string writeLedgerJson(const Result& result, const std::string& page_outline, const std::string& path) {
  std::string text = ledgerJson(result);
  if (!page_outline.empty()) {
    text.resize(text.size() - 2);  // the end of the line and of the object
    text += fmt::format(",\n  \"series_checksum\": \"{}\",\n  \"page\": {}\n}}", seriesChecksum(result), page_outline);
  }
  return writeAtomically(path, [&](std::ostream& out) { out << text << '\n'; });
}

}  // namespace linkwork
