// ForceScale: what moments and accelerations of a mechanism are worth as forces, so that round-off in one unit can be
// told by what is seen in the others.
//
// Round-off comes through the equations of motion: it is a share of the greatest force in them, whether that is a load,
// a reaction or the inertia of a body, and not of a column that is zero but for round-off.
#pragma once

#include <cstddef>
#include <string_view>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

class ForceScale {
 public:
  explicit ForceScale(const Mechanism& mechanism);

  // Newtons for each of that unit: N, N*m, m/s^2 or rad/s^2; of accelerations as if of the heaviest body.
  double of(std::string_view unit) const { return of(unit, mass_, mass_ * length_ * length_); }
  // The same, of accelerations of this body; one without mass or inertia follows the others.
  double of(std::string_view unit, const Body& body) const;

 private:
  double of(std::string_view unit, double mass, double inertia) const;

  double length_ = 1.0;  // m
  double mass_ = 1.0;    // kg
};

}  // namespace linkwork
