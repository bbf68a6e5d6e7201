#include "summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "colour.hpp"
#include "linkwork/codegen/text_table.hpp"
#include "linkwork/result/summary.hpp"
#include "output.hpp"
#include "terminal.hpp"

namespace linkwork::app {

namespace {

constexpr std::size_t kMostJoints = 12;

void printGrades(const Result& result, std::string_view analysis, const Terminal& terminal) {
  const std::string status = fmt::format("{}: {}{}{}{}", result.name, analysis, analysis.empty() ? "" : " ",
                                         wordFor(result.status), result.message.empty() ? "" : ": " + result.message);
  printOut("{}\n", wrapped(status, 0, 2, terminal));
  constexpr std::size_t kText = 17;
  for (const LedgerLine& line : ledgerLines(result))
    printOut("  {:<8} {} {}\n", line.label, painted(fmt::format("{:<5}", wordFor(line.grade)), line.grade),
             wrapped(line.sentence, kText, kText, terminal));
  if (const Setting* chosen = findSetting(result.settings, "chosen automatically"))
    printOut("  {:<8} {:<5} {}\n", "Method", "auto", wrapped(chosen->text() + ".", kText, kText, terminal));
  for (const EventRecord& event : result.events) printOut("  event    {} at t = {:.9g} s\n", event.name, event.time);
}

std::string peakText(const LoadPeak& peak, const char* unit) {
  return fmt::format("{:.4g} {}{}", peak.size, unit, peak.unique ? "" : ", not unique");
}

// Those with the greatest forces where there are many.
void printLoads(const Result& result) {
  std::vector<JointPeaks> peaks = jointPeaks(result);
  if (peaks.empty()) return;
  const std::size_t left_out = peaks.size() > kMostJoints ? peaks.size() - kMostJoints : 0;
  if (left_out > 0) {
    std::stable_sort(peaks.begin(), peaks.end(),
                     [](const JointPeaks& a, const JointPeaks& b) { return a.force.size > b.force.size; });
    peaks.resize(kMostJoints);
  }
  const bool moments =
      std::any_of(peaks.begin(), peaks.end(), [](const JointPeaks& p) { return p.moment.has_value(); });
  TextTable table{{"joint", "largest force", "at t [s]"}};
  if (moments) table.front().insert(table.front().end(), {"largest moment", "at t [s]"});
  for (const JointPeaks& joint : peaks) {
    table.push_back({joint.joint, peakText(joint.force, "N"), fmt::format("{:.6g}", joint.force.time)});
    if (!joint.moment) continue;
    table.back().push_back(peakText(*joint.moment, "N*m"));
    table.back().push_back(fmt::format("{:.6g}", joint.moment->time));
  }
  printOut("\n");
  for (std::string& line : alignedLines(table, Align::left)) printOut("  {}\n", withoutTrailingSpaces(std::move(line)));
  if (left_out > 0) printOut("  and {} more joints with smaller forces\n", left_out);
}

// "  O.angle       ▁▂▄▆█▆▄▂▁  0.52 to 6.8 rad", as wide as the terminal.
void printSparks(const Result& result, const Terminal& terminal) {
  if (result.time.size() < 2) return;
  struct Line {
    std::string name, range;
    const Series* series;
    SparkOf what;
  };
  std::vector<Line> lines;
  if (const Series* series = tellingCoordinate(result)) {
    const auto [least, most] = std::minmax_element(series->values.begin(), series->values.end());
    lines.push_back(
        {series->name, fmt::format("{:.4g} to {:.4g} {}", *least, *most, series->unit), series, SparkOf::values});
  }
  if (const Series* series = result.find("energy.balance"))
    lines.push_back({"energy error", fmt::format("up to {:.2g} {}", result.ledger.worst_energy_balance, series->unit),
                     series, SparkOf::sizes});
  std::size_t name = 0;
  std::size_t range = 0;
  for (const Line& line : lines) {
    name = std::max(name, columnsOf(line.name));
    range = std::max(range, columnsOf(line.range));
  }
  constexpr std::size_t kLongest = 60;
  const std::size_t taken = 2 + name + 2 + 2 + range;
  if (lines.empty() || terminal.width < taken + 8) return;  // no room for a course
  printOut("\n");
  const Sparks letters = terminal.utf8 ? Sparks::blocks : Sparks::ascii;
  for (const Line& line : lines) {
    const std::string course =
        sparkline(line.series->values, std::min(kLongest, terminal.width - taken), letters, line.what);
    printOut("  {}{}  {}  {}\n", line.name, std::string(name - columnsOf(line.name), ' '), course, line.range);
  }
}

}  // namespace

void printSummary(const Result& result, std::string_view analysis) {
  const Terminal terminal = app::terminal();
  printGrades(result, analysis, terminal);
  printLoads(result);
  printSparks(result, terminal);
  printOut("\n");
  for (const auto& [key, value] : ledgerTable(result.ledger))
    printOut("  {:<52} {}\n", key, wrapped(value, 55, 55, terminal));
}

}  // namespace linkwork::app
