// The state of a mechanism at one time, for verbs that look at a single moment of its motion.
#pragma once

#include <string>
#include <vector>

#include "linkwork/simulate/simulate.hpp"

namespace linkwork {

struct StateAt {
  bool ok = false;
  std::string problem;    // why the motion does not get there, in words, when not ok
  std::vector<double> x;  // [q, v, work]
};

// Projection, dopri5, rtol 1e-10, atol 1e-12: what a single moment deserves.
RunOptions fineOptions();

// Runs from the assembled start up to t >= 0; t = 0 is the assembled start itself. An event that ends a run ends this
// one too. `options.until` and `options.output_step` are not used. Expects assembly.ok.
StateAt stateAt(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options, double t);
// The same with a system of one's own, made from the mechanism.
StateAt stateAt(const Mechanism& mechanism, const MechanismSystem& system, const Assembly& assembly,
                const RunOptions& options, double t);

}  // namespace linkwork
