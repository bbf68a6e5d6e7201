#include "linkwork/recursion/tree.hpp"

namespace linkwork {

bool canCarry(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::pin_slot:
    case JointKind::fixed:
    case JointKind::cylindrical:
    case JointKind::spherical:
    case JointKind::universal:
    case JointKind::planar:
    case JointKind::floating:
    case JointKind::screw: return true;
    default: return false;
  }
}

}  // namespace linkwork
