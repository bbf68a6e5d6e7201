// How a run meets corners of the loads: steps end at those known beforehand, and begin anew at those found on the way.
//
// A load may jump at a corner. A step that ends or begins there has a stage which round-off puts on one side or the
// other; adaptive methods see the error and take shorter steps. A method of fixed steps would err by the jump times a
// sixth of its step: its steps come so near before the corner that the rest is nothing beside their errors.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/result/archive.hpp"

namespace linkwork {

// Corner times are solved for, and sums of t and constants have round-off of the size of the run's time: this share of
// it.
inline constexpr double kCornerRoundOff = 64.0 * std::numeric_limits<double>::epsilon();

class CornerWalk {
 public:
  enum class Steps { chosen, fixed };
  CornerWalk(const MechanismSystem& system, double until, Steps steps);

  // The end of the first leg; begin the integrator with it, and then tell it what is there.
  double firstEnd() const { return ends_.front(); }
  void tellOfEnd(double t_end, Integrator& integrator) const;
  // Whether a leg ends there because a corner is known to come then.
  bool isKnown(double t) const;
  // After a leg: goes on to the next one, or answers finished where there is none.
  StepStatus nextLeg(Integrator& integrator, EventLocator& locator);

  // What a search of the last step came to; where it found neither an event that ends the run nor a jump, the run is to
  // begin anew at the corner.
  struct Searched {
    Jumps::Found found = Jumps::Found::nothing;
    double corner = std::numeric_limits<double>::infinity();
  };
  // ends(hit) is shown every event in its turn and says whether it ends the run; those with indices from `marks` on are
  // corners, which end nothing.
  template <class Ends>
  Searched search(Jumps& jumps, Integrator& integrator, std::size_t marks, Ends&& ends) const {
    Searched out;
    out.found = jumps.search(integrator, [&](std::span<const LocatedEvent> events) {
      for (const LocatedEvent& hit : events) {
        if (static_cast<std::size_t>(hit.index) >= marks && wants(hit.time, integrator)) out.corner = hit.time;
        if (ends(hit)) return Jumps::Halt::yes;
      }
      if (!std::isfinite(out.corner)) return Jumps::Halt::no;
      // Events of a step that is taken back are found again.
      return takesBack(out.corner, integrator) ? Jumps::Halt::yes : Jumps::Halt::unless_it_jumps;
    });
    return out;
  }
  // Goes on from the jump that was found, with the next leg where it lies at the end of one; finished at the end of the
  // run.
  StepStatus land(Jumps& jumps, Integrator& integrator);

  // Whether the run is to begin anew at a corner found at t in the last step. Corners that crowd (a load that flutters
  // about its corner) are passed over, or the run would stand still.
  bool wants(double t, const Integrator& integrator) const;
  // Whether the last step is taken back as a whole, or kept up to t.
  bool takesBack(double t, const Integrator& integrator) const;
  // Takes the last step back and makes the integrator land on t instead, so that no stage lies beyond the corner;
  // events of that step are found again. A corner right at the start of a step is reached by interpolation.
  StepStatus resume(double t, Integrator& integrator, EventLocator& locator, Workspace& work);

  // Keeps the last step up to `from` and takes the rest of it again, to land on `to`.
  enum class At { corner, smooth };
  StepStatus retake(double from, double to, At what, Integrator& integrator, EventLocator& locator, Workspace& work);

  void transfer(Archive& archive);  // what it keeps between steps

 private:
  // Goes on from the state of the last step at t.
  StepStatus resumeFrom(double t, Integrator& integrator, Workspace& work);
  // Whether the last step is to end short of the corner at t, and the next one to look for it again.
  bool comesNearer(double t, const Integrator& integrator);

  const MechanismSystem& system_;
  std::vector<double> ends_;    // of the legs, in rising order; the last is the end of the run
  bool corner_at_end_ = false;  // of the run
  std::vector<double> x_;
  Modes modes_;       // beside x_
  double least_;      // s between two corners
  double round_off_;  // s: of the times of corners
  double last_ = -1.0;
  Steps steps_;
  double beside_;            // s behind a corner at which fixed steps go on
  double approached_ = 0.0;  // the corner that steps came nearer to,
  int approaches_ = 0;       // so many times
};

}  // namespace linkwork
