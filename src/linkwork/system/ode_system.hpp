// The contract between a formulation and an integrator: an immutable system of ordinary differential equations.
//
//   (1)  x' = f(t, x; m)                         derivative; m: the modes, which stay as they are throughout a step
//   (2)  x  = [q, v, w],  q' = v,  w' = power    StateSpace: w are quadratures, free of error control
//   (3)  x <- P(t, x; m) after an accepted step  afterStep: projection and the like; says whether x changed
//   (4)  x, m <- others for the same state       restate: numbers from which the next step goes better
//   (5)  m <- b(t, x, m) where a step begins     beginStep: what is chosen for a step
//   (6)  g_i(t, x; m) = 0 in a sense             eventValues, eventSense: where a run may have to stop or switch
//   (7)  x, m <- J(t, x, m; events)              jump: what the events of one instant do to the state and the modes
//
// After (7) everything is settled anew: signs of (6), rank and dependence of the rows that act, histories of methods.
// Which rows act may depend on m; patterns of matrices hold all of them.
//
// Only t, x and m evolve. All calls are const and may come from many threads, each with its own Workspace. Nothing
// throws or allocates in them. Every call is pure, so that a system that stands for another cannot forget to pass one
// on; PlainOdeSystem answers those that an ordinary equation has nothing to say to.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "linkwork/system/eval.hpp"
#include "linkwork/system/jump.hpp"
#include "linkwork/system/modes.hpp"
#include "linkwork/system/state_space.hpp"

namespace linkwork {

class CanonicalSystem;
class DaeSystem;
class MechanicalSystem;
class StateJacobian;

// Scratch of one thread: written before read in each call, so that no answer depends on the calls before. Systems
// derive their own.
class Workspace {
 public:
  Workspace() = default;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  virtual ~Workspace() = default;
};

struct AfterStep {
  Eval eval = Eval::ok;
  bool changed = false;           // x was moved: stages and history taken before are void
  std::optional<RowRank> rows{};  // where it factored them: those of the state it leaves
};

enum class Restated {
  no,
  better,  // steps go better from these numbers, and could go on from the others
  anew     // the next step has other equations than the one before: histories are void, these numbers are to be taken
};

class OdeSystem {
 public:
  OdeSystem() = default;
  OdeSystem(const OdeSystem&) = delete;
  OdeSystem& operator=(const OdeSystem&) = delete;
  virtual ~OdeSystem() = default;

  virtual StateSpace space() const = 0;
  virtual std::unique_ptr<Workspace> makeWorkspace() const = 0;
  // For a run that is about to begin, or for a look at a single state: nothing is chosen yet, and what the equations
  // need is chosen by each call at the state it is given.
  virtual Modes startModes() const = 0;

  virtual Evaluation derivative(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                                std::span<double> xdot) const = 0;

  // Between two steps, before beginStep: puts other numbers for the same state, where the system has several. A method
  // with a history must begin anew with them, or leave x as it was. The output of the step before keeps the numbers
  // that it was taken with.
  virtual Restated restate(double t, std::span<double> x, Modes& modes, Workspace& work) const = 0;
  // Every integrator calls this with the state from which it is about to step, also after a resumption.
  virtual void beginStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const = 0;
  // For one who looks at (t, x) within a step, with a copy of its modes: what t and x alone decide is chosen here, what
  // only the step knows stays.
  virtual void enterStep(double t, std::span<const double> x, Modes& modes, Workspace& work) const = 0;
  virtual AfterStep afterStep(double t, std::span<double> x, const Modes& modes, Workspace& work) const = 0;

  virtual int eventCount() const = 0;
  virtual Eval eventValues(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                           std::span<double> values) const = 0;
  virtual EventSense eventSense(int event, const Modes& modes) const = 0;
  // All events of one instant together, each with its direction; (t, x) lies within the step of these modes, and is not
  // yet corrected as after a step. Where nothing changed the step goes on, else the integrator starts over from what is
  // left in x and modes.
  virtual Jump jump(double t, std::span<const LocatedEvent> events, std::span<double> x, Modes& modes,
                    Workspace& work) const = 0;

  // The same motion with its constraints kept, for methods that integrate them directly; nullptr where there is none.
  // Their states x are those of this system.
  virtual const DaeSystem* dae() const = 0;
  virtual const MechanicalSystem* mechanical() const = 0;
  // The same motion in coordinates and impulses, in pieces; nullptr where it is not in such variables.
  virtual const CanonicalSystem* canonical() const = 0;

  // What is known of df/dx, for implicit methods and for linearisations; nullptr where it is the derivative alone.
  virtual const StateJacobian* jacobian() const = 0;

  // Why the last call with this workspace did not answer ok, in words for the user; may allocate.
  virtual std::string describeFailure(const Workspace& work) const = 0;
};

}  // namespace linkwork
