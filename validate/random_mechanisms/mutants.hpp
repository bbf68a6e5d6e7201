// Mutants: model files changed at random, through `simulate`. Whatever a file says, a run ends in its time with numbers
// or with a reason, and what it calls good is true.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace linkwork::random_mechanisms {

enum class MutantFault {
  crash,       // a signal, or an exception that nobody caught
  wordless,    // refused or stopped without a reason
  slow,        // more CPU time than is allowed, and nothing said
  not_finite,  // a number of a complete run
  differs,     // from a tight run, with no lamp red
};
std::string_view wordFor(MutantFault fault);

struct MutantFinding {
  std::uint64_t index = 0;
  std::string of;  // the model file that was changed
  MutantFault fault = MutantFault::crash;
  std::string what;
  std::string model;
};

struct MutantReport {
  std::uint64_t files = 0;    // all from the first one on
  std::uint64_t refused = 0;  // by the reader, by assembly or by the method
  std::uint64_t stopped = 0;  // with a reason
  std::uint64_t complete = 0;
  std::uint64_t longer = 0;           // asked for more than the file had, and cut short when that was done
  double cpu = 0.0, worst_cpu = 0.0;  // s
  std::vector<MutantFinding> findings;
  std::map<std::string, int> by_fault;
};

struct MutantRequest {
  std::string folder;  // of model files
  std::uint64_t seed = 1, first = 0, count = 0;
  double cpu_limit = 20.0;            // s, of one run
  int jobs = 1;                       // so many files at a time
  std::function<bool()> enough = {};  // once it says so no file is begun
};

using MutantTold = std::function<void(const MutantFinding&)>;

MutantReport mutants(const MutantRequest& request, const MutantTold& told = {},
                     const std::function<void(const MutantReport&)>& progress = {});

}  // namespace linkwork::random_mechanisms
