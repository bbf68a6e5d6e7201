// BodyActions: all that acts on each body over a recorded run, part by part, as a force at a point and a moment about
// it.
//
//   m a_C = m g + sum F,    J w' + w x J w = sum [ M + (P - C) x F ]      for every body, C its centre of mass
//
// Reactions and applied forces stand in the result and are named. What a result holds along a coordinate only
// (tensions, torques, efforts of drives, actuators and relations) is resolved by the rows of that coordinate, Q = c_q^T
// F.
//                                                                                       [docs/theory/01, eq. 1.36]
#pragma once

#include <array>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

enum class ActionOf { joint, drive, load };

// In ground axes; components x, y (and z), the moment about z alone in the plane.
struct BodyAction {
  ActionOf of = ActionOf::joint;
  int index = 0;  // of the joint, drive or load in the mechanism
  BodyIndex body;
  BodyIndex from;                 // the body it comes from; the ground where there is none
  std::array<double, 3> point{};  // on the body, in its axes
  // Names of series, which act with these signs on the body. Empty where there is no such part, or where it is
  // resolved.
  std::vector<std::string> force_names, moment_names;
  double force_sign = 1.0;
  double moment_sign = 1.0;
  // Resolved: a column for each component; empty where it is zero throughout.
  std::vector<std::vector<double>> force, moment;
};

// Body by body, in the order of joints, drives, loads. Parts whose series are not in the result are left out; so is
// gravity, which needs no column.
std::vector<BodyAction> bodyActions(const Mechanism& mechanism, const Result& result);

}  // namespace linkwork
