// Writing files so that a reader never sees half of one: to a temporary name beside it, then renamed.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace linkwork {

// Empty on success, else a sentence that names the file and the reason (no space, no permission, ...). On failure the
// old file, if any, is untouched and the temporary one is gone.
std::string writeAtomically(const std::string& path, const std::function<void(std::ostream&)>& write);

// Why that would fail at this path, found by trying: folders that are missing are made, a file with the temporary name
// is written and taken away. For what is to be known before a long run rather than after it. Empty: nothing is in the
// way.
std::string writingProblem(const std::string& path);

}  // namespace linkwork
