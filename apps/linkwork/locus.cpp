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

std::string limitWords(const StabilityLimit& limit) {
  const double rate = std::abs(limit.eigenvalue.imag());
  const std::string frequency = fmt::format("{:.9g} rad/s, {:.6g} Hz", rate, rate / (2.0 * std::numbers::pi));
  switch (limit.kind) {
    case LimitKind::real: return "a real eigenvalue passes zero";
    case LimitKind::hopf: return "a pair passes the axis at " + frequency;
    case LimitKind::double_root: break;
  }
  return fmt::format("two pairs meet on the axis at {}: a double root, known there to about 1e-8", frequency);
}

std::string rangeWords(const StabilityRange& range) {
  if (range.is != StabilityClass::unstable) return {};
  const double im = range.fastest.imag();
  return fmt::format("in its middle {:.6g}{} 1/s", range.fastest.real(),
                     im > 0.0 ? fmt::format(" +- {:.6g}i", im) : "");
}

void print(const SteadyModels& models, const Locus& locus, const LocusNames& names, const StructuralZeros& zeros) {
  int taken = 0;
  for (const int count : zeros) taken += count;
  printOut("{}: {} eigenvalues over {}, {} structural zero{} left out, {} samples\n", models.mechanism().name,
           locus.samples.front().values.size(), names.parameter, taken, taken == 1 ? "" : "s", locus.samples.size());
  const std::string unit = names.unit.empty() ? "" : " " + names.unit;
  for (const StabilityRange& range : locus.ranges) {
    printOut("  {:<9} {:.12g} to {:.12g}{}", wordFor(range.is), range.from, range.to, unit);
    const std::string words = rangeWords(range);
    printOut("{}{}\n", words.empty() ? "" : ", ", words);
  }
  for (const StabilityLimit& limit : locus.limits) {
    printOut("  limit     {} = {:.12g}{}: {}\n            mode: {}\n", names.parameter, limit.at, unit,
             limitWords(limit), shapeText(limit.shape, names.seen));
  }
}

int writeAll(const SteadyModels& models, const Options& options, const Locus& locus, const LocusNames& names,
             const Json& json) {
  const std::string base = resultBase(options.out, models.mechanism().file_name) + "_locus";
  const auto failed = [](const std::string& problem) {
    if (problem.empty()) return false;
    printErr("linkwork locus: error: {}\n", problem);
    return true;
  };
  if (failed(writeLocusCsv(base + ".csv", locus, names)) ||
      failed(writeLocusSvg(base + ".svg", locus, names, options.campbell ? LocusPlot::campbell : LocusPlot::parts)) ||
      failed(writeAtomically(base + ".json", [&](std::ostream& file) { file << json.dump(1) << '\n'; }))) {
    return kBadInput;
  }
  if (!options.json) printErr("wrote {0}.csv\nwrote {0}.svg\nwrote {0}.json\n", base);
  return kGood;
}

bool writePage(SteadyModels& models, const Options& options, MotionFollower& follower, const Range& range,
               const Locus& locus) {
  SteadyPage page;
  page.title = models.mechanism().name + ": locus";
  page.parameter = range.name;
  page.unit = models.unitOf(range.name);
  page.locus = &locus;
  const std::string unit = page.unit.empty() ? "" : " " + page.unit;
  std::vector<std::string> words;
  for (const StabilityRange& one : locus.ranges) {
    words.push_back(fmt::format("{} from {:.6g} to {:.6g}{}", wordFor(one.is), one.from, one.to, unit));
    page.range_words.push_back(rangeWords(one));
  }
  page.sentences.push_back(fmt::format("Eigenvalues over {}: {}.", range.name, fmt::join(words, ", ")));
  std::vector<double> limits;
  for (const StabilityLimit& limit : locus.limits) {
    page.limit_words.push_back(limitWords(limit));
    limits.push_back(limit.at);
  }
  for (const LocusSample& sample : locus.samples) page.at.push_back(sample.p);
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
    print(models, locus, names, follower.zeros());
  }
  const int written = writeAll(models, options, locus, names, json);
  if (written != kGood || options.page.empty()) return written;
  return writePage(models, options, follower, range, locus) ? kGood : kBadInput;
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

