// Another program as a child: found, started, talked to through two pipes, and ended with all it started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace linkwork::app {

// The program that the environment variable names, else the first of the names that is on the PATH; empty if there is
// none.
std::string findProgram(const char* variable, std::initializer_list<const char*> names);

class ChildProcess {
 public:
  using Seconds = std::chrono::duration<double>;

  // Its output goes to the file `log`. It reads what is sent on descriptor 3 and answers on 4.
  ChildProcess(const std::vector<std::string>& command, const std::string& log);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it

  bool started() const { return pid_ > 0; }
  bool send(const std::string& bytes);
  // Bytes up to the next zero byte, which is left out; nullopt when time is up or the child has closed its end.
  std::optional<std::string> receive(Seconds limit);
  // Its exit code; nullopt when time is up or a signal ended it.
  std::optional<int> wait(Seconds limit);

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string waiting_;  // received, but not yet asked for
};

}  // namespace linkwork::app
