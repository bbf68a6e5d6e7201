#include "equations_family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equations_verbs.hpp"
#include "linkwork/formulation/equations/equations_names.hpp"
#include "output.hpp"

namespace linkwork::app {

std::optional<EquationsFile> EquationsFile::read(const EquationsSteadyAsked& asked) {
  Diagnostics diagnostics;
  std::optional<ParsedEquations> parsed;
  if (const auto options = equationsReadOptions(asked.model, asked.model.given, diagnostics))
    parsed = ParsedEquations::parseFile(asked.model.file, *options, diagnostics);
  std::optional<EquationsModel> model;
  if (parsed) model = parsed->model(diagnostics);
  writeErr(diagnostics.format());
  if (!model) return std::nullopt;
  EquationsFile out(*std::move(parsed), *std::move(model), asked.model.find);
  for (const std::string& name : asked.model.find) {
    if (!out.hasParameter(asked.model.for_verb, "--find " + name, name)) return std::nullopt;
  }
  return out;
}

std::string EquationsFile::unitOf(const std::string& name) const {
  for (const Parameter& parameter : model_.frame.parameters) {
    if (parameter.name == name) return parameter.unit;
  }
  return {};
}

bool EquationsFile::hasParameter(const std::string& verb, const std::string& option, const std::string& name) const {
  std::vector<std::string> names;
  for (const Parameter& parameter : model_.frame.parameters) names.push_back(parameter.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return true;
  const std::string guess = didYouMean(name, names);
  printErr("linkwork {}: error: {}: \"{}\" is no parameter of {}.{}\n", verb, option, name, model_.frame.file_name,
           guess.empty() ? "" : " " + guess);
  return false;
}

EquationsFamilyOver EquationsFile::over(const std::string& over, std::vector<ParameterValue> fixed) {
  EquationsFamilyOver out;
  for (const std::string& name : unknown_) {
    for (const Parameter& parameter : model_.frame.parameters) {
      if (parameter.name == name) out.unknown.push_back(parameter.value.number);
    }
  }
  out.make = [this, over, fixed = std::move(fixed)](
                 double p, std::span<const double> unknown) -> std::unique_ptr<EquationsModel> {
    if (over.empty() && unknown.empty() && fixed.empty()) return std::make_unique<EquationsModel>(model_);
    std::vector<ParameterValue> values = fixed;
    if (!over.empty()) values.push_back({over, p});
    for (std::size_t k = 0; k < unknown.size(); ++k) values.push_back({unknown_[k], unknown[k]});
    Diagnostics ignored;
    std::optional<EquationsModel> made = parsed_.withParameters(values, ignored);
    return made ? std::make_unique<EquationsModel>(*std::move(made)) : nullptr;
  };
  return out;
}
int failEquations(const EquationsModel& model, const std::string& problem, const std::string& hint) {
  printErr("{}: error: {}.{}{}\n", model.frame.file_name, problem, hint.empty() ? "" : " ", hint);
  return kNumericalFailure;
}

std::vector<std::string> familyNames(const EquationsLinear& linear, const DeflatedEquations& deflated) {
  std::vector<std::string> out;
  for (Eigen::Index k = 0; k < deflated.families.cols(); ++k) {
    Eigen::Index most = 0;
    deflated.families.col(k).cwiseAbs().maxCoeff(&most);
    const std::string& name = linear.states[static_cast<std::size_t>(most)];
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

EquationsValues valuesAt(EquationsSteadySolver& solver, const std::vector<double>& x) {
  EquationsValues out;
  const Mechanism frame = recordedFrame(solver.model());
  out.names = frame.outputs;
  Observation seen;
  const auto work = solver.system().makeWorkspace();
  if (solver.system().observe(0.0, x, {}, *work, seen) == Eval::ok) out.numbers = seen.outputs;
  for (Output& name : out.names) name.name = name.name.substr(name.name.find('.') + 1);
  return out;
}

std::optional<LocusAxis> axisOf(const EquationsFile& file, const std::string& verb, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..");
  LocusAxis out;
  out.name = text.substr(0, equals);
  try {
    if (equals == std::string::npos || dots == std::string::npos || dots < equals) throw std::invalid_argument(text);
    std::size_t used = 0;
    const std::string from = text.substr(equals + 1, dots - equals - 1);
    const std::string to = text.substr(dots + 2);
    out.from = std::stod(from, &used);
    if (used != from.size()) throw std::invalid_argument(text);
    out.to = std::stod(to, &used);
    if (used != to.size() || !(out.from < out.to) || !std::isfinite(out.to - out.from))
      throw std::invalid_argument(text);
  } catch (const std::exception&) {
    printErr("linkwork {}: error: --over {}: expected NAME=FROM..TO with FROM below TO, such as s=0..10.\n", verb,
             text);
    return std::nullopt;
  }
  if (!file.hasParameter(verb, "--over " + text, out.name)) return std::nullopt;
  out.unit = file.unitOf(out.name);
  return out;
}

}  // namespace linkwork::app
