// A run: assemble, make the system, step, locate events, sample, keep the ledger.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/elements/quick_stretches.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/simulate/checkpoint.hpp"
#include "linkwork/simulate/run_options.hpp"

namespace linkwork {

// RunOptions::problem(), with what only the mechanism's own equations can tell: whether the integrator fits them.
std::string runProblem(const Mechanism& mechanism, const RunOptions& options);

struct RunControl {
  std::function<bool()> interrupted;             // asked after every step
  std::function<void(double, double)> progress;  // time reached, time wanted; after every step
  std::function<void(const std::string&)> note;  // what the user should know at once, such as a full disk
  std::vector<ActingFormula> formulas;  // that act beside those of the mechanism: steps are limited by them too

  std::string checkpoint_path;         // empty: none is written
  double checkpoint_wall = 1.0;        // s of real time at least between two that are written
  const Checkpoint* resume = nullptr;  // found, and of this very run: goes on from there
};

// Expects assembly.ok and options.problem() to be empty. A run that fails on the way returns what it has, and says why.
Result simulate(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options,
                const RunControl& control = {});
// The same with a system that stands for the mechanism, whatever the options say of formulations.
Result simulate(const Mechanism& mechanism, const MechanismSystem& system, const Assembly& assembly,
                const RunOptions& options, const RunControl& control = {});

}  // namespace linkwork
