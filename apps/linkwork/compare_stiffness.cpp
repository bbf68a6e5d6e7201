#include "compare_stiffness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linkwork/files/compare_file.hpp"
#include "linkwork/files/stiffness_plot.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "result_output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

// Errors of the method have to stay below those of the springs.
constexpr double kRtol = 1e-8;
constexpr double kAtol = 1e-10;

std::string jsonOf(const StiffnessSweep& sweep) {
  nlohmann::ordered_json out;
  out["joints"] = sweep.joints;
  out["greatest_force"] = sweep.greatest_force;
  out["greatest_moment"] = sweep.greatest_moment;
  out["evaluations_with_hard_joints"] = sweep.hard.ledger.evaluations;
  out["samples"] = nlohmann::ordered_json::array();
  for (const StiffnessSample& sample : sweep.samples) {
    nlohmann::ordered_json one{{"stiffness", sample.stiffness}, {"rotational_stiffness", sample.rotational}};
    if (!sample.wentThrough()) {
      one["problem"] = sample.result.message;
    } else {
      one["places"] = sample.errors.place;
      one["force_rms"] = sample.errors.force;
      one["force_most"] = sample.errors.most_force;
      one["moment_rms"] = sample.errors.moment;
      one["gap"] = sample.gap;
      one["axis_angle"] = sample.angle;
      one["frequency"] = sample.frequency;
      one["evaluations"] = sample.result.ledger.evaluations;
      if (sample.extrapolated) {
        one["limit"] = {
            {"places", sample.limit.place}, {"force_rms", sample.limit.force}, {"estimated_error", sample.estimate}};
      }
    }
    out["samples"].push_back(std::move(one));
  }
  return out.dump(2);
}

int bad(const std::string& problem) {
  printErr("linkwork compare: error: {}\n", problem);
  return kBadInput;
}

}  // namespace

int compareStiffness(const Mechanism& mechanism, const StiffnessOptions& options, RunOptions run,
                     const std::string& base, bool json) {
  StiffnessRequest request;
  run.steps.rtol = std::min(run.steps.rtol, kRtol);
  run.steps.atol = std::min(run.steps.atol, kAtol);
  if (!run.chosen.empty()) run.integrator = "radau5";
  request.run = run;
  request.stiffness = stiffnessList(options.stiffness.value_or(""));
  request.rotational = stiffnessList(options.rotational.value_or(""));
  request.richardson = options.richardson;
  const bool unread = options.rotational && request.rotational.empty();
  if (std::string problem = request.problem(); !problem.empty() || unread)
    return bad(unread ? StiffnessRequest().problem() : problem);
  if (!canBeWritten("compare", {base + ".csv", base + ".svg"})) return kBadInput;
  interruptRequested();  // from now on
  Progress progress;
  CompareControl control;
  control.interrupted = interruptRequested;
  control.progress = [&](double t, double until) { progress.show(t, until); };
  const StiffnessSweep sweep = sweepStiffness(mechanism, request, control);
  progress.clear();
  if (!sweep.problem.empty()) return bad(sweep.problem + ".");
  if (json) {
    printOut("{}\n", jsonOf(sweep));
  } else {
    printOut("{}: {}\n\ndifferences from the answer with hard joints\n", mechanism.name, stiffnessWords(sweep));
    for (const std::string& line : alignedLines(stiffnessTable(sweep), Align::left))
      printOut("  {}\n", withoutTrailingSpaces(line));
  }
  for (const auto& [text, path] :
       {std::pair(stiffnessCsv(sweep), base + ".csv"), std::pair(stiffnessSvg(sweep), base + ".svg")}) {
    if (const std::string problem = writeCompareText(text, path); !problem.empty()) return bad(problem);
  }
  if (!json) printOut("\nresults  {0}.csv, {0}.svg\n", base);
  flushOut();
  if (sweep.interrupted) return kInterrupted;
  const bool good = std::any_of(sweep.samples.begin(), sweep.samples.end(),
                                [](const StiffnessSample& sample) { return sample.wentThrough(); });
  return good ? kGood : kNumericalFailure;
}

}  // namespace linkwork::app
