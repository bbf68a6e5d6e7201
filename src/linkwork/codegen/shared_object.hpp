// SharedObject: a C function compiled by the system's compiler, kept in a cache and loaded into this program.
//
// The cache is $XDG_CACHE_HOME/linkwork or ~/.cache/linkwork; a file there is named by the source and by what the
// compiler says it is, so that it is never out of date.
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace linkwork {

struct CompilerChoice {
  std::string command = "cc";
  std::string cache_folder;  // empty: the usual place
  // For one call of the compiler: of processor time, which a machine that does much else does not use up; and by the
  // clock, for one that waits for ever.
  std::chrono::seconds cpu_limit{60};
  std::chrono::seconds time_limit{1200};
};

// The compiler of the environment variable CC, or cc.
CompilerChoice systemCompiler();

class SharedObject {
 public:
  // `problem` says why there is none: no compiler, what the compiler said, or that it did not come to an end.
  static std::unique_ptr<SharedObject> of(const std::string& c_source, const CompilerChoice& compiler,
                                          std::string& problem);
  ~SharedObject();
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;

  // Null if there is no such function.
  void* find(const char* function) const;
  bool fromCache() const { return from_cache_; }

 private:
  SharedObject(void* handle, bool from_cache) : handle_(handle), from_cache_(from_cache) {}
  void* handle_ = nullptr;
  bool from_cache_ = false;
};

}  // namespace linkwork
