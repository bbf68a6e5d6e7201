#include "linkwork/simulate/state_at.hpp"

#include <fmt/format.h>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/events.hpp"

namespace linkwork {

namespace {

bool ends(const Event& event, EventDirection direction) {
  const bool rising = direction == EventDirection::rising;
  return event.stop && (event.crossing == Crossing::both || (event.crossing == Crossing::rising) == rising);
}

// Says so if an event in the last step ends the run; empty if none does.
std::string endOfRun(const Mechanism& mechanism, EventLocator& locator, Integrator& integrator) {
  EventSearch search = EventSearch::found;
  while ((search = locator.find(integrator)) == EventSearch::found) {
    for (const LocatedEvent& hit : locator.events()) {
      const Event& event = mechanism.events[static_cast<std::size_t>(hit.index)];
      if (!ends(event, hit.direction) || hit.time >= integrator.endTime()) continue;
      return fmt::format("the run ends at t = {:.9g} s with event \"{}\"; ask for an earlier time", hit.time,
                         event.name);
    }
  }
  if (search == EventSearch::none) return {};
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
  SystemOptions system_options = options.system;
  system_options.dependent_rows = assembly.dependent_rows;
  system_options.misfit = assembly.misfit;
  const std::unique_ptr<MechanismSystem> system = makeSystem(mechanism, system_options);
  const std::unique_ptr<Integrator> integrator = makeIntegrator(options.integrator, *system, options.steps);
  EventLocator locator(*system);
  StepStatus status = integrator->begin(0.0, assembly.state(), t);
  if (status == StepStatus::ok) locator.start(*integrator);
  while (status == StepStatus::ok) {
    status = integrator->step();
    if (status != StepStatus::ok && status != StepStatus::finished) break;
    out.problem = endOfRun(mechanism, locator, *integrator);
    if (!out.problem.empty()) return out;
  }
  if (status != StepStatus::finished) {
    out.problem = integrator->failure();
    return out;
  }
  out.ok = true;
  out.x.assign(integrator->state().begin(), integrator->state().end());
  return out;
}

}  // namespace linkwork
