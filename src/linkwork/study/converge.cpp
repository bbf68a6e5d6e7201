#include "linkwork/study/converge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

constexpr double kTightestRtol = 1e-13;
constexpr std::size_t kMostLevels = 12;
// A level counts as better if its estimate is at most this share of the best; halved steps of a method of order one
// give 0.5.
constexpr double kFalls = 0.7;
constexpr double kBestSeen = 1e-13;  // nothing better can be seen

// Which of the two kinds of methods are among the runs.
struct StepKinds {
  bool fixed = false;   // steps are given
  bool chosen = false;  // by tolerances
};

StepKinds stepKinds(const CompareRequest& request, const Comparison& comparison) {
  StepKinds out;
  for (const ComparedRun& run : comparison.runs) {
    const IntegratorInfo* info = findIntegrator(run.method.integrator);
    if (!run.applies() || info == nullptr) continue;
    (takesFixedSteps(*info, request.run.steps) ? out.fixed : out.chosen) = true;
  }
  return out;
}

void takeGreater(PerAspect<double>& greatest, const Differences& differences) {
  for (const Aspect aspect : kAspects)
    greatest[aspect] = std::max(greatest[aspect], differences.greatest[aspect].relative);
}

double endsOf(const Differences& differences) { return differences.endings ? differences.endings->relative : 0.0; }

ConvergenceLevel levelOf(const Mechanism& mechanism, const CompareRequest& request, const StepKinds& kinds,
                         const Comparison& now, const Comparison* before) {
  ConvergenceLevel out;
  out.rtol = kinds.chosen ? request.run.steps.rtol : 0.0;
  out.atol = kinds.chosen ? request.run.steps.atol : 0.0;
  out.step = kinds.fixed ? request.run.steps.step : 0.0;
  for (std::size_t k = 0; k < now.runs.size(); ++k) {
    const ComparedRun& run = now.runs[k];
    if (!run.applies()) continue;
    out.evaluations += run.result.ledger.evaluations;
    out.seconds += run.seconds;
    if (!run.wentThrough()) continue;
    takeGreater(out.spread, run.difference);
    out.ends = std::max(out.ends, endsOf(run.difference));
    if (before == nullptr || !before->runs[k].wentThrough()) continue;
    const Differences since = differencesOf(mechanism, run.result, before->runs[k].result, request.within);
    takeGreater(out.change, since);
    out.ends = std::max(out.ends, endsOf(since));
  }
  return out;
}

// A run that went through before and does not now.
const ComparedRun* newFailure(const Comparison& before, const Comparison& now) {
  for (std::size_t k = 0; k < now.runs.size(); ++k) {
    if (before.runs[k].wentThrough() && !now.runs[k].wentThrough()) return &now.runs[k];
  }
  return nullptr;
}

int digitsOf(double estimate) {
  if (!(estimate < 1.0)) return 0;
  return static_cast<int>(std::floor(-std::log10(std::max(estimate, 1e-15))));
}

// What no method uses stays as it is.
void tighten(const StepKinds& kinds, IntegratorOptions& steps) {
  if (kinds.chosen) steps.rtol /= 10.0;
  if (kinds.chosen) steps.atol /= 10.0;
  if (kinds.fixed) steps.step /= 2.0;
}

// "rtol = 1e-10, step = 0.01 s"
std::string tightness(const ConvergenceLevel& level) {
  std::vector<std::string> parts;
  if (level.rtol > 0.0) parts.push_back(fmt::format("rtol = {:.2g}", level.rtol));
  if (level.step > 0.0) parts.push_back(fmt::format("step = {:.3g} s", level.step));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Why there is no tighter level; empty where none was needed.
std::string whyTheLast(const Convergence& convergence) {
  switch (convergence.last) {
    case LastLevel::settled: return {};
    case LastLevel::alone: return "no two runs went through";
    case LastLevel::tightest: return fmt::format("tighter than rtol = {:.2g} there is nothing to gain", kTightestRtol);
    case LastLevel::enough: return fmt::format("no more than {} levels are tried", kMostLevels);
    case LastLevel::failed: return convergence.stopped;
    case LastLevel::interrupted: return "it was interrupted";
  }
  return {};
}

}  // namespace

