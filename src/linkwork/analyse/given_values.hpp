// Initial values of a mechanism as drives: what assembly holds, and what it only wishes for.
#pragma once

#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// The mechanism with given values of one level as drives behind its own, those that are held before the wishes.
struct Given {
  Mechanism mechanism;
  std::vector<const InitialValue*> held, wishes;
};

enum class GivenLevel { positions, rates };
enum class Wishes { left_out, taken };

// q: the pose in which rates are given.
Given withGiven(const Mechanism& mechanism, GivenLevel level, Wishes wishes, const std::vector<double>& q);

}  // namespace linkwork
