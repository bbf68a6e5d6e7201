#include "linkwork/simulate/link_forces.hpp"

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "linkwork/geometry/quaternion_of.hpp"

namespace linkwork {

namespace {

using Vec = Vec3<double>;
using Turn = Rotation3<double>;

Vec asVector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
std::array<double, 3> asArray(const Vec& a) { return {a.x, a.y, a.z}; }

Turn bodyAxes(const Mechanism& mechanism, const BodyMotion& body) {
  if (mechanism.space == Space::planar) return Turn::aboutZ(body.angle);
  const auto& q = body.orientation;
  return Turn::fromQuaternion(q[0], q[1], q[2], q[3]);
}

// Axes of the section, in ground axes: those of a frame that a joint turned to suit itself.
Turn axesOfFrame(const Mechanism& mechanism, const BodyMotion& body, const Frame& frame) {
  const auto& q = frame.rotation;
  return bodyAxes(mechanism, body) * (Turn::aboutZ(frame.angle.number) * Turn::fromQuaternion(q[0], q[1], q[2], q[3]));
}

Vec turnVector(const Turn& R) {
  const auto q = quaternionOf(R);
  const Vec v{q[1], q[2], q[3]};
  const double s = std::sqrt(dot(v, v));
  return s > 0.0 ? v * (2.0 * std::atan2(s, q[0]) / s) : Vec{};
}

// The moment of a bushing in axes of its second frame: its components times the slopes of the rotation vector,
//   J^T f = f - 1/2 phi x f + k phi x (phi x f)                                        [elements/bushing.hpp]
Vec bushingMoment(const Vec& f, const Vec& phi) {
  const double psi = 0.5 * std::sqrt(dot(phi, phi));
  const double k = psi < 1e-4 ? 1.0 / 12.0 : (1.0 - psi / std::tan(psi)) / (4.0 * psi * psi);
  const Vec once = cross(phi, f);
  return f - once * 0.5 + cross(phi, once) * k;
}

}  // namespace

std::vector<SpringParts> springParts(const Mechanism& mechanism, const FlexibleLink& link) {
  std::map<std::string_view, std::size_t> loads;
  for (std::size_t l = 0; l < mechanism.loads.size(); ++l) loads.emplace(mechanism.loads[l].name, l);
  std::vector<SpringParts> out;
  for (std::size_t k = 0; k < link.springs.size(); ++k) {
    const LinkSpring& spring = link.springs[k];
    SpringParts& parts = out.emplace_back();
    parts.before = link.elements[k];
    parts.after = link.elements[k + 1];
    parts.joint = spring.joints.back();
    parts.axes = spring.axes;
    for (const std::string& name : spring.loads) {
      const std::size_t load = loads.at(name);
      if (mechanism.loads[load].second == parts.after) parts.loads.push_back(load);
    }
  }
  return out;
}

SpringState springState(const Mechanism& mechanism, const SpringParts& spring, const Observation& seen) {
  const auto& [w, x, y, z] = spring.axes;
  const Turn section = Turn::fromQuaternion(w, x, y, z);
  const BodyIndex after = spring.after;
  const Turn A = bodyAxes(mechanism, seen.bodies[spring.before.at()]) * section;
  const Turn B = bodyAxes(mechanism, seen.bodies[after.at()]) * section;
  const Vec phi = turnVector(Turn{A.inverseTimes(B.x), A.inverseTimes(B.y), A.inverseTimes(B.z)});
  const Reaction& reaction = seen.joints[spring.joint.at()];
  Vec force = B.inverseTimes(asVector(reaction.force_on_second));
  Vec moment = B.inverseTimes(asVector(reaction.moment_on_second));
  const bool planar = mechanism.space == Space::planar;
  for (const std::size_t l : spring.loads) {
    const Load& load = mechanism.loads[l];
    const std::vector<double>& s = seen.loads[l].scalars;
    if (load.kind == LoadKind::bushing) {
      const Vec f = planar ? Vec{s[0], s[1], 0.0} : Vec{s[0], s[1], s[2]};
      const Vec m = planar ? Vec{0.0, 0.0, s[2]} : Vec{s[3], s[4], s[5]};
      force = force + B.inverseTimes(A * f);
      moment = moment + bushingMoment(m, phi);
    } else {
      moment = moment + B.inverseTimes(axesOfFrame(mechanism, seen.bodies[after.at()], load.on_second).z) * s[0];
    }
  }
  return {asArray(force), asArray(moment), asArray(phi)};
}

double normalStress(const LinkSection& section, const SpringState& state) {
  if (!(section.half_y > 0.0)) return 0.0;
  const double axial = std::abs(state.force[0]) / section.area;
  const double y = section.half_z > 0.0 && section.Iy > 0.0 ? state.moment[1] * section.half_z / section.Iy : 0.0;
  const double z = section.Iz > 0.0 ? state.moment[2] * section.half_y / section.Iz : 0.0;
  return axial + (section.round ? std::hypot(y, z) : std::abs(y) + std::abs(z));
}

double torsionalStress(const LinkSection& section, const SpringState& state) {
  return section.torsion_modulus > 0.0 ? std::abs(state.moment[0]) / section.torsion_modulus : 0.0;
}

std::array<double, 3> deflection(const Mechanism& mechanism, const FlexibleLink& link, std::size_t point,
                                 const Observation& seen) {
  const LinkPoint& own = link.points[point];
  const BodyMotion& element = seen.bodies[link.elements[static_cast<std::size_t>(own.element)].at()];
  const BodyMotion& root = seen.bodies[link.elements.front().at()];
  const Vec place = asVector(element.position) + bodyAxes(mechanism, element) * asVector(own.on_element);
  const Vec seen_from_root = bodyAxes(mechanism, root).inverseTimes(place - asVector(root.position));
  return asArray(seen_from_root - asVector(own.at_rest));
}

}  // namespace linkwork
