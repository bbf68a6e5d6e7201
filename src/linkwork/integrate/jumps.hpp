// Jumps: what the events within a step do: step, locate, jump, start over.
//
//   jumps.start(integrator);                              after begin or recall
//   while (status == StepStatus::ok) status = jumps.step(integrator);
//
// or, by whoever has something to do before the motion goes on, as sampling up to the jump:
//
//   status = integrator.step();
//   if (jumps.search(integrator, halt) == Jumps::Found::jump) { ... status = jumps.land(integrator); }
//
// Events of one instant are shown to the system together, at the state that the step's dense output has there. Where
// the system jumps, the integrator goes on from what it left in x and modes with all histories void, and the signs of
// the event functions are taken anew.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/integrate/events.hpp"
#include "linkwork/result/archive.hpp"

namespace linkwork {

class Jumps {
 public:
  // Allocates all that is needed; the other calls do not allocate but to say what failed. The system must outlive it.
  explicit Jumps(const OdeSystem& system, int subintervals = 4);

  // Takes the signs of the event functions at the integrator's time and state.
  EventSearch start(Integrator& integrator) { return locator_.start(integrator); }

  // Whether a search is to end at an instant of events, for a reason other than a jump.
  enum class Halt { no, unless_it_jumps, yes };
  enum class Found {
    nothing,  // the step was searched to its end
    halt,     // as was wished
    jump,     // at time(); land() goes on from it
    failed    // failure() says why
  };
  // Searches the last step from where the last search ended; halt(events) is asked at every instant of events.
  template <class Wish>
  Found search(Integrator& integrator, Wish&& halt) {
    while (true) {
      const EventSearch search = locator_.find(integrator);
      if (search == EventSearch::none) return Found::nothing;
      if (search == EventSearch::failed) return fail(integrator.time(), integrator.workspace());
      const Halt wish = halt(locator_.events());
      if (wish == Halt::yes) return Found::halt;
      if (const Found found = look(integrator); found != Found::nothing) return found;
      if (wish == Halt::unless_it_jumps) return Found::halt;
    }
  }
  StepStatus land(Integrator& integrator);

  // One step, up to the first jump in it. Where it failed, the integrator or failure() has the words.
  StepStatus step(Integrator& integrator);

  double time() const { return t_; }                                          // of the last jump
  std::span<const LocatedEvent> events() const { return locator_.events(); }  // found last, of one instant
  long count() const { return count_; }                                       // of jumps so far
  double energy() const { return energy_; }                                   // J that they brought in all
  const std::string& failure() const { return failure_; }
  EventLocator& locator() { return locator_; }

  void transfer(Archive& archive);  // what it keeps between steps; start() takes the signs anew

 private:
  // Shows the events found last to the system.
  Found look(Integrator& integrator);
  Found fail(double t, const Workspace& work);

  const OdeSystem& system_;
  EventLocator locator_;
  std::unique_ptr<Workspace> work_;
  double t_ = 0;
  std::vector<double> x_;
  Modes modes_;
  double jump_energy_ = 0;
  long count_ = 0;
  int crowded_ = 0;  // jumps in a row without time going on
  double energy_ = 0;
  std::string failure_;
};

}  // namespace linkwork
