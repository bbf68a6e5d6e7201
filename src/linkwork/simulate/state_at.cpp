#include "linkwork/simulate/state_at.hpp"

#include <fmt/format.h>

#include <limits>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/simulate/corners.hpp"
#include "linkwork/simulate/step_plan.hpp"

namespace linkwork {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// The last step, searched for events: up to one that ends the run, to a corner of the loads or to a jump.
struct Searched {
  std::string problem;  // the run ends before the time asked for, or cannot go on
  double corner = kNever;
  bool jump = false;
};

Searched searchStep(const Mechanism& mechanism, Jumps& jumps, Integrator& integrator, const CornerWalk& corners,
                    double until) {
  Searched out;
  const Jumps::Found found = jumps.search(integrator, [&](std::span<const LocatedEvent> events) {
    for (const LocatedEvent& hit : events) {
      if (static_cast<std::size_t>(hit.index) >= mechanism.events.size()) {
        if (corners.wants(hit.time, integrator)) out.corner = hit.time;
        continue;
      }
      const Event& event = mechanism.events[static_cast<std::size_t>(hit.index)];
      if (!event.stop || hit.time >= until) continue;
      out.problem =
          fmt::format("the run ends at t = {:.9g} s with event \"{}\"; ask for an earlier time", hit.time, event.name);
      return Jumps::Halt::yes;
    }
    if (out.corner == kNever) return Jumps::Halt::no;
    return corners.takesBack(out.corner, integrator) ? Jumps::Halt::yes : Jumps::Halt::unless_it_jumps;
  });
  out.jump = found == Jumps::Found::jump;
  if (found == Jumps::Found::failed)
    out.problem = fmt::format("the events could not be evaluated near t = {:.6g} s", integrator.time());
  return out;
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
  expect(t >= 0.0, "stateAt: the time must not be negative");
  StateAt out;
  if (t == 0.0) {
    out.ok = true;
    out.x = assembly.state();
    return out;
  }
  const std::unique_ptr<MechanismSystem> system = makeSystem(mechanism, startingFrom(assembly, options.system));
  const std::unique_ptr<Integrator> integrator = makeIntegrator(options.integrator, *system, options.steps);
  Jumps jumps(*system);
  const StepPlan plan = planSteps(mechanism, t);
  if (!plan.why_end.empty()) {
    out.problem = plan.why_end;
    return out;
  }
  integrator->limitSteps(plan.limits);
  CornerWalk corners(*system, t);
  const std::unique_ptr<Workspace> work = system->makeWorkspace();
  StepStatus status = integrator->begin(0.0, system->fromAbsolute(0.0, assembly.state()), corners.firstEnd());
  if (status == StepStatus::ok) jumps.start(*integrator);
  while (status == StepStatus::ok) {
    status = integrator->step();
    if (status != StepStatus::ok && status != StepStatus::finished) break;
    const Searched searched = searchStep(mechanism, jumps, *integrator, corners, t);
    out.problem = searched.problem;
    if (!out.problem.empty()) return out;
    if (searched.jump) {
      status = jumps.land(*integrator);
    } else if (searched.corner < kNever) {
      status = corners.resume(searched.corner, *integrator, jumps.locator(), *work);
    } else if (status == StepStatus::finished) {
      status = corners.nextLeg(*integrator, jumps.locator());
    }
  }
  if (status != StepStatus::finished) {
    out.problem = integrator->failure();
    return out;
  }
  out.ok = true;
  out.x = system->toAbsolute(t, integrator->state());
  return out;
}

}  // namespace linkwork
