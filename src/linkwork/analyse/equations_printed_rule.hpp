// The rule of the paper for small motions, which holds where quasi-velocities are small in the motion itself and not
// otherwise: for study.
#pragma once

#include <vector>

#include "linkwork/analyse/equations_steady.hpp"

namespace linkwork {

// Takes out of A what the rule lacks of the derivative of B: products in which w does not stay small,
//   d(T_Q) Gamma w + T_Q d(Gamma) w + V_Q d(V_PP) w,
// and of coordinates' rates all but b dw.                                          [docs/theory/11, errata]
void takePrintedRule(const EquationsSteadySolver& solver, const std::vector<double>& x, EquationsLinear& linear);

}  // namespace linkwork
