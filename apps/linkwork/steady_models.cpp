#include "steady_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/model/input_names.hpp"
#include "linkwork/model/lift.hpp"
#include "memory.hpp"
#include "output.hpp"

namespace linkwork::app {

namespace {

std::map<std::string, double> numbersOf(const Mechanism& mechanism) {
  std::map<std::string, double> out{{"t", 0.0}};
  for (const Parameter& parameter : mechanism.parameters) out[parameter.name] = parameter.value.number;
  return out;
}

const Input* inputNamed(const Mechanism& mechanism, const std::string& name) {
  const auto found = std::find_if(mechanism.inputs.begin(), mechanism.inputs.end(),
                                  [&](const Input& input) { return input.name == name; });
  return found == mechanism.inputs.end() ? nullptr : &*found;
}

const Parameter* parameterNamed(const Mechanism& mechanism, const std::string& name) {
  const auto found = std::find_if(mechanism.parameters.begin(), mechanism.parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.name == name; });
  return found == mechanism.parameters.end() ? nullptr : &*found;
}

}  // namespace

void SteadyOptions::addConditions(Verb& verb) {
  verb.add("--given", given, "A quantity that the steady motion must have, such as \"O.rate=10 rad/s\"; once for each")
      .oneEach();
  verb.add("--find", find, "Parameters or inputs to be found with the motion, where given values leave no room without")
      .separatedBy(',');
}

SteadyModels::SteadyModels(ParsedModel parsed, Mechanism named)
    : parsed_(std::move(parsed)), named_(std::move(named)), plain_(withInputValues(named_)) {}

std::optional<SteadyModels> SteadyModels::read(const std::string& verb, const SteadyOptions& options) {
  if (refusesEquations(options)) return std::nullopt;
  Diagnostics diagnostics;
  ReadOptions read;
  read.inputs = InputsAs::names;
  for (const std::string& text : options.set) {
    if (std::optional<ParameterSetting> setting = parseSetting(text, diagnostics)) read.set.push_back(*setting);
  }
  for (const std::string& text : options.given) {
    if (std::optional<ParameterSetting> setting = parseGiven(text, diagnostics)) read.given.push_back(*setting);
  }
  std::optional<ParsedModel> parsed;
  if (!diagnostics.hasErrors()) parsed = ParsedModel::parseFile(options.file, read, diagnostics);
  std::optional<Mechanism> named;
  if (parsed) named = parsed->mechanism(diagnostics);
  if (named && options.space == "spatial" && named->space == Space::planar) named = liftToSpace(*std::move(named));
  writeErr(diagnostics.format());
  if (!named) return std::nullopt;
  beginWork({named->bodies.size()});
  SteadyModels out(*std::move(parsed), *std::move(named));
  for (const std::string& name : options.find) {
    if (!out.valueOf(name)) {
      printErr("linkwork {}: error: --find {}: {}\n", verb, name,
               findQuantity(out.plain_, name) ? "coordinates and rates are found anyway; name parameters and inputs."
                                              : out.unknownName(name));
      return std::nullopt;
    }
    out.unknown_.push_back(name);
  }
  return out;
}

std::optional<double> SteadyModels::valueOf(const std::string& name) const {
  if (const Parameter* parameter = parameterNamed(named_, name)) return parameter->value.number;
  if (const Input* input = inputNamed(named_, name)) return evaluate(input->value, numbersOf(named_));
  return std::nullopt;
}

std::string SteadyModels::unitOf(const std::string& name) const {
  if (const Parameter* parameter = parameterNamed(named_, name)) return parameter->unit;
  const Input* input = inputNamed(named_, name);
  return input == nullptr ? std::string() : input->unit;
}

std::string SteadyModels::unknownName(const std::string& name) const {
  std::vector<std::string> names;
  for (const Parameter& parameter : named_.parameters) names.push_back(parameter.name);
  for (const Input& input : named_.inputs) names.push_back(input.name);
  const std::string near = didYouMean(name, names);
  const std::string known =
      names.empty() ? std::string("The model has none.") : fmt::format("The model has {}.", fmt::join(names, ", "));
  return fmt::format("there is no parameter or input \"{}\". {}", name, near.empty() ? known : near);
}

std::optional<Mechanism> SteadyModels::mechanismWith(const std::map<std::string, double>& values,
                                                     std::string& problem) {
  std::optional<Mechanism> out = namedWith(values, problem);
  if (!out || out->inputs.empty()) return out;
  return withInputValues(*out);
}

