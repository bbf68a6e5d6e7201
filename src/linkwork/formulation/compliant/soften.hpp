// The formulation "compliant": the tree of `recursive`, whose cut joints are springs in the place of constraint rows.
// Which joints those are, and how stiff they become.                                      [docs/theory/14, eq. 14.9]
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/make_system.hpp"

namespace linkwork {

// The greatest that the constraints of a cut joint are known to carry.
struct CutLoad {
  int joint = -1;
  double force = 0.0;   // N
  double moment = 0.0;  // N m
};

// Joints at which the tree is cut, of kinds that may comply and that are constraints still.
std::vector<int> softenedJoints(const Mechanism& mechanism);
// Names of joints and drives at which it is cut and that stay constraint rows.
std::vector<std::string> hardCuts(const Mechanism& mechanism);

// The mechanism with springs at its softened joints. `start` is [q, v, work, turns] in absolute coordinates, empty: as
// drawn; `loads` are those of the cut joints, empty: what the constraints carry at the start.
Mechanism soften(const Mechanism& mechanism, const SystemOptions& options, std::span<const double> start,
                 std::span<const CutLoad> loads = {});

// Whether the stiffness follows from forces, which soften() then wants to know.
bool asksForLoads(const ComplianceChoice& choice);

}  // namespace linkwork
