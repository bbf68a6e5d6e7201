#include "linkwork/analyse/places.hpp"

#include <cmath>

namespace linkwork {

namespace {

using V3 = Vec3<double>;
using R3 = Rotation3<double>;

V3 vectorOf(const Point& p) { return {p[0].number, p[1].number, p[2].number}; }

Quaternion aboutZ(double angle) { return {std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)}; }

R3 rotationOf(double angle, const Quaternion& q) {
  return R3::aboutZ(angle) * R3::fromQuaternion(q[0], q[1], q[2], q[3]);
}

// Which axes the frames of a joint share: z, and x as well.
enum class Shared { none, z, z_and_x };

Shared sharedAxes(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::pin_slot:
    case JointKind::planar: return Shared::z;
    case JointKind::prismatic:
    case JointKind::fixed: return Shared::z_and_x;
    default: return Shared::none;
  }
}

}  // namespace

Place placeOfBody(const Mechanism& mechanism, BodyIndex body, std::span<const double> q) {
  if (!body.valid()) return {};
  if (mechanism.space == Space::spatial) return Spatial<double>::position(q.subspan(7 * body.at(), 7));
  const double* x = &q[3 * body.at()];
  return {{x[0], x[1], 0.0}, R3::aboutZ(x[2])};
}

Place placeOfFrame(const Mechanism& mechanism, BodyIndex body, const Frame& frame, std::span<const double> q) {
  const Place place = placeOfBody(mechanism, body, q);
  const V3 com = body.valid() ? vectorOf(mechanism.body(body).com) : V3{};
  V3 arm = vectorOf(frame.point) - com;
  if (mechanism.space == Space::planar) arm.z = 0.0;
  return {Spatial<double>::pointIn(place, arm), place.R * rotationOf(frame.angle.number, frame.rotation)};
}

Pose poseOfBody(const Mechanism& mechanism, BodyIndex body, std::span<const double> q) {
  const Frame own{};
  const Place place = placeOfFrame(mechanism, body, own, q);
  Pose out;
  out.x = place.r.x;
  out.y = place.r.y;
  if (mechanism.space == Space::planar) {
    out.angle = q[3 * body.at() + 2];
    return out;
  }
  out.z = place.r.z;
  const double* x = &q[7 * body.at()];
  out.rotation = {x[3], x[4], x[5], x[6]};
  return out;
}

std::vector<double> coordinatesOf(const Mechanism& mechanism, const Body& body, const Pose& pose) {
  const Quaternion turn = product(aboutZ(pose.angle), pose.rotation);
  const V3 r = V3{pose.x, pose.y, pose.z} + R3::fromQuaternion(turn[0], turn[1], turn[2], turn[3]) * vectorOf(body.com);
  if (mechanism.space == Space::planar) return {r.x, r.y, pose.angle};
  return {r.x, r.y, r.z, turn[0], turn[1], turn[2], turn[3]};
}

bool isFlipped(const Mechanism& mechanism, const Joint& joint, std::span<const double> q) {
  const Shared shared = sharedAxes(joint.kind);
  if (mechanism.space == Space::planar || shared == Shared::none) return false;
  const R3 first = placeOfFrame(mechanism, joint.first, joint.on_first, q).R;
  const R3 second = placeOfFrame(mechanism, joint.second, joint.on_second, q).R;
  if (dot(first.z, second.z) < 0.0) return true;
  return shared == Shared::z_and_x && dot(first.x, second.x) < 0.0;
}

}  // namespace linkwork
