#include "locus_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"
#include "output.hpp"
#include "result_output.hpp"

namespace linkwork::app {

namespace {

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

bool failed(const std::string& problem) {
  if (problem.empty()) return false;
  printErr("linkwork locus: error: {}\n", problem);
  return true;
}

}  // namespace

void printLocus(const std::string& model, const Locus& locus, const LocusNames& names, const std::vector<int>& zeros) {
  int taken = 0;
  for (const int count : zeros) taken += count;
  printOut("{}: {} eigenvalues over {}, {} structural zero{} left out, {} samples\n", model,
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

int writeLocus(const std::string& folder, const std::string& model_file, const Locus& locus, const LocusNames& names,
               const nlohmann::ordered_json& json, bool campbell, bool says) {
  const std::string base = resultBase(folder, model_file) + "_locus";
  if (failed(writeLocusCsv(base + ".csv", locus, names)) ||
      failed(writeLocusSvg(base + ".svg", locus, names, campbell ? LocusPlot::campbell : LocusPlot::parts)) ||
      failed(writeAtomically(base + ".json", [&](std::ostream& file) { file << json.dump(1) << '\n'; }))) {
    return kBadInput;
  }
  if (says) printErr("wrote {0}.csv\nwrote {0}.svg\nwrote {0}.json\n", base);
  return kGood;
}

SteadyPage locusPage(const std::string& model, const Locus& locus, const LocusNames& names) {
  SteadyPage page;
  page.title = model + ": locus";
  page.parameter = names.parameter;
  page.unit = names.unit;
  page.locus = &locus;
  const std::string unit = page.unit.empty() ? "" : " " + page.unit;
  std::vector<std::string> words;
  for (const StabilityRange& one : locus.ranges) {
    words.push_back(fmt::format("{} from {:.6g} to {:.6g}{}", wordFor(one.is), one.from, one.to, unit));
    page.range_words.push_back(rangeWords(one));
  }
  page.sentences.push_back(fmt::format("Eigenvalues over {}: {}.", names.parameter, fmt::join(words, ", ")));
  for (const StabilityLimit& limit : locus.limits) page.limit_words.push_back(limitWords(limit));
  for (const LocusSample& sample : locus.samples) page.at.push_back(sample.p);
  return page;
}

namespace {

// One cell of a map, as an object and as a line.
nlohmann::ordered_json putCell(const LocusSample& sample, double p, double q, const MapAsked& asked, StabilityMap& map,
                               std::string& csv) {
  nlohmann::ordered_json one{{asked.first.name, p}, {asked.second.name, q}};
  if (!sample.ok) {
    one["stability"] = nullptr;
    csv += fmt::format("{},{},none,,\n", p, q);
    map.is.emplace_back();
    map.greatest_part.push_back(std::nan(""));
    return one;
  }
  const StabilityClass is = classOf(sample.values);
  std::complex<double> fastest;
  if (sample.values.size() > 0) {
    Eigen::Index most = 0;
    sample.values.real().maxCoeff(&most);
    fastest = sample.values[most];
  }
  map.is.emplace_back(is);
  map.greatest_part.push_back(fastest.real());
  one["stability"] = wordFor(is);
  one["re"] = fastest.real();
  one["im"] = std::abs(fastest.imag());
  csv += fmt::format("{},{},{},{},{}\n", p, q, wordFor(is), fastest.real(), std::abs(fastest.imag()));
  return one;
}

}  // namespace

int writeMap(const MapAsked& asked, const SamplesAt& samples_at, StabilityMap& map) {
  const int n = asked.points;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::string csv = fmt::format("{},{},stability,re [1/s],im [1/s]\n", asked.first.name, asked.second.name);
  map = {asked.second.name, asked.second.unit, {}, {}, {}, {}};
  for (int k = 0; k < n; ++k) {
    map.at.push_back(asked.first.at(k, n));
    map.across.push_back(asked.second.at(k, n));
  }
  for (const double q : map.across) {
    const auto sampleAt = samples_at(q);
    for (const double p : map.at) rows.push_back(putCell(sampleAt(p), p, q, asked, map, csv));
  }
  nlohmann::ordered_json json;
  json["model"] = asked.model_file;
  json["map"] = std::move(rows);
  if (asked.json) {
    printOut("{}\n", json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    int counts[3] = {0, 0, 0};
    for (const auto& is : map.is) {
      if (is) ++counts[static_cast<int>(*is)];
    }
    printOut("{}: {} x {} values of {} and {}: {} stable, {} neutral, {} unstable, {} without a steady motion\n",
             asked.model, n, n, asked.first.name, asked.second.name, counts[0], counts[1], counts[2],
             n * n - counts[0] - counts[1] - counts[2]);
  }
  const std::string base = resultBase(asked.out, asked.model_file) + "_locus";
  for (const auto& [ending, text] :
       {std::pair<const char*, std::string>{".csv", csv}, {".json", json.dump(1) + "\n"}}) {
    if (failed(writeAtomically(base + ending, [&text = text](std::ostream& file) { file << text; }))) return kBadInput;
  }
  if (!asked.json) printErr("wrote {0}.csv\nwrote {0}.json\n", base);
  return kGood;
}

}  // namespace linkwork::app
