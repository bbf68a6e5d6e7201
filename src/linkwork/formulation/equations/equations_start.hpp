// The start of an EquationsModel: coordinates that meet the constraints of positions, quasi-velocities that have the
// given values, and what is wrong with the equations there.
#pragma once

#include <string>
#include <vector>

#include "linkwork/formulation/equations/equations_system.hpp"

namespace linkwork {

struct EquationsStart {
  bool ok = false;
  std::string problem, hint;  // in words, when not ok
  Source where;
  std::vector<double> x;              // [q, w, 0]
  std::vector<std::string> warnings;  // coordinates that were moved
};

EquationsStart findEquationsStart(const EquationsModel& model);

}  // namespace linkwork
