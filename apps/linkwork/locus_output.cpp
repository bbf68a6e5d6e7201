#include "locus_output.hpp"

#include <fmt/format.h>

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

}  // namespace

void printLocus(const std::string& model, const Locus& locus, const LocusNames& names, const std::vector<int>& zeros) {
  int taken = 0;
  for (const int count : zeros) taken += count;
  printOut("{}: {} eigenvalues over {}, {} structural zero{} left out, {} samples\n", model,
           locus.samples.front().values.size(), names.parameter, taken, taken == 1 ? "" : "s", locus.samples.size());
  const std::string unit = names.unit.empty() ? "" : " " + names.unit;
  for (const StabilityRange& range : locus.ranges) {
    printOut("  {:<9} {:.12g} to {:.12g}{}", wordFor(range.is), range.from, range.to, unit);
    if (range.is == StabilityClass::unstable) {
      const double im = range.fastest.imag();
      printOut(", in its middle {:.6g}{} 1/s", range.fastest.real(), im > 0.0 ? fmt::format(" +- {:.6g}i", im) : "");
    }
    printOut("\n");
  }
  for (const StabilityLimit& limit : locus.limits) {
    printOut("  limit     {} = {:.12g}{}: {}\n            mode: {}\n", names.parameter, limit.at, unit,
             limitWords(limit), shapeText(limit.shape, names.seen));
  }
}

int writeLocus(const std::string& folder, const std::string& model_file, const Locus& locus, const LocusNames& names,
               const nlohmann::ordered_json& json, bool campbell, bool says) {
  const std::string base = resultBase(folder, model_file) + "_locus";
  const auto failed = [](const std::string& problem) {
    if (problem.empty()) return false;
    printErr("linkwork locus: error: {}\n", problem);
    return true;
  };
  if (failed(writeLocusCsv(base + ".csv", locus, names)) ||
      failed(writeLocusSvg(base + ".svg", locus, names, campbell ? LocusPlot::campbell : LocusPlot::parts)) ||
      failed(writeAtomically(base + ".json", [&](std::ostream& file) { file << json.dump(1) << '\n'; }))) {
    return kBadInput;
  }
  if (says) printErr("wrote {0}.csv\nwrote {0}.svg\nwrote {0}.json\n", base);
  return kGood;
}

}  // namespace linkwork::app
