#include "linkwork/simulate/generated_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

// A step that begins nearer to a pose of lower rank than this relative pivot is left to the system that the code stands
// for, which takes care there. Wider than the zone in which it does so, which a step of the code must not enter.
constexpr double kAsksNumeric = 1e-3;

// t, x, x'. Gives back the rank of the loop equations.
using RightSide = int (*)(double, const double*, double*);

struct GeneratedSource {
  std::string text;
  int rows = 0;                      // of what is solved with pivoting
  bool closes = false;               // rows of cuts are solved for, with pivoting or written out
  std::vector<std::uint8_t> chosen;  // of quasi-velocities: the choice that is written out, as modes have it
};

class GeneratedSystem final : public MechanismSystem {
 public:
  GeneratedSystem(std::unique_ptr<MechanismSystem> numeric, std::unique_ptr<SharedObject> object, RightSide call,
                  GeneratedSource source, bool projects)
      : numeric_(std::move(numeric)),
        object_(std::move(object)),
        call_(call),
        source_(std::move(source)),
        projects_(projects) {}

  Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                        std::span<double> xdot) const override {
    bool good = modes.flags.back() == 0 && numeric_->asWritten(modes) && asChosen(modes) &&
                call_(t, x.data(), xdot.data()) == source_.rows;
    for (std::size_t k = 0; good && k < xdot.size(); ++k) good = std::isfinite(xdot[k]);
    if (good) return Eval::ok;
    return numeric_->derivative(t, x, modes, work, xdot);
  }

  StateSpace space() const override { return numeric_->space(); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return numeric_->makeWorkspace(); }
  // Behind those of the system that the code stands for: whether a step is left to it.
  Modes startModes() const override {
    Modes out = numeric_->startModes();
    out.flags.push_back(0);
    return out;
  }
  void beginStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override {
    numeric_->beginStep(t, x, modes, work);
    if (!watchesRank()) return;
    modes.flags.back() = numeric_->factorRows(t, x, modes, work).smallest_pivot < kAsksNumeric ? 1 : 0;
  }
  void enterStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const override {
    numeric_->enterStep(t, x, modes, work);
  }
  Restated restate(double t, std::span<double> x, Modes& modes, Workspace& work) const override {
    return numeric_->restate(t, x, modes, work);
  }
  AfterStep afterStep(double t, std::span<double> x, const Modes& modes, Workspace& work) const override {
    AfterStep out = numeric_->afterStep(t, x, modes, work);
    if (!projects_ && source_.closes) out.rows = numeric_->factorRows(t, x, modes, work);  // the rank is watched
    return out;
  }
  int eventCount() const override { return numeric_->eventCount(); }
  Eval eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                   std::span<double> values) const override {
    return numeric_->eventValues(t, x, modes, work, values);
  }
  EventSense eventSense(int event, const Modes& modes) const override { return numeric_->eventSense(event, modes); }
  Jump jump(double t, std::span<const LocatedEvent> events, std::span<double> x, Modes& modes,
            Workspace& work) const override {
    return numeric_->jump(t, events, x, modes, work);
  }
  const DaeSystem* dae() const override { return numeric_->dae(); }
  const MechanicalSystem* mechanical() const override { return numeric_->mechanical(); }
  const CanonicalSystem* canonical() const override { return numeric_->canonical(); }
  const StateJacobian* jacobian() const override { return numeric_->jacobian(); }
  std::string describeFailure(const Workspace& work) const override { return numeric_->describeFailure(work); }
  std::vector<double> fromAbsolute(double t, std::span<const double> x) const override {
    return numeric_->fromAbsolute(t, x);
  }
  std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const override {
    return numeric_->toAbsolute(t, x, modes);
  }
  std::vector<double> cornerTimes() const override { return numeric_->cornerTimes(); }
  Evaluation observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                     Observation& out) const override {
    return numeric_->observe(t, x, modes, work, out);
  }
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return numeric_->violation(t, x, modes, work);
  }
  std::string problem() const override { return numeric_->problem(); }
  bool asWritten(const Modes& modes) const override { return numeric_->asWritten(modes); }
  RowRank factorRows(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return numeric_->factorRows(t, x, modes, work);
  }
  RankReport rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return numeric_->rankReport(t, x, modes, work);
  }
  bool turnsAway(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override {
    return numeric_->turnsAway(t, x, modes, work);
  }
  std::string rowName(int row) const override { return numeric_->rowName(row); }
  SolveCounts solveCounts(const Workspace& work) const override { return numeric_->solveCounts(work); }
  double referenceLength() const override { return numeric_->referenceLength(); }
  double reactionLength() const override { return numeric_->reactionLength(); }

 private:
  // Only with projection does the numeric system take care near poses of lower rank.
  bool watchesRank() const { return projects_ && source_.closes; }
  // Where other velocities have become the independent ones the numeric system goes on alone.
  bool asChosen(const Modes& modes) const {
    return std::equal(source_.chosen.begin(), source_.chosen.end(), modes.flags.begin() + 1);
  }

  std::unique_ptr<MechanismSystem> numeric_;
  std::unique_ptr<SharedObject> object_;
  RightSide call_ = nullptr;
  GeneratedSource source_;
  bool projects_ = false;
};

