// How axes turn along a steady motion, body by body: what a body does, and small deviations of it, are the same at all
// times in axes that turn at a constant rate k.
//
//   (1)  v' = k x v,  w' = k x w,  s' = k x s     s: the body's part of any deviation that goes along  [docs/theory/12]
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "linkwork/analyse/steady.hpp"

namespace linkwork {

// k of each body, ground axes; nothing where there is no such rate.
std::vector<std::optional<Eigen::Vector3d>> turnsAlong(SteadySolver& solver, const SteadyMotion& motion);

}  // namespace linkwork
