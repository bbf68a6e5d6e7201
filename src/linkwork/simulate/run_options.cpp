#include "linkwork/simulate/run_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/simulate/auto_method.hpp"
#include "linkwork/simulate/provenance.hpp"

namespace linkwork {

namespace {

using Owner = RunOption::Owner;
using Where = RunOption::Where;

constexpr const char* kMultiples = "multiples";
constexpr const char* kAccumulateTime = "accumulate_time";
constexpr const char* kStandard = "standard";
constexpr const char* kAll = "all";

// In the order of VelocityErrors.
constexpr std::array<const char*, 3> kVelocityErrorWords{"auto", "as_they_are", "times_step"};

constexpr RunOption::Choice kTimeRule{
    [](const RunOptions& options) {
      return std::string(options.steps.time_rule == TimeRule::multiples ? kMultiples : kAccumulateTime);
    },
    [](RunOptions& options, std::string_view word) {
      options.steps.time_rule = word == kAccumulateTime ? TimeRule::accumulate_time : TimeRule::multiples;
    }};
constexpr RunOption::Choice kColumns{
    [](const RunOptions& options) { return std::string(options.columns == Columns::all ? kAll : kStandard); },
    [](RunOptions& options, std::string_view word) {
      options.columns = word == kAll ? Columns::all : Columns::standard;
    }};

constexpr RunOption::Choice kVelocityErrors{
    [](const RunOptions& options) {
      return std::string(kVelocityErrorWords[static_cast<std::size_t>(options.steps.velocity_errors)]);
    },
    [](RunOptions& options, std::string_view word) {
      for (std::size_t k = 0; k < kVelocityErrorWords.size(); ++k) {
        if (word == kVelocityErrorWords[k]) options.steps.velocity_errors = static_cast<VelocityErrors>(k);
      }
    }};

bool takesSteps(const RunOptions& options) {
  const IntegratorInfo* info = findIntegrator(options.integrator);
  return info != nullptr && takesFixedSteps(*info, options.steps);
}
bool choosesSteps(const RunOptions& options) { return !takesSteps(options); }
bool limitsSteps(const RunOptions& options) { return options.steps.max_step > 0.0; }
bool isVariant(const RunOptions& options) { return options.system.variant != SystemOptions().variant; }
bool addsTimeUp(const RunOptions& options) { return options.steps.time_rule == TimeRule::accumulate_time; }
bool byGap(const RunOptions& options) { return options.system.gap > 0.0; }
bool byStiffness(const RunOptions& options) { return options.system.stiffness > 0.0; }
bool byTurns(const RunOptions& options) { return options.system.rotational_stiffness > 0.0; }
bool byTime(const RunOptions& options) { return options.system.stiffness_time > 0.0; }
bool byBaseFrame(const RunOptions& options) { return options.system.base_frame != SystemOptions().base_frame; }
bool saysVelocityErrors(const RunOptions& options) { return options.steps.velocity_errors != VelocityErrors::chosen; }
bool never(const RunOptions& /*options*/) { return false; }

std::string_view timeRuleWords(const RunOptions& /*options*/) { return "t = t + step while t < until"; }
std::string_view penaltyWords(const RunOptions& options) {
  return options.system.penalty > 0.0 ? "" : "1e6 times the mean mass";
}

std::vector<std::string> withAuto(std::vector<std::string> names) {
  names.insert(names.begin(), std::string(kAuto));
  return names;
}

std::vector<RunOption> makeTable() {
  const auto list = [](const char* what, const std::vector<std::string>& names) {
    return fmt::format("{}: {}", what, fmt::join(names, ", "));
  };
  return {
      {.name = "formulation",
       .help = list("How the equations are set up", withAuto(formulationNames())),
       .place = &SystemOptions::formulation,
       .chooses = true},
      {.name = "stabilisation",
       .help = list("How the joints are kept closed", stabilisationNames()),
       .place = &SystemOptions::stabilisation,
       .chooses = true},
      {.name = "integrator",
       .help = list("How time is stepped", withAuto(integratorNames())),
       .place = &RunOptions::integrator,
       .chooses = true},
      {.name = "rtol", .help = "Relative tolerance per step", .place = &IntegratorOptions::rtol, .shown = choosesSteps},
      {.name = "atol", .help = "Absolute tolerance per step", .place = &IntegratorOptions::atol, .shown = choosesSteps},
      {.name = "step",
       .help = "Step in seconds of a fixed-step integrator",
       .place = &IntegratorOptions::step,
       .unit = "s",
       .shown = takesSteps},
      {.name = "max_step",
       .help = "Largest step in seconds",
       .place = &IntegratorOptions::max_step,
       .unit = "s",
       .where = Where::command_line,
       .shown = limitsSteps},
      {.name = "time_rule",
       .help = "How a fixed-step integrator counts time: multiples of the step, or accumulate_time, adding it up as a "
               "textbook's loop does",
       .place = kTimeRule,
       .label = "time rule",
       .where = Where::command_line,
       .words = {kMultiples, kAccumulateTime},
       .shown = addsTimeUp,
       .said = timeRuleWords},
      {.name = "alpha",
       .help = "Baumgarte's alpha in 1/s",
       .place = &SystemOptions::alpha,
       .unit = "1/s",
       .owner = Owner::stabilisation,
       .owned_by = "baumgarte"},
      {.name = "beta",
       .help = "Baumgarte's beta in 1/s",
       .place = &SystemOptions::beta,
       .unit = "1/s",
       .owner = Owner::stabilisation,
       .owned_by = "baumgarte"},
      {.name = "penalty",
       .help = "Penalty of the augmented Lagrangian in kg",
       .place = &SystemOptions::penalty,
       .unit = "kg",
       .owner = Owner::stabilisation,
       .owned_by = "augmented_lagrangian",
       .said = penaltyWords},
      {.name = "omega",
       .help = "Frequency of the augmented Lagrangian in 1/s",
       .place = &SystemOptions::omega,
       .unit = "1/s",
       .owner = Owner::stabilisation,
       .owned_by = "augmented_lagrangian"},
      {.name = "mu",
       .help = "Damping ratio of the augmented Lagrangian",
       .place = &SystemOptions::mu,
       .owner = Owner::stabilisation,
       .owned_by = "augmented_lagrangian"},
      {.name = "rho",
       .help = "Damping of generalized_alpha: what a step leaves of an infinitely fast swing",
       .place = &IntegratorOptions::rho,
       .owner = Owner::integrator,
       .owned_by = "generalized_alpha",
       .range = RunOption::Range::not_negative},
      {.name = "velocity_errors",
       .help = "radau5: errors of velocities as_they_are, or times_step, so that swings of stiff springs need not be "
               "followed; auto: the second where joints are made of springs that swing fast",
       .place = kVelocityErrors,
       .label = "velocity errors",
       .owner = Owner::integrator,
       .owned_by = "radau5",
       .where = Where::command_line,
       .words = {kVelocityErrorWords.begin(), kVelocityErrorWords.end()},
       .shown = saysVelocityErrors},
      {.name = "opening",
       .help = list("How hamiltonian opens loops", openingNames()),
       .place = &SystemOptions::opening,
       .owner = Owner::formulation,
       .owned_by = "hamiltonian"},
      {.name = "variant",
       .help = list("hamiltonian or compliant with a part as its paper has it", variantNames()),
       .place = &SystemOptions::variant,
       .owner = Owner::formulation,
       .owned_by = "hamiltonian compliant",
       .shown = isVariant},
      {.name = "gap",
       .help = "compliant: how far a joint may open, in metres; the stiffness follows from the forces of a first run",
       .place = &SystemOptions::gap,
       .unit = "m",
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .shown = byGap},
      {.name = "stiffness",
       .help = "compliant: stiffness of the springs that close loops in N/m, in place of a gap",
       .place = &SystemOptions::stiffness,
       .unit = "N/m",
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .shown = byStiffness},
      {.name = "rotational_stiffness",
       .help = "compliant: the same against turns in N m/rad; else of the frequency that the others have",
       .place = &SystemOptions::rotational_stiffness,
       .unit = "N*m/rad",
       .label = "rotational stiffness",
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .shown = byTurns},
      {.name = "stiffness_time",
       .help = "compliant: 1/omega of the springs in seconds, in place of a gap or a stiffness",
       .place = &SystemOptions::stiffness_time,
       .unit = "s",
       .label = "stiffness time",
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .shown = byTime},
      {.name = "damping_ratio",
       .help = "compliant: dampers beside the springs, as a share of critical damping",
       .place = &SystemOptions::damping_ratio,
       .label = "damping ratio",
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .range = RunOption::Range::not_negative},
      {.name = "law",
       .help = "compliant: how springs that turn answer to an angle: chord, angle, sin2",
       .place = &SystemOptions::law,
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .words = {"chord", "angle", "sin2"}},
      {.name = "base_frame",
       .help = "compliant: yes puts the springs along the axes of the ground, for study",
       .place = &SystemOptions::base_frame,
       .label = "base frame",
       .owner = Owner::formulation,
       .owned_by = "compliant",
       .words = {"no", "yes"},
       .shown = byBaseFrame},
      {.name = "output_step",
       .help = {},
       .place = &RunOptions::output_step,
       .unit = "s",
       .label = "output step",
       .where = Where::model_file},
      {.name = "until", .help = {}, .place = &RunOptions::until, .unit = "s", .where = Where::model_file},
      {.name = "reaction_length",
       .help = "Length in metres by which moments are divided where reactions of least norm are chosen",
       .place = &SystemOptions::reaction_length,
       .unit = "m",
       .label = "reaction length"},
      {.name = "record",
       .help = {},
       .place = kColumns,
       .label = "columns",
       .where = Where::model_file,
       .words = {kStandard, kAll},
       .shown = never},
  };
}

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

// A call of f with the number or the text itself; nothing for a choice.
template <class Options, class F>
void reach(const RunOption::Place& place, Options& options, const F& f) {
  std::visit(Overloaded{[&](double RunOptions::*member) { f(options.*member); },
                        [&](double SystemOptions::*member) { f(options.system.*member); },
                        [&](double IntegratorOptions::*member) { f(options.steps.*member); },
                        [&](std::string RunOptions::*member) { f(options.*member); },
                        [&](std::string SystemOptions::*member) { f(options.system.*member); },
                        [&](const RunOption::Choice& /*choice*/) {}},
             place);
}

Setting settingOf(const RunOption& option, const RunOptions& options) {
  const std::string name(option.label.empty() ? option.name : option.label);
  const std::string_view said = option.said == nullptr ? std::string_view() : option.said(options);
  if (!said.empty()) return {name, std::string(said)};
  if (!option.isNumber()) return {name, option.word(options)};
  return {name, option.number(options), std::string(option.unit)};
}

void addSettings(const RunOptions& options, Owner owner, Settings& out) {
  for (const RunOption& option : runOptionTable()) {
    if (option.owner != owner || option.chooses || !option.belongs(options)) continue;
    if (option.shown == nullptr || option.shown(options)) out.push_back(settingOf(option, options));
  }
}

}  // namespace

double RunOption::number(const RunOptions& options) const {
  expect(isNumber(), "RunOption: the option is a word");
  double out = 0.0;
  reach(place, options, [&](const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const double&>) out = value;
  });
  return out;
}

