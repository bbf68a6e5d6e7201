// A mechanism as the mobility analysis sees it: rows, their forces, and directions that have names. In the plane or in
// space, as the mechanism is.
#pragma once

#include <span>
#include <vector>

#include "linkwork/analyse/mobility.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// q, turns: an assembled pose, as in Assembly; without turns those of the drawing count.
MobilityProblem mobilityProblem(const Mechanism& mechanism, std::span<const double> q, double t = 0.0,
                                std::span<const double> turns = {});

// Phi_q at a pose, as MobilityProblem lays it out.
std::vector<double> jacobianAt(const MobilityProblem& problem, std::span<const double> pose);
// The given rows of it, rows scaled to metres and columns to metres of displacement: pure numbers. Only bodies that the
// rows touch have columns.
SparseRows scaledRows(const MobilityProblem& problem, std::span<const double> jacobian, const std::vector<int>& rows);
// The rows that are there at a level, at a pose.
SparseRows scaledRows(const MobilityProblem& problem, std::span<const double> q, RowLevel level);

// Is every row of Phi closed at q, to 1e-8 of the mechanism's size?
bool isClosed(const MobilityProblem& problem, std::span<const double> q);

}  // namespace linkwork
