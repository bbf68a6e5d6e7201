#include "linkwork/simulate/auto_method.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "linkwork/base/contract.hpp"
#include "linkwork/elements/corners.hpp"
#include "linkwork/simulate/methods.hpp"
#include "linkwork/simulate/spring_watch.hpp"

namespace linkwork {

namespace {

constexpr const char* kOfOrder8 = "dop853";
constexpr const char* kOfOrder5 = "dopri5";
constexpr const char* kImplicit = "radau5";

// Above this the 15 evaluations of a step of order 8 do not pay.
constexpr double kLooseTolerance = 1e-5;
// Steps end at every corner that is known; between many there is no room for long ones.
constexpr std::size_t kManyCorners = 20;

// Of the first steps so many must be stiff, and so many more like the last must be ahead, for an implicit method to
// pay.
constexpr long kFirstSteps = 32;
constexpr long kStiffSteps = 6;
constexpr double kStepsAhead = 50.0;
// An implicit method takes the Jacobian by differences, one evaluation for each unknown.
constexpr int kMostUnknowns = 400;

bool isOpen(const std::string& name) { return name == kAuto; }

bool keepsConstraints(const RunOptions& options) {
  const StabilisationInfo* info = findStabilisation(options.system.stabilisation);
  return info != nullptr && info->keeps_constraints;
}

std::string cheapestFormulation(const Mechanism& mechanism, const RunOptions& options) {
  const FormulationInfo* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const FormulationInfo& info : formulations()) {
    const std::string integrator = isOpen(options.integrator) ? kOfOrder5 : options.integrator;
    const bool direct = isOpen(options.integrator) && keepsConstraints(options);
    if (!methodProblem(info.name, options.system.stabilisation, direct ? kImplicit : integrator).empty()) continue;
    if (!info.obstacle(mechanism).empty()) continue;
    const double cost = info.cost(mechanism);
    if (cost < least) {
      least = cost;
      best = &info;
    }
  }
  // Where none fits, the one that says best why.
  return best != nullptr ? best->name : SystemOptions().formulation;
}

struct Named {
  const char* integrator;
  const char* reason;
};

Named integratorFor(const Mechanism& mechanism, const RunOptions& options) {
  if (keepsConstraints(options)) return {kImplicit, "it takes the constraints as they are"};
  const FormulationInfo* info = findFormulation(options.system.formulation);
  if ((info != nullptr && info->softens) || springsAreFast(mechanism, options.until))
    return {kImplicit, "as joints are made of springs, which swing many times in this run"};
  if (options.steps.rtol > kLooseTolerance) return {kOfOrder5, "its steps are cheap at this tolerance"};
  if (findCorners(mechanism).times.size() > kManyCorners) return {kOfOrder5, "the loads have many corners"};
  return {kOfOrder8, "its long steps suit this tolerance"};
}

// What the first steps of the run tell: an integrator that suits better, or none.
std::optional<Named> betterByFirstSteps(const Mechanism& mechanism, const Assembly& assembly,
                                        const RunOptions& options) {
  const std::unique_ptr<MechanismSystem> system = makeSystem(mechanism, startingFrom(assembly, options.system));
  if (!system->problem().empty()) return {};
  const std::unique_ptr<Integrator> integrator = makeIntegrator(options.integrator, *system, options.steps);
  StepStatus status = integrator->begin(0.0, system->fromAbsolute(0.0, assembly.state()), options.until);
  const StepCounts& counts = integrator->counts();
  while (status == StepStatus::ok && counts.accepted < kFirstSteps) status = integrator->step();
  if (status != StepStatus::ok) return {};
  const double ahead = (options.until - integrator->time()) / integrator->lastStep();
  if (counts.stiff_steps >= kStiffSteps && ahead > kStepsAhead && system->space().controlled() <= kMostUnknowns)
    return Named{kImplicit, "as forces act much faster than the motion changes"};
  if (2 * counts.rejected > counts.accepted && options.integrator == kOfOrder8)
    return Named{kOfOrder5, "as long steps are refused"};
  return {};
}

}  // namespace

RunOptions chooseByMechanism(const Mechanism& mechanism, const RunOptions& options) {
  RunOptions out = options;
  if (isOpen(options.system.formulation)) {
    out.system.formulation = cheapestFormulation(mechanism, options);
    out.chosen = fmt::format("{}, the least work for this mechanism", out.system.formulation);
  }
  if (isOpen(options.integrator)) {
    const Named named = integratorFor(mechanism, out);
    out.integrator = named.integrator;
    out.chosen += fmt::format("{}{}, {}", out.chosen.empty() ? "" : "; ", named.integrator, named.reason);
  }
  return out;
}

RunOptions chooseByFirstSteps(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options) {
  expect(assembly.ok, "chooseByFirstSteps: the mechanism is not assembled");
  RunOptions out = chooseByMechanism(mechanism, options);
  if (!isOpen(options.integrator) || out.integrator == kImplicit) return out;
  const std::optional<Named> better = betterByFirstSteps(mechanism, assembly, out);
  if (!better) return out;
  RunOptions named = options;
  named.integrator = better->integrator;
  out = chooseByMechanism(mechanism, named);
  out.chosen += fmt::format("{}{}, {}", out.chosen.empty() ? "" : "; ", better->integrator, better->reason);
  return out;
}

}  // namespace linkwork
