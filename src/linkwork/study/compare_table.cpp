#include "linkwork/study/compare_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "linkwork/study/compare_words.hpp"

namespace linkwork {

namespace {

// What the label of a run and its row say already.
constexpr std::array<std::string_view, 4> kOfTheMethod{"formulation", "stabilisation", "integrator", "space"};

std::string number(double value) { return fmt::format("{:.2g}", value); }

std::vector<std::string> differenceRow(const Comparison& comparison, std::size_t k) {
  const ComparedRun& run = comparison.runs[k];
  std::vector<std::string> row{run.label};
  for (const Aspect aspect : kAspects) {
    const bool nothing = k == comparison.reference || run.difference.compared[aspect] == 0;
    row.push_back(nothing ? "-" : number(run.difference.greatest[aspect].relative));
  }
  if (k == comparison.reference) {
    row.emplace_back("reference");
  } else if (const std::optional<Parting>& parting = run.difference.parting) {
    row.push_back(
        fmt::format("t = {:.4g} s, {} {} ({})", parting->time, parting->kind, parting->place, parting->series));
  } else if (endsApart(comparison, run)) {
    const Endings& endings = *run.difference.endings;
    row.push_back(fmt::format("t = {:.9g} s, the end (reference: {:.9g} s)", endings.other, endings.reference));
  } else {
    row.emplace_back(run.comparable() ? "nowhere" : "-");
  }
  return row;
}

std::string operations(const std::optional<EvaluationCost>& cost) {
  if (!cost) return "-";
  return fmt::format("{}{}", cost->count.total(),
                     cost->loop_rows > 0 ? fmt::format(" + {} rows", cost->loop_rows) : std::string());
}

}  // namespace

TextTable differenceTable(const Comparison& comparison) {
  TextTable out{{"run"}};
  for (const Aspect aspect : kAspects) out.front().emplace_back(wordFor(aspect));
  out.front().emplace_back("parts at");
  for (std::size_t k = 0; k < comparison.runs.size(); ++k) {
    if (comparison.runs[k].applies()) out.push_back(differenceRow(comparison, k));
  }
  return out;
}

TextTable effortTable(const Comparison& comparison) {
  TextTable out{{"run", "reached", "drift: positions", "velocities", "accelerations", "energy balance", "evaluations",
                 "steps", "refused", "operations", "time"}};
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    const Ledger& ledger = run.result.ledger;
    const std::string status =
        run.result.status == RunStatus::complete ? "" : fmt::format(", {}", wordFor(run.result.status));
    out.push_back({run.label, fmt::format("{:.4g} s{}", run.reached(), status), number(ledger.worst_position),
                   number(ledger.worst_velocity), number(ledger.worst_acceleration),
                   fmt::format("{:.2g} J", ledger.worst_energy_balance), fmt::format("{}", ledger.evaluations),
                   fmt::format("{}", ledger.steps), fmt::format("{}", ledger.rejected), operations(run.cost),
                   fmt::format("{:.2g} s", run.seconds)});
  }
  return out;
}

TextTable convergenceTable(const Convergence& convergence) {
  const auto any = [&](double ConvergenceLevel::*number) {
    return std::any_of(convergence.levels.begin(), convergence.levels.end(),
                       [&](const ConvergenceLevel& level) { return level.*number > 0.0; });
  };
  const bool chosen = any(&ConvergenceLevel::rtol);
  const bool fixed = any(&ConvergenceLevel::step);
  const bool ends = any(&ConvergenceLevel::ends);
  TextTable out{{}};
  if (chosen) out.front().emplace_back("rtol");
  if (fixed) out.front().emplace_back("step");
  for (const Aspect aspect : kAspects) out.front().emplace_back(wordFor(aspect));
  if (ends) out.front().emplace_back("end");
  for (const char* head : {"spread", "change", "evaluations", "time"}) out.front().emplace_back(head);
  const auto greatest = [](const PerAspect<double>& all) {
    return *std::max_element(all.values.begin(), all.values.end());
  };
  for (std::size_t k = 0; k < convergence.levels.size(); ++k) {
    const ConvergenceLevel& level = convergence.levels[k];
    std::vector<std::string>& row = out.emplace_back();
    if (chosen) row.push_back(number(level.rtol));
    if (fixed) row.push_back(fmt::format("{:.3g} s", level.step));
    const PerAspect<double> estimate = level.estimate();
    for (const Aspect aspect : kAspects) row.push_back(number(estimate[aspect]));
    if (ends) row.push_back(number(level.ends));
    row.push_back(number(greatest(level.spread)));
    row.push_back(k == 0 ? "-" : number(greatest(level.change)));
    row.push_back(fmt::format("{}", level.evaluations));
    row.push_back(fmt::format("{:.2g} s", level.seconds));
  }
  return out;
}

Settings commonSettings(const Comparison& comparison) {
  Settings out;
  bool first = true;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    const auto& own = run.result.settings;
    if (first) out = own;
    first = false;
    std::erase_if(out, [&](const auto& setting) { return std::find(own.begin(), own.end(), setting) == own.end(); });
  }
  return out;
}

Settings ownSettings(const Comparison& comparison, const ComparedRun& run) {
  Settings out = run.result.settings;
  const Settings common = commonSettings(comparison);
  std::erase_if(out, [&](const auto& setting) {
    const bool of_method = std::find(kOfTheMethod.begin(), kOfTheMethod.end(), setting.name) != kOfTheMethod.end();
    return of_method || std::find(common.begin(), common.end(), setting) != common.end();
  });
  return out;
}

TextTable ownSettingsTable(const Comparison& comparison) {
  TextTable out{{"run", "settings"}};
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    std::string cell;
    for (const Setting& setting : ownSettings(comparison, run))
      cell += fmt::format("{}{} = {}", cell.empty() ? "" : ", ", setting.name, setting.text());
    if (!cell.empty()) out.push_back({run.label, std::move(cell)});
  }
  return out;
}

Settings provenanceOf(const Comparison& comparison) {
  Settings out;
  for (const ComparedRun& run : comparison.runs) {
    for (const auto& entry : run.result.provenance) {
      if (std::find(out.begin(), out.end(), entry) == out.end()) out.push_back(entry);
    }
  }
  return out;
}

}  // namespace linkwork
