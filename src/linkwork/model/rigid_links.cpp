#include "linkwork/model/rigid_links.hpp"

#include <algorithm>

namespace linkwork {

namespace {

// Whether an initial value is about this joint, or the body that it holds farther from the root.
bool isGiven(const Mechanism& mechanism, JointIndex index) {
  const Joint& joint = mechanism.joints[index.at()];
  return std::any_of(mechanism.initial.begin(), mechanism.initial.end(), [&](const InitialValue& initial) {
    if (isOfJoint(initial.quantity.kind)) return initial.quantity.index == index.value();
    return initial.quantity.kind != QuantityKind::time && initial.quantity.index == joint.second.value();
  });
}

}  // namespace

Mechanism withRigidLinks(Mechanism mechanism) {
  for (const FlexibleLink& link : mechanism.links) {
    for (const LinkSpring& spring : link.springs) {
      const bool given = std::any_of(spring.joints.begin(), spring.joints.end(),
                                     [&](JointIndex joint) { return isGiven(mechanism, joint); });
      if (given) continue;
      for (const JointIndex joint : spring.joints) mechanism.joints[joint.at()].kind = JointKind::fixed;
    }
  }
  return mechanism;
}

}  // namespace linkwork
