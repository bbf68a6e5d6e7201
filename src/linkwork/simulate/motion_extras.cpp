#include "linkwork/simulate/motion_extras.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/simulate/axis_names.hpp"

namespace linkwork {

namespace {

using V3 = Vec3<double>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

V3 vectorOf(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
V3 vectorOf(const Point& p) { return {p[0].number, p[1].number, p[2].number}; }
double part(const V3& v, std::size_t k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

// A vector in body axes, in ground axes.
V3 turned(const Quaternion& q, const V3& s) {
  const V3 u{q[1], q[2], q[3]};
  const V3 w = cross(u, s) * 2.0;
  return s + w * q[0] + cross(u, w);
}
V3 turnedBack(const Quaternion& q, const V3& s) { return turned({q[0], -q[1], -q[2], -q[3]}, s); }

// A point of a body given in its own axes; the ground for kGround.
V3 placeOf(const Observation& seen, BodyIndex body, const V3& s) {
  if (!body.valid()) return s;
  const BodyMotion& motion = seen.bodies[body.at()];
  return vectorOf(motion.position) + turned(motion.orientation, s);
}
V3 velocityOf(const Observation& seen, BodyIndex body, const V3& s) {
  if (!body.valid()) return {};
  const BodyMotion& motion = seen.bodies[body.at()];
  return vectorOf(motion.velocity) + cross(vectorOf(motion.angular_velocity), turned(motion.orientation, s));
}

V3 times(const Body& body, const V3& w) {
  if (!body.tensor) return {0.0, 0.0, body.inertia.number * w.z};
  const Tensor& I = *body.tensor;
  return {I.xx.number * w.x + I.xy.number * w.y + I.xz.number * w.z,
          I.xy.number * w.x + I.yy.number * w.y + I.yz.number * w.z,
          I.xz.number * w.x + I.yz.number * w.y + I.zz.number * w.z};
}

// -d/dt of the momentum, and of its moment about the ground's origin.
struct Shaking {
  V3 force, moment;
};
Shaking shakingOf(const Mechanism& mechanism, const Observation& seen) {
  Shaking out;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const BodyMotion& motion = seen.bodies[b];
    const V3 w = vectorOf(motion.angular_velocity);
    const V3 alpha = vectorOf(motion.angular_acceleration);
    const V3 arm = turned(motion.orientation, vectorOf(body.com));
    const V3 a = vectorOf(motion.acceleration) + cross(alpha, arm) + cross(w, cross(w, arm));
    const V3 force = a * body.mass.number;
    // d/dt (J w) = J alpha + w x J w, J in ground axes
    V3 moment = cross(vectorOf(motion.position) + arm, force);
    if (mechanism.space == Space::planar) {
      moment += V3{0.0, 0.0, body.inertia.number * alpha.z};
    } else {
      const auto inertia = [&](const V3& v) {
        return turned(motion.orientation, times(body, turnedBack(motion.orientation, v)));
      };
      moment += inertia(alpha) + cross(w, inertia(w));
    }
    out.force = out.force - force;
    out.moment = out.moment - moment;
  }
  return out;
}

V3 framePoint(const Observation& seen, const Joint& joint, BodyIndex body) {
  const bool first = joint.first == body;
  return placeOf(seen, body, vectorOf((first ? joint.on_first : joint.on_second).point));
}

bool holds(const Joint& joint, BodyIndex body) { return joint.first == body || joint.second == body; }
BodyIndex otherBody(const Joint& joint, BodyIndex body) { return joint.first == body ? joint.second : joint.first; }
bool isPin(const Joint& joint) { return joint.kind == JointKind::revolute; }
// On the ground, where a body turns or slides.
bool isBase(const Joint& joint, BodyIndex body) {
  return (joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic) && holds(joint, body) &&
         !otherBody(joint, body).valid();
}
int baseOf(const Mechanism& mechanism, BodyIndex body) {
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (isBase(mechanism.joints[k], body)) return static_cast<int>(k);
  }
  return -1;
}
bool isDriven(const Mechanism& mechanism, BodyIndex body) {
  return std::any_of(mechanism.drives.begin(), mechanism.drives.end(), [&](const Drive& drive) {
    return (drive.first == body && !drive.second.valid()) || (drive.second == body && !drive.first.valid());
  });
}

double angleBetween(const V3& a, const V3& b) {
  const V3 c = cross(a, b);
  return std::atan2(std::sqrt(dot(c, c)), dot(a, b));
}

double transmissionAngle(const Mechanism& mechanism, const Transmission& which, const Observation& seen) {
  const auto& joints = mechanism.joints;
  const Joint& joint = joints[static_cast<std::size_t>(which.joint)];
  const Joint& base = joints[static_cast<std::size_t>(which.base)];
  const V3 here = framePoint(seen, joint, which.follower);
  const V3 along = framePoint(seen, joints[static_cast<std::size_t>(which.coupler_end)], which.coupler) - here;
  if (base.kind == JointKind::revolute) return angleBetween(along, framePoint(seen, base, which.follower) - here);
  // A slider: from the normal of its way, taken on the side of the coupler.
  const Frame& rail = base.first.valid() ? base.on_second : base.on_first;  // the frame on the ground
  const V3 normal{-std::sin(rail.angle.number), std::cos(rail.angle.number), 0.0};
  const double angle = angleBetween(along, normal);
  return std::min(angle, std::numbers::pi - angle);
}

double rateOf(const Quantity& quantity, const Observation& seen) {
  const auto k = static_cast<std::size_t>(quantity.index);
  switch (quantity.kind) {
    case QuantityKind::joint_angle: return seen.joint_motions[k].angle_rate;
    case QuantityKind::joint_slide: return seen.joint_motions[k].slide_rate;
    case QuantityKind::joint_turn_1: return seen.joint_motions[k].turn_rates[0];
    case QuantityKind::joint_turn_2: return seen.joint_motions[k].turn_rates[1];
    case QuantityKind::joint_turn_3: return seen.joint_motions[k].turn_rates[2];
    case QuantityKind::body_x: return seen.bodies[k].velocity[0];
    case QuantityKind::body_y: return seen.bodies[k].velocity[1];
    case QuantityKind::body_z: return seen.bodies[k].velocity[2];
    case QuantityKind::body_angle: return seen.bodies[k].angular_velocity[2];
    default: return kNone;
  }
}

}  // namespace

std::vector<Transmission> findTransmissions(const Mechanism& mechanism) {
  std::vector<Transmission> out;
  if (mechanism.space == Space::spatial) return out;
  const auto& joints = mechanism.joints;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!isPin(joints[j]) || !joints[j].first.valid() || !joints[j].second.valid()) continue;
    for (const BodyIndex follower : {joints[j].first, joints[j].second}) {
      const BodyIndex coupler = otherBody(joints[j], follower);
      const int base = baseOf(mechanism, follower);
      if (base < 0 || baseOf(mechanism, coupler) >= 0 || isDriven(mechanism, follower)) continue;
      for (std::size_t e = 0; e < joints.size(); ++e) {
        if (e == j || !isPin(joints[e]) || !holds(joints[e], coupler)) continue;
        const BodyIndex input = otherBody(joints[e], coupler);
        if (!input.valid() || input == follower || baseOf(mechanism, input) < 0 || !isDriven(mechanism, input))
          continue;
        out.push_back({static_cast<int>(j), static_cast<int>(e), base, coupler, follower});
      }
    }
  }
  return out;
}

