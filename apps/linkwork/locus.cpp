// linkwork locus: eigenvalues of a steady motion over a parameter, and where it is stable.
#include "linkwork/study/locus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>

#include "equations_linear.hpp"
#include "equations_verbs.hpp"
#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/files/locus_file.hpp"
#include "locus_output.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "steady_models.hpp"
#include "steady_pages.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

struct Options : SteadyOptions {
  std::vector<std::string> over;
  std::string out = "out";
  int points = 41;
  bool campbell = false;
  bool json = false;
  std::string page;
};

LocusNames namesFor(MotionFollower& follower, const SteadyModels& models, const Range& range) {
  LocusNames names{range.name, models.unitOf(range.name), {}};
  for (const LinearCoordinate& seen : follower.solver().field().seen()) names.seen.push_back(seen.name);
  return names;
}

void printError(const SteadyModels& models, const std::string& problem, const std::string& hint = {}) {
  printErr("{}: error: {}.{}{}\n", models.mechanism().file_name, problem, hint.empty() ? "" : " ", hint);
}

bool writePage(SteadyModels& models, const Options& options, MotionFollower& follower, const Range& range,
               const Locus& locus, const LocusNames& names) {
  SteadyPage page = locusPage(models.mechanism().name, locus, names);
  std::vector<double> limits;
  for (const StabilityLimit& limit : locus.limits) limits.push_back(limit.at);
  const int modes = static_cast<int>(locus.samples.front().values.size());
  for (const double p : stopValues(models.mechanism(), modes, range.from, range.to, limits)) {
    if (std::optional<SteadyStop> stop = stopAt(models, follower, p)) page.stops.push_back(*std::move(stop));
  }
  return writeSteadyPage("locus", options.page, follower, 0.5 * (range.from + range.to), std::move(page));
}

int runOne(SteadyModels& models, const Options& options, const Range& range) {
  // Symmetries and zeros at a value that is no special one.
  MotionFollower follower(models.over(range.name, {}), range.from + 0.6180339887 * (range.to - range.from));
  if (!follower.problem().empty()) {
    printError(models, follower.problem(), follower.hint());
    return kNumericalFailure;
  }
  LocusOptions locus_options;
  locus_options.from = range.from;
  locus_options.to = range.to;
  locus_options.points = options.points;
  const Locus locus = traceLocus([&](double p) { return follower.sampleAt(p); }, locus_options);
  if (!locus.ok) {
    printError(models, locus.problem);
    return kNumericalFailure;
  }
  const LocusNames names = namesFor(follower, models, range);
  Json json;
  json["model"] = models.mechanism().file_name;
  addParametersSet(models.mechanism(), json);
  json["structural_zeros"] = follower.zeros();
  json["nothing_depends_on"] = follower.solver().symmetries().names;
  json.update(locusJson(locus, names));
  if (options.json) {
    printOut("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
  } else {
    printLocus(models.mechanism().name, locus, names, follower.zeros());
  }
  const int written =
      writeLocus(options.out, models.mechanism().file_name, locus, names, json, options.campbell, !options.json);
  if (written != kGood || options.page.empty()) return written;
  return writePage(models, options, follower, range, locus, names) ? kGood : kBadInput;
}

bool writeMapPage(SteadyModels& models, const Options& options, const Range& first, StabilityMap map) {
  SteadyPage page;
  page.title = models.mechanism().name + ": map of stability";
  page.parameter = first.name;
  page.unit = models.unitOf(first.name);
  page.sentences.push_back(fmt::format("Stability over {} and {}.", first.name, map.second));
  page.map = std::move(map);
  // Drawn with the values of the file.
  MotionFollower follower(models.over("", {}), 0.0);
  if (follower.hasModel()) {
    if (std::optional<SteadyStop> stop = stopAt(models, follower, 0.0)) page.stops.push_back(*std::move(stop));
  }
  return writeSteadyPage("locus", options.page, follower, 0.0, std::move(page));
}

int runTwo(SteadyModels& models, const Options& options, const Range& first, const Range& second) {
  const auto axis = [&](const Range& range) {
    return LocusAxis{range.name, models.unitOf(range.name), range.from, range.to};
  };
  const MapAsked asked{models.mechanism().name,
                       models.mechanism().file_name,
                       axis(first),
                       axis(second),
                       options.points,
                       options.out,
                       options.json};
  const auto samplesAt = [&](double q) {
    auto follower = std::make_shared<MotionFollower>(models.over(first.name, {{second.name, q}}),
                                                     first.from + 0.6180339887 * (first.to - first.from));
    return [follower](double p) { return follower->problem().empty() ? follower->sampleAt(p) : LocusSample{}; };
  };
  StabilityMap map;
  const int written = writeMap(asked, samplesAt, map);
  if (written != kGood || options.page.empty()) return written;
  return writeMapPage(models, options, first, std::move(map)) ? kGood : kBadInput;
}

int run(const Options& options) {
  if (isEquationsFile(options.file)) {
    EquationsSteadyAsked asked{options, options.over, options.points, options.json, options.out};
    asked.campbell = options.campbell;
    asked.page = options.page;
    return locusEquations(asked);
  }
  std::optional<SteadyModels> models = SteadyModels::read("locus", options);
  if (!models) return kBadInput;
  if (options.over.empty() || options.over.size() > 2) {
    printErr("linkwork locus: error: give --over NAME=FROM..TO once, or twice for a map.\n");
    return kBadInput;
  }
  if (options.points < 2 || options.points > 1000) {
    printErr("linkwork locus: error: --points is {}; give 2 to 1000.\n", options.points);
    return kBadInput;
  }
  std::vector<Range> ranges;
  for (const std::string& text : options.over) {
    const std::optional<Range> range = parseRange("locus", *models, text);
    if (!range) return kBadInput;
    ranges.push_back(*range);
  }
  if (!canBeWritten("locus", {options.page})) return kBadInput;
  if (ranges.size() == 2) return runTwo(*models, options, ranges[0], ranges[1]);
  return runOne(*models, options, ranges[0]);
}

}  // namespace

void addLocus(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("locus", "Eigenvalues of a steady motion over a parameter, and where it is stable",
                        [options] { return run(*options); });
  options->addFile(verb);
  options->addSpace(verb);
  verb.add("--over", options->over,
           "A parameter or input and its range, such as speed=0..10, in SI units; twice for a map")
      .oneEach();
  options->addConditions(verb);
  verb.add("--points", options->points, "Samples at first, evenly; more are put where branches turn").showDefault();
  verb.add("--campbell", options->campbell,
           "Draw frequencies over the parameter, a spin speed, with the line of one a turn");
  verb.add("--out", options->out, "Folder for the results").showDefault();
  verb.add("--json", options->json, "Print as JSON");
  verb.add(
      "--page", options->page,
      "Write a page: the plane of eigenvalues, curves with ranges and limits, a slider, modes on the motion; or the "
      "map");
}

}  // namespace linkwork::app
