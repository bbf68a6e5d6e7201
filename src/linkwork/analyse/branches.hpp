// Branches: the other ways in which the loops of a mechanism can be put together.
//
// Each loop, or group of loops that share bodies, is looked at alone: drives and given positions are held, and where
// the loop could still move, so are further joint coordinates at their assembled values. Many random starts, each
// closed by damped Gauss-Newton; what they find exists, what they do not find may exist.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct BranchJoint {
  int joint = 0;       // in the mechanism
  double value = 0.0;  // angle in (-pi, pi], or slide in m
  bool is_angle = true;
  bool differs = false;  // from the drawn assembly
  int bend = 0;          // +1: the links turn left at this pin on the way from the first body to the second; -1: right
};

struct BranchAssembly {
  std::vector<BranchJoint> joints;
  int hits = 0;           // starts that ended here
  bool isolated = true;   // false: the loop can still move from here though its inputs are held
  std::vector<double> q;  // as in Assembly, of the loop's bodies in the order of `bodies`
  std::string words;      // what sets it apart: "B bends right instead of left"
};

struct LoopBranches {
  std::vector<int> bodies;
  std::vector<int> joints;
  std::vector<std::string> held;           // "O.angle = 60 deg"
  std::vector<BranchAssembly> assemblies;  // the drawn one first
  int starts = 0;
  int closed = 0;  // starts that came to a closed loop
};

struct BranchOptions {
  int starts = 400;
  unsigned seed = 1;
};

// q: the assembled pose, as in Assembly.
std::vector<LoopBranches> findBranches(const Mechanism& mechanism, std::span<const double> q,
                                       const BranchOptions& options = {});

std::string branchesText(const Mechanism& mechanism, const std::vector<LoopBranches>& loops);

}  // namespace linkwork
