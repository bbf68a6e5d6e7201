// Dormand-Prince 8(5,3) with a PI step controller: for tight tolerances, where it needs far fewer steps than dopri5.
//
// 15 evaluations for an accepted step: 12 stages of which the first is the last step's slope, the slope at the
// corrected x_new, and 3 for the dense output of order 7; 11 for a refused one.
#pragma once

#include "linkwork/integrate/dormand_prince.hpp"
#include "linkwork/integrate/pi_stepping.hpp"

namespace linkwork {

class Dop853 final : public PiStepping {
 public:
  Dop853(const OdeSystem& system, const IntegratorOptions& options)
      : PiStepping(system, options, dormandPrince853(), {1. / 8 - 0.2 * 0.04, 0.04, 1. / 3, 6}) {}
};

}  // namespace linkwork
