// Free motions: what joints and drives leave free at a pose, in names that a user knows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct FreeMotions {
  int count = 0;
  std::vector<Quantity> coordinates;  // of joints: together they say how the mechanism has moved
  std::vector<int> idle_bodies;       // that turn about their own centre of mass, nothing else moving
  std::vector<int> other_bodies;      // that move in other ways no joint has a coordinate for

  // Whether the drives settle all that matters.
  bool settled() const { return coordinates.empty() && other_bodies.empty(); }
};

// At a closed pose q at time t; turns as in Assembly.
FreeMotions freeMotions(const Mechanism& mechanism, std::span<const double> q, double t, std::span<const double> turns);

// What has no drive, and a way out; empty where the motions are settled.
std::string freeMotionsProblem(const Mechanism& mechanism, const FreeMotions& free);

// The joints whose coordinates change under a motion of the bodies from a pose; `motion` as long as the freedoms of all
// bodies.
std::vector<int> movingJoints(const Mechanism& mechanism, std::span<const double> q, double t,
                              std::span<const double> turns, std::span<const double> motion);

}  // namespace linkwork
