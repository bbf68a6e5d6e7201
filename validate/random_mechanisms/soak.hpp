// Soak: many random mechanisms, one after the other; what is found is shrunk and kept.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "examine.hpp"

namespace linkwork::random_mechanisms {

struct SoakRequest {
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // mechanism `first` of the seed, and so on
  std::uint64_t count = 0;
  double shrink_limit = 60.0;         // s of CPU time for making one finding small; 0: findings stay as they are
  int jobs = 1;                       // so many mechanisms at a time; findings then come in another order
  std::function<bool()> enough = {};  // once it says so no mechanism is begun
  ExamineOptions examine;
};

struct SoakFinding {
  std::uint64_t index = 0;
  std::string recipe;
  Finding finding;
  std::string model;  // the smallest model file that shows it, with what it shows as a comment
};

struct SoakReport {
  std::uint64_t mechanisms = 0;  // all from the first one on
  std::uint64_t refused = 0;     // by the reader or by assembly
  std::uint64_t runs = 0;
  double cpu = 0.0;  // s
  std::vector<SoakFinding> findings;
  std::map<std::string, int> by_fault;
};

using Told = std::function<void(const SoakFinding&)>;

// `told` is called for each finding as it is made, `progress` after each mechanism.
SoakReport soak(const SoakRequest& request, const Told& told = {},
                const std::function<void(const SoakReport&)>& progress = {});

}  // namespace linkwork::random_mechanisms
