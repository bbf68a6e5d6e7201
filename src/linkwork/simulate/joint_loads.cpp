#include "linkwork/simulate/joint_loads.hpp"

#include <cmath>

#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

namespace {

// A share of a ground component below this is round-off of the orientation.
constexpr double kNoShare = 1e-12;

Rotation3<double> orientationOf(const Mechanism& mechanism, const BodyMotion& body) {
  if (mechanism.space != Space::spatial) return Rotation3<double>::aboutZ(body.angle);
  const auto& q = body.orientation;
  return Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
}

void turnToBody(const Rotation3<double>& R, std::array<double, 3>& vector, std::array<bool, 3>& unique) {
  const std::array<Vec3<double>, 3> axes{R.x, R.y, R.z};
  const Vec3<double> ground{vector[0], vector[1], vector[2]};
  const std::array<bool, 3> unique_in_ground = unique;
  for (std::size_t k = 0; k < 3; ++k) {
    vector[k] = dot(axes[k], ground);
    unique[k] = true;
    for (int j = 0; j < 3; ++j) {
      if (std::abs(axes[k][j]) > kNoShare && !unique_in_ground[static_cast<std::size_t>(j)]) unique[k] = false;
    }
  }
}

}  // namespace

bool carriesMoment(const Mechanism& mechanism, const Joint& joint) {
  if (joint.kind == JointKind::rolling) return mechanism.space == Space::spatial && !joint.rolling.pivots;
  return mechanism.space == Space::spatial || (joint.kind != JointKind::revolute && joint.kind != JointKind::distance);
}

BodyIndex bodyAt(const Joint& joint, LoadEnd end) { return end == LoadEnd::second ? joint.second : joint.first; }

JointLoad jointLoad(const Mechanism& mechanism, const Observation& seen, std::size_t joint, LoadEnd end,
                    LoadAxes axes) {
  const Reaction& reaction = seen.joints[joint];
  const bool second = end == LoadEnd::second;
  JointLoad load;
  load.force = reaction.force_on_second;
  if (!second) {
    for (double& part : load.force) part = -part;
  }
  load.force_unique = reaction.force_unique;
  load.moment = second ? reaction.moment_on_second : reaction.moment_on_first;
  load.moment_unique = second ? reaction.moment_unique : reaction.moment_on_first_unique;
  const BodyIndex body = bodyAt(mechanism.joints[joint], end);
  if (axes == LoadAxes::body && body.valid()) {
    const Rotation3<double> R = orientationOf(mechanism, seen.bodies[body.at()]);
    turnToBody(R, load.force, load.force_unique);
    turnToBody(R, load.moment, load.moment_unique);
  }
  return load;
}

bool loadIsUnique(const Observation& seen, std::size_t joint) {
  const Reaction& reaction = seen.joints[joint];
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(seen.contacts[joint].normal[k]) > kNoShare && !reaction.force_unique[k]) return false;
  }
  return true;
}

}  // namespace linkwork
