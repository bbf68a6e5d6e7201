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
constexpr double kFalls = 0.5;       // a level counts as better if its estimate is at most this share of the one before
constexpr double kRoundOff = 1e-13;  // nothing better can be seen

bool hasFixedSteps(const CompareRequest& request, const Comparison& comparison) {
  return std::any_of(comparison.runs.begin(), comparison.runs.end(), [&](const ComparedRun& run) {
    const IntegratorInfo* info = findIntegrator(run.method.integrator);
    return run.applies() && info != nullptr && takesFixedSteps(*info, request.run.steps);
  });
}

void takeGreater(PerAspect<double>& greatest, const Differences& differences) {
  for (const Aspect aspect : kAspects)
    greatest[aspect] = std::max(greatest[aspect], differences.greatest[aspect].relative);
}

ConvergenceLevel levelOf(const Mechanism& mechanism, const CompareRequest& request, const Comparison& now,
                         const Comparison* before) {
  ConvergenceLevel out;
  out.rtol = request.run.steps.rtol;
  out.atol = request.run.steps.atol;
  out.step = hasFixedSteps(request, now) ? request.run.steps.step : 0.0;
  for (std::size_t k = 0; k < now.runs.size(); ++k) {
    const ComparedRun& run = now.runs[k];
    if (!run.applies()) continue;
    out.evaluations += run.result.ledger.evaluations;
    out.seconds += run.seconds;
    if (!run.wentThrough()) continue;
    takeGreater(out.spread, run.difference);
    if (before != nullptr && before->runs[k].wentThrough())
      takeGreater(out.change, differencesOf(mechanism, run.result, before->runs[k].result, request.within));
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

void tighten(RunOptions& run) {
  run.steps.rtol /= 10.0;
  run.steps.atol /= 10.0;
  run.steps.step /= 2.0;
}

}  // namespace

PerAspect<double> ConvergenceLevel::estimate() const {
  PerAspect<double> out;
  for (const Aspect aspect : kAspects) out[aspect] = std::max(spread[aspect], change[aspect]);
  return out;
}

double ConvergenceLevel::worst() const {
  const PerAspect<double> all = estimate();
  return *std::max_element(all.values.begin(), all.values.end());
}

Convergence converge(const Mechanism& mechanism, const Assembly& assembly, CompareRequest request,
                     const CompareControl& control) {
  Convergence out;
  Comparison last = compare(mechanism, assembly, request, control);
  out.levels.push_back(levelOf(mechanism, request, last, nullptr));
  out.comparison = last;
  int without_gain = 0;
  while (!last.interrupted && last.worst() && out.levels.size() < kMostLevels) {
    tighten(request.run);
    if (request.run.steps.rtol < 0.99 * kTightestRtol) break;
    Comparison now = compare(mechanism, assembly, request, control);
    if (now.interrupted) {
      out.comparison.interrupted = true;
      break;
    }
    if (const ComparedRun* failed = newFailure(last, now); failed != nullptr) {
      out.stopped = fmt::format("at rtol = {:.2g} `{}` could not go on: {}", request.run.steps.rtol, failed->label,
                                failed->applies() ? failed->result.message : failed->problem);
      break;
    }
    out.levels.push_back(levelOf(mechanism, request, now, &last));
    const double worst = out.levels.back().worst();
    // The first level has no change to be judged by, and may look better than it is.
    const bool falls = out.levels.size() == 2 || worst <= kFalls * out.levels[out.best].worst();
    if (falls || worst < out.levels[out.best].worst()) {
      out.best = out.levels.size() - 1;
      out.comparison = now;
    }
    without_gain = falls ? 0 : without_gain + 1;
    last = std::move(now);
    out.settled = without_gain == 2 || worst < kRoundOff;
    if (out.settled) break;
  }
  if (out.levels.size() < 2) return out;  // nothing to judge by
  const PerAspect<double> estimate = out.levels[out.best].estimate();
  for (const Aspect aspect : kAspects) out.digits[aspect] = digitsOf(estimate[aspect]);
  return out;
}

std::string wordsFor(const Convergence& convergence) {
  if (convergence.levels.size() < 2) return "Convergence could not be judged: there is only one level of tolerances.";
  const ConvergenceLevel& best = convergence.levels[convergence.best];
  std::vector<std::string> trusted;
  for (const Aspect aspect : kAspects)
    trusted.push_back(fmt::format("{} to {}", wordFor(aspect), convergence.digits[aspect]));
  std::string out =
      convergence.settled ? "The differences have settled" : "The differences still fall with tighter tolerances";
  out +=
      fmt::format(". At rtol = {:.2g}{} these digits can be trusted, counted from the greatest value: {}.", best.rtol,
                  best.step > 0.0 ? fmt::format(", step = {:.3g} s", best.step) : "", fmt::join(trusted, ", "));
  if (!convergence.stopped.empty()) out += fmt::format(" Tighter was not possible: {}.", convergence.stopped);
  return out;
}

}  // namespace linkwork
