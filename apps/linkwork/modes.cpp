// linkwork modes: eigenvalues of a mechanism near one state: frequencies, damping, and who moves how.
#include "linkwork/analyse/modes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <ostream>

#include "equations_linear.hpp"
#include "equations_verbs.hpp"
#include "linear_state.hpp"
#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/report/modes_page.hpp"
#include "linkwork/simulate/still_result.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "steady_point.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  LinearStateOptions state;
  bool json = false;
  std::string out;
  std::string page;
};

constexpr std::size_t kMostNamed = 5;

// "O.angle 1, A.angle 0.41 (180 deg)"; what moves less than a hundredth is left out.
std::string sharesText(std::vector<ModeShare> shares, bool phases) {
  std::erase_if(shares, [](const ModeShare& share) { return share.size < 0.01; });
  const bool more = shares.size() > kMostNamed;
  if (more) shares.resize(kMostNamed);
  std::vector<std::string> words;
  const double zero = shares.empty() ? 0.0 : shares.front().phase;
  for (const ModeShare& share : shares) {
    double phase = std::remainder(share.phase - zero, 360.0);
    if (phase <= -179.95) phase = 180.0;
    words.push_back(std::abs(phase) < 0.05 || !phases
                        ? fmt::format("{} {:.3g}", share.name, share.size)
                        : fmt::format("{} {:.3g} ({:.4g} deg)", share.name, share.size, phase));
  }
  return fmt::format("{}{}", fmt::join(words, ", "), more ? ", ..." : "");
}

void print(const LinearState& state, const NaturalModes& modes) {
  printOut("at t = {:.9g} s: {}\n", state.linear.time, stabilityWords(modes));
  printOut("\n{:>4} {:>30} {:>14} {:>12} {:>14}\n", "mode", "eigenvalue [1/s]", "frequency [Hz]", "damping",
           "time const [s]");
  int number = 1;
  for (const Mode& mode : modes.modes) {
    const std::string eigenvalue =
        mode.kind == ModeKind::oscillation
            ? fmt::format("{:.9g} +- {:.9g}i", mode.eigenvalue.real(), mode.eigenvalue.imag())
            : fmt::format("{:.9g}{}", mode.eigenvalue.real(), mode.kind == ModeKind::drift ? " (twice)" : "");
    const bool steady = !std::isfinite(mode.time_constant);
    printOut("{:>4} {:>30} {:>14} {:>12} {:>14}\n", number++, eigenvalue,
             mode.kind == ModeKind::oscillation ? fmt::format("{:.8g}", mode.frequency) : "",
             mode.kind == ModeKind::oscillation ? fmt::format("{:.6g}", mode.damping_ratio) : "",
             steady ? "" : fmt::format("{:.6g}", mode.time_constant));
  }
  number = 1;
  for (const Mode& mode : modes.modes) {
    printOut("\nmode {}: {}\n", number++, modeWords(mode));
    const auto joints = jointShares(state.linear, mode, state.mechanism);
    if (!joints.empty()) printOut("  joints: {}\n", sharesText(joints, true));
    printOut("  bodies: {}\n", sharesText(bodyShares(state.linear, mode, state.mechanism), false));
  }
}

Json shapeJson(const std::vector<LinearCoordinate>& coordinates, const Eigen::VectorXcd& shape) {
  Json out = Json::object();
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const auto value = shape[static_cast<Eigen::Index>(k)];
    out[coordinates[k].name] = {{"re", value.real()}, {"im", value.imag()}};
  }
  return out;
}

Json toJson(const LinearState& state, const NaturalModes& modes) {
  Json out;
  out["model"] = state.mechanism.file_name;
  addParametersSet(state.mechanism, out);
  out["time"] = state.linear.time;
  out["equilibrium"] = state.linear.balanced() && state.linear.atRest();
  out["steady"] = state.linear.balanced();
  out["stable"] = modes.stable();
  out["stability"] = wordFor(modes.stability);
  out["warnings"] = state.warnings;
  out["coordinates"] = coordinatesJson(state.linear.coordinates);
  out["modes"] = Json::array();
  for (const Mode& mode : modes.modes) {
    Json one;
    one["kind"] = wordFor(mode.kind);
    one["eigenvalue"] = {{"re", mode.eigenvalue.real()}, {"im", mode.eigenvalue.imag()}};
    one["frequency_Hz"] = mode.frequency;
    one["natural_frequency_Hz"] = mode.natural_frequency;
    one["damping_ratio"] = mode.damping_ratio;
    one["time_constant_s"] = std::isfinite(mode.time_constant) ? Json(mode.time_constant) : Json(nullptr);
    one["words"] = modeWords(mode);
    one["shape"] = shapeJson(state.linear.seen, mode.seen);
    out["modes"].push_back(one);
  }
  return out;
}

