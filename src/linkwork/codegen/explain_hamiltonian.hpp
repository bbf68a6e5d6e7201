// The equations in impulses laid out with the paper's letters, with numbers at one state.
#pragma once

#include <span>

#include "linkwork/codegen/explain.hpp"
#include "linkwork/formulation/make_system.hpp"

namespace linkwork {

// At the state x = [q, v, work, turns] in absolute coordinates, of a motion that began at `start`: k, P, U and eps of
// the opened mechanism, C, A, M*, D, H of its links, Phi, b and eta of its loops, impulses, velocities and rates.
// options: opening and variant count. [docs/theory/09]
Explanation explainHamiltonian(const Mechanism& mechanism, const SystemOptions& options, double t,
                               std::span<const double> x, const Assembly& start);

}  // namespace linkwork
