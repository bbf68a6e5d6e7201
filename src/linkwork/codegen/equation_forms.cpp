#include "linkwork/codegen/equation_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/codegen/program_names.hpp"
#include "linkwork/formulation/linkage/linkage_plan.hpp"

namespace linkwork {

namespace {

constexpr std::array<std::string_view, 13> kForms = {
    "rud",   "statement1",  "statement2", "statement3",  "statement4",    "statement5", "statement6",
    "sweep", "elimination", "recursive",  "hamiltonian", "quasivelocity", "absolute"};
constexpr std::array<std::string_view, 5> kTasks = {"forward", "inverse", "mass-matrix", "linear", "reactions"};

// What has no formula at all, whatever the coordinates.
std::string formulaObstacle(const Mechanism& mechanism) {
  for (const Joint& joint : mechanism.joints) {
    if (joint.kind == JointKind::curve)
      return fmt::format("joint \"{}\" is a point on a curve, whose place along the curve is found by iteration",
                         joint.name);
  }
  return {};
}

std::string linkageObstacleFor(const Mechanism& mechanism, WrittenForm form, EquationTask task) {
  if (std::string obstacle = linkage::linkageObstacle(mechanism); !obstacle.empty()) return obstacle;
  const linkage::LinkagePlan plan = linkage::planLinkage(mechanism);
  if (form == WrittenForm::elimination) {
    if (task != EquationTask::forward && task != EquationTask::reactions)
      return "elimination solves for accelerations and hinge forces, nothing else";
    if (plan.tree.cutCount() > 0)
      return fmt::format("joint \"{}\" closes a loop, and elimination is for trees",
                         mechanism.joints[at(plan.cut_joint[0])].name);
    if (!plan.drives.empty())
      return fmt::format("drive \"{}\" prescribes a motion, and elimination knows torques only",
                         mechanism.drives[0].name);
  }
  if (form == WrittenForm::sweep && task == EquationTask::mass_matrix)
    return "the sweeps need no mass matrix; rud has the one that belongs to them";
  for (const Body& body : mechanism.bodies) {
    const bool divides = task == EquationTask::forward || task == EquationTask::reactions;
    if (divides && (body.mass.number == 0.0 || body.inertia.number == 0.0))
      return fmt::format("body \"{}\" has no mass or no inertia, which the elimination of a tree must divide by",
                         body.name);
  }
  return {};
}

// "m" stands for mo_1, mo_2, m1; "J" for Jo_1, J2; a whole name for itself.
bool means(const std::string& asked, const ProgramSymbol& parameter) {
  const std::string name = codeName(parameter.name);
  if (asked == name || asked == textName(parameter.name, false) || asked == parameter.name.letter) return true;
  std::string letter = parameter.name.letter;
  while (!letter.empty() && letter.back() >= '0' && letter.back() <= '9') letter.pop_back();
  if (asked == letter) return true;
  return (letter == "mo" || letter == "Jo") && asked == letter.substr(0, 1);
}

EquationProgram builtProgram(const Mechanism& given, const EquationRequest& request) {
  const Mechanism mechanism = withExactTurns(given);
  switch (request.form) {
    case WrittenForm::absolute: return absoluteProgram(mechanism, request);
    case WrittenForm::recursive: return recursiveProgram(mechanism, request);
    case WrittenForm::hamiltonian: return hamiltonianProgram(mechanism, request);
    case WrittenForm::quasivelocity: return quasiVelocityProgram(mechanism, request);
    default: return linkageProgram(mechanism, request);
  }
}

}  // namespace

std::string chooseSymbols(const EquationRequest& request, EquationProgram& program) {
  if (request.all_symbols) return {};
  std::map<std::string, Expr> numbers;
  std::vector<bool> met(request.symbols.size(), false);
  std::vector<std::string> known;
  for (const ProgramSymbol& s : program.symbols()) {
    if (s.role != SymbolRole::parameter) continue;
    known.push_back(codeName(s.name));
    bool kept = false;
    for (std::size_t k = 0; k < request.symbols.size(); ++k) {
      if (!means(request.symbols[k], s)) continue;
      met[k] = true;
      kept = true;
    }
    if (!kept) numbers.emplace(s.symbol.name(), s.value);
  }
  for (std::size_t k = 0; k < met.size(); ++k) {
    if (!met[k])
      return fmt::format("no parameter of this form is called \"{}\"; there are {}", request.symbols[k],
                         fmt::join(known, ", "));
  }
  program = program.withNumbers(numbers);
  return {};
}

const std::vector<WrittenForm>& allWrittenForms() {
  static const std::vector<WrittenForm> all = [] {
    std::vector<WrittenForm> out;
    for (std::size_t k = 0; k < kForms.size(); ++k) out.push_back(static_cast<WrittenForm>(k));
    return out;
  }();
  return all;
}

std::string_view wordFor(WrittenForm form) { return kForms[static_cast<std::size_t>(form)]; }
std::string_view wordFor(EquationTask task) { return kTasks[static_cast<std::size_t>(task)]; }

std::optional<WrittenForm> writtenFormNamed(std::string_view word) {
  const auto* found = std::find(kForms.begin(), kForms.end(), word);
  if (found == kForms.end()) return std::nullopt;
  return static_cast<WrittenForm>(found - kForms.begin());
}

std::optional<EquationTask> equationTaskNamed(std::string_view word) {
  const auto* found = std::find(kTasks.begin(), kTasks.end(), word);
  if (found == kTasks.end()) return std::nullopt;
  return static_cast<EquationTask>(found - kTasks.begin());
}

std::string whyNotForm(const Mechanism& mechanism, WrittenForm form, EquationTask task) {
  if (form < WrittenForm::recursive) return linkageObstacleFor(mechanism, form, task);
  std::string obstacle = formulaObstacle(mechanism);
  if (!obstacle.empty() || form == WrittenForm::absolute || form == WrittenForm::quasivelocity) return obstacle;
  return form == WrittenForm::recursive ? recursiveObstacle(mechanism, task) : hamiltonianObstacle(mechanism, task);
}

UsualForm usualForm(const Mechanism& mechanism, EquationTask task) {
  const std::string no_rud = whyNotForm(mechanism, WrittenForm::rud, task);
  if (no_rud.empty()) return {WrittenForm::rud, "Form rud: the usual one where all joints are hinges in the plane."};
  const std::string why = fmt::format("does not fit: {}", no_rud);
  const std::string no_tree = whyNotForm(mechanism, WrittenForm::recursive, task);
  if (!no_tree.empty() && whyNotForm(mechanism, WrittenForm::absolute, task).empty())
    return {WrittenForm::absolute, fmt::format("Form absolute, for rud {}; nor does recursive: {}.", why, no_tree)};
  return {WrittenForm::recursive, fmt::format("Form recursive, for rud {}.", why)};
}

WrittenEquations writeEquations(const Mechanism& mechanism, const EquationRequest& request) {
  WrittenEquations out;
  std::string problem = whyNotForm(mechanism, request.form, request.task);
  if (!problem.empty()) {
    std::vector<std::string_view> fitting;
    for (const WrittenForm form : allWrittenForms()) {
      if (whyNotForm(mechanism, form, request.task).empty()) fitting.push_back(wordFor(form));
    }
    // Where nothing fits, the form that takes most mechanisms says what is in its way too.
    const std::string instead =
        !fitting.empty() ? fmt::format("What fits: {}.", fmt::join(fitting, ", "))
        : request.form == WrittenForm::recursive
            ? std::string("No form fits this mechanism yet.")
            : fmt::format("No form fits this mechanism yet; in the way of recursive: {}.", formulaObstacle(mechanism));
    out.problem = fmt::format("the form {} does not fit: {}. {}", wordFor(request.form), problem, instead);
    return out;
  }
  if (request.form == WrittenForm::quasivelocity && !mechanism.named_velocities.empty()) {
    if (!request.velocities) {
      EquationRequest chosen = request;
      chosen.velocities = velocityChoice(mechanism);
      return writeEquations(mechanism, chosen);
    }
    if (!request.velocities->problem.empty()) return {{}, request.velocities->problem + ".", {}};
  }
  EquationProgram program = builtProgram(mechanism, request);
  program.name = mechanism.name;
  program.source = mechanism.file_name;
  problem = chooseSymbols(request, program);
  if (!problem.empty()) {
    out.problem = problem + ".";
    return out;
  }
  out.program = std::move(program);
  return out;
}

}  // namespace linkwork
