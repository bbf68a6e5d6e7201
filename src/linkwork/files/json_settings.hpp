// Settings and provenance as a JSON object, in their order, and what was set from outside.
#pragma once

#include <nlohmann/json.hpp>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/setting.hpp"

namespace linkwork {

inline nlohmann::ordered_json jsonSettings(const Settings& list) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Setting& setting : list) out[setting.name] = setting.text();
  return out;
}

// As "set", where there is something; of verbs whose results have no settings.
inline void addParametersSet(const Mechanism& mechanism, nlohmann::ordered_json& out) {
  for (const ParameterSetting& setting : mechanism.set) out["set"][setting.name] = setting.value;
}

}  // namespace linkwork
