// The contract between a formulation and an integrator: an immutable system of ordinary differential equations.
//
//   (1)  x' = f(t, x)                          derivative
//   (2)  x  = [q, v, w],  q' = v,  w' = power  StateSpace: w are quadratures, free of error control
//   (3)  x <- P(t, x) after an accepted step   afterStep: projection and the like; says whether x changed
//   (3') x <- another x for the same state     restate: numbers from which the next step goes better
//   (3") a step begins at (t, x)               beginStep: what stays fixed throughout it, chosen from t, x and restate
//   (4)  g_i(t, x) = 0                         eventValues: where a run may have to stop or switch
//
// All calls are const and may come from many threads, each with its own Workspace. Nothing throws or allocates in them.
// Every call is pure, so that a system that stands for another cannot forget to pass one on; PlainOdeSystem answers
// those that an ordinary equation has nothing to say to.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/system/eval.hpp"
#include "linkwork/system/state_space.hpp"

namespace linkwork {

class CanonicalSystem;
class DaeSystem;
class MechanicalSystem;
class StateJacobian;

// Scratch of one thread: written before read in each call, but for what restate and beginStep leave. Systems derive
// their own.
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

  virtual Evaluation derivative(double t, std::span<const double> x, Workspace& work, std::span<double> xdot) const = 0;

  // Between two steps, before beginStep: puts other numbers for the same state, where the system has several. A method
  // with a history must begin anew with them, or leave x as it was. The output of the step before keeps the numbers
  // that it was taken with.
  virtual Restated restate(double t, std::span<double> x, Workspace& work) const = 0;
  // Every integrator calls this with the state from which it is about to step, also after a resumption. A system that
  // needs it may be evaluated without: it then chooses at the first state it sees.
  virtual void beginStep(double t, std::span<const double> x, Workspace& work) const = 0;
  // What beginStep fixed and restate asks for, to be kept with x where a run is interrupted; and put into the workspace
  // of the run that goes on from there, or of one who looks into the step. Not for inner loops: the list is made anew.
  virtual std::vector<double> fixedInStep(const Workspace& work) const = 0;
  virtual void fixInStep(std::span<const double> fixed, Workspace& work) const = 0;
  virtual AfterStep afterStep(double t, std::span<double> x, Workspace& work) const = 0;

  virtual int eventCount() const = 0;
  virtual Eval eventValues(double t, std::span<const double> x, Workspace& work, std::span<double> values) const = 0;

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