NamedTransmission transmissionAt(const Mechanism& mechanism, const std::string& text) {
  NamedTransmission out;
  const auto& joints = mechanism.joints;
  if (mechanism.space == Space::spatial) {
    out.problem = "transmission angles are for mechanisms in the plane";
    return out;
  }
  const auto find = [&](const std::string& name) {
    for (std::size_t k = 0; k < joints.size(); ++k) {
      if (joints[k].name == name) return static_cast<int>(k);
    }
    std::vector<std::string> names;
    for (const Joint& joint : joints) names.push_back(joint.name);
    out.problem = fmt::format("there is no joint \"{}\". {}", name, didYouMean(name, names));
    return -1;
  };
  const auto comma = text.find(',');
  const int j = find(text.substr(0, comma));
  const int wanted = comma == std::string::npos ? -1 : find(text.substr(comma + 1));
  if (!out.problem.empty()) return out;
  const Joint& joint = joints[static_cast<std::size_t>(j)];
  if (!isPin(joint)) {
    out.problem =
        fmt::format("joint \"{}\" is no hinge: a transmission angle is one between two links at a hinge", joint.name);
    return out;
  }
  for (const BodyIndex follower : {joint.first, joint.second}) {
    const BodyIndex coupler = otherBody(joint, follower);
    if (!follower.valid() || !coupler.valid() || baseOf(mechanism, follower) < 0) continue;
    std::vector<int> ends;
    for (std::size_t e = 0; e < joints.size(); ++e) {
      const bool other = static_cast<int>(e) != j && isPin(joints[e]) && holds(joints[e], coupler);
      if (other && (wanted < 0 || wanted == static_cast<int>(e))) ends.push_back(static_cast<int>(e));
    }
    if (ends.size() > 1) {
      std::vector<std::string> names;
      for (const int e : ends)
        names.push_back(fmt::format("{},{}", joint.name, joints[static_cast<std::size_t>(e)].name));
      out.problem = fmt::format("body \"{}\" has several other hinges; say which: {}", mechanism.bodyName(coupler),
                                fmt::join(names, " or "));
      continue;
    }
    if (ends.empty()) continue;
    out.problem.clear();
    out.found = {j, ends[0], baseOf(mechanism, follower), coupler, follower};
    return out;
  }
  if (out.problem.empty()) {
    out.problem = fmt::format(
        "joint \"{}\" does not connect a coupler with a follower that turns or slides on the ground", joint.name);
  }
  return out;
}

