// LiftWatch: where a body that rolls would lift off, because its load turns into a pull. The joint holds it all the
// same: the run goes on and says so, or ends there where the joint wants that.
#pragma once

#include <limits>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

class LiftWatch {
 public:
  explicit LiftWatch(const Mechanism& mechanism);

  // Looks at samples and ends of steps, in the order of their times. Joints whose load has turned negative since the
  // last look are added to both lists: to the first once, to the second each time.
  // Returns the joint at which the run is to end; -1: none.
  int look(double t, const Observation& seen, std::vector<LiftOff>& lifts, std::vector<EventRecord>& events);

  void transfer(Archive& archive);

 private:
  struct Contact {
    int joint = 0;
    double load = std::numeric_limits<double>::infinity();  // N: as last seen
    bool noted = false;                                     // in the list of those that lifted off
  };
  const Mechanism& mechanism_;
  std::vector<Contact> contacts_;
  double time_ = 0.0;  // s: of the last look
};

}  // namespace linkwork
