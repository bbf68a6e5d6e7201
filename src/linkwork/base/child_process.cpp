#include "linkwork/base/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "linkwork/base/contract.hpp"

namespace linkwork {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kChildReads = 3;
constexpr int kChildWrites = 4;
constexpr int kAboveBoth = 10;  // descriptors of ours from here on, so that none is in the way of these two

// Two ends, of which no other child inherits one.
bool openPipe(std::array<int, 2>& ends) {
  std::array<int, 2> low{};
  if (::pipe(low.data()) != 0) return false;
  for (std::size_t k = 0; k < 2; ++k) {
    ends[k] = ::fcntl(low[k], F_DUPFD_CLOEXEC, kAboveBoth);
    ::close(low[k]);
  }
  return ends[0] >= 0 && ends[1] >= 0;
}

void closeEnd(int descriptor) {
  if (descriptor >= 0) ::close(descriptor);
}

bool isProgram(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

std::string findProgram(const char* variable, std::initializer_list<const char*> names) {
  if (const char* given = std::getenv(variable); given != nullptr && *given != '\0')
    return isProgram(given) ? given : "";
  const char* path = std::getenv("PATH");
  for (const char* name : names) {
    std::istringstream folders(path != nullptr ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::filesystem::path program = std::filesystem::path(folder) / name;
      if (isProgram(program)) return program.string();
    }
  }
  return {};
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::string& log, Talk talk,
                           std::chrono::seconds cpu_limit) {
  expect(!command.empty(), "ChildProcess: there is no command");
  std::array<int, 2> there{-1, -1};
  std::array<int, 2> back{-1, -1};
  if (talk == Talk::pipes && (!openPipe(there) || !openPipe(back))) {
    for (const int end : {there[0], there[1], back[0], back[1]}) closeEnd(end);
    return;
  }
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::setpgid(0, 0);
    if (cpu_limit.count() > 0) {
      const auto seconds = static_cast<rlim_t>(cpu_limit.count());
      const rlimit limit{seconds, seconds + 1};
      ::setrlimit(RLIMIT_CPU, &limit);
    }
    ::dup2(nothing, 0);
    ::dup2(file, 1);
    ::dup2(file, 2);
    if (talk == Talk::pipes) {
      ::dup2(there[0], kChildReads);
      ::dup2(back[1], kChildWrites);
    }
    ::execvp(arguments[0], arguments.data());
    ::_exit(ChildExit::kNoProgram);
  }
  // A group of its own, so that what it starts can be ended with it; said by both, because either may be first.
  if (pid_ > 0) ::setpgid(pid_, pid_);
  for (const int end : {there[0], back[1], file, nothing}) closeEnd(end);
  to_ = there[1];
  from_ = back[0];
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    ::kill(-pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  closeEnd(to_);
  closeEnd(from_);
}

bool ChildProcess::send(const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t now = ::write(to_, bytes.data() + sent, bytes.size() - sent);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return true;
}

std::optional<std::string> ChildProcess::receive(Seconds limit) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  std::size_t searched = 0;
  while (true) {
    if (const std::size_t zero = waiting_.find('\0', searched); zero != std::string::npos) {
      std::string out = waiting_.substr(0, zero);
      waiting_.erase(0, zero + 1);
      return out;
    }
    searched = waiting_.size();
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd ready{from_, POLLIN, 0};
    const int found = left > 0 ? ::poll(&ready, 1, static_cast<int>(left)) : 0;
    if (found < 0 && errno == EINTR) continue;
    std::array<char, 65536> buffer{};
    const ssize_t size = found > 0 ? ::read(from_, buffer.data(), buffer.size()) : 0;
    if (size <= 0) return std::nullopt;
    waiting_.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

std::optional<ChildExit> ChildProcess::wait(Seconds limit) {
  if (pid_ <= 0) return ChildExit{};
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
  int status = 0;
  rusage used{};
  while (::wait4(pid_, &status, WNOHANG, &used) == 0) {
    if (Clock::now() > end) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(-pid_, SIGKILL);  // what it left behind
  pid_ = -1;
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return ChildExit{WIFEXITED(status) ? WEXITSTATUS(status) : -1, seconds(used.ru_utime) + seconds(used.ru_stime)};
}

}  // namespace linkwork
