#include "linear_state.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <ostream>

#include "linkwork/analyse/statics.hpp"
#include "linkwork/files/atomic_file.hpp"
#include "linkwork/model/input_names.hpp"
#include "linkwork/model/walk.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/state_at.hpp"
#include "linkwork/simulate/still_result.hpp"
#include "output.hpp"
#include "result_output.hpp"

namespace linkwork::app {

namespace {

// With t a number in everything that moves joints and drives; inputs keep their names.
Mechanism heldWithInputs(Mechanism named, double t) {
  const std::map<std::string, Expr> now{{"t", Expr(t)}};
  for (Input& input : named.inputs) substituteIn(input, now);
  for (Drive& drive : named.drives) substituteIn(drive, now);
  for (Joint& joint : named.joints) substituteIn(joint, now);
  return named;
}

// The state asked for; empty, and the reason, where there is none.
std::vector<double> stateFor(const LinearStateOptions& options, const Mechanism& mechanism, const Assembly& assembly,
                             std::string& problem) {
  if (options.at_equilibrium) {
    const Equilibrium equilibrium = findEquilibrium(mechanism, assembly);
    problem = equilibrium.problem;
    return equilibrium.ok ? equilibrium.state() : std::vector<double>{};
  }
  const StateAt state = stateAt(mechanism, assembly, fineOptions(), options.at);
  problem = state.problem;
  return state.ok ? state.x : std::vector<double>{};
}

std::vector<std::string> warningsOn(const Linearisation& linear) {
  std::vector<std::string> out;
  if (!linear.balanced()) {
    Eigen::Index worst = 0;
    linear.rest.cwiseAbs().maxCoeff(&worst);
    const int k = linear.speeds[static_cast<std::size_t>(worst)];
    const LinearCoordinate& s = linear.coordinates[static_cast<std::size_t>(k)];
    out.push_back(fmt::format(
        "this state is no equilibrium and no steady motion: {} starts with {:.4g} {}/s^2. The matrices hold for this "
        "instant; eigenvalues say little about what follows. --at-equilibrium looks for a pose at rest",
        s.name, linear.accelerations[k], s.unit));
  } else if (!linear.atRest()) {
    out.emplace_back(
        "the mechanism moves in this state: the matrices hold for this instant, and eigenvalues tell of stability only "
        "if the motion is steady, that is, if the matrices stay as they are");
  }
  return out;
}

}  // namespace

void LinearStateOptions::add(Verb& verb) {
  addFile(verb);
  addSpace(verb);
  Option& time =
      verb.add("--at", at, "Time in seconds; later than 0, the motion is followed up to it").in("s").showDefault();
  verb.add("--at-equilibrium", at_equilibrium, "At rest, in the equilibrium nearest to the assembled start")
      .excludes(time);
  verb.add("--steady", steady, "About the steady motion nearest to the assembled start").excludes(time);
  addConditions(verb);
  verb.add("--coordinates", coordinates,
           "Coordinates to use, as many as there are freedoms: O.angle,S.slide (chosen when left out); with --steady "
           "those to begin with")
      .separatedBy(',');
  verb.add("--formulation", formulation,
           "With --steady: whose states to use: recursive (when left out), absolute, quasivelocity, hamiltonian");
}

bool LinearStateOptions::checkSteady(const std::string& verb) const {
  if (steady || (given.empty() && find.empty() && formulation.empty())) return true;
  printErr("linkwork {}: error: --given, --find and --formulation go with --steady.\n", verb);
  return false;
}

std::optional<LinearState> lineariseModel(const std::string& verb, const LinearStateOptions& options,
                                          const std::vector<std::string>& outputs, int& exit_code) {
  exit_code = kBadInput;
  if (!(options.at >= 0.0) || !std::isfinite(options.at)) {
    printErr("linkwork {}: error: --at is {:.6g} s; give a time from 0 on.\n", verb, options.at);
    return std::nullopt;
  }
  Diagnostics diagnostics;
  std::optional<Mechanism> named = readModel(options, diagnostics, InputsAs::names);
  if (!named) return std::nullopt;
  if (options.at_equilibrium) named = heldWithInputs(*std::move(named), 0.0);
  exit_code = kNumericalFailure;
  LinearState out{withInputValues(*named), {}, {}, {}};
  const std::optional<Assembly> assembly = assembleModel(out.mechanism);
  if (!assembly) return std::nullopt;
  if (!canBeWritten(verb, outputs)) {
    exit_code = kBadInput;
    return std::nullopt;
  }
  std::string problem;
  const std::vector<double> x = stateFor(options, out.mechanism, *assembly, problem);
  if (x.empty()) {
    printErr("{}: error: {}.\n", out.mechanism.file_name, problem);
    return std::nullopt;
  }
  out.linear = linearise(*named, *assembly, options.at, x, {options.coordinates});
  if (!out.linear.ok) {
    printErr("{}: error: {}.{}{}\n", out.mechanism.file_name, out.linear.problem, out.linear.hint.empty() ? "" : " ",
             out.linear.hint);
    return std::nullopt;
  }
  out.still = stillResult(out.mechanism, *assembly, options.at, x);
  out.warnings = warningsOn(out.linear);
  for (const std::string& warning : out.warnings) {
    printErr("{}: warning: {}.\n", out.mechanism.file_name, warning);
  }
  exit_code = kGood;
  return out;
}

nlohmann::ordered_json matrixJson(const Eigen::MatrixXd& matrix) {
  auto out = nlohmann::ordered_json::array();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    auto row = nlohmann::ordered_json::array();
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) row.push_back(matrix(r, c));
    out.push_back(row);
  }
  return out;
}

nlohmann::ordered_json coordinatesJson(const std::vector<LinearCoordinate>& coordinates) {
  auto out = nlohmann::ordered_json::array();
  for (const LinearCoordinate& s : coordinates) out.push_back({{"name", s.name}, {"unit", s.unit}});
  return out;
}

void printMatrix(const std::string& title, const Eigen::MatrixXd& matrix, const std::vector<std::string>& rows,
                 const std::vector<std::string>& columns) {
  std::size_t first = title.size();
  for (const std::string& name : rows) first = std::max(first, name.size());
  printOut("{:<{}}", title, first);
  for (const std::string& name : columns) printOut(" {:>16}", name);
  printOut("\n");
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    printOut("{:<{}}", rows[static_cast<std::size_t>(r)], first);
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
      printOut(" {:>{}.9g}", matrix(r, c), std::max<std::size_t>(16, columns[static_cast<std::size_t>(c)].size()));
    }
    printOut("\n");
  }
  printOut("\n");
}

std::string csvText(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string writeMatrixCsv(const std::string& path, const Eigen::MatrixXd& matrix, const std::vector<std::string>& rows,
                           const std::vector<std::string>& columns) {
  return writeAtomically(path, [&](std::ostream& file) {
    for (const std::string& column : columns) file << ',' << csvText(column);
    file << '\n';
    for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
      file << csvText(rows[static_cast<std::size_t>(r)]);
      for (Eigen::Index c = 0; c < matrix.cols(); ++c) file << ',' << fmt::format("{}", matrix(r, c));
      file << '\n';
    }
  });
}

}  // namespace linkwork::app