// NAME_modes.csv: a line for each mode; NAME_shapes.csv: a line for each coordinate, amplitude and phase in each mode.
std::string writeFiles(const std::string& prefix, const LinearState& state, const NaturalModes& modes) {
  std::string problem = writeAtomically(prefix + "_modes.csv", [&](std::ostream& file) {
    file << "mode,kind,eigenvalue_re [1/s],eigenvalue_im [1/s],frequency [Hz],damping_ratio,time_constant [s]\n";
    int number = 1;
    for (const Mode& mode : modes.modes) {
      file << fmt::format("{},{},{},{},{},{},{}\n", number++, wordFor(mode.kind), mode.eigenvalue.real(),
                          mode.eigenvalue.imag(), mode.frequency, mode.damping_ratio,
                          std::isfinite(mode.time_constant) ? fmt::format("{}", mode.time_constant) : "");
    }
  });
  if (!problem.empty()) return problem;
  return writeAtomically(prefix + "_shapes.csv", [&](std::ostream& file) {
    file << "coordinate,unit";
    for (std::size_t k = 1; k <= modes.modes.size(); ++k) file << fmt::format(",amplitude {0},phase {0} [deg]", k);
    file << '\n';
    for (std::size_t c = 0; c < state.linear.seen.size(); ++c) {
      file << csvText(state.linear.seen[c].name) << ',' << state.linear.seen[c].unit;
      for (const Mode& mode : modes.modes) {
        const auto value = mode.seen[static_cast<Eigen::Index>(c)];
        file << fmt::format(",{},{}", std::abs(value), std::arg(value) * 180.0 / std::numbers::pi);
      }
      file << '\n';
    }
  });
}

std::vector<std::string> outputsOf(const Options& options) {
  std::vector<std::string> out{options.page};
  if (!options.out.empty()) out.insert(out.end(), {options.out + "_modes.csv", options.out + "_shapes.csv"});
  return out;
}

// The state and its modes about a steady motion.
std::optional<LinearState> steadyState(const Options& options, NaturalModes& modes, std::string& about,
                                       int& exit_code) {
  exit_code = kBadInput;
  const std::optional<SteadyNaming> naming = namingFor("modes", options.state);
  if (!naming) return std::nullopt;
  std::optional<SteadyPoint> point = findSteadyPoint("modes", options.state, exit_code);
  if (!point) return std::nullopt;
  if (!canBeWritten("modes", outputsOf(options))) {
    exit_code = kBadInput;
    return std::nullopt;
  }
  SteadySolver& solver = point->follower->solver();
  const SteadyLinearisation linear = lineariseSteady(solver, point->motion, point->follower->zeros(), *naming);
  const Deflated deflated = deflate(solver, point->motion, point->follower->zeros());
  if (!linear.ok || !deflated.ok) {
    printErr("{}: error: {}.{}{}\n", point->models->mechanism().file_name, linear.problem,
             linear.hint.empty() ? "" : " ", linear.hint);
    exit_code = kNumericalFailure;
    return std::nullopt;
  }
  const SteadyModel& model = solver.model();
  LinearState out{model.mechanism, {}, {}, stillResult(model.mechanism, model.assembly, 0.0, point->motion.absolute)};
  out.linear.ok = true;
  out.linear.length = solver.field().length();
  out.linear.coordinates = linear.coordinates;
  out.linear.seen = solver.field().seen();
  out.linear.speed = point->motion.goes_on.empty() ? 0.0 : 1.0;
  modes = findModes(deflated, out.linear.seen, out.linear.length);
  about = steadyWords(*point, linear);
  return out;
}

int run(const Options& options) {
  if (isEquationsFile(options.state.file)) {
    if (refusesOptions("modes", {{"--at", options.state.at != 0.0},
                                 {"--at-equilibrium", options.state.at_equilibrium},
                                 {"--coordinates", !options.state.coordinates.empty()},
                                 {"--out", !options.out.empty()},
                                 {"--page", !options.page.empty()}}))
      return kBadInput;
    return modesEquations({options.state, {}, 0, options.json, {}, options.state.steady});
  }
  int exit_code = kGood;
  NaturalModes modes;
  std::string about;
  if (!options.state.checkSteady("modes")) return kBadInput;
  const std::optional<LinearState> state = options.state.steady
                                               ? steadyState(options, modes, about, exit_code)
                                               : lineariseModel("modes", options.state, outputsOf(options), exit_code);
  if (!state) return exit_code;
  if (!options.state.steady) modes = findModes(state->linear);
  if (!modes.ok) {
    printErr("{}: error: {}.\n", state->mechanism.file_name, modes.problem);
    return kNumericalFailure;
  }
  if (options.json) {
    printOut("{}\n", toJson(*state, modes).dump(2));
  } else if (options.out.empty()) {
    if (!about.empty()) printOut("{}\n", about);
    print(*state, modes);
  }
  const auto failed = [](const std::string& problem) {
    printErr("linkwork modes: error: {}\n", problem);
    return kBadInput;
  };
  if (!options.page.empty()) {
    const std::string data = modesPageData(state->mechanism, state->linear, modes, state->still, state->warnings);
    if (const std::string problem = writePageFile(data, options.page); !problem.empty()) return failed(problem);
    printErr("wrote {}\n", options.page);
  }
  if (options.out.empty()) return kGood;
  if (const std::string problem = writeFiles(options.out, *state, modes); !problem.empty()) return failed(problem);
  printErr("wrote {0}_modes.csv\nwrote {0}_shapes.csv\n", options.out);
  return kGood;
}

}  // namespace

void addModes(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb =
      line.add("modes", "Frequencies, damping and mode shapes of the mechanism near one of its states", [options] {
        if (!options->out.empty()) options->out = resultBase(options->out, options->state.file);
        return run(*options);
      });
  options->state.add(verb);
  verb.add("--json", options->json, "As JSON");
  verb.add("--out", options->out, "Folder for CSV files: NAME_modes.csv and NAME_shapes.csv");
  verb.add("--page", options->page, "Write a page with the plane of eigenvalues and the modes in motion");
}

}  // namespace linkwork::app
