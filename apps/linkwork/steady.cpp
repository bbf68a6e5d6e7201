// linkwork steady: a steady motion: what stays as it is, what goes on, what it takes.
#include "linkwork/analyse/steady.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "equations_linear.hpp"
#include "equations_verbs.hpp"
#include "linkwork/analyse/steady_linear.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/simulate/still_result.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "steady_models.hpp"
#include "steady_pages.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

struct Options : SteadyOptions {
  std::string over;
  int points = 11;
  bool json = false;
  std::string page;
};

// What a user sees of a motion: every recorded quantity but those that the state itself does not have.
struct Shown {
  SteadyMotion motion;
  std::vector<double> found;  // the unknown parameters
  Result still;
  std::vector<std::string> families;
};

Shown show(SteadySolver& solver, SteadyMotion motion, std::vector<double> found) {
  Shown out{std::move(motion), std::move(found), {}, {}};
  const SteadyModel& model = solver.model();
  if (!out.motion.absolute.empty()) {
    out.still = stillResult(model.mechanism, model.assembly, solver.time(), out.motion.absolute);
  }
  if (!out.motion.ok) return out;
  const StructuralZeros zeros = countZeros(solver, out.motion);
  out.families = lineariseSteady(solver, out.motion, zeros).families;
  return out;
}

Json seriesJson(const Result& still) {
  Json out = Json::object();
  for (const Series& series : still.series) {
    if (!series.values.empty()) out[series.name] = {{"value", series.values.front()}, {"unit", series.unit}};
  }
  return out;
}

Json toJson(const SteadyModels& models, const Symmetries& symmetries, const Shown& shown) {
  Json out;
  out["steady"] = shown.motion.ok;
  if (!shown.motion.ok) out["problem"] = shown.motion.problem;
  out["residual"] = shown.motion.residual;
  out["remains"] = Json::array();
  for (const Remains& one : shown.motion.remains) {
    out["remains"].push_back({{"name", one.name}, {"amount", one.amount}, {"unit", one.unit}});
  }
  for (std::size_t k = 0; k < shown.found.size(); ++k) out["found"][models.unknown()[k]] = shown.found[k];
  out["nothing_depends_on"] = symmetries.names;
  out["goes_on"] = Json::array();
  for (const GoesOn& going : shown.motion.goes_on) {
    out["goes_on"].push_back({{"name", going.name}, {"rate", going.rate}, {"unit", going.unit}});
  }
  out["axes_turn"] = shown.motion.turning;
  out["free"] = shown.families;
  out["values"] = seriesJson(shown.still);
  return out;
}

void print(const SteadyModels& models, const Symmetries& symmetries, const Shown& shown) {
  if (shown.motion.ok) {
    printOut("{}: a steady motion, accelerations balanced to {:.1e} m/s^2\n", models.mechanism().name,
             shown.motion.residual);
  } else {
    printOut("{}: the nearest motion, which is not what was asked for\n", models.mechanism().name);
  }
  for (const Remains& one : shown.motion.remains) {
    printOut("  remains    {}: {:.6g} {}\n", one.name, one.amount, one.unit);
  }
  for (std::size_t k = 0; k < shown.found.size(); ++k) {
    printOut("  found      {} = {:.12g} {}\n", models.unknown()[k], shown.found[k], models.unitOf(models.unknown()[k]));
  }
  if (shown.motion.goes_on.empty()) printOut("  at rest\n");
  for (const GoesOn& going : shown.motion.goes_on) {
    printOut("  goes on    {}: {:.12g} {}\n", going.name, going.rate, going.unit);
  }
  if (!symmetries.names.empty()) printOut("  nothing depends on {}\n", fmt::join(symmetries.names, ", "));
  if (!shown.families.empty()) {
    printOut("  one of a family: {} may have other values\n", fmt::join(shown.families, ", "));
  }
  printOut("\n");
  for (const Series& series : shown.still.series) {
    if (series.values.empty() || series.name == "t") continue;
    printOut("  {:<28} {:>18.12g} {}\n", series.name, series.values.front(), series.unit);
  }
}

