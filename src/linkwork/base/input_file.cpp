#include "linkwork/base/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace linkwork {

namespace {

// Empty for a file.
std::string kindProblem(mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return "this is a folder, not a file";
  if (S_ISFIFO(mode)) return "this is a pipe, not a file; save what comes out of it under a name, and give that";
  if (S_ISSOCK(mode)) return "this is a socket, not a file";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "this is a device, not a file";
  return "this is no file";
}

std::string cannotOpen() { return fmt::format("the file cannot be opened: {}", std::strerror(errno)); }

class Descriptor {
 public:
  // Without O_NONBLOCK a pipe that took the place of the file in the meantime would be waited for.
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

std::string sizeProblem(std::uint64_t most) { return fmt::format("the file is larger than {} MiB", most >> 20U); }

void readAll(int file, std::uint64_t most, InputFile& out) {
  std::array<char, 1 << 16> chunk{};
  while (true) {
    const ssize_t count = ::read(file, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) out.problem = fmt::format("the file cannot be read: {}", std::strerror(errno));
    if (count <= 0) break;
    out.text.append(chunk.data(), static_cast<std::size_t>(count));
    if (out.text.size() > most) out.problem = sizeProblem(most);
    if (!out.ok()) break;
  }
  if (!out.ok()) out.text.clear();
}

}  // namespace

std::string notAFile(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? kindProblem(found.st_mode) : std::string();
}

InputFile readInputFile(const std::string& path, std::uint64_t most) {
  InputFile out;
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) {
    out.missing = errno == ENOENT || errno == ENOTDIR;
    out.problem = out.missing ? "there is no such file" : cannotOpen();
    return out;
  }
  // A device may do something when it is opened, and a socket cannot be.
  out.problem = kindProblem(found.st_mode);
  if (!out.ok()) return out;
  const Descriptor file(path);
  if (file.number() < 0 || ::fstat(file.number(), &found) != 0) {
    out.problem = cannotOpen();
    return out;
  }
  out.problem = kindProblem(found.st_mode);
  if (out.ok() && static_cast<std::uint64_t>(found.st_size) > most) out.problem = sizeProblem(most);
  if (out.ok()) {
    out.text.reserve(static_cast<std::size_t>(found.st_size));
    readAll(file.number(), most, out);
  }
  return out;
}

}  // namespace linkwork
