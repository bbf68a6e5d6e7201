// Which joint to name when a loop does not close, and how far a joint is from closed.
#pragma once

#include <cmath>
#include <vector>

#include "linkwork/analyse/assemble_messages.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

// The rows of a group: how far off, apart for lengths and angles.
template <class G>
Gap gapOf(const AbsoluteEquations<G>& equations, const RowGroup& group, const std::vector<double>& phi) {
  Gap out;
  for (int r = group.first_row; r < group.first_row + group.rows; ++r) {
    double& sum = equations.elements().row_info[at(r)].unit == RowUnit::angle ? out.angle : out.length;
    sum = std::hypot(sum, phi[at(r)]);
  }
  return out;
}

// Which joint to blame: one that closes a loop, if there is one, so that opened alone the rest can be satisfied; of
// those the one furthest from closed.
template <class G>
int jointToBlame(const AbsoluteEquations<G>& equations, const std::vector<double>& phi, double length) {
  const auto& set = equations.elements();
  std::vector<Connection> connections;
  std::vector<int> joints;
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    const RowGroup& group = set.groups[g];
    connections.push_back(connectionOf(group, set.bodies));
    if (!group.is_drive) joints.push_back(static_cast<int>(g));
  }
  const auto worstOf = [&](const std::vector<int>& candidates) {
    int worst = -1;
    double size = -1.0;
    for (const int g : candidates) {
      if (set.groups[at(g)].is_drive || set.groups[at(g)].holdsVelocitiesAlone()) continue;
      const Gap gap = gapOf(equations, set.groups[at(g)], phi);
      const double off = std::hypot(gap.length, gap.angle * length);
      if (off <= size) continue;
      size = off;
      worst = g;
    }
    return worst;
  };
  const int cut = worstOf(planSpanningTree(set.bodies, connections).cuts);
  return cut >= 0 ? cut : worstOf(joints);
}

}  // namespace linkwork
