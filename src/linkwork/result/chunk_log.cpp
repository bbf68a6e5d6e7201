#include "linkwork/result/chunk_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "linkwork/base/input_file.hpp"

namespace linkwork {

namespace {

constexpr std::string_view kMagic = "linkwork chunks 1\n";
constexpr std::size_t kHead = 2 * sizeof(std::uint64_t);

std::uint64_t numberAt(const std::string& text, std::size_t place) {
  std::uint64_t value = 0;
  std::memcpy(&value, text.data() + place, sizeof value);
  return value;
}

bool writeAll(int file, std::string_view data) {
  while (!data.empty()) {
    const ssize_t done = ::write(file, data.data(), data.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    data.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace

std::uint64_t fnv1a64(std::string_view data, std::uint64_t hash) {
  for (const char c : data) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

ChunkFile readChunks(const std::string& path) {
  ChunkFile out;
  const InputFile file = readInputFile(path);
  out.exists = !file.missing;
  if (!out.exists) return out;
  if (!file.ok()) {
    out.problem = fmt::format("cannot read {}: {}", path, file.problem);
    return out;
  }
  const std::string& text = file.text;
  if (text.compare(0, kMagic.size(), kMagic.substr(0, text.size())) != 0) {
    out.problem = fmt::format("{} is no checkpoint file", path);
    return out;
  }
  if (text.size() < kMagic.size()) {
    out.torn = !text.empty();
    return out;
  }
  out.whole = kMagic.size();
  while (text.size() - out.whole >= kHead) {
    const std::uint64_t length = numberAt(text, out.whole);
    if (length > text.size() - out.whole - kHead) break;
    const std::string_view data(text.data() + out.whole + kHead, length);
    if (fnv1a64(data) != numberAt(text, out.whole + sizeof(std::uint64_t))) break;
    out.chunks.emplace_back(data);
    out.whole += kHead + length;
  }
  out.torn = out.whole < text.size();
  return out;
}

ChunkWriter::~ChunkWriter() { close(); }

void ChunkWriter::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

std::string ChunkWriter::fail(const char* what) {
  std::string text = fmt::format("cannot {} {}: {}", what, path_, std::strerror(errno));
  // What cannot be undone is a torn chunk, which is not read.
  [[maybe_unused]] const int undone = file_ >= 0 ? ::ftruncate(file_, static_cast<off_t>(size_)) : 0;
  close();
  return text;
}

std::string ChunkWriter::create(const std::string& path) {
  close();
  path_ = path;
  size_ = 0;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) return fmt::format("cannot make the folder {}: {}", folder.string(), error.message());
  if (const std::string kind = notAFile(path); !kind.empty()) return fmt::format("cannot write {}: {}", path, kind);
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0 || !writeAll(file_, kMagic)) return fail("write");
  size_ = kMagic.size();
  return {};
}

std::string ChunkWriter::reopen(const std::string& path, std::uint64_t whole) {
  close();
  path_ = path;
  size_ = whole;
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(whole)) != 0 ||
      ::lseek(file_, static_cast<off_t>(whole), SEEK_SET) < 0)
    return fail("write");
  return {};
}

std::string ChunkWriter::append(std::string_view chunk) {
  const std::array<std::uint64_t, 2> head{chunk.size(), fnv1a64(chunk)};
  std::array<char, kHead> bytes{};
  std::memcpy(bytes.data(), head.data(), kHead);
  if (!writeAll(file_, {bytes.data(), kHead}) || !writeAll(file_, chunk)) return fail("write");
  size_ += kHead + chunk.size();
  return {};
}

}  // namespace linkwork
