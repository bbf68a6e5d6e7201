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
  Matrix M, C, K;
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
  for (Eigen::Index r = 0; r < m; ++r) {
    const auto row = static_cast<Eigen::Index>(out.kept[static_cast<std::size_t>(r)]);
    out.K.row(r) = linear.K.row(row);
    for (Eigen::Index c = 0; c < m; ++c) {
      const auto column = static_cast<Eigen::Index>(out.kept[static_cast<std::size_t>(c)]);
      out.M(r, c) = linear.M(row, column);
      out.C(r, c) = linear.C(row, column);
    }
  }
  return out;
}

std::vector<Named> matricesOf(const SteadyLinearisation& linear, bool second_order) {
  const auto states = withUnits(linear.stateNames(), linear.stateUnits());
  if (!second_order) return {{"A", linear.A, states, states}};
  const SecondOrder reduced = secondOrder(linear);
  const auto n = static_cast<std::ptrdiff_t>(linear.coordinates.size());
  const std::vector<std::string> s(states.begin(), states.begin() + n);
  std::vector<std::string> rates;
  std::vector<std::string> changes;
  for (const std::size_t k : reduced.kept) {
    rates.push_back(states[static_cast<std::size_t>(n) + k]);
    changes.push_back(fmt::format("{}' [{}/s]", linear.speeds[k], linear.speed_units[k]));
  }
  return {{"M", reduced.M, rates, changes}, {"C", reduced.C, rates, rates}, {"K", reduced.K, rates, s}};
}

Json namesJson(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  Json out = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) out.push_back({{"name", names[k]}, {"unit", units[k]}});
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
  return out;
}

// Powers of the parameter in each matrix.
int printSplit(SteadyPoint& point, const LinearStateOptions& state, const SteadyLinearizeOptions& options,
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
    std::vector<std::string> wanted;
    for (const LinearCoordinate& s : here.coordinates) wanted.push_back(s.name);
    const SteadyLinearisation linear = lineariseSteady(follower.solver(), motion, follower.zeros(), wanted);
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
  (void)state;
  return kGood;
}

}  // namespace

int linearizeSteady(const LinearStateOptions& state, const SteadyLinearizeOptions& options) {
  int exit_code = kGood;
  std::optional<SteadyPoint> point = findSteadyPoint("linearize", state, exit_code);
  if (!point) return exit_code;
  const SteadyLinearisation linear =
      lineariseSteady(point->follower->solver(), point->motion, point->follower->zeros(), state.coordinates);
  if (!linear.ok) {
    printErr("{}: error: {}.{}{}\n", point->models->mechanism().file_name, linear.problem,
             linear.hint.empty() ? "" : " ", linear.hint);
    return kNumericalFailure;
  }
  if (!options.split.empty()) return printSplit(*point, state, options, linear);
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
    printOut("{}\n\n", options.second_order ? "M z' + C z + K s = 0" : "x' = A x");
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
