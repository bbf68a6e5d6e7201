// linkwork linearize: a mechanism near one state as a linear system, with names: A, B, C, D, or M, C, K.
#include <fmt/format.h>

#include <memory>

#include "equations_linear.hpp"
#include "equations_verbs.hpp"
#include "linear_state.hpp"
#include "linearize_along.hpp"
#include "linkwork/files/json_settings.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "steady_point.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  LinearStateOptions state;
  bool second_order = false;
  std::string split;
  std::string along;
  bool json = false;
  std::string out;
  std::string variant = "corrected";
};

struct NamedMatrix {
  const char* name;
  const Eigen::MatrixXd* matrix;
  std::vector<std::string> rows, columns;
};

std::vector<std::string> withUnits(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    out.push_back(units[k].empty() ? names[k] : fmt::format("{} [{}]", names[k], units[k]));
  }
  return out;
}

std::vector<std::string> labels(const std::vector<LinearSignal>& signals) {
  std::vector<std::string> names;
  std::vector<std::string> units;
  for (const LinearSignal& signal : signals) {
    names.push_back(signal.name);
    units.push_back(signal.unit);
  }
  return withUnits(names, units);
}

std::vector<NamedMatrix> matricesOf(const Linearisation& linear, bool second_order) {
  const auto states = withUnits(linear.stateNames(), linear.stateUnits());
  const auto inputs = labels(linear.inputs);
  const auto outputs = labels(linear.outputs);
  std::vector<NamedMatrix> out;
  if (second_order) {
    const auto n = static_cast<std::ptrdiff_t>(linear.coordinates.size());
    const std::vector<std::string> s(states.begin(), states.begin() + n);
    const std::vector<std::string> rates(states.begin() + n, states.end());
    std::vector<std::string> rows;  // the coordinates whose rates are states
    std::vector<std::string> accelerations;
    for (const int k : linear.speeds) {
      const LinearCoordinate& c = linear.coordinates[static_cast<std::size_t>(k)];
      rows.push_back(s[static_cast<std::size_t>(k)]);
      accelerations.push_back(c.name + "'' [" + c.unit + "/s^2]");
    }
    out = {{"M", &linear.M, rows, accelerations}, {"C", &linear.C, rows, rates}, {"K", &linear.K, rows, s}};
    if (!inputs.empty()) out.push_back({"G", &linear.G, rows, inputs});
    return out;
  }
  out = {{"A", &linear.A, states, states}};
  if (!inputs.empty()) out.push_back({"B", &linear.B, states, inputs});
  if (!outputs.empty()) out.push_back({"C", &linear.C_y, outputs, states});
  if (!outputs.empty() && !inputs.empty()) out.push_back({"D", &linear.D, outputs, inputs});
  return out;
}

Json signalsJson(const std::vector<LinearSignal>& signals) {
  Json out = Json::array();
  for (const LinearSignal& signal : signals) out.push_back({{"name", signal.name}, {"unit", signal.unit}});
  return out;
}

Json toJson(const LinearState& state, bool second_order) {
  const Linearisation& linear = state.linear;
  Json out;
  out["model"] = state.mechanism.file_name;
  addParametersSet(state.mechanism, out);
  out["time"] = linear.time;
  out["equilibrium"] = linear.balanced() && linear.atRest();
  out["steady"] = linear.balanced();
  out["warnings"] = state.warnings;
  out["coordinates"] = coordinatesJson(linear.coordinates);
  if (second_order) {
    out["inputs"] = signalsJson(linear.inputs);
    out["M"] = matrixJson(linear.M);
    out["C"] = matrixJson(linear.C);
    out["K"] = matrixJson(linear.K);
    out["G"] = matrixJson(linear.G);
    out["rest"] = std::vector<double>(linear.rest.begin(), linear.rest.end());
    return out;
  }
  out["states"] = Json::array();
  const auto names = linear.stateNames();
  const auto units = linear.stateUnits();
  for (std::size_t k = 0; k < names.size(); ++k) out["states"].push_back({{"name", names[k]}, {"unit", units[k]}});
  out["inputs"] = signalsJson(linear.inputs);
  out["outputs"] = signalsJson(linear.outputs);
  out["output_values"] = std::vector<double>(linear.output_values.begin(), linear.output_values.end());
  out["A"] = matrixJson(linear.A);
  out["B"] = matrixJson(linear.B);
  out["C"] = matrixJson(linear.C_y);
  out["D"] = matrixJson(linear.D);
  return out;
}

