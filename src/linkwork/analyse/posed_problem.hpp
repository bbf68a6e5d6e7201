// PosedProblem: the constraints of a mechanism for a walk from pose to pose, in which whole turns are counted; with a
// clock for one more body where time is to move too.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/mobility.hpp"

namespace linkwork {

struct PosedProblem {
  MobilityProblem problem;
  double seconds = 1.0;                                      // for one unit of the clock's first coordinate
  std::function<void(std::span<const double> pose)> follow;  // brings the counted turns up to a pose
  std::function<std::vector<double>()> turns;
  std::function<void(std::span<const double>)> set_turns;
};

// With time held at t. Rows of `left_out` are not there.
PosedProblem posedProblem(const Mechanism& mechanism, const Assembly& start, double t,
                          const std::vector<int>& left_out);

// The last body is the clock: its first coordinate times `seconds` is the time, and drives (and formulas with t) know
// it. In `duration` the clock moves by the problem's length. Rows that miss others by rounded lengths are left out.
PosedProblem clockedProblem(const Mechanism& mechanism, const Assembly& start, double duration, double t);

}  // namespace linkwork
