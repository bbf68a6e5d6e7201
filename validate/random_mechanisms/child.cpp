#include "child.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <exception>
#include <utility>
#include <vector>

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

// A child at work, and what it has answered so far.
struct Child {
  pid_t pid = 0;
  int from = 0;
  std::uint64_t index = 0;
  ChildAnswer answer = {};
};

Child begun(const std::function<std::string()>& work, double cpu_limit) {
  std::array<int, 2> ends{};
  expect(::pipe(ends.data()) == 0, "no pipe to a child process");
  const pid_t pid = ::fork();
  expect(pid >= 0, "no child process");
  if (pid == 0) {
    ::close(ends[0]);
    beChild(work, cpu_limit, ends[1]);
  }
  ::close(ends[1]);
  return {pid, ends[0]};
}

// Waits for more of the answer; false at its end.
bool readMore(Child& child) {
  std::array<char, 4096> buffer{};
  const ssize_t count = ::read(child.from, buffer.data(), buffer.size());
  if (count > 0) child.answer.answer.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

// After the end of the answer: how the child ended.
ChildAnswer ended(Child child, double cpu_limit) {
  ::close(child.from);
  ChildAnswer out = std::move(child.answer);
  int status = 0;
  rusage usage{};
  ::wait4(child.pid, &status, 0, &usage);
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

// Waits until some child has answered more or ended.
void waitForAny(const std::vector<Child>& children, std::vector<pollfd>& watched) {
  watched.clear();
  for (const Child& child : children) watched.push_back({child.from, POLLIN, 0});
  ::poll(watched.data(), watched.size(), -1);
}

}  // namespace

ChildAnswer inChild(const std::function<std::string()>& work, double cpu_limit) {
  Child child = begun(work, cpu_limit);
  while (readMore(child)) {
  }
  return ended(std::move(child), cpu_limit);
}

std::uint64_t inChildren(const Pieces& pieces, const std::function<std::string(std::uint64_t)>& work,
                         const std::function<void(std::uint64_t, const ChildAnswer&)>& answered) {
  std::vector<Child> at_work;
  std::vector<pollfd> watched;
  std::uint64_t next = 0;
  const auto wanted = [&] { return next < pieces.count && !(pieces.enough && pieces.enough()); };
  const auto jobs = static_cast<std::size_t>(std::max(1, pieces.jobs));
  for (;;) {
    while (at_work.size() < jobs && wanted()) {
      const std::uint64_t index = pieces.first + next++;
      at_work.push_back(begun([&] { return work(index); }, pieces.cpu_limit));
      at_work.back().index = index;
    }
    if (at_work.empty()) return next;
    waitForAny(at_work, watched);
    for (std::size_t k = at_work.size(); k-- > 0;) {
      if (watched[k].revents == 0 || readMore(at_work[k])) continue;
      const std::uint64_t index = at_work[k].index;
      const ChildAnswer answer = ended(std::move(at_work[k]), pieces.cpu_limit);
      at_work.erase(at_work.begin() + static_cast<std::ptrdiff_t>(k));
      answered(index, answer);
    }
  }
}

}  // namespace linkwork::random_mechanisms
