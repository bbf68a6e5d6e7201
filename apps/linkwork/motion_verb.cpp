#include "motion_verb.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/files/hdf5_file.hpp"
#include "linkwork/files/result_file.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "progress.hpp"

namespace linkwork::app {

void MotionVerb::add(Verb& verb) {
  addFile(verb);
  addSpace(verb);
  verb.add("--until", until, "End of the motion in seconds").in("s");
  verb.add("--output-step", output_step, "Time between recorded samples in seconds").in("s");
  verb.add("--out", out, "Folder for the results").showDefault();
  verb.add("--format", formats, "Of the series: csv, hdf5 or csv,hdf5")
      .separatedBy(',')
      .oneOf({"csv", "hdf5"})
      .showDefault();
  verb.add("--reaction-length", reaction_length,
           "Length in metres by which moments are divided where reactions of least norm are chosen");
  verb.add("--no-page", no_page, "Write no page");
  verb.add("--json", json, "Print the ledger as JSON");
}

int MotionVerb::badInput(const std::string& problem) const {
  printErr("linkwork {}: error: {}\n", name, problem);
  return kBadInput;
}

bool MotionVerb::writes(const char* format) const {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

std::optional<KinematicsRun> MotionVerb::run(const Mechanism& mechanism, KinematicsOptions options, int& code) const {
  const RunOptions defaults = runOptions(mechanism);
  options.until = until.value_or(options.until > 0.0 ? options.until : defaults.until);
  options.output_step = output_step.value_or(options.output_step);
  options.reaction_length = reaction_length.value_or(defaults.system.reaction_length);
  code = kBadInput;
  std::string problem = options.problem();
  if (problem.empty() && writes("hdf5") && !hasHdf5())
    problem = "this program was built without HDF5: leave hdf5 out of --format, or build with libhdf5-dev.";
  if (!problem.empty()) {
    badInput(problem);
    return std::nullopt;
  }
  if (!beginRun(name, workloadOf(mechanism, options.until, options.output_step, options.columns))) return std::nullopt;
  code = kNumericalFailure;
  const std::optional<Assembly> assembly = assembleModel(mechanism);
  if (!assembly) return std::nullopt;
  if (problem = kinematicsProblem(mechanism, *assembly); !problem.empty()) {
    if (mechanism.drives.empty()) problem += "; " + without_drives;
    code = badInput(problem + ".");
    return std::nullopt;
  }
  if (!canBeWritten(name, pathsOf(files()))) {
    code = kBadInput;
    return std::nullopt;
  }
  interruptRequested();  // from now on
  Progress progress;
  RunControl control;
  control.interrupted = interruptRequested;
  control.progress = [&](double t, double end) { progress.show(t, end); };
  KinematicsRun done = runKinematics(mechanism, *assembly, options, control);
  progress.clear();
  for (const std::string& note : done.notes) printErr("linkwork {}: note: {}\n", name, note);
  return done;
}

int MotionVerb::finish(const Mechanism& mechanism, const KinematicsRun& run, const Diagnostics& diagnostics) const {
  const Result& result = run.result;
  if (json) printOut("{}\n", ledgerJson(result));
  flushOut();
  const bool written = writeFiles(mechanism, result, diagnostics, files());
  if (result.status == RunStatus::failed) {
    printErr("{}: error: {}\n", mechanism.file_name, result.message);
    return kNumericalFailure;
  }
  if (result.status == RunStatus::interrupted) return kInterrupted;
  return written ? kGood : kBadInput;
}

}  // namespace linkwork::app
