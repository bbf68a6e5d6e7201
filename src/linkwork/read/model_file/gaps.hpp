// How far apart the drawing shows the two ends of a joint.
#pragma once

#include "linkwork/model/mechanism.hpp"

namespace linkwork::model_file {

std::array<double, 3> inGround(const Mechanism& mechanism, BodyIndex body, const std::array<double, 3>& point);

// What the joint forbids, as drawn in space: metres between the points (across or along its axis where the joint leaves
// the rest free), and radians between the axes.
struct Gap {
  double length = 0.0;
  double angle = 0.0;
  bool across = false;  // only the part of the way that the joint does not allow is counted
};
Gap drawnGapInSpace(const Mechanism& mechanism, const Joint& joint);

}  // namespace linkwork::model_file
