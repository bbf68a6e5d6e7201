// A pose in which the drives do not settle the motion, and what there is to say about it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

enum class SingularPose {
  dead_point,    // the drives cannot go on: beyond it there is no pose for them
  branch_point,  // the mechanism goes on, but it could go on another way too
};

// A pose in which the drives do not settle the motion.
struct DeadPoint {
  SingularPose kind = SingularPose::dead_point;
  double time = 0.0;
  std::vector<double> q;
  std::vector<int> drives;  // that lose control
  std::vector<int> joints;  // whose coordinates could move though the drives are held
  std::string words;        // a sentence without the time
};

// Fills in all but kind, time and q. motion: how the bodies move along the curve of poses there, time standing still.
void describeDeadPoint(const Mechanism& mechanism, std::span<const double> turns, std::span<const double> motion,
                       DeadPoint& point);

}  // namespace linkwork
