// Which constraints of velocities can be integrated to constraints of positions (Frobenius), alone and together.
//
// Forms th_r = a_r dq + a_r0 dt of a set are integrable where  d th_r (X, Y) = 0  for all X, Y on which they vanish:
// that is what the symbols of (11.3) say of them. Asked at random states near the start.
#pragma once

#include <vector>

#include "linkwork/formulation/equations/equations_system.hpp"

namespace linkwork {

struct Integrability {
  std::vector<bool> alone;  // of each constraint of the model; those of positions are
  bool together = true;     // all of them
};

Integrability findIntegrability(const EquationsSystem& system, std::span<const double> start);

}  // namespace linkwork
