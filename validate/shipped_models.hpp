// The names of all mechanisms in models/, for tests that hold for every one of them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace linkwork::validation {

inline std::vector<std::string> shippedModels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Whether tests that take a few models as a rule shall take all of them: ./test --full.
inline bool everyModel() { return std::getenv("LINKWORK_FULL") != nullptr; }

// One whose runs take a minute, since its links are stiff and bend in space: its tests follow it for a short time, or
// leave it out, unless all is asked for.
inline bool isLong(const std::string& model) { return model == "flexible_four_bar_spatial" && !everyModel(); }
inline double followedFor(const std::string& model, double until) {
  return isLong(model) ? std::min(until, 0.005) : until;
}

}  // namespace linkwork::validation
