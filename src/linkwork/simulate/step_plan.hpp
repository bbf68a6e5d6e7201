// StepPlan: what is known of a run's steps before it begins, from the mechanism's formulas of time alone: how long they
// may be and when, and where the run must end.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "linkwork/elements/quick_stretches.hpp"
#include "linkwork/integrate/integrator.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

struct StepPlan {
  StepLimits limits;
  // s: where the run ends: `until`, or just before the first pole of a formula.
  double end = 0.0;
  // s: from here on that pole is near: steps of a given length do not come nearer. Infinity where there is none.
  double near_pole = std::numeric_limits<double>::infinity();
  std::string pole;               // what grows beyond all bounds and when: half a sentence; empty: nothing does
  std::string hint;               // what to do about it
  std::vector<LooseBound> loose;  // formulas of which too little is known to be sure

  // Why a run that came to t goes no further; empty where there is no pole.
  std::string whyEnd(double t) const;
};

StepPlan planSteps(const Mechanism& mechanism, double until, const std::vector<ActingFormula>& others = {});

}  // namespace linkwork