std::optional<Mechanism> SteadyModels::namedWith(const std::map<std::string, double>& values, std::string& problem) {
  std::vector<ParameterValue> parameters;
  for (const auto& [name, value] : values) {
    if (parameterNamed(named_, name) != nullptr) parameters.push_back({name, value});
  }
  std::optional<Mechanism> out = named_;
  if (!parameters.empty()) {
    Diagnostics diagnostics;
    out = parsed_.withParameters(named_, parameters, diagnostics);
    if (!out) {
      problem = diagnostics.all().empty() ? "the model cannot be read" : diagnostics.all().back().message;
      return std::nullopt;
    }
  }
  for (Input& input : out->inputs) {
    const auto given = values.find(input.name);
    if (given != values.end()) input.value = Expr(given->second);
  }
  return out;
}

std::unique_ptr<SteadyModel> SteadyModels::make(const std::map<std::string, double>& values, std::string& problem) {
  const std::optional<Mechanism> mechanism = mechanismWith(values, problem);
  return mechanism ? makeSteadyModel(*mechanism, mechanism->steady, problem) : nullptr;
}

// Two members move alike to the last bit, in the pose of the start and in another: then the value is in no equation.
bool SteadyModels::changesOnlyWhatIsGiven(const std::string& name, const std::map<std::string, double>& fixed) {
  std::string problem;
  std::unique_ptr<SteadyModel> models[2];
  const double value = *valueOf(name);
  for (int k = 0; k < 2; ++k) {
    std::map<std::string, double> values = fixed;
    values[name] = k == 0 ? value : 1.37 * value + 0.41;
    models[k] = make(values, problem);
    if (!models[k]) return false;
  }
  std::vector<double> x = models[0]->start;
  if (x.size() != models[1]->start.size()) return false;
  const int n = models[0]->field->freedoms();
  Eigen::VectorXd away(2 * n);
  for (int k = 0; k < 2 * n; ++k) away[k] = (k < n ? 0.03 : 0.7) * std::cos(1.0 + 2.3 * k);
  for (int step = 0; step < 2; ++step) {
    MotionField::Here here[2];
    for (int k = 0; k < 2; ++k) {
      if (!models[k]->field->evaluate(0.0, x, here[k])) return false;
    }
    if (here[0].a != here[1].a || here[0].u != here[1].u) return false;
    if (step > 0) break;
    std::vector<double> other = x;
    if (!models[0]->field->go(0.0, away, x) || !models[1]->field->go(0.0, away, other) || x != other) return false;
  }
  return true;
}

MotionFamily SteadyModels::over(const std::string& name, std::map<std::string, double> fixed) {
  MotionFamily out;
  for (const std::string& unknown : unknown_) {
    const auto given = fixed.find(unknown);
    out.unknown.push_back(given != fixed.end() ? given->second : *valueOf(unknown));
  }
  out.make = [this, name, fixed](double p, std::span<const double> unknown, std::string& problem) {
    std::map<std::string, double> values = fixed;
    if (!name.empty()) values[name] = p;
    for (std::size_t k = 0; k < unknown.size(); ++k) values[unknown_[k]] = unknown[k];
    return make(values, problem);
  };
  if (!name.empty() && changesOnlyWhatIsGiven(name, fixed)) {
    out.given_at = [this, name, fixed](double p) {
      std::map<std::string, double> values = fixed;
      values[name] = p;
      std::string ignored;
      std::vector<double> given;
      const std::optional<Mechanism> mechanism = mechanismWith(values, ignored);
      if (mechanism) {
        for (const InitialValue& value : mechanism->steady) given.push_back(value.value.number);
      }
      return given;
    };
  }
  return out;
}

std::optional<Range> parseRange(const std::string& verb, const SteadyModels& models, const std::string& text) {
  const auto refuse = [&](const std::string& problem) -> std::optional<Range> {
    printErr("linkwork {}: error: --over {}: {}\n", verb, text, problem);
    return std::nullopt;
  };
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..");
  if (equals == std::string::npos || dots == std::string::npos || dots < equals) {
    return refuse("write it as NAME=FROM..TO, such as speed=0..10.");
  }
  Range out;
  out.name = text.substr(0, equals);
  const auto number = [](const std::string& part, double& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() && std::isfinite(value);
  };
  if (!number(text.substr(equals + 1, dots - equals - 1), out.from) || !number(text.substr(dots + 2), out.to)) {
    return refuse(fmt::format("the ends must be numbers, in {}.",
                              models.unitOf(out.name).empty() ? "SI units" : models.unitOf(out.name)));
  }
  if (!models.valueOf(out.name)) return refuse(models.unknownName(out.name));
  if (!(out.from < out.to)) return refuse("it must go from a number up to a greater one.");
  return out;
}

}  // namespace linkwork::app
