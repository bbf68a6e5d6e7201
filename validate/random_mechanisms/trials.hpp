// Trials: the methods under which a mechanism is run, one drawn for each formulation that fits it.
#pragma once

#include <string>
#include <vector>

#include "draws.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork::random_mechanisms {

struct Trial {
  std::string formulation, stabilisation, integrator;
  bool lifted = false;  // a planar mechanism in space

  std::string label() const;
};

// How finely a trial is run: at first, and again where it seems to be off.
enum class Fineness { usual, finer };

// Asks the tables of formulations and methods, so that new ones join by being there.
std::vector<Trial> drawTrials(const Mechanism& mechanism, Draws& draws);

// The options of a trial on the way to `until` with so many samples.
RunOptions optionsOf(const Mechanism& mechanism, const Trial& trial, double until, int samples, Fineness fineness);

// The relative error that a trial promises where nothing amplifies it; fixed steps promise none.
double promise(const RunOptions& options);

}  // namespace linkwork::random_mechanisms
