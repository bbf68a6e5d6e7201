// Names of what an EquationsModel is recorded by.
#pragma once

#include <string>
#include <vector>

#include "linkwork/model/equations_model.hpp"

namespace linkwork {

// Those of the free quasi-velocities that are not the rate of a coordinate under its own name.
std::vector<int> quasiVelocitiesWithNames(const EquationsModel& model);

// What an EquationsSystem observes before the user's outputs: coordinates, rates, their rates, quasi-velocities, their
// rates, reactions of constraints. The name is "group.label".
std::vector<Output> recordedNames(const EquationsModel& model);

// The model's frame with those in front of the user's outputs: what a run records.
Mechanism recordedFrame(const EquationsModel& model);

// "m" -> "m/s", "m/s" -> "m/s^2"; empty stays empty.
std::string unitOfRate(const std::string& unit);

}  // namespace linkwork
