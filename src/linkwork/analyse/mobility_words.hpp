// What the mobility analysis says in words: directions of forces, and the whole report.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/analyse/mobility.hpp"

namespace linkwork {

enum class Effort { force, moment };

// The combination of a joint's rows that is the force along a direction, or the moment about it; nothing if its rows
// cannot express that.
std::optional<std::vector<double>> rowsAlong(const MobilityProblem& problem, const MobilityGroup& group, Effort effort,
                                             const std::array<double, 3>& direction);

// `scaled` are coefficients on the multipliers brought to one unit; `name` is that of the direction, if it has one.
UniqueReaction describeReaction(const MobilityProblem& problem, const MobilityGroup& group,
                                const std::vector<double>& scaled, const std::string& name);

}  // namespace linkwork