MotionExtras::MotionExtras(const Mechanism& mechanism, ExtraOptions options)
    : mechanism_(mechanism), options_(std::move(options)) {
  std::map<std::string, Expr> numbers;
  for (const Parameter& parameter : mechanism.parameters) numbers[parameter.name] = Expr(parameter.value.number);
  std::vector<Expr> rates;
  for (const Drive& drive : mechanism.drives) {
    rates.push_back(differentiate(substitute(drive.motion, numbers), Expr::symbol("t")));
  }
  rates_ = Tape(rates, {"t"});
  rate_scratch_.resize(rates_.scratchSize());
  drive_rates_.resize(rates.size());
  addPowers();
  addShaking();
  if (mechanism.space == Space::planar) {
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) addCentre(BodyIndex(static_cast<int>(b)), kGround);
    for (const auto& [body, other] : options_.centres) addCentre(body, other);
  }
  for (const Transmission& transmission : options_.transmissions) addTransmission(transmission);
  for (const Quantity& output : options_.outputs) addAdvantage(output);
  for (const Trace& trace : mechanism.traces) addTrace(trace);
  for (const Trace& trace : options_.points) addTrace(trace);
}

void MotionExtras::add(const std::string& group, const std::string& label, const std::string& unit, Reader reader) {
  Series series;
  series.name = group + "." + label;
  series.unit = unit;
  series.group = group;
  series.label = label;
  series_.push_back(std::move(series));
  readers_.push_back(std::move(reader));
}

void MotionExtras::addPowers() {
  for (std::size_t k = 0; k < mechanism_.drives.size(); ++k) {
    add(mechanism_.drives[k].name, "power", "W",
        [this, k](const Observation& seen) { return seen.drive_efforts[k] * drive_rates_[k]; });
  }
}