std::string RunOption::word(const RunOptions& options) const {
  expect(!isNumber(), "RunOption: the option is a number");
  if (const Choice* choice = std::get_if<Choice>(&place)) return choice->word(options);
  std::string out;
  reach(place, options, [&](const auto& value) {
    if constexpr (std::is_same_v<decltype(value), const std::string&>) out = value;
  });
  return out;
}

void RunOption::set(RunOptions& options, double number) const {
  expect(isNumber(), "RunOption: the option is a word");
  reach(place, options, [&](auto& value) {
    if constexpr (std::is_same_v<decltype(value), double&>) value = number;
  });
}

void RunOption::set(RunOptions& options, const std::string& word) const {
  expect(!isNumber(), "RunOption: the option is a number");
  if (const Choice* choice = std::get_if<Choice>(&place)) choice->choose(options, word);
  reach(place, options, [&](auto& value) {
    if constexpr (std::is_same_v<decltype(value), std::string&>) value = word;
  });
}

std::string RunOption::text(const RunOptions& options) const {
  return isNumber() ? fmt::format("{}", number(options)) : word(options);
}

bool RunOption::belongs(const RunOptions& options) const {
  switch (owner) {
    case Owner::formulation: {
      const std::vector<std::string_view> names = owners();
      return std::find(names.begin(), names.end(), options.system.formulation) != names.end();
    }
    case Owner::stabilisation: return options.system.stabilisation == owned_by;
    case Owner::integrator: return options.integrator == owned_by;
    case Owner::run: break;
  }
  return true;
}

