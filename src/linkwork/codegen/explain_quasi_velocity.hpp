// The equations of Boltzmann and Hamel laid out with numbers at one state: quasi-velocities and rows, A, B and what
// they are made of, the symbols Gamma, reactions.
#pragma once

#include <span>

#include "linkwork/codegen/explain.hpp"
#include "linkwork/formulation/make_system.hpp"

namespace linkwork {

enum class ExplainedMatrices { sums, of_each_body };  // of_each_body: all that is formed on the way, body by body

// At the state x = [q, v, work, turns] in absolute coordinates, of a motion that began at `start`.
//                                                                                                   [docs/theory/11]
Explanation explainQuasiVelocity(const Mechanism& mechanism, double t, std::span<const double> x, const Assembly& start,
                                 ExplainedMatrices matrices);

}  // namespace linkwork