void MotionExtras::addShaking() {
  const bool spatial = mechanism_.space == Space::spatial;
  for (std::size_t k = 0; k < (spatial ? 3U : 2U); ++k) {
    add("shaking", std::string("force.") + kAxes[k], "N",
        [this, k](const Observation& seen) { return part(shakingOf(mechanism_, seen).force, k); });
  }
  for (std::size_t k = spatial ? 0 : 2; k < 3; ++k) {
    add("shaking", spatial ? std::string("moment.") + kAxes[k] : "moment", "N*m",
        [this, k](const Observation& seen) { return part(shakingOf(mechanism_, seen).moment, k); });
  }
}

// The point P with v_1 + w_1 x (P - p_1) = v_2 + w_2 x (P - p_2).
void MotionExtras::addCentre(BodyIndex body, BodyIndex other) {
  const std::string name = other.valid() ? fmt::format("{}/{}", mechanism_.bodyName(body), mechanism_.bodyName(other))
                                         : std::string(mechanism_.bodyName(body));
  const auto centre = [body, other](const Observation& seen) {
    const auto rate = [&](BodyIndex b) { return b.valid() ? seen.bodies[b.at()].angular_velocity[2] : 0.0; };
    // Velocity of the body's point that passes the ground's origin.
    const auto atOrigin = [&](BodyIndex b) {
      return b.valid() ? vectorOf(seen.bodies[b.at()].velocity) -
                             cross(V3{0.0, 0.0, rate(b)}, vectorOf(seen.bodies[b.at()].position))
                       : V3{};
    };
    const double w = rate(body) - rate(other);
    const V3 d = atOrigin(other) - atOrigin(body);
    if (std::abs(w) <= 1e-12 * (std::abs(rate(body)) + std::abs(rate(other)))) return V3{kNone, kNone, 0.0};
    return V3{d.y / w, -d.x / w, 0.0};
  };
  for (std::size_t k = 0; k < 2; ++k) {
    add(name, std::string("instant_centre.") + kAxes[k], "m",
        [centre, k](const Observation& seen) { return part(centre(seen), k); });
  }
}

void MotionExtras::addTransmission(const Transmission& transmission) {
  add(mechanism_.joints[static_cast<std::size_t>(transmission.joint)].name, "transmission_angle", "rad",
      [this, transmission](const Observation& seen) { return transmissionAngle(mechanism_, transmission, seen); });
}

void MotionExtras::addAdvantage(const Quantity& output) {
  const auto lengthOrAngle = [&](const std::string_view unit) { return unit == "rad"; };
  const bool in_angle = mechanism_.drives.front().kind == DriveKind::angle;
  const bool out_angle = lengthOrAngle(quantityUnit(mechanism_, output));
  add("mechanical_advantage", quantityName(mechanism_, output),
      in_angle == out_angle ? ""
      : in_angle            ? "1/m"
                            : "m",
      [this, output](const Observation& seen) {
        const double rate = rateOf(output, seen);
        return drive_rates_[0] == 0.0 && rate == 0.0 ? kNone : drive_rates_[0] / rate;
      });
}

void MotionExtras::addTrace(const Trace& trace) {
  const V3 point = vectorOf(trace.point);
  const std::size_t axes = mechanism_.space == Space::spatial ? 3 : 2;
  for (std::size_t k = 0; k < axes; ++k) {
    add("traces", fmt::format("{}.{}", trace.name, kAxes[k]), "m",
        [body = trace.body, point, k](const Observation& seen) { return part(placeOf(seen, body, point), k); });
  }
  for (std::size_t k = 0; k < axes; ++k) {
    add("traces", fmt::format("{}.{}_rate", trace.name, kAxes[k]), "m/s",
        [body = trace.body, point, k](const Observation& seen) { return part(velocityOf(seen, body, point), k); });
  }
}

void MotionExtras::record(double t, const Observation& seen) {
  rates_.evaluate<double>(std::span<const double>(&t, 1), rate_scratch_, drive_rates_);
  for (std::size_t k = 0; k < series_.size(); ++k) series_[k].values.push_back(readers_[k](seen));
}

void MotionExtras::finish(Result& result) {
  for (Series& series : series_) result.series.push_back(std::move(series));
}

}  // namespace linkwork
