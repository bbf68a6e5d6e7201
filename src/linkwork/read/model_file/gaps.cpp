#include "linkwork/read/model_file/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwork/read/model_file/orientation.hpp"

namespace linkwork::model_file {

namespace {

Quaternion orientationOf(const Mechanism& mechanism, BodyIndex body) {
  if (!body.valid()) return kNoTurn;
  const Pose& pose = mechanism.body(body).drawn;
  return pose.angle == 0.0 ? pose.rotation : product(aboutAxis({0, 0, 1}, pose.angle), pose.rotation);
}

Rotation3<double> axesInGround(const Mechanism& mechanism, BodyIndex body, const Frame& frame) {
  return matrixOf(product(orientationOf(mechanism, body), frame.rotation));
}

double angleBetween(const Direction& a, const Direction& b) { return std::atan2(lengthOf(cross(a, b)), dot(a, b)); }

// The angle of the turn from one frame to the other.
double wholeTurn(const Rotation3<double>& a, const Rotation3<double>& b) {
  const double trace = dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
  return std::acos(std::clamp(0.5 * (trace - 1.0), -1.0, 1.0));
}

Direction across(const Direction& d, const Direction& axis) { return d - axis * dot(axis, d); }

}  // namespace

std::array<double, 3> inGround(const Mechanism& mechanism, BodyIndex body, const std::array<double, 3>& point) {
  if (!body.valid()) return point;
  const Pose& pose = mechanism.body(body).drawn;
  const Direction p = matrixOf(orientationOf(mechanism, body)) * Direction{point[0], point[1], point[2]};
  return {pose.x + p.x, pose.y + p.y, pose.z + p.z};
}

Gap drawnGapInSpace(const Mechanism& mechanism, const Joint& joint) {
  const auto placeOf = [&](BodyIndex body, const Frame& frame) {
    const auto p = inGround(mechanism, body, {frame.point[0].number, frame.point[1].number, frame.point[2].number});
    return Direction{p[0], p[1], p[2]};
  };
  const Direction d = placeOf(joint.second, joint.on_second) - placeOf(joint.first, joint.on_first);
  const Rotation3<double> i = axesInGround(mechanism, joint.first, joint.on_first);
  const Rotation3<double> j = axesInGround(mechanism, joint.second, joint.on_second);
  constexpr double kRight = std::numbers::pi / 2.0;
  switch (joint.kind) {
    case JointKind::revolute: return {lengthOf(d), angleBetween(i.z, j.z), false};
    case JointKind::prismatic: return {lengthOf(across(d, j.x)), wholeTurn(i, j), true};
    case JointKind::pin_slot: return {lengthOf(across(d, j.x)), angleBetween(i.z, j.z), true};
    case JointKind::fixed: return {lengthOf(d), wholeTurn(i, j), false};
    case JointKind::cylindrical: return {lengthOf(across(d, j.z)), angleBetween(i.z, j.z), true};
    case JointKind::spherical: return {lengthOf(d), 0.0, false};
    case JointKind::universal: return {lengthOf(d), std::abs(angleBetween(i.x, j.y) - kRight), false};
    case JointKind::planar: return {std::abs(dot(d, j.z)), angleBetween(i.z, j.z), true};
    case JointKind::point_line: return {lengthOf(across(d, j.x)), 0.0, true};
    case JointKind::point_plane: return {std::abs(dot(d, j.z)), 0.0, true};
    case JointKind::parallel_axes: return {0.0, angleBetween(i.z, j.z), true};
    case JointKind::perpendicular: return {0.0, std::abs(angleBetween(i.z, j.z) - kRight), true};
    default: break;
  }
  return {};
}

}  // namespace linkwork::model_file
