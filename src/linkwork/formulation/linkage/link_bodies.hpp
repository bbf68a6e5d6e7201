// Where the links of a linkage put the bodies of its mechanism, and how these move: what loads and observers ask for.
#pragma once

#include <span>
#include <vector>

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

}  // namespace linkwork::linkage
