// How large the work at hand is: for a refusal before a run that no memory would hold, and for the sentence when memory
// ends on the way.
#pragma once

#include <string>
#include <string_view>

#include "linkwork/simulate/simulate.hpp"

namespace linkwork::app {

struct Workload {
  std::size_t bodies = 0;
  double samples = 0.0;  // 0: nothing is recorded
  double series = 0.0;   // of all runs together

  double bytes() const { return 8.0 * samples * series; }
};

// `runs`: that are kept at the same time.
Workload workloadOf(const Mechanism& mechanism, double until, double output_step, Columns columns, int runs = 1);

// What the program is at work on, from now on.
void beginWork(const Workload& work);

// The same, and whether the numbers of the run fit: false and a message as `verb` where they are more than this machine
// (or what it grants this program) has memory for.
bool beginRun(std::string_view verb, const Workload& work);

// When memory has ended: on what, and what to reduce.
std::string memoryWords();

}  // namespace linkwork::app
