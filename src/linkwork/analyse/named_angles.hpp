// Named angles of joints (angles = "zxy") at poses in which they mean nothing: where the second turn has made the first
// and the third axis one, only the sum of these two turns is there.                         [docs/theory/01, eq. 1.50]
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// The angle between the two axes up to which the others are taken for lost, and up to which a failure is put down to
// it.
inline constexpr double kAnglesLost = 1e-6;
inline constexpr double kAnglesNearlyLost = 1e-2;

struct LostAngles {
  int joint = 0;
  double away = 0.0;  // rad between the two axes
  std::string what;   // a sentence without its end: which joint, which angles, where
  std::string hint;   // another sequence that has a meaning in this pose
};

// Of all joints whose axes are within `within`, at a pose q (coordinates as in Assembly).
std::vector<LostAngles> lostAngles(const Mechanism& mechanism, std::span<const double> q, double within = kAnglesLost);

// Of those that `values` names; rates or positions, as they are.
std::optional<LostAngles> lostAmong(const Mechanism& mechanism, const std::vector<const InitialValue*>& values,
                                    std::span<const double> q);

// The second of a joint's angles, given as a value at which the others are lost.
bool asksForLostAngles(const Mechanism& mechanism, const InitialValue& value);

// Turns the second body by this angle about the joint's second axis, so that the axes part.
inline constexpr double kPartedBy = 0.1;  // rad
void partAxes(const Mechanism& mechanism, int joint, std::vector<double>& q);

}  // namespace linkwork
