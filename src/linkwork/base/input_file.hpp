// Reading what a user named: a file as a whole. What is none (a pipe, a socket, a device, a folder) is refused by its
// kind before anything waits for it; whoever reads a file that a user or a model names reads it here.
#pragma once

#include <cstdint>
#include <string>

namespace linkwork {

inline constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct InputFile {
  std::string text;
  std::string problem;  // why there is none, as a clause without a full stop; empty: it was read
  bool missing = false;

  bool ok() const { return problem.empty(); }
};

// "this is a pipe, not a file ..." of what stands at a path and is no file; empty for a file, and where nothing is.
std::string notAFile(const std::string& path);

// Of more than `most` bytes nothing is kept. Never waits: what stands there is looked at before it is opened and again
// when it is open.
InputFile readInputFile(const std::string& path, std::uint64_t most = kNoLimit);

}  // namespace linkwork
