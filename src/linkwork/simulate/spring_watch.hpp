// SpringWatch: what the springs of compliant joints are, how fast they swing, and what they did in a run.
#pragma once

#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

class SpringWatch {
 public:
  explicit SpringWatch(const Mechanism& mechanism) : mechanism_(mechanism) {}

  // Once, before the first look: stiffness and frequency of every compliant joint. `start` is [q, v, work, turns] in
  // absolute coordinates.
  void begin(std::span<const double> start, std::vector<SpringJoint>& joints);
  void look(double t, const Observation& seen, std::vector<SpringJoint>& joints);
  // Both sides of a jump of the loads: what a constraint would carry more at once, a spring without damping swings
  // about.
  //   dlambda = - W^-1 J da                                                           [docs/theory/14, eq. 14.12]
  void lookAtJump(double t, const Observation& before, const Observation& after, std::vector<SpringJoint>& joints);

 private:
  const Mechanism& mechanism_;
};

// rad/s: the fastest swing of all springs of joints at [q, v, work, turns]; and that of each joint's own springs, in
// the order of the joints that have some.
struct SpringFrequencies {
  double fastest = 0.0;
  std::vector<double> of_joints;
};
SpringFrequencies springFrequencies(const Mechanism& mechanism, std::span<const double> state);

// Whether springs of joints, as drawn, would swing so often in a run that following them is most of its work.
bool springsAreFast(const Mechanism& mechanism, double until);

}  // namespace linkwork
