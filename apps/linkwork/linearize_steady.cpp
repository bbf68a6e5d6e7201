// linkwork linearize --steady: matrices about a steady motion, and as polynomials of a parameter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "linkwork/files/json_settings.hpp"
#include "linkwork/study/polynomial_split.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "steady_point.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;
using Matrix = Eigen::MatrixXd;

struct Named {
  std::string name;
  Matrix matrix;
  std::vector<std::string> rows, columns;
};

std::vector<std::string> withUnits(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < names.size(); ++k) out.push_back(fmt::format("{} [{}]", names[k], units[k]));
  return out;
}

// M, C, K without speeds that no other equation knows and that know no other.
struct SecondOrder {
  Matrix M, C, K, G;
  Matrix U, V;                         // s' = U z + V s, where that is not z itself
  std::vector<std::size_t> kept;       // of z
  std::vector<std::string> decoupled;  // names of the others
};

SecondOrder secondOrder(const SteadyLinearisation& linear) {
  constexpr double kApart = 1e-11;  // of the largest entry of its matrix
  const auto n = static_cast<Eigen::Index>(linear.speeds.size());
  const auto small = [](const Matrix& matrix, auto&& part) {
    return part.size() == 0 || part.cwiseAbs().maxCoeff() <= kApart * std::max(matrix.cwiseAbs().maxCoeff(), 1e-300);
  };
  SecondOrder out;
  for (Eigen::Index j = 0; j < n; ++j) {
    bool alone =
        linear.rate_of[static_cast<std::size_t>(j)] < 0 && (linear.K.cols() == 0 || small(linear.K, linear.K.row(j)));
    for (Eigen::Index k = 0; k < n && alone; ++k) {
      if (k == j) continue;
      const double mass = std::sqrt(linear.M(j, j) * linear.M(k, k));
      alone = std::abs(linear.M(j, k)) <= kApart * mass && small(linear.C, linear.C.block(j, k, 1, 1)) &&
              small(linear.C, linear.C.block(k, j, 1, 1));
    }
    if (alone) {
      out.decoupled.push_back(linear.speeds[static_cast<std::size_t>(j)]);
    } else {
      out.kept.push_back(static_cast<std::size_t>(j));
    }
  }
  const auto m = static_cast<Eigen::Index>(out.kept.size());
  out.M.resize(m, m);
  out.C.resize(m, m);
  out.K.resize(m, linear.K.cols());
  out.G.resize(m, linear.G.cols());
  for (Eigen::Index r = 0; r < m; ++r) {
    const auto row = static_cast<Eigen::Index>(out.kept[static_cast<std::size_t>(r)]);
    out.K.row(r) = linear.K.row(row);
    if (linear.G.cols() > 0) out.G.row(r) = linear.G.row(row);
    for (Eigen::Index c = 0; c < m; ++c) {
      const auto column = static_cast<Eigen::Index>(out.kept[static_cast<std::size_t>(c)]);
      out.M(r, c) = linear.M(row, column);
      out.C(r, c) = linear.C(row, column);
    }
  }
  const auto s = static_cast<Eigen::Index>(linear.coordinates.size());
  const auto rates = std::count_if(linear.rate_of.begin(), linear.rate_of.end(), [](int of) { return of >= 0; });
  if (rates == s) return out;
  out.V = linear.A.topLeftCorner(s, s);
  out.U.resize(s, m);
  for (Eigen::Index c = 0; c < m; ++c) {
    out.U.col(c) = linear.A.col(s + static_cast<Eigen::Index>(out.kept[static_cast<std::size_t>(c)])).head(s);
  }
  return out;
}

std::vector<std::string> namesOf(const std::vector<LinearSignal>& signals) {
  std::vector<std::string> out;
  for (const LinearSignal& signal : signals) {
    out.push_back(signal.unit.empty() ? signal.name : fmt::format("{} [{}]", signal.name, signal.unit));
  }
  return out;
}

