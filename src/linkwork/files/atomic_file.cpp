#include "linkwork/files/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "linkwork/base/input_file.hpp"

namespace linkwork {

namespace {

namespace fs = std::filesystem;

std::string temporaryFor(const std::string& path) { return fmt::format("{}.{}.part", path, ::getpid()); }

// Makes the folder; what stands in the way at the path itself.
std::string prepare(const std::string& path) {
  const fs::path target(path);
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  if (error) return fmt::format("cannot make the folder {}: {}", target.parent_path().string(), error.message());
  if (fs::is_directory(target, error)) return fmt::format("cannot write {}: there is a folder of that name", path);
  // The file would take the place of a device or pipe, not go into it.
  if (const std::string kind = notAFile(path); !kind.empty()) return fmt::format("cannot write {}: {}", path, kind);
  return {};
}

// Writes the temporary file; it is gone where that fails.
std::string writeTemporary(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (std::string problem = prepare(path); !problem.empty()) return problem;
  const std::string temporary = temporaryFor(path);
  errno = 0;
  std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
  if (!stream) return fmt::format("cannot write {}: {}", path, std::strerror(errno));
  errno = 0;
  write(stream);
  stream.close();
  if (stream) return {};
  const int why = errno;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return fmt::format("cannot write {}: {}", path, why != 0 ? std::strerror(why) : "the disk refused it");
}

}  // namespace

std::string writeAtomically(const std::string& path, const std::function<void(std::ostream&)>& write) {
  if (std::string problem = writeTemporary(path, write); !problem.empty()) return problem;
  std::error_code error;
  std::error_code ignored;
  fs::rename(temporaryFor(path), path, error);
  if (!error) return {};
  fs::remove(temporaryFor(path), ignored);
  return fmt::format("cannot write {}: {}", path, error.message());
}

std::string writingProblem(const std::string& path) {
  // A page of bytes: a full disk takes an empty file.
  constexpr std::size_t kTried = 4096;
  std::string problem = writeTemporary(path, [](std::ostream& file) { file << std::string(kTried, ' '); });
  std::error_code ignored;
  fs::remove(temporaryFor(path), ignored);
  return problem;
}

}  // namespace linkwork
