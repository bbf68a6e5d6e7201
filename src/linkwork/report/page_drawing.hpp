// What the drawings in the plane and in space both show of a mechanism and its run.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// The word under which a load is drawn: a spring without damping is a spring, a damper without stiffness a dashpot.
std::string drawnKind(const Load& load);

// Whether the run's formulation opened a loop at this joint.
bool isCut(const Result& result, const Joint& joint);

bool reactionUnique(const Result& result, const Joint& joint);

// Why reactions are some of many that fit, as the beginning of a sentence; empty where all are unique.
std::string whyNotUnique(const Result& result);

}  // namespace linkwork