std::vector<Named> matricesOf(const SteadyLinearisation& linear, bool second_order) {
  const auto states = withUnits(linear.stateNames(), linear.stateUnits());
  const auto inputs = namesOf(linear.inputs);
  const auto outputs = namesOf(linear.outputs);
  if (!second_order) {
    std::vector<Named> out{{"A", linear.A, states, states}};
    if (!inputs.empty()) out.push_back({"B", linear.B, states, inputs});
    if (!outputs.empty()) out.push_back({"C", linear.C_y, outputs, states});
    if (!inputs.empty() && !outputs.empty()) out.push_back({"D", linear.D, outputs, inputs});
    return out;
  }
  const SecondOrder reduced = secondOrder(linear);
  const auto n = static_cast<std::ptrdiff_t>(linear.coordinates.size());
  const std::vector<std::string> s(states.begin(), states.begin() + n);
  std::vector<std::string> rates;
  std::vector<std::string> changes;
  for (const std::size_t k : reduced.kept) {
    rates.push_back(states[static_cast<std::size_t>(n) + k]);
    changes.push_back(fmt::format("{}' [{}^2]", linear.speeds[k], linear.speed_units[k]));
  }
  std::vector<Named> out{{"M", reduced.M, rates, changes}, {"C", reduced.C, rates, rates}, {"K", reduced.K, rates, s}};
  if (!inputs.empty()) out.push_back({"G", reduced.G, rates, inputs});
  if (reduced.V.rows() > 0) {
    std::vector<std::string> of_s;
    for (const LinearCoordinate& one : linear.coordinates)
      of_s.push_back(fmt::format("{}' [{}/s]", one.name, one.unit));
    out.push_back({"U", reduced.U, of_s, rates});
    out.push_back({"V", reduced.V, of_s, s});
  }
  return out;
}

Json namesJson(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  Json out = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) out.push_back({{"name", names[k]}, {"unit", units[k]}});
  return out;
}

Json signalsJson(const std::vector<LinearSignal>& signals) {
  Json out = Json::array();
  for (const LinearSignal& signal : signals) out.push_back({{"name", signal.name}, {"unit", signal.unit}});
  return out;
}

Json headJson(SteadyPoint& point, const SteadyLinearisation& linear) {
  Json out;
  out["model"] = point.models->mechanism().file_name;
  addParametersSet(point.models->mechanism(), out);
  out["steady"] = true;
  out["axes_turn"] = point.motion.turning;
  out["goes_on"] = Json::array();
  for (const GoesOn& one : point.motion.goes_on) {
    out["goes_on"].push_back({{"name", one.name}, {"rate", one.rate}, {"unit", one.unit}});
  }
  out["ignorable"] = linear.ignorable;
  out["structural_zeros"] = linear.families;
  out["coordinates"] = coordinatesJson(linear.coordinates);
  out["states"] = namesJson(linear.stateNames(), linear.stateUnits());
  out["inputs"] = signalsJson(linear.inputs);
  out["outputs"] = signalsJson(linear.outputs);
  out["output_values"] = std::vector<double>(linear.output_values.begin(), linear.output_values.end());
  out["outputs_left_out"] = linear.drifting;
  return out;
}

// Inputs and outputs, with other values of parameters; answers as addSignals() does.
std::string addSignalsAt(SteadyModels& models, MotionFollower& follower, const SteadyMotion& motion,
                         std::map<std::string, double> values, SteadyLinearisation& linear) {
  for (std::size_t k = 0; k < models.unknown().size(); ++k) values[models.unknown()[k]] = follower.unknown()[k];
  std::string problem;
  const std::optional<Mechanism> named = models.namedWith(values, problem);
  return named ? addSignals(follower.solver(), motion, *named, linear) : problem;
}

// "M z' + C z + K s = G u, s' = U z + V s"
std::string equationWords(const std::vector<Named>& matrices, bool second_order) {
  const auto has = [&](std::string_view name) {
    return std::any_of(matrices.begin(), matrices.end(), [&](const Named& named) { return named.name == name; });
  };
  if (second_order) {
    return fmt::format("M z' + C z + K s = {}{}", has("G") ? "G u" : "0", has("U") ? ", s' = U z + V s" : "");
  }
  return fmt::format("x' = A x{}{}{}", has("B") ? " + B u" : "", has("C") ? ", y = C x" : "", has("D") ? " + D u" : "");
}

