// Work done in a child process, so that a crash or an endless loop of it is a finding and not the end of the search.
#pragma once

#include <functional>
#include <string>

namespace linkwork::random_mechanisms {

struct ChildAnswer {
  bool ended = false;  // by itself, with an answer
  std::string answer;
  std::string problem;  // otherwise: "signal 11", "more than 20 s of CPU time"
  double cpu = 0.0;     // s
};

// The work's answer; limits of 0 are none.
ChildAnswer inChild(const std::function<std::string()>& work, double cpu_limit);

}  // namespace linkwork::random_mechanisms
