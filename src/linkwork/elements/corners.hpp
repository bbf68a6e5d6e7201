// Where the loads of a mechanism have corners or jumps: integrators step to these points, so that no step reaches
// across one.
#pragma once

#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct Corners {
  std::vector<double> times;   // known beforehand, in rising order
  std::vector<Expr> switches;  // of t, parameters and quantities: a corner is where one of them changes its sign
};

// Of abs, sign, min, max, select and tables in the formulas of the loads. Corners of springs are found by the springs.
Corners findCorners(const Mechanism& mechanism);

// The times, in rising order, at which the pieces meet that a formula of t is made of, as far as they can be solved
// for: its corners, and all points of its tables or only those that are corners.
enum class TablePoints { all, corners };
std::vector<double> breakTimes(const Expr& formula, TablePoints points);

}  // namespace linkwork
