#include "linkwork/simulate/state_at.hpp"

#include <fmt/format.h>

#include <limits>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/events.hpp"
#include "linkwork/simulate/corners.hpp"

namespace linkwork {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Says so if an event in the last step ends the run before `until`; empty if none does. The search stops at a corner of
// the loads; kNever if there is none.
std::string endOfRun(const Mechanism& mechanism, EventLocator& locator, Integrator& integrator,
                     const CornerWalk& corners, double until, double& corner) {
  EventSearch search = EventSearch::none;
  corner = kNever;
  while (corner == kNever && (search = locator.find(integrator)) == EventSearch::found) {
    for (const LocatedEvent& hit : locator.events()) {
      if (static_cast<std::size_t>(hit.index) >= mechanism.events.size()) {
        if (corners.wants(hit.time, integrator)) corner = hit.time;
        continue;
      }
      const Event& event = mechanism.events[static_cast<std::size_t>(hit.index)];
      if (!event.stop || hit.time >= until) continue;
      return fmt::format("the run ends at t = {:.9g} s with event \"{}\"; ask for an earlier time", hit.time,
                         event.name);
    }
  }
  if (search != EventSearch::failed) return {};
  return fmt::format("the events could not be evaluated near t = {:.6g} s", integrator.time());
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
  EventLocator locator(*system);
  CornerWalk corners(*system, t);
  const std::unique_ptr<Workspace> work = system->makeWorkspace();
  double corner = kNever;
  StepStatus status = integrator->begin(0.0, system->fromAbsolute(0.0, assembly.state()), corners.firstEnd());
  if (status == StepStatus::ok) locator.start(*integrator);
  while (status == StepStatus::ok) {
    status = integrator->step();
    if (status != StepStatus::ok && status != StepStatus::finished) break;
    out.problem = endOfRun(mechanism, locator, *integrator, corners, t, corner);
    if (!out.problem.empty()) return out;
    if (corner < kNever) {
      status = corners.resume(corner, *integrator, locator, *work);
    } else if (status == StepStatus::finished) {
      status = corners.nextLeg(*integrator, locator);
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
