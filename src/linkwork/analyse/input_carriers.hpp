// Inputs u(t) of a mechanism as coordinates of bodies that nothing holds, so that formulas are differentiated by inputs
// as they are by positions.
#pragma once

#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Places of an input u(t): two bodies that nothing holds, u = value + x + y (t - t0) + x2 (t - t0)^2 / 2, where x, y of
// the first and x of the second body stand for deviations of u, u' and u''.
struct InputCarrier {
  int first_body = 0;
  int orders = 1;  // 3 where a drive follows the input, 2 where it is a speed that a joint knows
};

// The mechanism with two more bodies for each input, which its formulas name in place of the input.
Mechanism withCarriers(const Mechanism& named, double t, std::vector<InputCarrier>& carriers);

}  // namespace linkwork
