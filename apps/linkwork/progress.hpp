// A bar with the time reached and the time it will still take, rewritten in place; only on a terminal.
#pragma once

#include <chrono>
#include <string>

namespace linkwork::app {

// "[######..........]  37 %  t = 3.7 of 10 s, 12 s left". The rate counts from where this process began.
std::string progressLine(double t, double until, double t_begin, double elapsed_s);

class Progress {
 public:
  Progress();
  void show(double t, double until);  // ten times a second at most
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  bool begun_ = false;
  double t_begin_ = 0.0;
  std::chrono::steady_clock::time_point begin_, last_;
};

}  // namespace linkwork::app
