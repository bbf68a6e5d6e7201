#include "linkwork/simulate/force_scale.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_structure.hpp"

namespace linkwork {

namespace {

double inertiaOf(const Body& body) {
  if (!body.tensor) return body.inertia.number;
  return (body.tensor->xx.number + body.tensor->yy.number + body.tensor->zz.number) / 3.0;
}

}  // namespace

// A rotor may have all its joints and its centre of mass in one place, but for round-off: then its size is that of its
// inertia.
ForceScale::ForceScale(const Mechanism& mechanism) : length_(referenceLength(mechanism)) {
  double heaviest = 0.0;
  double mass = 0.0;
  double inertia = 0.0;
  for (const Body& body : mechanism.bodies) {
    heaviest = std::max(heaviest, body.mass.number);
    mass += body.mass.number;
    inertia += inertiaOf(body);
  }
  if (heaviest <= 0.0) return;
  mass_ = heaviest;
  length_ = std::max(length_, std::sqrt(inertia / mass));
}

double ForceScale::of(std::string_view unit, const Body& body) const {
  const double mass = body.mass.number > 0.0 ? body.mass.number : mass_;
  const double inertia = inertiaOf(body);
  return of(unit, mass, inertia > 0.0 ? inertia : mass * length_ * length_);
}

double ForceScale::of(std::string_view unit, double mass, double inertia) const {
  if (unit == "N*m") return 1.0 / length_;
  if (unit == "m/s^2") return mass;
  if (unit == "rad/s^2") return inertia / length_;
  return 1.0;
}

}  // namespace linkwork
