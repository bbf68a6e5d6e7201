#include "linkwork/simulate/generated_system.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

// t, positions, rates; accelerations and then the power. Gives back the rank of the loop equations.
using RightSide = int (*)(double, const double*, const double*, double*);

struct GeneratedSource {
  std::string text;
  int rows = 0;  // of the loop equations
};

class GeneratedSystem final : public MechanismSystem {
 public:
  GeneratedSystem(std::unique_ptr<MechanismSystem> numeric, std::unique_ptr<SharedObject> object, RightSide call,
                  int rows, bool projects)
      : numeric_(std::move(numeric)), object_(std::move(object)), call_(call), rows_(rows), projects_(projects) {}

  Eval derivative(double t, std::span<const double> x, Workspace& work, std::span<double> xdot) const override {
    const auto n = static_cast<std::size_t>(numeric_->space().positions());
    const int rank = call_(t, x.data(), x.data() + n, xdot.data() + n);
    bool good = rank == rows_;
    for (std::size_t k = n; good && k <= 2 * n; ++k) good = std::isfinite(xdot[k]);
    if (!good) return numeric_->derivative(t, x, work, xdot);
    for (std::size_t k = 0; k < n; ++k) xdot[k] = x[n + k];
    return Eval::ok;
  }

  StateSpace space() const override { return numeric_->space(); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return numeric_->makeWorkspace(); }
  void beginStep(double t, std::span<const double> x, Workspace& work) const override {
    numeric_->beginStep(t, x, work);
  }
  AfterStep afterStep(double t, std::span<double> x, Workspace& work) const override {
    const AfterStep out = numeric_->afterStep(t, x, work);
    if (!projects_ && rows_ > 0) numeric_->factorRows(t, x, work);  // the rank is watched step by step
    return out;
  }
  int eventCount() const override { return numeric_->eventCount(); }
  Eval eventValues(double t, std::span<const double> x, Workspace& work, std::span<double> values) const override {
    return numeric_->eventValues(t, x, work, values);
  }
  std::string describeFailure(const Workspace& work) const override { return numeric_->describeFailure(work); }
  std::vector<double> fromAbsolute(double t, std::span<const double> x) const override {
    return numeric_->fromAbsolute(t, x);
  }
  std::vector<double> toAbsolute(double t, std::span<const double> x) const override {
    return numeric_->toAbsolute(t, x);
  }
  std::vector<double> cornerTimes() const override { return numeric_->cornerTimes(); }
  Eval observe(double t, std::span<const double> x, Workspace& work, Observation& out) const override {
    return numeric_->observe(t, x, work, out);
  }
  Violation violation(double t, std::span<const double> x, Workspace& work) const override {
    return numeric_->violation(t, x, work);
  }
  std::string problem() const override { return numeric_->problem(); }
  void factorRows(double t, std::span<const double> x, Workspace& work) const override {
    numeric_->factorRows(t, x, work);
  }
  RankReport rank(const Workspace& work) const override { return numeric_->rank(work); }
  long projectionSolves(const Workspace& work) const override { return numeric_->projectionSolves(work); }
  double worstResidual(const Workspace& work) const override { return numeric_->worstResidual(work); }
  int degreesOfFreedom(const Workspace& work) const override { return numeric_->degreesOfFreedom(work); }
  double smallestPivot(const Workspace& work) const override { return numeric_->smallestPivot(work); }
  double referenceLength() const override { return numeric_->referenceLength(); }
  double reactionLength() const override { return numeric_->reactionLength(); }

 private:
  std::unique_ptr<MechanismSystem> numeric_;
  std::unique_ptr<SharedObject> object_;
  RightSide call_ = nullptr;
  int rows_ = 0;
  bool projects_ = false;
};

// Numbers for all parameters; an entry that hides which arguments the function has.
GeneratedSource sourceOf(const Mechanism& mechanism, const SystemOptions& options, std::string& notice) {
  EquationRequest request;
  request.task = EquationTask::forward;
  request.torques = Torques::none;
  request.all_symbols = false;
  request.with_power = true;
  if (options.formulation == "absolute") {
    request.form = WrittenForm::absolute;
  } else if (options.formulation == "linkage") {
    const bool tree = whyNotForm(mechanism, WrittenForm::elimination, request.task).empty();
    request.form = tree ? WrittenForm::elimination : WrittenForm::rud;
  } else {
    notice = fmt::format("no code is written for the formulation {}", options.formulation);
    return {};
  }
  request.style = cheapestStyle(mechanism, request);
  WrittenEquations written = writeEquations(mechanism, request);
  if (!written.program) {
    notice = written.problem;
    return {};
  }
  written.program->function = "right_side";
  const ProgramSteps steps = stepsOf(*written.program);
  if (const std::optional<std::string> why = whyNotCode(steps)) {
    notice = *why;
    return {};
  }
  const bool with_time = !steps.program.symbols().empty() && steps.program.symbols().front().array == "t";
  const auto n = steps.outputs.front().size();
  GeneratedSource out;
  out.rows = static_cast<int>(steps.solve.unknowns.size());
  const std::string call = fmt::format("right_side({}q, v, out, out + {})", with_time ? "t, " : "", n);
  out.text = programC(steps) + "\nint linkwork_right_side(double t, const double *q, const double *v, double *out);\n" +
             "int linkwork_right_side(double t, const double *q, const double *v, double *out)\n{\n" +
             (with_time ? "" : "  (void)t;\n") +
             (out.rows > 0 ? fmt::format("  return {};\n", call) : fmt::format("  {};\n  return 0;\n", call)) + "}\n";
  return out;
}

}  // namespace

std::unique_ptr<MechanismSystem> makeGeneratedSystem(const Mechanism& mechanism, const SystemOptions& options,
                                                     std::unique_ptr<MechanismSystem>& numeric,
                                                     const CompilerChoice& compiler, std::string& notice) {
  if (options.stabilisation != "none" && options.stabilisation != "projection") {
    notice =
        fmt::format("the stabilisation {} changes the equations; none and projection do not", options.stabilisation);
    return nullptr;
  }
  const GeneratedSource source = sourceOf(mechanism, options, notice);
  if (source.text.empty()) return nullptr;
  std::unique_ptr<SharedObject> object = SharedObject::of(source.text, compiler, notice);
  if (!object) return nullptr;
  void* const found = object->find("linkwork_right_side");
  if (found == nullptr) {
    notice = "the compiled code has no right-hand side";
    return nullptr;
  }
  const auto call = reinterpret_cast<RightSide>(found);  // NOLINT: what dlsym gives is what was compiled
  return std::make_unique<GeneratedSystem>(std::move(numeric), std::move(object), call, source.rows,
                                           options.stabilisation == "projection");
}

}  // namespace linkwork