// An entry that takes the state as it is integrated and hides which arguments the function has.
std::string entryOf(const ProgramSteps& steps, const StateSpace& space) {
  constexpr std::string_view kHead = "int linkwork_right_side(double t, const double *x, double *xd)";
  bool with_time = false;
  bool with_references = false;
  for (const ProgramSymbol& s : steps.program.symbols()) {
    with_time = with_time || s.role == SymbolRole::time;
    with_references = with_references || s.array == StateOutputs::kReferences;
  }
  // Behind the velocities stand the work and the references of counted angles.
  const int references = space.quadratureOffset() + 1;
  std::string arguments = fmt::format("{}x, x + {}", with_time ? "t, " : "", space.velocityOffset());
  if (with_references) arguments += fmt::format(", x + {}", references);
  bool with_rates = false;
  for (const ProgramOutput& output : steps.outputs) {
    const std::string& name = output.letter;
    const bool rates = name == StateOutputs::kRates;
    with_rates = with_rates || rates;
    const int place = rates                              ? 0
                      : name == StateOutputs::kPower     ? space.quadratureOffset()
                      : name == StateOutputs::kTurnRates ? references
                                                         : space.velocityOffset();
    arguments += fmt::format(", xd + {}", place);
  }
  std::string text = fmt::format("\n{0};\n{0}\n{{\n", kHead);
  if (!with_time) text += "  (void)t;\n";
  if (!with_rates) text += fmt::format("  for (int k = 0; k < {0}; ++k) xd[k] = x[{0} + k];\n", space.positions());
  const bool has_loops = !steps.solve.empty();
  text += has_loops ? fmt::format("  return right_side({});\n", arguments)
                    : fmt::format("  right_side({});\n  return 0;\n", arguments);
  return text + "}\n";
}

GeneratedSource sourceOf(const Mechanism& mechanism, const SystemOptions& options, const StateSpace& space,
                         std::string& notice) {
  if (space.velocities() == 0) {
    notice = "drives prescribe all coordinates, so that there are no accelerations to write";
    return {};
  }
  WrittenEquations written = generatedEquations(mechanism, options);
  if (!written.program) {
    notice = written.problem;
    return {};
  }
  const auto& outputs = written.program->outputs;
  const bool counts = std::any_of(outputs.begin(), outputs.end(),
                                  [](const ProgramOutput& one) { return one.letter == StateOutputs::kTurnRates; });
  if (space.quadratures() > 1 && !counts) {
    notice = "the model counts turns of angles in space, and no code is written for that with this formulation";
    return {};
  }
  written.program->function = "right_side";
  const ProgramSteps steps = stepsOf(*written.program);
  if (const std::optional<std::string> why = whyNotCode(steps)) {
    notice = *why;
    return {};
  }
  GeneratedSource out{
      programC(steps) + entryOf(steps, space), static_cast<int>(steps.solve.size()), !steps.solve.empty(), {}};
  if (written.velocities) {
    out.closes = !written.velocities->left_out.empty();
    out.chosen = written.velocities->independent;
    out.chosen.insert(out.chosen.end(), written.velocities->left_out.begin(), written.velocities->left_out.end());
  }
  return out;
}

// The first form of a formulation that fits, else its last; nullopt where it has none.
std::optional<WrittenForm> formOf(const FormulationInfo& info, const Mechanism& mechanism, EquationTask task) {
  std::optional<WrittenForm> out;
  for (const std::string& name : info.forms) {
    out = writtenFormNamed(name);
    expect(out.has_value(), "generated code: the table of formulations names a form that there is not");
    if (whyNotForm(mechanism, *out, task).empty()) return out;
  }
  return out;
}

}  // namespace

WrittenEquations generatedEquations(const Mechanism& mechanism, const SystemOptions& options) {
  EquationRequest request;
  request.task = EquationTask::forward;
  request.torques = Torques::none;
  request.all_symbols = false;  // numbers for all parameters
  request.whole_state = true;
  const std::optional<WrittenForm> form = formOf(*findFormulation(options.formulation), mechanism, request.task);
  if (!form) return {{}, fmt::format("no code is written for the formulation {}", options.formulation), {}};
  request.form = *form;
  if (options.variant != SystemOptions().variant)
    return {{}, fmt::format("the variant {} has other equations than those that are written", options.variant), {}};
  request.opening = openingOf(options.opening);
  request.style = cheapestStyle(mechanism, request);
  if (request.form == WrittenForm::quasivelocity) request.velocities = velocityChoice(mechanism, options);
  WrittenEquations out = writeEquations(mechanism, request);
  out.velocities = std::move(request.velocities);
  return out;
}

std::unique_ptr<MechanismSystem> makeGeneratedSystem(const Mechanism& mechanism, const SystemOptions& options,
                                                     std::unique_ptr<MechanismSystem>& numeric,
                                                     const CompilerChoice& compiler, std::string& notice) {
  const StabilisationInfo& stabilisation = *findStabilisation(options.stabilisation);
  if (!stabilisation.own_equations) {
    notice =
        fmt::format("the stabilisation {} changes the equations; none and projection do not", options.stabilisation);
    return nullptr;
  }
  if (!options.dependent_rows.empty()) {
    notice = "rows of its joints depend on others, and written code cannot tell which to leave out on the way";
    return nullptr;
  }
  GeneratedSource source = sourceOf(mechanism, options, numeric->space(), notice);
  if (source.text.empty()) return nullptr;
  std::unique_ptr<SharedObject> object = SharedObject::of(source.text, compiler, notice);
  if (!object) return nullptr;
  void* const found = object->find("linkwork_right_side");
  if (found == nullptr) {
    notice = "the compiled code has no right-hand side";
    return nullptr;
  }
  const auto call = reinterpret_cast<RightSide>(found);  // NOLINT: what dlsym gives is what was compiled
  return std::make_unique<GeneratedSystem>(std::move(numeric), std::move(object), call, std::move(source),
                                           stabilisation.projects);
}

}  // namespace linkwork
