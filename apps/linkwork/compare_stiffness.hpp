// compare --stiffness: the answer with springs in the place of joints against that with hard ones.
#pragma once

#include <optional>
#include <string>

#include "linkwork/study/stiffness_sweep.hpp"

namespace linkwork::app {

struct StiffnessOptions {
  std::optional<std::string> stiffness, rotational;
  bool richardson = false;
};

// Runs the sweep, prints its table and writes it as CSV and as a drawing to base + ".csv" and ".svg"; an
// ExitCode.
int compareStiffness(const Mechanism& mechanism, const StiffnessOptions& options, RunOptions run,
                     const std::string& base, bool json);

}  // namespace linkwork::app
