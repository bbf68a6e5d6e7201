// linkwork inverse: the forces and torques of the drives for a prescribed motion, and all reactions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "linkwork/read/motion_file.hpp"
#include "motion_verb.hpp"
#include "output.hpp"
#include "summary.hpp"

namespace linkwork::app {

namespace {

struct Options : MotionVerb {
  std::string motion;
  std::vector<std::string> coordinates;
  std::string ends = "natural";
};

void printEfforts(const Mechanism& mechanism, const Result& result) {
  printOut("\n{:<20} {:>14} {:>12} {:>14} {:>14} {:>14}\n", "drive", "peak effort", "at t [s]", "rms effort",
           "peak power [W]", "work [J]");
  for (const Drive& drive : mechanism.drives) {
    const Series* effort = result.find(drive.name + ".effort");
    const Series* power = result.find(drive.name + ".power");
    if (effort == nullptr || power == nullptr || effort->values.empty()) continue;
    std::size_t most = 0;
    double squares = 0.0;
    double work = 0.0;
    double peak = 0.0;
    for (std::size_t k = 0; k < effort->values.size(); ++k) {
      if (std::abs(effort->values[k]) > std::abs(effort->values[most])) most = k;
      if (std::abs(power->values[k]) > std::abs(peak)) peak = power->values[k];
      if (k == 0) continue;
      const double h = result.time[k] - result.time[k - 1];
      squares += 0.5 * h * (std::pow(effort->values[k], 2) + std::pow(effort->values[k - 1], 2));
      work += 0.5 * h * (power->values[k] + power->values[k - 1]);
    }
    const double span = result.time.back() - result.time.front();
    const char* unit = drive.kind == DriveKind::angle ? "N*m" : "N";
    printOut("{:<20} {:>10.6g} {:<3} {:>12.6g} {:>10.6g} {:<3} {:>14.6g} {:>14.6g}\n", drive.name, effort->values[most],
             unit, result.time[most], span > 0.0 ? std::sqrt(squares / span) : 0.0, unit, peak, work);
  }
}

int run(const Options& options) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModel(options, diagnostics);
  if (!mechanism) return kBadInput;
  KinematicsOptions run_options;
  run_options.until = 0.0;
  run_options.output_step = runOptions(*mechanism).output_step;
  if (!options.motion.empty()) {
    const MotionFile file = readMotionFile(options.motion);
    std::vector<std::string> warnings;
    const MotionOptions chosen{options.coordinates,
                               options.ends == "clamped" ? TableEnds::clamped : TableEnds::natural};
    const std::string problem = file.problem.empty() ? driveBy(file, chosen, *mechanism, warnings) : file.problem;
    if (!problem.empty()) return options.badInput(problem + ".");
    for (const std::string& text : warnings) printErr("linkwork inverse: warning: {}\n", text);
    run_options.until = file.time.back();
    run_options.output_step = 0.0;
  } else if (!options.coordinates.empty()) {
    return options.badInput("--coordinates chooses columns of the file given by --motion.");
  }
  run_options.extras = ExtraOptions{};
  run_options.analysis = "inverse dynamics";
  int code = kGood;
  const std::optional<KinematicsRun> done = options.MotionVerb::run(*mechanism, run_options, code);
  if (!done) return code;
  if (!options.json) {
    printSummary(done->result, "inverse dynamics");
    printEfforts(*mechanism, done->result);
  }
  return options.finish(*mechanism, *done, diagnostics);
}

}  // namespace

void addInverse(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->name = "inverse";
  options->without_drives = "or give the motion as a table: --motion FILE.csv";
  Verb& verb = line.add("inverse", "Forces and torques of the drives for a prescribed motion, and all reactions",
                        [options] { return run(*options); });
  options->add(verb);
  verb.add("--motion", options->motion, "CSV file with time and coordinates: each becomes a drive");
  verb.add("--coordinates", options->coordinates, "Columns of that file to take, such as O.angle,A.angle")
      .separatedBy(',');
  verb.add("--ends", options->ends,
           "At both ends of the motion file no acceleration (natural) or no velocity (clamped)")
      .oneOf({"natural", "clamped"})
      .showDefault();
}

}  // namespace linkwork::app
