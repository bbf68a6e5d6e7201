#include "child.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <exception>

#include "linkwork/base/contract.hpp"

namespace linkwork::random_mechanisms {

namespace {

void writeAll(int to, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(to, text.data() + done, text.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

[[noreturn]] void beChild(const std::function<std::string()>& work, double cpu_limit, int to) {
  if (cpu_limit > 0.0) {
    const auto seconds = static_cast<rlim_t>(std::ceil(cpu_limit));
    const rlimit limit{seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
  }
  int code = 0;
  try {
    writeAll(to, work());
  } catch (const std::exception& error) {
    writeAll(to, error.what());
    code = 2;
  }
  ::_exit(code);
}

}  // namespace

ChildAnswer inChild(const std::function<std::string()>& work, double cpu_limit) {
  std::array<int, 2> ends{};
  expect(::pipe(ends.data()) == 0, "no pipe to a child process");
  const pid_t pid = ::fork();
  expect(pid >= 0, "no child process");
  if (pid == 0) {
    ::close(ends[0]);
    beChild(work, cpu_limit, ends[1]);
  }
  ::close(ends[1]);
  ChildAnswer out;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
    out.answer.append(buffer.data(), static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  out.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  out.ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (out.ended) return out;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 2) {
    out.problem = out.answer;
  } else if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || (cpu_limit > 0.0 && out.cpu >= cpu_limit))) {
    out.problem = fmt::format("more than {:.0f} s of CPU time", cpu_limit);
  } else {
    out.problem = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                      : fmt::format("exit code {}", WEXITSTATUS(status));
  }
  return out;
}

}  // namespace linkwork::random_mechanisms
