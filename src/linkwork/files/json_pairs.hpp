// Settings and provenance as a JSON object, in their order, and what was set from outside.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

inline nlohmann::ordered_json jsonPairs(const std::vector<std::pair<std::string, std::string>>& list) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [key, value] : list) out[key] = value;
  return out;
}

// As "set", where there is something; of verbs whose results have no settings.
inline void addParametersSet(const Mechanism& mechanism, nlohmann::ordered_json& out) {
  for (const ParameterSetting& setting : mechanism.set) out["set"][setting.name] = setting.value;
}

}  // namespace linkwork
