// What the stiffness or damping of a bushing must be: symmetric, and never feeding energy in.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// "is not symmetric: ..." or "is not positive semi-definite: ..."; empty if nothing is wrong. Rows and columns are
// counted as the model file of that space counts them.
std::string bushingProblem(const BushingMatrix& matrix, Space space);

}  // namespace linkwork
