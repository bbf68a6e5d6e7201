// A linearisation at every sample of a recorded run: x' = A(t) x + B(t) u for deviations from the run, all in the same
// coordinates.
#pragma once

#include <string>
#include <vector>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

struct LinearAlong {
  bool ok = false;
  std::string problem, hint;
  std::vector<double> time;
  std::vector<Linearisation> linear;  // as many
};

// `named`: the mechanism of the run, with names of inputs in its formulas if they are wanted. `run` has the poses and
// velocities of all bodies, as every run records them; of two samples at a jump both count. `coordinates`: those to
// use; empty: chosen at the first sample. Expects assembly.ok.
LinearAlong lineariseAlong(const Mechanism& named, const Assembly& assembly, const Result& run,
                           const std::vector<std::string>& coordinates);

// [q, v, work, turns] in absolute coordinates of a sample, which states of `like` have the size of; empty, with the
// reason, where the run lacks a series.
std::vector<double> recordedState(const Mechanism& mechanism, const Result& run, std::size_t sample,
                                  const std::vector<double>& like, std::string& problem);

}  // namespace linkwork
