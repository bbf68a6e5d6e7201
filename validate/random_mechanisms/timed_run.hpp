// Runs with a limit of CPU time, and what a comparison wants to know of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>
#include <vector>

#include "linkwork/simulate/simulate.hpp"
#include "linkwork/study/common_samples.hpp"
#include "linkwork/study/differences.hpp"

namespace linkwork::random_mechanisms {

inline double cpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// A greatest value so far, at samples.
struct Course {
  std::vector<double> time, value;

  // The greatest up to t and a little longer, so that a peak that comes a sample later counts.
  double upTo(double t, double longer) const {
    double out = 0.0;
    for (std::size_t k = 0; k < time.size() && time[k] <= t + longer; ++k) out = std::max(out, value[k]);
    return out;
  }
};

inline PerAspect<Course> coursesOf(const Differences& differences, const Result& a, const Result& b) {
  PerAspect<Course> out;
  const auto matches = commonSamples(a.time, b.time);
  for (const Aspect aspect : kAspects) {
    for (std::size_t k = 0; k < matches.size(); ++k) {
      out[aspect].time.push_back(a.time[matches[k].first]);
      out[aspect].value.push_back(differences.over_time[aspect][k]);
    }
  }
  return out;
}

inline bool isFinite(const Result& result) {
  for (const Series& series : result.series) {
    for (const double value : series.values) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

inline std::string redLamps(const Result& result) {
  std::string out;
  for (const LedgerLine& line : ledgerLines(result)) {
    if (line.grade == Grade::poor) out += (out.empty() ? "" : ", ") + line.id;
  }
  return out;
}

// A mechanism and its assembled start.
struct Posed {
  Mechanism mechanism;
  Assembly assembly;
};

struct TimedRun {
  Result result;
  double cpu = 0.0;
  double reached = 0.0;  // s, by steps; samples may end before
  bool too_long = false;
};

inline TimedRun runOf(const Posed& posed, const RunOptions& options, double cpu_limit) {
  TimedRun out;
  const double begin = cpuSeconds();
  RunControl control;
  control.interrupted = [&] { return cpuSeconds() - begin > cpu_limit; };
  control.progress = [&](double t, double) { out.reached = t; };
  out.result = simulate(posed.mechanism, posed.assembly, options, control);
  out.cpu = cpuSeconds() - begin;
  out.too_long = out.result.status == RunStatus::interrupted;
  return out;
}

}  // namespace linkwork::random_mechanisms
