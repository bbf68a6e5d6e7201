// Why a body could not be told to have inertia where nothing holds it: it has none, or it drowns beside the others.
#pragma once

#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct MasslessWords {
  std::string problem, hint;  // clauses without a full stop; the hint begins with a small letter
};

// `direction`: how the body can move, as a clause; may be empty.
MasslessWords masslessWords(const Mechanism& mechanism, int body, const std::string& direction);

}  // namespace linkwork
