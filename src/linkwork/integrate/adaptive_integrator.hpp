// AdaptiveIntegrator: what methods that choose their steps have in common: limits, the first step, landing on the end.
#pragma once

#include "linkwork/integrate/integrator.hpp"

namespace linkwork {

class AdaptiveIntegrator : public Integrator {
 protected:
  using Integrator::Integrator;

  // max_step, or less where the limits of the steps ask for less; infinite where there is none.
  double longestStep() const;
  // Neither beyond the end nor above that.
  double limit(double h) const;
  // Below this t would hardly move.
  double smallestStep() const;

  struct Reach {
    double h = 0;
    double t = 0;  // t_ + h; at the end exactly t_end_
  };
  // The step to try where `wanted` is wished for: to the end where that is near, two equal ones rather than a long one
  // and a stub, and never below the smallest.
  Reach reach(double wanted) const;

  // A first step for an error estimate that falls with the `order`-th power of h: initial_step if given. Leaves a
  // smaller h and answers other than ok where the equations cannot be evaluated beside the start.
  Eval chooseFirstStep(double rtol, double atol, int order, double& h);

  void noteErrorTooLarge();

  static constexpr double kRetryShrink = 0.25;  // the system asked for a smaller step without saying how small
};

}  // namespace linkwork
