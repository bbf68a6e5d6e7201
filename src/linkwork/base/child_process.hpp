// Another program as a child: found, started, waited for or talked to through two pipes, and ended with all it started.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace linkwork {

// The program that the environment variable names, else the first of the names that is on the PATH; empty if there is
// none.
std::string findProgram(const char* variable, std::initializer_list<const char*> names);

// How a child ended.
struct ChildExit {
  static constexpr int kNoProgram = 127;  // as a shell says it: there is no such command

  int code = -1;       // -1: a signal ended it
  double cpu_s = 0.0;  // its processor time and that of all it waited for
};

class ChildProcess {
 public:
  using Seconds = std::chrono::duration<double>;
  enum class Talk { none, pipes };

  // The first word of the command is a program on the PATH or a path. Its output goes to the file `log`, its input is
  // empty. With pipes it reads what is sent on descriptor 3 and answers on 4.
  // More than so many seconds of processor time end it, and each program that it starts likewise; 0: no limit.
  ChildProcess(const std::vector<std::string>& command, const std::string& log, Talk talk = Talk::none,
               std::chrono::seconds cpu_limit = std::chrono::seconds(0));
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // ends it

  // Whether there is a child; a program that is not there shows in what wait() gives.
  bool started() const { return pid_ > 0; }
  // Only with pipes. False when the child no longer listens; who talks to children has to ignore SIGPIPE.
  bool send(const std::string& bytes);
  // Bytes up to the next zero byte, which is left out; nullopt when time is up or the child has closed its end.
  std::optional<std::string> receive(Seconds limit);
  // nullopt when time is up: the child still runs. Once it has ended there is none left to wait for, and no code.
  std::optional<ChildExit> wait(Seconds limit);

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
  std::string waiting_;  // received, but not yet asked for
};

}  // namespace linkwork
