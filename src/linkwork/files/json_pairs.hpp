// Settings and provenance as a JSON object, in their order.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace linkwork {

inline nlohmann::ordered_json jsonPairs(const std::vector<std::pair<std::string, std::string>>& list) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [key, value] : list) out[key] = value;
  return out;
}

}  // namespace linkwork
