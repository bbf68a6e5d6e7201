// Finds where the system's event functions g_i(t, x; m) change sign within an accepted step, on the dense output, in
// the sense that counts with the modes m of the step.
//
//   locator.start(integrator);                       after begin, and after a resumeAt that changed the state
//   while (integrator.step() == ...) {
//     while (locator.find(integrator) == EventSearch::found) {
//       for (const LocatedEvent& event : locator.events()) ...
//       ... either go on searching the same step, or resumeAt(events().front().time, x), start(integrator) and step:
//       Jumps does so where the system says that they change the motion
//     }
//   }
//
// An event's time is the first double (to a few units in the last place) at which g no longer has the sign it had: a
// run resumed there does not meet the same event again. g = 0 counts as a change of sign when it is reached, not when
// it is left. Functions that change sign at one and the same time are reported together. A sign that changes and
// changes back between two of the points looked at is not seen; `subintervals` says how many pieces of a step are
// looked at.
#pragma once

#include <span>
#include <vector>

#include "linkwork/integrate/integrator.hpp"

namespace linkwork {

enum class EventSearch {
  none,    // the step was searched to its end
  found,   // see events(); the rest of the step is still to be searched
  failed,  // the event functions could not be evaluated; the system says why
};

class EventLocator {
 public:
  // Allocates all that is needed; the other calls do not allocate.
  explicit EventLocator(const OdeSystem& system, int subintervals = 4);

  // Takes the signs at the integrator's time and state.
  EventSearch start(Integrator& integrator);
  // Searches on from where the last search ended, to the integrator's time.
  EventSearch find(Integrator& integrator);

  // The earliest ones, all at one time, in the order of their index.
  std::span<const LocatedEvent> events() const { return events_; }
  long evaluations() const { return evaluations_; }

 private:
  bool evaluate(Integrator& integrator, double t, std::vector<double>& values);
  EventSearch findIn(Integrator& integrator, double t_to);
  // The end of a bracket of a few ulp on whose far side g_index has changed; NaN where g could not be evaluated.
  double locate(Integrator& integrator, std::size_t index, double t_to, double g_to);

  const OdeSystem& system_;
  int subintervals_;
  double searched_to_ = 0;
  std::vector<double> x_;
  std::vector<double> start_values_, end_values_, values_;
  std::vector<LocatedEvent> events_;
  long evaluations_ = 0;
};

}  // namespace linkwork
