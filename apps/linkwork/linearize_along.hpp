// linkwork linearize --along: matrices at every sample of a recorded run.
#pragma once

#include <string>

#include "linear_state.hpp"

namespace linkwork::app {

struct AlongOptions {
  std::string run;  // the file of the result
  bool json = false;
  std::string out;
};
int linearizeAlong(const LinearStateOptions& state, const AlongOptions& options);

}  // namespace linkwork::app
