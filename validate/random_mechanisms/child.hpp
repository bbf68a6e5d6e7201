// Work done in a child process, so that a crash or an endless loop of it is a finding and not the end of the search.
#pragma once

#include <cstdint>
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

// Pieces of work `first`, `first` + 1 and so on.
struct Pieces {
  std::uint64_t first = 0, count = 0;
  int jobs = 1;                       // so many at a time
  double cpu_limit = 0.0;             // s, of one piece
  std::function<bool()> enough = {};  // once it says so no piece is begun; those at work are finished
};

// Each piece in a child process of its own; `answered` is called as they end, which with several jobs is not in order.
// Returns how many were begun: all of those are done.
std::uint64_t inChildren(const Pieces& pieces, const std::function<std::string(std::uint64_t)>& work,
                         const std::function<void(std::uint64_t, const ChildAnswer&)>& answered);

}  // namespace linkwork::random_mechanisms
