// Where the links of a linkage put the bodies of its mechanism, how these move, and what acts on them: what loads and
// observers ask for.
#pragma once

#include <span>
#include <vector>

#include "linkwork/elements/element_set.hpp"
#include "linkwork/formulation/linkage/linkage_plan.hpp"

namespace linkwork::linkage {

// x and v of the bodies' centres of mass, in the order of the mechanism, from absolute angles and rates.
template <class T>
void placeBodies(const LinkagePlan& plan, const LinkageConstants<T>& constants, std::span<const T> angle,
                 std::span<const T> rate, std::vector<typename Planar<T>::Position>& x,
                 std::vector<typename Planar<T>::Velocity>& v) {
  for (int k = 0; k < plan.tree.links(); ++k) {
    const int p = plan.tree.base(k);
    const LinkConstants<T>& link = constants.link[at(k)];
    auto& own = x[at(plan.body[at(k)])];
    auto& own_rate = v[at(plan.body[at(k)])];
    own.angle = angle[at(k)];
    own.R = Rotation2<T>::fromAngle(own.angle);
    own_rate.w = rate[at(k)];
    // A vector of a link's frame in ground axes; the frame may be turned against the body.
    const auto inGround = [&](int of, const Vec2<T>& vector) {
      const LinkConstants<T>& owner = constants.link[at(of)];
      const auto& pose = x[at(plan.body[at(of)])];
      return isStructuralZero(owner.turn) ? pose.R * vector : pose.R * (Rotation2<T>::fromAngle(owner.turn) * vector);
    };
    Vec2<T> hinge = link.R;
    Vec2<T> hinge_rate;
    if (p >= 0) {  // from the base's centre of mass
      const Vec2<T> arm = inGround(p, link.R - constants.link[at(p)].centre);
      hinge = x[at(plan.body[at(p)])].r + arm;
      hinge_rate = v[at(plan.body[at(p)])].v + perp(arm) * v[at(plan.body[at(p)])].w;
    }
    const Vec2<T> centre = inGround(k, link.centre);
    own.r = hinge + centre;
    own_rate.v = hinge_rate + perp(centre) * own_rate.w;
  }
}

// The bodies with their loads and drives, held by nothing.
inline RowFilter withoutAllRows(const Mechanism& mechanism) {
  RowFilter out;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) out.without_joints.push_back(k);
  for (int d = 0; d < static_cast<int>(mechanism.drives.size()); ++d) out.without_drives.push_back(d);
  return out;
}

// Loads as forces and moments about the hinges, without gravity, from all that acts on the bodies.
template <class T>
void loadLinks(const LinkagePlan& plan, const LinkageConstants<T>& constants,
               const std::vector<typename Planar<T>::Position>& x, const std::vector<typename Planar<T>::Wrench>& Q,
               std::vector<Vec2<T>>& force, std::vector<T>& moment) {
  for (int k = 0; k < plan.tree.links(); ++k) {
    const int body = plan.body[at(k)];
    const LinkConstants<T>& link = constants.link[at(k)];
    force[at(k)] = Q[at(body)].force - constants.gravity * link.mass;
    moment[at(k)] = Q[at(body)].moment + cross(x[at(body)].R * link.centre, force[at(k)]);
  }
}

}  // namespace linkwork::linkage
