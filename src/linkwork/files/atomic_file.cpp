#include "linkwork/files/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace linkwork {

std::string writeAtomically(const std::string& path, const std::function<void(std::ostream&)>& write) {
  namespace fs = std::filesystem;
  const fs::path target(path);
  const fs::path temporary = fmt::format("{}.{}.part", path, ::getpid());
  std::error_code ignored;
  if (target.has_parent_path()) {
    std::error_code error;
    fs::create_directories(target.parent_path(), error);
    if (error) return fmt::format("cannot make the folder {}: {}", target.parent_path().string(), error.message());
  }
  if (fs::is_directory(target, ignored)) return fmt::format("cannot write {}: there is a folder of that name", path);
  errno = 0;
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  if (!stream) return fmt::format("cannot write {}: {}", path, std::strerror(errno));
  errno = 0;
  write(stream);
  stream.close();
  if (!stream) {
    const int why = errno;
    fs::remove(temporary, ignored);
    return fmt::format("cannot write {}: {}", path, why != 0 ? std::strerror(why) : "the disk refused it");
  }
  std::error_code error;
  fs::rename(temporary, target, error);
  if (error) {
    fs::remove(temporary, ignored);
    return fmt::format("cannot write {}: {}", path, error.message());
  }
  return {};
}

}  // namespace linkwork