// Curves of what is found and what goes on, from the rows of the table.
std::vector<SteadyCurve> curvesOf(const Json& rows, const std::string& parameter, const SteadyModels& models,
                                  std::vector<double>& at) {
  std::vector<SteadyCurve> out;
  const auto put = [&](const std::string& name, const std::string& unit, double value) {
    auto known = std::find_if(out.begin(), out.end(), [&](const SteadyCurve& curve) { return curve.name == name; });
    if (known == out.end()) known = out.insert(out.end(), {name, unit, {}});
    known->values.resize(at.size() - 1, 0.0);
    known->values.push_back(value);
  };
  for (const Json& row : rows) {
    if (!row["steady"].get<bool>()) continue;
    at.push_back(row[parameter].get<double>());
    for (const std::string& name : models.unknown()) put(name, models.unitOf(name), row["found"][name].get<double>());
    for (const Json& going : row["goes_on"]) {
      put(going["name"].get<std::string>(), going["unit"].get<std::string>(), going["rate"].get<double>());
    }
  }
  // What did not go on at the last values stood still there.
  for (SteadyCurve& curve : out) curve.values.resize(at.size(), 0.0);
  return out;
}

bool writeTablePage(SteadyModels& models, const Options& options, MotionFollower& follower, const Range& range,
                    const Json& rows) {
  SteadyPage page;
  page.title = models.mechanism().name + ": steady motions";
  page.parameter = range.name;
  page.unit = models.unitOf(range.name);
  page.curves = curvesOf(rows, range.name, models, page.at);
  if (page.at.empty()) {
    printErr("linkwork steady: error: no page is written: there is no steady motion to show.\n");
    return false;
  }
  page.sentences.push_back(page.at.size() == rows.size()
                               ? fmt::format("Steady motions at {} values of {}.", rows.size(), range.name)
                               : fmt::format("Steady motions at {} of {} values of {}; at the others there is none.",
                                             page.at.size(), rows.size(), range.name));
  for (const double p : page.at) {
    if (std::optional<SteadyStop> stop = stopAt(models, follower, p)) page.stops.push_back(*std::move(stop));
  }
  const double middle = page.at[page.at.size() / 2];
  return writeSteadyPage("steady", options.page, follower, middle, std::move(page));
}

bool writeMotionPage(SteadyModels& models, const Options& options, MotionFollower& follower, const Shown& shown) {
  SteadyPage page;
  page.title = models.mechanism().name + ": steady motion";
  page.sentences.push_back(fmt::format("A steady motion{}.", shown.motion.goes_on.empty() ? ": rest" : ""));
  if (!shown.families.empty()) {
    page.sentences.push_back(
        fmt::format("One of a family: {} may have other values.", fmt::join(shown.families, ", ")));
  }
  if (std::optional<SteadyStop> stop = stopAt(models, follower, 0.0)) page.stops.push_back(*std::move(stop));
  return writeSteadyPage("steady", options.page, follower, 0.0, std::move(page));
}

