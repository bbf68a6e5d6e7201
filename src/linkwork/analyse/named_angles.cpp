#include "linkwork/analyse/named_angles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "linkwork/analyse/places.hpp"
#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;

constexpr std::array<const char*, 12> kSequences{"zxy", "zyx", "xyz", "xzy", "yxz", "yzx",
                                                 "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"};

const V3& axisOf(const Rotation3<double>& R, char axis) { return axis == 'x' ? R.x : axis == 'y' ? R.y : R.z; }

// Between the first and the third axis.
double betweenAxes(const Place& first, const Place& second, std::string_view angles) {
  const V3 across = cross(axisOf(first.R, angles[0]), axisOf(second.R, angles[2]));
  return std::asin(std::min(1.0, std::sqrt(dot(across, across))));
}

bool repeats(const Joint& joint) { return joint.angles[0] == joint.angles[2]; }

// The first of those whose axes are nearly as far apart as any's.
const char* bestSequence(const Place& first, const Place& second) {
  double widest = 0.0;
  for (const char* sequence : kSequences) widest = std::max(widest, betweenAxes(first, second, sequence));
  for (const char* sequence : kSequences) {
    if (betweenAxes(first, second, sequence) > 0.7 * widest) return sequence;
  }
  return kSequences[0];
}

std::string angleName(const Mechanism& mechanism, int joint, QuantityKind kind) {
  return quantityName(mechanism, {kind, joint});
}

LostAngles describe(const Mechanism& mechanism, int index, const Place& first, const Place& second, double away) {
  const Joint& joint = mechanism.joints[at(index)];
  const V3& p = axisOf(first.R, joint.angles[0]);
  const V3& s = axisOf(second.R, joint.angles[2]);
  const char* where = repeats(joint) ? (dot(p, s) > 0.0 ? "0" : "180 deg") : "90 deg or -90 deg";
  LostAngles out{index, away, {}, {}};
  out.what =
      fmt::format("joint \"{}\": where {} is {}, {} and {} turn about one axis and mean nothing (angles = \"{}\")",
                  joint.name, angleName(mechanism, index, QuantityKind::joint_turn_2), where,
                  angleName(mechanism, index, QuantityKind::joint_turn_1),
                  angleName(mechanism, index, QuantityKind::joint_turn_3), joint.angles);
  const char* other = bestSequence(first, second);
  out.hint = fmt::format("With angles = \"{}\" the axes are {:.0f} deg apart in this pose.", other,
                         betweenAxes(first, second, other) * 180.0 / std::numbers::pi);
  return out;
}

bool isTurn(QuantityKind kind) { return kind >= QuantityKind::joint_turn_1 && kind <= QuantityKind::joint_turn_3_rate; }

}  // namespace

std::vector<LostAngles> lostAngles(const Mechanism& mechanism, std::span<const double> q, double within) {
  std::vector<LostAngles> out;
  if (mechanism.space != Space::spatial) return out;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    const Joint& joint = mechanism.joints[at(k)];
    if (!hasTurns(joint)) continue;
    const Place first = placeOfFrame(mechanism, joint.first, joint.on_first, q);
    const Place second = placeOfFrame(mechanism, joint.second, joint.on_second, q);
    const double away = betweenAxes(first, second, joint.angles);
    if (away <= within) out.push_back(describe(mechanism, k, first, second, away));
  }
  return out;
}

std::optional<LostAngles> lostAmong(const Mechanism& mechanism, const std::vector<const InitialValue*>& values,
                                    std::span<const double> q) {
  for (const LostAngles& lost : lostAngles(mechanism, q)) {
    for (const InitialValue* value : values) {
      if (isTurn(value->quantity.kind) && value->quantity.index == lost.joint) return lost;
    }
  }
  return std::nullopt;
}

bool asksForLostAngles(const Mechanism& mechanism, const InitialValue& value) {
  if (value.quantity.kind != QuantityKind::joint_turn_2) return false;
  const Joint& joint = mechanism.joints[at(value.quantity.index)];
  const double away = repeats(joint) ? std::sin(value.value.number) : std::cos(value.value.number);
  return std::abs(away) <= kAnglesLost;
}

// About the axis that the second turn of the sequence would have with the first at zero.
void partAxes(const Mechanism& mechanism, int index, std::vector<double>& q) {
  const Joint& joint = mechanism.joints[at(index)];
  if (!joint.second.valid()) return;
  const Place first = placeOfFrame(mechanism, joint.first, joint.on_first, q);
  const Place second = placeOfFrame(mechanism, joint.second, joint.on_second, q);
  const V3 axis = axisOf(first.R, joint.angles[1]);
  const Quaternion turn{std::cos(0.5 * kPartedBy), std::sin(0.5 * kPartedBy) * axis.x,
                        std::sin(0.5 * kPartedBy) * axis.y, std::sin(0.5 * kPartedBy) * axis.z};
  const auto R = Rotation3<double>::fromQuaternion(turn[0], turn[1], turn[2], turn[3]);
  double* x = &q[7 * joint.second.at()];
  // The joint's point stays where it is.
  const V3 place = second.r + R * (V3{x[0], x[1], x[2]} - second.r);
  const Quaternion turned = product(turn, {x[3], x[4], x[5], x[6]});
  std::copy_n(std::array{place.x, place.y, place.z}.begin(), 3, x);
  std::copy(turned.begin(), turned.end(), x + 3);
}

}  // namespace linkwork