// A map over two parameters: the class and the greatest real part.
int runTwo(SteadyModels& models, const Options& options, const Range& first, const Range& second) {
  const int n = options.points;
  Json rows = Json::array();
  std::string csv = fmt::format("{},{},stability,re [1/s],im [1/s]\n", first.name, second.name);
  int counts[3] = {0, 0, 0};
  StabilityMap map{second.name, models.unitOf(second.name), {}, {}, {}, {}};
  const auto valueOf = [n](const Range& range, int k) { return range.from + (range.to - range.from) * k / (n - 1); };
  for (int k = 0; k < n; ++k) {
    map.at.push_back(valueOf(first, k));
    map.across.push_back(valueOf(second, k));
  }
  for (int j = 0; j < n; ++j) {
    const double q = map.across[static_cast<std::size_t>(j)];
    MotionFollower follower(models.over(first.name, {{second.name, q}}),
                            first.from + 0.6180339887 * (first.to - first.from));
    for (int i = 0; i < n; ++i) {
      const double p = map.at[static_cast<std::size_t>(i)];
      LocusSample sample;
      if (follower.problem().empty()) sample = follower.sampleAt(p);
      Json one{{first.name, p}, {second.name, q}};
      if (!sample.ok) {
        one["stability"] = nullptr;
        csv += fmt::format("{},{},none,,\n", p, q);
        map.is.emplace_back();
        map.greatest_part.push_back(std::nan(""));
      } else {
        const StabilityClass is = classOf(sample.values);
        ++counts[static_cast<int>(is)];
        Eigen::Index most = 0;
        std::complex<double> fastest;
        if (sample.values.size() > 0) {
          sample.values.real().maxCoeff(&most);
          fastest = sample.values[most];
        }
        map.is.emplace_back(is);
        map.greatest_part.push_back(fastest.real());
        one["stability"] = wordFor(is);
        one["re"] = fastest.real();
        one["im"] = std::abs(fastest.imag());
        csv += fmt::format("{},{},{},{},{}\n", p, q, wordFor(is), fastest.real(), std::abs(fastest.imag()));
      }
      rows.push_back(std::move(one));
    }
  }
  Json json;
  json["model"] = models.mechanism().file_name;
  json["map"] = std::move(rows);
  if (options.json) {
    printOut("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
  } else {
    printOut("{}: {} x {} values of {} and {}: {} stable, {} neutral, {} unstable, {} without a steady motion\n",
             models.mechanism().name, n, n, first.name, second.name, counts[0], counts[1], counts[2],
             n * n - counts[0] - counts[1] - counts[2]);
  }
  const std::string base = resultBase(options.out, models.mechanism().file_name) + "_locus";
  for (const auto& [ending, text] :
       {std::pair<const char*, std::string>{".csv", csv}, {".json", json.dump(1) + "\n"}}) {
    const std::string problem = writeAtomically(base + ending, [&text = text](std::ostream& file) { file << text; });
    if (problem.empty()) continue;
    printErr("linkwork locus: error: {}\n", problem);
    return kBadInput;
  }
  if (!options.json) printErr("wrote {0}.csv\nwrote {0}.json\n", base);
  if (options.page.empty()) return kGood;
  return writeMapPage(models, options, first, std::move(map)) ? kGood : kBadInput;
}

int run(const Options& options) {
  if (isEquationsFile(options.file)) {
    if (refusesOptions("locus", {{"--page", !options.page.empty()}})) return kBadInput;
    EquationsSteadyAsked asked{options, options.over, options.points, options.json, options.out};
    asked.campbell = options.campbell;
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
