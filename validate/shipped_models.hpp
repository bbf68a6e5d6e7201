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

}  // namespace linkwork::validation
