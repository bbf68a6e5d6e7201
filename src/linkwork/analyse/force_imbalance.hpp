// How well accelerations and reactions balance: M a = Q + Phi_q^T lambda, evaluated anew.
#pragma once

#include <span>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// The greatest force that M a = Q + Phi_q^T lambda leaves over at a state with its accelerations and multipliers, N;
// moments are divided by the reference length.
double forceImbalance(const Mechanism& mechanism, double t, std::span<const double> x, std::span<const double> xdot,
                      std::span<const double> multipliers);

}  // namespace linkwork