// Powers of the parameter in each matrix.
int printSplit(SteadyPoint& point, const SteadyNaming& naming, const SteadyLinearizeOptions& options,
               const SteadyLinearisation& here) {
  const std::string& name = options.split;
  const auto refuse = [&](const std::string& problem) {
    printErr("linkwork linearize: error: --split {}: {}\n", name, problem);
    return kBadInput;
  };
  const std::optional<double> value = point.models->valueOf(name);
  if (!value) return refuse(point.models->unknownName(name));
  MotionFollower follower(point.models->over(name, {}), *value);
  if (!follower.problem().empty()) return refuse(follower.problem() + ".");
  const auto first = matricesOf(here, options.second_order);
  std::string problem;
  const auto matricesAt = [&](double p) {
    std::vector<Matrix> out;
    const SteadyMotion motion = follower.motionAt(p);
    if (!motion.ok) {
      problem = fmt::format("at {:.6g}: {}.", p, motion.problem);
      return out;
    }
    SteadyNaming same = naming;
    same.coordinates.clear();
    for (const LinearCoordinate& s : here.coordinates) same.coordinates.push_back(s.name);
    SteadyLinearisation linear = lineariseSteady(follower.solver(), motion, follower.zeros(), same);
    if (linear.ok) problem = addSignalsAt(*point.models, follower, motion, {{name, p}}, linear);
    if (!problem.empty()) return out;
    if (!linear.ok || linear.stateNames() != here.stateNames()) {
      problem = fmt::format("at {:.6g} the matrices have other rows than at {:.6g}.", p, *value);
      return out;
    }
    for (Named& named : matricesOf(linear, options.second_order)) out.push_back(std::move(named.matrix));
    return out;
  };
  const PolynomialSplit split = splitByPowers(matricesAt, *value);
  if (!split.ok) return refuse(problem.empty() ? split.problem : problem);
  if (options.json) {
    Json out = headJson(point, here);
    out["split"] = name;
    for (std::size_t m = 0; m < first.size(); ++m) {
      Json& powers = out[first[m].name];
      powers = Json::object();
      for (const auto& [power, matrix] : split.powers[m]) powers[fmt::format("{}", power)] = matrixJson(matrix);
    }
    printOut("{}\n", out.dump(2));
    return kGood;
  }
  printOut("{}\n\n", steadyWords(point, here));
  for (std::size_t m = 0; m < first.size(); ++m) {
    for (const auto& [power, matrix] : split.powers[m]) {
      const std::string title = power == 0   ? fmt::format("{}0", first[m].name)
                                : power == 1 ? fmt::format("{}1, times {}", first[m].name, name)
                                             : fmt::format("{0}{1}, times {2}^{1}", first[m].name, power, name);
      printMatrix(title, matrix, first[m].rows, first[m].columns);
    }
  }
  return kGood;
}

}  // namespace

int linearizeSteady(const LinearStateOptions& state, const SteadyLinearizeOptions& options) {
  int exit_code = kGood;
  const std::optional<SteadyNaming> naming = namingFor("linearize", state);
  if (!naming) return kBadInput;
  if (options.second_order && naming->states == SteadyStates::impulses) {
    printErr(
        "linkwork linearize: error: --second-order: the states of hamiltonian are impulses, which M, C and K are not "
        "made for; take another --formulation.\n");
    return kBadInput;
  }
  std::optional<SteadyPoint> point = findSteadyPoint("linearize", state, exit_code);
  if (!point) return exit_code;
  MotionFollower& follower = *point->follower;
  SteadyLinearisation linear = lineariseSteady(follower.solver(), point->motion, follower.zeros(), *naming);
  if (!linear.ok) {
    printErr("{}: error: {}.{}{}\n", point->models->mechanism().file_name, linear.problem,
             linear.hint.empty() ? "" : " ", linear.hint);
    return kNumericalFailure;
  }
  if (const std::string problem = addSignalsAt(*point->models, follower, point->motion, {}, linear); !problem.empty()) {
    printErr("{}: warning: inputs and outputs are left out: {}.\n", point->models->mechanism().file_name, problem);
  }
  if (!options.split.empty()) return printSplit(*point, *naming, options, linear);
  const auto matrices = matricesOf(linear, options.second_order);
  const auto decoupled = options.second_order ? secondOrder(linear).decoupled : std::vector<std::string>{};
  if (options.json) {
    Json out = headJson(*point, linear);
    if (options.second_order) out["decoupled"] = decoupled;
    for (const Named& named : matrices) out[named.name] = matrixJson(named.matrix);
    printOut("{}\n", out.dump(2));
  } else if (options.out.empty()) {
    printOut("{}\n", steadyWords(*point, linear));
    for (const std::string& name : decoupled) printOut("{} goes its own way: left out\n", name);
    for (const std::string& name : linear.drifting) {
      printOut("output {} depends on what goes on or is left out, and has no row\n", name);
    }
    printOut("{}\n\n", equationWords(matrices, options.second_order));
    for (const Named& named : matrices) printMatrix(named.name, named.matrix, named.rows, named.columns);
  }
  for (const Named& named : matrices) {
    if (options.out.empty()) break;
    const std::string path = fmt::format("{}_{}.csv", options.out, named.name);
    const std::string problem = writeMatrixCsv(path, named.matrix, named.rows, named.columns);
    if (!problem.empty()) {
      printErr("linkwork linearize: error: {}\n", problem);
      return kBadInput;
    }
    printErr("wrote {}\n", path);
  }
  return kGood;
}

}  // namespace linkwork::app
