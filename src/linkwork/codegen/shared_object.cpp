#include "linkwork/codegen/shared_object.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

#include "linkwork/base/child_process.hpp"
#include "linkwork/result/chunk_log.hpp"

namespace linkwork {

namespace {

namespace fs = std::filesystem;

// A program that was ended for its processor time has used this share of it: the system counts in ticks.
constexpr double kLimitReached = 0.9;

struct Ran {
  bool started = false;
  std::string too_long;  // "within 60 s": it did not come to an end so soon
  int status = -1;
  std::string output;
};

std::string readAll(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Words by blanks: CC may hold options.
std::vector<std::string> wordsOf(const std::string& command) {
  std::istringstream stream(command);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Runs a program to its end, or ends it when its time is up.
Ran run(const std::vector<std::string>& command, const fs::path& log, const CompilerChoice& limits) {
  ChildProcess child(command, log.string(), ChildProcess::Talk::none, limits.cpu_limit);
  Ran out;
  if (!child.started()) return out;
  const std::optional<ChildExit> exit = child.wait(limits.time_limit);
  const auto most_cpu = static_cast<double>(limits.cpu_limit.count());
  if (!exit) {
    out.too_long = fmt::format("within {} s", limits.time_limit.count());
  } else if (exit->code != 0 && exit->cpu_s >= kLimitReached * most_cpu) {
    out.too_long = fmt::format("within {} s of processor time", limits.cpu_limit.count());
  }
  out.status = exit.value_or(ChildExit{}).code;
  out.started = out.status != ChildExit::kNoProgram;
  out.output = readAll(log);
  return out;
}

fs::path cacheFolder(const CompilerChoice& compiler) {
  if (!compiler.cache_folder.empty()) return compiler.cache_folder;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return fs::path(cache) / "linkwork";
  const char* home = std::getenv("HOME");
  return (home != nullptr && *home != '\0' ? fs::path(home) : fs::temp_directory_path()) / ".cache" / "linkwork";
}

// The end of a long answer.
std::string endOf(const std::string& text) {
  constexpr std::size_t kMost = 2000;
  return text.size() <= kMost ? text : "... " + text.substr(text.size() - kMost);
}

}  // namespace

CompilerChoice systemCompiler() {
  CompilerChoice out;
  if (const char* given = std::getenv("CC"); given != nullptr && *given != '\0') out.command = given;
  return out;
}

std::unique_ptr<SharedObject> SharedObject::of(const std::string& c_source, const CompilerChoice& compiler,
                                               std::string& problem) {
  std::error_code error;
  const fs::path folder = cacheFolder(compiler);
  fs::create_directories(folder, error);
  const fs::path own = folder / fmt::format("work-{}", ::getpid());
  fs::create_directories(own, error);
  if (error) {
    problem = fmt::format("{} could not be made: {}", folder.string(), error.message());
    return nullptr;
  }
  const std::vector<std::string> words = wordsOf(compiler.command);
  const auto leave = [&](std::string why) -> std::unique_ptr<SharedObject> {
    fs::remove_all(own, error);
    problem = std::move(why);
    return nullptr;
  };
  if (words.empty()) return leave("no compiler is named");
  std::vector<std::string> command = words;
  command.emplace_back("--version");
  const Ran version = run(command, own / "log", compiler);
  if (!version.started) return leave(fmt::format("there is no compiler \"{}\"", compiler.command));
  if (!version.too_long.empty())
    return leave(fmt::format("the compiler \"{}\" did not answer {}", compiler.command, version.too_long));
  const fs::path object =
      folder / fmt::format("{:016x}{:016x}.so", fnv1a64(c_source), fnv1a64(compiler.command + version.output));
  const bool cached = fs::exists(object);
  if (!cached) {
    std::ofstream(own / "equations.c") << c_source;
    command = words;
    for (const char* word : {"-std=c99", "-O2", "-ffp-contract=off", "-fPIC", "-shared", "-o"})
      command.emplace_back(word);
    command.push_back((own / "equations.so").string());
    command.push_back((own / "equations.c").string());
    command.emplace_back("-lm");
    const Ran compiled = run(command, own / "log", compiler);
    if (!compiled.too_long.empty())
      return leave(fmt::format("the compiler \"{}\" did not come to an end {}", compiler.command, compiled.too_long));
    if (compiled.status != 0)
      return leave(fmt::format("the compiler \"{}\" failed:\n{}", compiler.command, endOf(compiled.output)));
    fs::rename(own / "equations.so", object, error);  // another run may have been first: the file is the same
    if (error) return leave(fmt::format("{} could not be written: {}", object.string(), error.message()));
  }
  void* const handle = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* const why = ::dlerror();
    return leave(fmt::format("{} could not be loaded: {}", object.string(), why == nullptr ? "" : why));
  }
  fs::remove_all(own, error);
  return std::unique_ptr<SharedObject>(new SharedObject(handle, cached));
}

SharedObject::~SharedObject() { ::dlclose(handle_); }

void* SharedObject::find(const char* function) const { return ::dlsym(handle_, function); }

}  // namespace linkwork
