#include "linkwork/simulate/link_forces.hpp"

#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "linkwork/geometry/quaternion_of.hpp"

namespace linkwork {

namespace {

using Vector = Vec3<double>;
using Axes3 = Rotation3<double>;

Vector vectorOf(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
std::array<double, 3> arrayOf(const Vector& a) { return {a.x, a.y, a.z}; }

Axes3 axesOf(const Mechanism& mechanism, const BodyMotion& body) {
  if (mechanism.space == Space::planar) return Axes3::aboutZ(body.angle);
  const auto& q = body.orientation;
  return Axes3::fromQuaternion(q[0], q[1], q[2], q[3]);
}

// Axes of the section, in ground axes: those of a frame that a joint turned to suit itself.
Axes3 frameAxes(const Mechanism& mechanism, const BodyMotion& body, const Frame& frame) {
  const auto& q = frame.rotation;
  return axesOf(mechanism, body) * (Axes3::aboutZ(frame.angle.number) * Axes3::fromQuaternion(q[0], q[1], q[2], q[3]));
}

Vector rotationVector(const Axes3& R) {
  const auto q = quaternionOf(R);
  const Vector v{q[1], q[2], q[3]};
  const double s = std::sqrt(dot(v, v));
  return s > 0.0 ? v * (2.0 * std::atan2(s, q[0]) / s) : Vector{};
}

// The moment of a bushing in axes of its second frame: its components times the slopes of the rotation vector,
//   J^T f = f - 1/2 phi x f + k phi x (phi x f)                                        [elements/bushing.hpp]
Vector momentOf(const Vector& f, const Vector& phi) {
  const double psi = 0.5 * std::sqrt(dot(phi, phi));
  const double k = psi < 1e-4 ? 1.0 / 12.0 : (1.0 - psi / std::tan(psi)) / (4.0 * psi * psi);
  const Vector once = cross(phi, f);
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
  const Axes3 section = Axes3::fromQuaternion(w, x, y, z);
  const BodyIndex after = spring.after;
  const Axes3 A = axesOf(mechanism, seen.bodies[spring.before.at()]) * section;
  const Axes3 B = axesOf(mechanism, seen.bodies[after.at()]) * section;
  const Vector phi = rotationVector(Axes3{A.inverseTimes(B.x), A.inverseTimes(B.y), A.inverseTimes(B.z)});
  const Reaction& reaction = seen.joints[spring.joint.at()];
  Vector force = B.inverseTimes(vectorOf(reaction.force_on_second));
  Vector moment = B.inverseTimes(vectorOf(reaction.moment_on_second));
  const bool planar = mechanism.space == Space::planar;
  for (const std::size_t l : spring.loads) {
    const Load& load = mechanism.loads[l];
    const std::vector<double>& s = seen.loads[l].scalars;
    if (load.kind == LoadKind::bushing) {
      const Vector f = planar ? Vector{s[0], s[1], 0.0} : Vector{s[0], s[1], s[2]};
      const Vector m = planar ? Vector{0.0, 0.0, s[2]} : Vector{s[3], s[4], s[5]};
      force = force + B.inverseTimes(A * f);
      moment = moment + momentOf(m, phi);
    } else {
      moment = moment + B.inverseTimes(frameAxes(mechanism, seen.bodies[after.at()], load.on_second).z) * s[0];
    }
  }
  return {arrayOf(force), arrayOf(moment), arrayOf(phi)};
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
  const Vector place = vectorOf(element.position) + axesOf(mechanism, element) * vectorOf(own.on_element);
  const Vector seen_from_root = axesOf(mechanism, root).inverseTimes(place - vectorOf(root.position));
  return arrayOf(seen_from_root - vectorOf(own.at_rest));
}

}  // namespace linkwork