std::vector<std::string_view> RunOption::owners() const {
  std::vector<std::string_view> out;
  for (std::string_view rest = owned_by; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    out.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::string RunOption::flag() const {
  std::string out = fmt::format("--{}", name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

const std::vector<RunOption>& runOptionTable() {
  static const std::vector<RunOption> table = makeTable();
  return table;
}

const RunOption* findRunOption(std::string_view name) {
  const auto& table = runOptionTable();
  const auto found = std::find_if(table.begin(), table.end(), [&](const RunOption& one) { return one.name == name; });
  return found == table.end() ? nullptr : &*found;
}

RunOptions givenOptions(const Mechanism& mechanism, const RunOptions& defaults) {
  RunOptions out = defaults;
  for (const GivenOption& given : mechanism.run.given) {
    const RunOption* option = findRunOption(given.name);
    expect(option != nullptr, "givenOptions: the model has an option that there is not");
    std::visit([&](const auto& value) { option->set(out, value); }, given.value);
  }
  return out;
}

RunOptions runOptions(const Mechanism& mechanism) {
  return chooseByMechanism(mechanism, givenOptions(mechanism, RunOptions()));
}

// Each option after what it belongs to.
Settings settingsOf(const Mechanism& mechanism, const RunOptions& options) {
  Settings out{{"formulation", options.system.formulation}, {"stabilisation", options.system.stabilisation}};
  addSettings(options, Owner::stabilisation, out);
  addSettings(options, Owner::formulation, out);
  if (mechanism.lifted) out.push_back({"space", "spatial, lifted from a planar file"});
  out.push_back({"integrator", options.integrator});
  addSettings(options, Owner::integrator, out);
  if (!options.chosen.empty()) out.push_back({"chosen automatically", options.chosen});
  addSettings(options, Owner::run, out);
  for (Setting& set : parametersSet(mechanism)) out.push_back(std::move(set));
  return out;
}

std::string RunOptions::problem() const {
  if (std::string text = system.problem(); !text.empty()) return text;
  if (!(until > 0.0) || !std::isfinite(until))
    return fmt::format("the run must end after it starts: until is {:.6g} s; give a positive time.", until);
  if (!(checkpoint_step >= 0.0 || checkpoint_step == kChosenCheckpointStep) || !std::isfinite(checkpoint_step))
    return fmt::format("the time between checkpoints must be positive, or 0 for none; it is {:.6g} s.",
                       checkpoint_step);
  if (!(output_step >= 0.0) || !std::isfinite(output_step))
    return fmt::format("the output step must be positive, it is {:.6g} s.", output_step);
  if (output_step > 0.0 && until / output_step > kMostSamples) {
    return fmt::format("{:.3g} samples would be recorded; make the output step at least {:.3g} s.", until / output_step,
                       until / kMostSamples);
  }
  return {};
}

}  // namespace linkwork
