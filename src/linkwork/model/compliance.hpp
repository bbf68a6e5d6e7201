// Compliant joints: which kinds may be made of springs, what they hold, and the springs of axes that make a wanted
// stiffness about each.                                                                          [docs/theory/14]
#pragma once

#include <array>
#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// spherical, revolute, prismatic, cylindrical, universal, fixed, planar; in the plane those of them that it has.
bool mayComply(JointKind kind);

// The directions that a joint of such a kind holds, along and about the axes of its first frame.
struct HeldDirections {
  std::array<bool, 3> slides{};
  std::array<bool, 3> turns{};

  bool holdsTurns() const { return turns[0] || turns[1] || turns[2]; }
};
HeldDirections heldDirections(JointKind kind, Space space);

// The springs c between like axes of both frames that make the stiffness k about each axis at small turns:
//   k_x = c_y + c_z and cyclic,  c_x = (k_y + k_z - k_x) / 2                              [docs/theory/14, eq. 14.5]
// Not of a universal joint, whose axes are not alike, and not in the plane.
std::array<Value, 3> likeAxisSprings(const std::array<Value, 3>& about);

// What is wrong with the constants of a compliance, and a way out; empty: nothing.
struct ComplianceProblem {
  std::string what;  // goes on after "joint "C": "
  std::string hint;
};
ComplianceProblem complianceProblem(JointKind kind, Space space, const Compliance& compliance);

bool hasCompliance(const Mechanism& mechanism);
// The same with constraints in the place of all springs of joints: what is assembled.
Mechanism withHardJoints(Mechanism mechanism);

}  // namespace linkwork
