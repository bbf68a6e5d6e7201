// A run: assemble, make the system, step, locate events, sample, keep the ledger.
#pragma once

#include <functional>
#include <string>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

struct RunOptions {
  SystemOptions system;
  std::string integrator = "dopri5";
  IntegratorOptions steps;
  double until = 10.0;       // s
  double output_step = 0.0;  // s; 0: a thousandth of the run

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
};

// Expects assembly.ok and options.problem() to be empty. A run that fails on the way returns what it has, and says why.
Result simulate(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options,
                const RunControl& control = {});

}  // namespace linkwork
