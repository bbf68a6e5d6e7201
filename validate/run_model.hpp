// Runs a shipped model the way the program does, for comparisons with reference values.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/base/contract.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"
#include "linkwork/study/common_samples.hpp"

namespace linkwork::validation {

struct ReadModel {
  std::optional<Mechanism> mechanism;
  Diagnostics diagnostics;
};

// A file of models/ and what was said about it: read once in a process, however many tests ask.
inline const ReadModel& readOfShippedModel(const std::string& name) {
  static std::map<std::string, ReadModel> read;
  const auto [place, is_new] = read.try_emplace(name);
  ReadModel& out = place->second;
  if (is_new) out.mechanism = readModelFile(fmt::format("{}/{}.toml", LINKWORK_MODELS_DIR, name), out.diagnostics);
  return out;
}

inline const Mechanism& readShippedModel(const std::string& name) {
  const ReadModel& read = readOfShippedModel(name);
  expect(read.mechanism.has_value(), read.diagnostics.format());
  return *read.mechanism;
}

inline Result runModel(const Mechanism& mechanism, const RunOptions& options) {
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  return simulate(mechanism, assembly, options);
}

// The assembled start, shaken, and brought back to the constraints as a run does after a step.
inline std::vector<double> randomState(const MechanismSystem& system, const std::vector<double>& start, double shake,
                                       std::mt19937& engine, double t = 0.0) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const StateSpace space = system.space();
  const auto work = system.makeWorkspace();
  for (; shake > 1e-6; shake *= 0.3) {
    std::vector<double> x = start;
    for (int k = 0; k < space.controlled(); ++k) {
      const double size = k < space.positions() ? shake * system.referenceLength() : 1.0;
      x[static_cast<std::size_t>(k)] += size * uniform(engine);
    }
    if (system.afterStep(t, x, system.startModes(), *work).eval == Eval::ok) return x;
  }
  return start;
}

// For tight runs of a shipped model. The long steps of dop853 end too near the poses of lower rank that some pass.
inline std::string tightIntegratorFor(const std::string& model) {
  return model.starts_with("n_four_bar") ? "dopri5" : "dop853";
}

// The recorded value of a series at the sample at t, which there must be; of two, right of a jump.
inline double valueAt(const Result& result, const std::string& name, double t) {
  const Series* series = result.find(name);
  expect(series != nullptr, "no series " + name);
  for (std::size_t k = result.time.size(); k-- > 0;) {
    if (std::abs(result.time[k] - t) <= 1e-12 * (1.0 + t)) return series->values[k];
  }
  throw ContractError("no sample at the time asked for");
}

// (x, y, angle) of the second derivative, as the coordinates of the plane have it.
inline std::array<double, 3> planarAcceleration(const BodyMotion& body) {
  return {body.acceleration[0], body.acceleration[1], body.angular_acceleration[2]};
}

// A run to `until` with atol = rtol / 100. Its last sample is a step's own end; those before it are interpolated.
inline Result runTo(const Mechanism& mechanism, double until, double rtol, int samples = 1) {
  RunOptions options = runOptions(mechanism);
  options.until = until;
  options.output_step = until / samples;
  options.steps.rtol = rtol;
  options.steps.atol = 0.01 * rtol;
  Result result = runModel(mechanism, options);
  expect(result.status == RunStatus::complete, result.message);
  return result;
}

inline double lastOf(const Result& result, const std::string& name) {
  const Series* series = result.find(name);
  expect(series != nullptr && !series->values.empty(), "no series " + name);
  return series->values.back();
}

// Greatest difference at any sample of what two runs both record and both call unique, among the series whose names
// `wanted` accepts, relative to the greatest value of that unit in the first (`least_size` where that is less:
// quantities that are zero but for round-off). Reactions that are not unique are one choice of many and say nothing
// about each other.
template <class Wanted>
double differenceOfUnique(const Result& a, const Result& b, Wanted&& wanted, double least_size = 0.0) {
  std::map<std::string, double> off, size;
  const auto samples = commonSamples(a.time, b.time);
  expect(!samples.empty() && samples.back() == std::pair(a.time.size() - 1, b.time.size() - 1),
         "runs with different samples cannot be compared");
  for (const Series& series : a.series) {
    for (const double value : series.values) size[series.unit] = std::max(size[series.unit], std::abs(value));
    const Series* other = b.find(series.name);
    if (other == nullptr || !series.unique || !other->unique || !wanted(series.name)) continue;
    for (const auto& [k, j] : samples) {
      off[series.unit] = std::max(off[series.unit], std::abs(series.values[k] - other->values[j]));
    }
  }
  expect(!off.empty(), "there is nothing to compare");
  double worst = 0.0;
  for (const auto& [unit, difference] : off) {
    const double greatest = std::max(size[unit], least_size);
    worst = std::max(worst, greatest > 0.0 ? difference / greatest : difference);
  }
  return worst;
}

inline bool isReaction(const std::string& series) {
  return series.find(".force.") != std::string::npos || series.find(".moment") != std::string::npos;
}

}  // namespace linkwork::validation
