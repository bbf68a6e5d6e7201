// Settings and provenance as a JSON object, in their order.
#pragma once

#include <nlohmann/json.hpp>

#include "linkwork/result/setting.hpp"

namespace linkwork {

inline nlohmann::ordered_json jsonSettings(const Settings& list) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const Setting& setting : list) out[setting.name] = setting.text();
  return out;
}

}  // namespace linkwork
