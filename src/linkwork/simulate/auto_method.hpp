// "auto": the formulation and the integrator of a run, chosen from the mechanism and from counts in its first steps.
// Never from a clock: every machine chooses alike, and a run that is resumed chooses again what it was.
#pragma once

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/simulate/run_options.hpp"

namespace linkwork {

// The options with names in place of "auto", and RunOptions::chosen the reason; unchanged where nothing is open. From
// the mechanism alone: the formulation of least cost (FormulationInfo::cost) among those that fit the mechanism, the
// stabilisation and the integrator; the integrator by tolerance and loads.
RunOptions chooseByMechanism(const Mechanism& mechanism, const RunOptions& options);

// The same, after trying the first steps: where forces act much faster than the motion changes (stiffness), an implicit
// integrator. Expects assembly.ok, and a method that fits the mechanism (runProblem).
RunOptions chooseByFirstSteps(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options);

}  // namespace linkwork
