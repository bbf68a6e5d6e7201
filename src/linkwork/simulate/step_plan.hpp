// StepPlan: what is known of a run's steps before it begins, from the mechanism's formulas of time alone: how long they
// may be and when, and where the run must end.
#pragma once

#include <string>
#include <vector>

#include "linkwork/integrate/integrator.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

struct StepPlan {
  StepLimits limits;
  double end = 0.0;               // s: `until`, or just before the first pole of a formula
  std::string why_end;            // what is there; empty where the run goes to `until`
  std::vector<LooseBound> loose;  // formulas of which too little is known to be sure
};

StepPlan planSteps(const Mechanism& mechanism, double until);

}  // namespace linkwork
