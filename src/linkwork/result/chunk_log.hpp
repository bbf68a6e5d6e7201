// A file of chunks that survives the end of its writer at any moment: each chunk has its length and its checksum, and
// what is torn is not read.
//
//   file  = "linkwork chunks 1\n" { chunk }
//   chunk = length (8 bytes), checksum (8 bytes: FNV-1a of the data, 64 bits), data
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

std::uint64_t fnv1a64(std::string_view data, std::uint64_t hash = 14695981039346656037ULL);

struct ChunkFile {
  bool exists = false;
  std::string problem;              // not empty: it exists but is no such file, or cannot be read
  std::vector<std::string> chunks;  // the whole ones, up to the first torn one
  std::uint64_t whole = 0;          // bytes up to the end of the last whole chunk
  bool torn = false;                // something follows that is none
};

ChunkFile readChunks(const std::string& path);

class ChunkWriter {
 public:
  ChunkWriter() = default;
  ChunkWriter(const ChunkWriter&) = delete;
  ChunkWriter& operator=(const ChunkWriter&) = delete;
  ~ChunkWriter();

  bool isOpen() const { return file_ >= 0; }
  // A new file, its folder made if it is not there. Empty on success, else what went wrong.
  std::string create(const std::string& path);
  // Goes on after the whole chunks of a file that was read; what follows them is cut off.
  std::string reopen(const std::string& path, std::uint64_t whole);
  // Either the whole chunk is there afterwards or the file is as it was, and closed.
  std::string append(std::string_view chunk);
  void close();

 private:
  std::string fail(const char* what);

  int file_ = -1;
  std::string path_;
  std::uint64_t size_ = 0;
};

}  // namespace linkwork
