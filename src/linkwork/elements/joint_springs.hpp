// Which springs stand in the place of which joint's constraints.                         [docs/theory/14, table 14.1]
#pragma once

#include "linkwork/elements/compliant_joint.hpp"
#include "linkwork/model/compliance.hpp"

namespace linkwork {

// The joint's compliance as an element between the two mounts of its frames; constant(value) is a number of the
// scalar's.
template <class G>
CompliantJoint<G> springsOf(const Joint& joint, const typename CompliantJoint<G>::Mount& a,
                            const typename CompliantJoint<G>::Mount& b, const auto& constant) {
  const Compliance& springs = *joint.compliance;
  const HeldDirections held = heldDirections(joint.kind, G::kSpatial ? Space::spatial : Space::planar);
  CompliantJoint<G> out;
  out.a = a;
  out.b = b;
  out.offset = constant(joint.on_second.angle) - constant(joint.on_first.angle);
  out.law = springs.law;
  out.in_ground_axes = springs.in_ground_axes;
  for (std::size_t k = 0; k < CompliantJoint<G>::kDims; ++k) {
    out.slides_held[k] = held.slides[k];
    out.stiffness[k] = constant(springs.stiffness[k]);
    out.damping[k] = constant(springs.damping[k]);
  }
  if (!held.holdsTurns()) return out;
  if constexpr (G::kSpatial) {
    if (joint.kind == JointKind::universal) {
      out.crossed = true;
      out.axis_angle = AxisAngle::off_square;
      out.cross_stiffness = constant(springs.rotational_stiffness[2]);
      out.cross_damping = constant(springs.rotational_damping[2]);
      return out;
    }
    const auto stiffness = likeAxisSprings(springs.rotational_stiffness);
    const auto damping = likeAxisSprings(springs.rotational_damping);
    for (std::size_t k = 0; k < 3; ++k) {
      // With one free turn the springs are between the axes that both bodies share.
      out.turns_held[k] = held.turns[2] || k == 2;
      out.turn_stiffness[k] = constant(stiffness[k]);
      out.turn_damping[k] = constant(damping[k]);
    }
    out.axis_angle = held.turns[2] ? AxisAngle::whole : AxisAngle::between_z;
  } else {
    out.turns_held[0] = true;
    out.axis_angle = AxisAngle::whole;
    out.turn_stiffness[0] = constant(springs.rotational_stiffness[2]);
    out.turn_damping[0] = constant(springs.rotational_damping[2]);
  }
  return out;
}

}  // namespace linkwork