PerAspect<double> ConvergenceLevel::estimate() const {
  PerAspect<double> out;
  for (const Aspect aspect : kAspects) out[aspect] = std::max(spread[aspect], change[aspect]);
  return out;
}

double ConvergenceLevel::worst() const {
  const PerAspect<double> all = estimate();
  return std::max(ends, *std::max_element(all.values.begin(), all.values.end()));
}

Convergence converge(const Mechanism& mechanism, const Assembly& assembly, CompareRequest request,
                     const CompareControl& control) {
  Convergence out;
  Comparison last = compare(mechanism, assembly, request, control);
  const StepKinds kinds = stepKinds(request, last);
  out.levels.push_back(levelOf(mechanism, request, kinds, last, nullptr));
  out.comparison = last;
  int without_gain = 0;
  if (last.interrupted) out.last = LastLevel::interrupted;
  while (!last.interrupted && last.worst()) {
    tighten(kinds, request.run.steps);
    if (kinds.chosen && request.run.steps.rtol < 0.99 * kTightestRtol) {
      out.last = LastLevel::tightest;
      break;
    }
    if (out.levels.size() == kMostLevels) {
      out.last = LastLevel::enough;
      break;
    }
    Comparison now = compare(mechanism, assembly, request, control);
    if (now.interrupted) {
      out.last = LastLevel::interrupted;
      out.comparison.interrupted = true;
      break;
    }
    if (const ComparedRun* failed = newFailure(last, now); failed != nullptr) {
      out.last = LastLevel::failed;
      out.stopped =
          fmt::format("at {} `{}` could not go on: {}", tightness(levelOf(mechanism, request, kinds, now, nullptr)),
                      failed->label, failed->applies() ? failed->result.message : failed->problem);
      if (out.stopped.ends_with('.')) out.stopped.pop_back();
      break;
    }
    out.levels.push_back(levelOf(mechanism, request, kinds, now, &last));
    const double worst = out.levels.back().worst();
    // The first level has no change to be judged by, and may look better than it is.
    out.fell = out.levels.size() == 2 || worst <= kFalls * out.levels[out.best].worst();
    if (out.fell || worst < out.levels[out.best].worst()) {
      out.best = out.levels.size() - 1;
      out.comparison = now;
    }
    without_gain = out.fell ? 0 : without_gain + 1;
    last = std::move(now);
    if (without_gain < 2 && !(worst < kBestSeen)) continue;
    out.last = LastLevel::settled;
    break;
  }
  if (out.levels.size() < 2) return out;  // nothing to judge by
  const PerAspect<double> estimate = out.levels[out.best].estimate();
  for (const Aspect aspect : kAspects) out.digits[aspect] = digitsOf(estimate[aspect]);
  return out;
}

std::string wordsFor(const Convergence& convergence) {
  const std::string why = whyTheLast(convergence);
  if (convergence.levels.size() < 2)
    return fmt::format("Convergence could not be judged: there is only one level of tolerances{}.",
                       why.empty() ? "" : "; " + why);
  std::vector<std::string> trusted;
  for (const Aspect aspect : kAspects)
    trusted.push_back(fmt::format("{} to {}", wordFor(aspect), convergence.digits[aspect]));
  std::string out;
  if (convergence.settled()) {
    out = "The differences have settled";
  } else if (convergence.fell) {
    out = "The differences still fall from level to level: they have not settled";
  } else {
    out =
        "The last level was no better than the one before, but one such level does not show that the differences have "
        "settled";
  }
  if (!why.empty()) out += "; " + why;
  return out + fmt::format(". At {} these digits can be trusted, counted from the greatest value: {}.",
                           tightness(convergence.levels[convergence.best]), fmt::join(trusted, ", "));
}

}  // namespace linkwork
