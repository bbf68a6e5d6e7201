// A run: assemble, make the system, step, locate events, sample, keep the ledger.
#pragma once

#include <functional>
#include <string>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/simulate/checkpoint.hpp"
#include "linkwork/simulate/recorder.hpp"

namespace linkwork {

// Every thousandth of the run for a method that remembers, every twentieth for one that must start over there.
inline constexpr double kChosenCheckpointStep = -1.0;

struct RunOptions {
  SystemOptions system;
  std::string integrator = "dopri5";
  IntegratorOptions steps;
  double until = 10.0;       // s
  double output_step = 0.0;  // s; 0: a thousandth of the run
  // s between two times at which a checkpoint may be written; 0: none. A method that does not remember starts over at
  // each, whether it is written or not, so that a resumed run is the same as one that was never interrupted.
  double checkpoint_step = 0.0;
  Columns columns = Columns::standard;
  bool generated = false;  // by code written and compiled for this model, where that can be done

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

// The same, with what only the mechanism's own equations can tell: whether the integrator fits them.
std::string runProblem(const Mechanism& mechanism, const RunOptions& options);

// The model file's own [simulate] over the built-in defaults.
RunOptions runOptions(const Mechanism& mechanism);

struct RunControl {
  std::function<bool()> interrupted;             // asked after every step
  std::function<void(double, double)> progress;  // time reached, time wanted; after every step
  std::function<void(const std::string&)> note;  // what the user should know at once, such as a full disk

  std::string checkpoint_path;         // empty: none is written
  double checkpoint_wall = 1.0;        // s of real time at least between two that are written
  const Checkpoint* resume = nullptr;  // found, and of this very run: goes on from there
};

// Expects assembly.ok and options.problem() to be empty. A run that fails on the way returns what it has, and says why.
Result simulate(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options,
                const RunControl& control = {});

}  // namespace linkwork
