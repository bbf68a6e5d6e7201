// A run of a file of equations: the same loop, integrators, records and ledger as for a mechanism, with an
// EquationsSystem in the mechanism's place.
#pragma once

#include "linkwork/formulation/equations/equations_start.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {

// Its formulation is quasivelocity, where the options leave it open; an open integrator is chosen.
RunOptions equationsRunOptions(const EquationsModel& model, RunOptions options);

// Why such options do not go together with equations; empty if they do.
std::string equationsRunProblem(const EquationsModel& model, const RunOptions& options);

// `frame`: recordedFrame(model). Expects start.ok and no problem.
Result simulateEquations(const EquationsModel& model, const Mechanism& frame, const EquationsStart& start,
                         const RunOptions& options, const RunControl& control = {});

// The start as the loop takes it.
Assembly assemblyOf(const EquationsStart& start);

}  // namespace linkwork
