// Dormand-Prince 5(4) with a PI step controller: the method to take unless another is asked for.
#pragma once

#include "linkwork/integrate/dormand_prince.hpp"
#include "linkwork/integrate/pi_stepping.hpp"

namespace linkwork {

class Dopri5 final : public PiStepping {
 public:
  Dopri5(const OdeSystem& system, const IntegratorOptions& options)
      : PiStepping(system, options, dormandPrince54(), {0.2 - 0.75 * 0.04, 0.04, 0.2, 10}) {}
};

}  // namespace linkwork
