// A mechanism as the mobility analysis sees it: rows, their forces, and directions that have names. In the plane or in
// space, as the mechanism is.
#pragma once

#include <span>

#include "linkwork/analyse/mobility.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// q, turns: an assembled pose, as in Assembly; without turns those of the drawing count.
MobilityProblem mobilityProblem(const Mechanism& mechanism, std::span<const double> q, double t = 0.0,
                                std::span<const double> turns = {});

// Is every row of Phi closed at q, to 1e-8 of the mechanism's size?
bool isClosed(const MobilityProblem& problem, std::span<const double> q);

}  // namespace linkwork