int writeFiles(const std::string& prefix, const std::vector<NamedMatrix>& matrices) {
  for (const NamedMatrix& named : matrices) {
    const std::string path = fmt::format("{}_{}.csv", prefix, named.name);
    const std::string problem = writeMatrixCsv(path, *named.matrix, named.rows, named.columns);
    if (!problem.empty()) {
      printErr("linkwork linearize: error: {}\n", problem);
      return kBadInput;
    }
    printErr("wrote {}\n", path);
  }
  return kGood;
}

int runEquations(const Options& options) {
  const LinearStateOptions& state = options.state;
  if (refusesOptions("linearize", {{"--at", state.at != 0.0},
                                   {"--at-equilibrium", state.at_equilibrium},
                                   {"--coordinates", !state.coordinates.empty()},
                                   {"--second-order", options.second_order},
                                   {"--split", !options.split.empty()},
                                   {"--along", !options.along.empty()}}))
    return kBadInput;
  EquationsSteadyAsked asked{state, {}, 0, options.json, options.out, state.steady};
  asked.printed = options.variant != "corrected";
  return linearizeEquations(asked);
}

int run(const Options& options) {
  if (isEquationsFile(options.state.file)) return runEquations(options);
  if (options.variant != "corrected") {
    printErr("linkwork linearize: error: --variant is for files of equations, and this one holds a mechanism.\n");
    return kBadInput;
  }
  if (!options.along.empty()) {
    if (options.state.steady || options.state.at_equilibrium || options.state.at != 0.0 || options.second_order ||
        !options.split.empty()) {
      printErr(
          "linkwork linearize: error: --along takes the states of a run; leave out --at, --at-equilibrium, --steady, "
          "--second-order and --split.\n");
      return kBadInput;
    }
    if (!options.state.checkSteady("linearize")) return kBadInput;
    return linearizeAlong(options.state, {options.along, options.json, options.out});
  }
  if (options.state.steady) {
    return linearizeSteady(options.state, {options.second_order, options.split, options.json, options.out});
  }
  if (!options.state.checkSteady("linearize")) return kBadInput;
  if (!options.split.empty()) {
    printErr("linkwork linearize: error: --split goes with --steady.\n");
    return kBadInput;
  }
  int exit_code = kGood;
  std::vector<std::string> outputs;
  if (!options.out.empty()) outputs.push_back(fmt::format("{}_{}.csv", options.out, options.second_order ? "M" : "A"));
  const std::optional<LinearState> state = lineariseModel("linearize", options.state, outputs, exit_code);
  if (!state) return exit_code;
  const auto matrices = matricesOf(state->linear, options.second_order);
  if (options.json) {
    printOut("{}\n", toJson(*state, options.second_order).dump(2));
  } else if (options.out.empty()) {
    const std::size_t n = state->linear.coordinates.size();
    printOut("at t = {:.9g} s: {} freedom{}, {} input{}, {} output{}; {}\n\n", state->linear.time, n, n == 1 ? "" : "s",
             state->linear.inputs.size(), state->linear.inputs.size() == 1 ? "" : "s", state->linear.outputs.size(),
             state->linear.outputs.size() == 1 ? "" : "s",
             options.second_order ? "M s'' + C s' + K s = G u" : "x' = A x + B u, y = C x + D u");
    for (const NamedMatrix& named : matrices) printMatrix(named.name, *named.matrix, named.rows, named.columns);
  }
  return options.out.empty() ? kGood : writeFiles(options.out, matrices);
}

}  // namespace

void addLinearize(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add(
      "linearize",
      "The mechanism near one state as a linear system: A, B, C, D with names, or mass, damping, stiffness", [options] {
        if (!options->out.empty()) options->out = resultBase(options->out, options->state.file);
        return run(*options);
      });
  options->state.add(verb);
  verb.add("--second-order", options->second_order, "M, C, K and G of M s'' + C s' + K s = G u instead");
  verb.add("--split", options->split, "With --steady: the matrices as polynomials of this parameter or input");
  verb.add(
      "--along", options->along,
      "At every sample of a recorded run of the model: NAME.csv, .json or .h5; with --out one table NAME_along.csv");
  verb.add("--variant", options->variant,
           "Of equations: printed_rule, products in which quasi-velocities stay small, which is wrong: for study")
      .oneOf({"corrected", "printed_rule"});
  verb.add("--json", options->json, "As JSON");
  verb.add("--out", options->out, "Folder for a CSV file of each matrix: NAME_A.csv");
}

}  // namespace linkwork::app