int runOver(SteadyModels& models, const Options& options) {
  const std::optional<Range> range = parseRange("steady", models, options.over);
  if (!range) return kBadInput;
  if (options.points < 2) {
    printErr("linkwork steady: error: --points is {}; give at least 2.\n", options.points);
    return kBadInput;
  }
  if (!canBeWritten("steady", {options.page})) return kBadInput;
  MotionFollower follower(models.over(range->name, {}), range->from);
  if (!follower.hasModel()) {
    printErr("{}: error: {} = {:.6g}: {}.\n", models.mechanism().file_name, range->name, range->from,
             follower.problem());
    return kNumericalFailure;
  }
  Json rows = Json::array();
  bool all = true;
  for (int k = 0; k < options.points; ++k) {
    const double p = range->from + (range->to - range->from) * k / (options.points - 1);
    const SteadyMotion motion = follower.motionAt(p);
    all = all && motion.ok;
    const Shown shown = show(follower.solver(), motion, follower.unknown());
    Json row{{range->name, p}};
    row.update(toJson(models, follower.solver().symmetries(), shown));
    rows.push_back(std::move(row));
    if (!motion.ok)
      printErr("{}: error: {} = {:.6g}: {}.\n", models.mechanism().file_name, range->name, p, motion.problem);
  }
  if (!options.page.empty() && !writeTablePage(models, options, follower, *range, rows)) return kBadInput;
  if (options.json) {
    Json out;
    out["model"] = models.mechanism().file_name;
    addParametersSet(models.mechanism(), out);
    out["over"] = range->name;
    out["motions"] = std::move(rows);
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return all ? kGood : kNumericalFailure;
  }
  // A table: what is found and what goes on.
  std::vector<std::string> names;
  for (const Json& row : rows) {
    for (const Json& going : row["goes_on"]) {
      const std::string name = going["name"];
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  printOut("{:>14}", range->name);
  for (const std::string& name : models.unknown()) printOut(" {:>18}", name);
  for (const std::string& name : names) printOut(" {:>{}}", name, std::max<std::size_t>(18, name.size()));
  printOut("\n");
  for (const Json& row : rows) {
    printOut("{:>14.9g}", row[range->name].get<double>());
    if (!row["steady"].get<bool>()) {
      printOut("  none\n");
      continue;
    }
    for (const std::string& name : models.unknown()) printOut(" {:>18.12g}", row["found"][name].get<double>());
    for (const std::string& name : names) {
      double rate = 0.0;
      for (const Json& going : row["goes_on"]) {
        if (going["name"] == name) rate = going["rate"];
      }
      printOut(" {:>{}.12g}", rate, std::max<std::size_t>(18, name.size()));
    }
    printOut("\n");
  }
  return all ? kGood : kNumericalFailure;
}

int run(const Options& options) {
  if (isEquationsFile(options.file)) {
    EquationsSteadyAsked asked{options, {}, options.points, options.json, {}};
    asked.page = options.page;
    if (!canBeWritten("steady", {options.page})) return kBadInput;
    if (!options.over.empty()) asked.over = {options.over};
    return steadyEquations(asked);
  }
  std::optional<SteadyModels> models = SteadyModels::read("steady", options);
  if (!models) return kBadInput;
  if (!options.over.empty()) return runOver(*models, options);
  if (!canBeWritten("steady", {options.page})) return kBadInput;
  MotionFollower follower(models->over("", {}), 0.0);
  if (!follower.problem().empty()) {
    printErr("{}: error: {}.{}{}\n", models->mechanism().file_name, follower.problem(),
             follower.hint().empty() ? "" : " ", follower.hint());
  }
  if (!follower.hasModel()) return kNumericalFailure;
  const SteadyMotion motion = follower.motionAt(0.0);
  // Without a nearest motion there is nothing more to say.
  if (!motion.ok && motion.absolute.empty() && !options.json) return kNumericalFailure;
  const Shown shown = show(follower.solver(), motion, follower.unknown());
  if (options.json) {
    Json out;
    out["model"] = models->mechanism().file_name;
    addParametersSet(models->mechanism(), out);
    out.update(toJson(*models, follower.solver().symmetries(), shown));
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    print(*models, follower.solver().symmetries(), shown);
  }
  if (!motion.ok) return kNumericalFailure;
  return options.page.empty() || writeMotionPage(*models, options, follower, shown) ? kGood : kBadInput;
}

}  // namespace

void addSteady(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("steady", "Steady motions: what stays as it is, what goes on, and what it takes",
                        [options] { return run(*options); });
  options->addFile(verb);
  options->addSpace(verb);
  options->addConditions(verb);
  verb.add("--over", options->over, "A table over a parameter or input, such as speed=1..10, in SI units");
  verb.add("--points", options->points, "Lines of the table").showDefault();
  verb.add("--json", options->json, "As JSON");
  verb.add("--page", options->page, "Write a page with the motion and its modes; with --over, a slider and curves");
}

}  // namespace linkwork::app
