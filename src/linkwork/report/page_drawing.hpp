// What the drawings in the plane and in space both show of a mechanism and its run.
#pragma once

#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// The word under which a load is drawn: a spring without damping is a spring, a damper without stiffness a dashpot.
std::string drawnKind(const Load& load);

// The series that a load's arrows follow: components of a force, and of a moment or its size about the second frame's z
// axis. A load that has them and no first body acts on one body alone.
struct LoadArrows {
  std::vector<std::string> force, moment;
  std::string moment_about_z;
  bool one_body = false;
};
LoadArrows arrowsOf(const Mechanism& mechanism, const Load& load);

// Whether the run's formulation opened a loop at this joint.
bool isCut(const Result& result, const Joint& joint);

bool reactionUnique(const Result& result, const Joint& joint);

// Why reactions are some of many that fit, as the beginning of a sentence; empty where all are unique.
std::string whyNotUnique(const Result& result);

}  // namespace linkwork
