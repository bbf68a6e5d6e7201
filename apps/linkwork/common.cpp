#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "linkwork/analyse/drive_conflicts.hpp"
#include "linkwork/analyse/holonomy.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/read/equations_file.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/methods.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

constexpr const char* kSpatial = "spatial";

}  // namespace

void ModelOptions::addFile(Verb& verb) {
  for_verb = verb.name();
  verb.add("FILE", file, "Model file").required();
  verb.add("--set", set, "Another value for a parameter of the model, such as \"L=12 mm\"; once for each").oneEach();
}

void ModelOptions::addSpace(Verb& verb) {
  verb.add("--space", space, "spatial: take a planar file for a mechanism in space").oneOf({kSpatial});
}

bool refusesEquations(const ModelOptions& model) {
  if (!isEquationsFile(model.file)) return false;
  printErr(
      "linkwork {}: error: {} holds equations (space = \"equations\"), and {} is about bodies and joints: check, "
      "simulate, steady, linearize, modes, locus, equations and explain take such a file.\n",
      model.for_verb, model.file, model.for_verb);
  return true;
}

std::optional<Mechanism> readModel(const ModelOptions& model, Diagnostics& diagnostics, InputsAs inputs) {
  if (refusesEquations(model)) return std::nullopt;
  ReadOptions options;
  options.inputs = inputs;
  for (const std::string& text : model.set) {
    if (std::optional<ParameterSetting> setting = parseSetting(text, diagnostics))
      options.set.push_back(*std::move(setting));
  }
  std::optional<Mechanism> mechanism;
  if (!diagnostics.hasErrors()) mechanism = readModelFile(model.file, diagnostics, options);
  if (mechanism && model.space == kSpatial && mechanism->space == Space::planar) {
    const Source whole{std::make_shared<const std::string>(mechanism->file_name), 1, 1};
    diagnostics.note(whole, liftReport(*mechanism));
    mechanism = liftToSpace(std::move(*mechanism));
  }
  const std::string findings = diagnostics.format();
  writeErr(findings);
  if (mechanism) beginWork({mechanism->bodies.size()});
  const auto errors = std::count_if(diagnostics.all().begin(), diagnostics.all().end(),
                                    [](const Diagnostic& finding) { return finding.severity == Severity::error; });
  if (!mechanism && errors > 1) printErr("{} errors\n", errors);
  return mechanism;
}

std::optional<Assembly> assembleModel(const Mechanism& mechanism) {
  Assembly assembly = assemble(mechanism);
  Diagnostics findings;
  addFindings(mechanism, assembly, findings);
  printErr("{}", findings.format());
  if (!assembly.ok) return std::nullopt;
  return assembly;
}

void addFindings(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& findings) {
  // The place may be in an included file.
  const auto placed = [&](Source where) {
    if (!where.file) where.file = std::make_shared<const std::string>(mechanism.file_name);
    return where;
  };
  for (const AssemblyWarning& warning : assembly.warnings) {
    findings.warning(placed(warning.where), warning.text + ".", warning.hint);
  }
  const bool drives_fight = reportDriveConflicts(mechanism, assembly, findings);
  if (!assembly.ok && !drives_fight) findings.error(placed(assembly.where), assembly.problem + ".", assembly.hint);
}

void addIntegrableRows(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& findings) {
  for (const IntegrableRows& rows : findIntegrableRows(mechanism, assembly)) {
    const IntegrableWords words = wordsFor(rows, mechanism);
    Source where = mechanism.joints[static_cast<std::size_t>(rows.joints.front())].source;
    if (!where.file) where.file = std::make_shared<const std::string>(mechanism.file_name);
    findings.note(where, words.message + ".", words.hint);
    printErr("{}\n", format(findings.all().back()));
  }
}

MethodOptions::MethodOptions() : numbers_(runOptionTable().size()), words_(numbers_.size()) {}

void MethodOptions::add(Verb& verb) {
  addThose(verb, [](const RunOption& option) { return option.chooses; });
  addNumbers(verb);
}

void MethodOptions::addNumbers(Verb& verb, const std::vector<std::string_view>& but) {
  verb_ = &verb;
  addThose(verb, [&but](const RunOption& option) {
    return !option.chooses && std::find(but.begin(), but.end(), option.name) == but.end();
  });
}

void MethodOptions::addThose(Verb& verb, const std::function<bool(const RunOption& option)>& wanted) {
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    const RunOption& option = runOptionTable()[k];
    if (option.where == RunOption::Where::model_file || !wanted(option)) continue;
    if (option.isNumber()) {
      verb.add(option.flag(), numbers_[k], option.help).in(option.unit);
    } else {
      Option& added = verb.add(option.flag(), words_[k], option.help);
      if (!option.words.empty()) added.oneOf(option.words);
    }
  }
}

void MethodOptions::apply(RunOptions& options) const {
  for (std::size_t k = 0; k < numbers_.size(); ++k) {
    if (numbers_[k]) runOptionTable()[k].set(options, *numbers_[k]);
    if (words_[k]) runOptionTable()[k].set(options, *words_[k]);
  }
}

std::string MethodOptions::problem(std::span<const RunOptions> methods, std::string_view but) const {
  for (const std::string& given : verb_->given()) {
    if (given == but) continue;
    std::string text;
    for (const RunOptions& method : methods) {
      text = optionProblem(given, method);
      if (text.empty()) break;
    }
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace linkwork::app
