#include "linkwork/simulate/state_at.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/simulate/corners.hpp"
#include "linkwork/simulate/step_plan.hpp"

namespace linkwork {

namespace {

// Why the run ends with an event of the last step before the time asked for, or cannot go on; empty where neither is
// so.
std::string searchStep(const Mechanism& mechanism, Jumps& jumps, Integrator& integrator, const CornerWalk& corners,
                       double until, CornerWalk::Searched& out) {
  std::string problem;
  out = corners.search(jumps, integrator, mechanism.events.size(), [&](const LocatedEvent& hit) {
    if (static_cast<std::size_t>(hit.index) >= mechanism.events.size()) return false;
    const Event& event = mechanism.events[static_cast<std::size_t>(hit.index)];
    if (!event.stop || hit.time >= until) return false;
    problem =
        fmt::format("the run ends at t = {:.9g} s with event \"{}\"; ask for an earlier time", hit.time, event.name);
    return true;
  });
  return out.found == Jumps::Found::failed ? jumps.failure() : problem;
}

}  // namespace

RunOptions fineOptions() {
  RunOptions out;
  out.system.stabilisation = "projection";
  out.integrator = "dopri5";
  out.steps.rtol = 1e-10;
  out.steps.atol = 1e-12;
  return out;
}

StateAt stateAt(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options, double t) {
  expect(assembly.ok, "stateAt: the mechanism is not assembled");
  return stateAt(mechanism, *makeSystem(mechanism, startingFrom(assembly, options.system)), assembly, options, t);
}

StateAt stateAt(const Mechanism& mechanism, const MechanismSystem& system, const Assembly& assembly,
                const RunOptions& options, double t) {
  expect(assembly.ok, "stateAt: the mechanism is not assembled");
  expect(t >= 0.0, "stateAt: the time must not be negative");
  StateAt out;
  if (t == 0.0) {
    out.ok = true;
    out.x = assembly.state();
    return out;
  }
  const std::unique_ptr<Integrator> integrator = makeIntegrator(options.integrator, system, options.steps);
  Jumps jumps(system);
  const StepPlan plan = planSteps(mechanism, t);
  if (!plan.pole.empty()) {
    out.problem = plan.whyEnd(plan.end);
    return out;
  }
  integrator->limitSteps(plan.limits);
  const bool fixed = takesFixedSteps(*findIntegrator(options.integrator), options.steps);
  CornerWalk corners(system, t, fixed ? CornerWalk::Steps::fixed : CornerWalk::Steps::chosen);
  const std::unique_ptr<Workspace> work = system.makeWorkspace();
  StepStatus status = integrator->begin(0.0, system.fromAbsolute(0.0, assembly.state()), corners.firstEnd());
  corners.tellOfEnd(corners.firstEnd(), *integrator);
  if (status == StepStatus::ok) jumps.start(*integrator);
  while (status == StepStatus::ok) {
    status = integrator->step();
    if (status != StepStatus::ok && status != StepStatus::finished) break;
    CornerWalk::Searched searched;
    out.problem = searchStep(mechanism, jumps, *integrator, corners, t, searched);
    if (!out.problem.empty()) return out;
    if (searched.found == Jumps::Found::jump) {
      status = corners.land(jumps, *integrator);
    } else if (std::isfinite(searched.corner)) {
      status = corners.resume(searched.corner, *integrator, jumps.locator(), *work);
    } else if (status == StepStatus::finished) {
      status = corners.nextLeg(*integrator, jumps.locator());
    }
  }
  if (status != StepStatus::finished) {
    out.problem = integrator->failure().empty() ? jumps.failure() : integrator->failure();
    return out;
  }
  out.ok = true;
  out.x = system.toAbsolute(t, integrator->state(), integrator->modes());
  return out;
}

}  // namespace linkwork
