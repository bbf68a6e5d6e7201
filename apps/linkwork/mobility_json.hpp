// The mobility report as JSON, with names instead of indices.
#pragma once

#include <nlohmann/json.hpp>

#include "linkwork/analyse/mobility.hpp"

namespace linkwork::app {

nlohmann::ordered_json mobilityJson(const MobilityProblem& problem, const MobilityReport& report);

}  // namespace linkwork::app
