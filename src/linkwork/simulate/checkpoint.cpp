#include "linkwork/simulate/checkpoint.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/base/version.hpp"
#include "linkwork/result/chunk_log.hpp"
#include "linkwork/simulate/provenance.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {

namespace {

#ifdef NDEBUG
constexpr const char* kBuild = "release";
#else
constexpr const char* kBuild = "debug";
#endif

// "Linkwork version (0.1.0, now 0.2.0)"; a hash alone says nothing to a person.
std::string differences(const RunIdentity& was, const RunIdentity& now) {
  std::vector<std::string> out;
  for (const auto& [name, value] : now) {
    const auto found = std::find_if(was.begin(), was.end(), [&](const auto& pair) { return pair.first == name; });
    if (found == was.end()) {
      out.push_back(fmt::format("{} (not given, now {})", name, value));
    } else if (found->second != value) {
      out.push_back(fmt::format("{} ({}, now {})", name, found->second, value));
    }
  }
  for (const auto& [name, value] : was) {
    if (std::none_of(now.begin(), now.end(), [&](const auto& pair) { return pair.first == name; }))
      out.push_back(fmt::format("{} ({}, now not given)", name, value));
  }
  return fmt::format("{}", fmt::join(out, "; "));
}

void transferIdentity(Archive& archive, RunIdentity& identity) {
  std::vector<std::string> flat;
  for (const auto& [name, value] : identity) {
    flat.push_back(name);
    flat.push_back(value);
  }
  archive(flat);
  if (!archive.reading()) return;
  identity.clear();
  for (std::size_t k = 0; k + 1 < flat.size(); k += 2) identity.emplace_back(flat[k], flat[k + 1]);
}

}  // namespace

RunIdentity runIdentity(const Mechanism& mechanism, const RunOptions& options, std::span<const double> start) {
  const std::string_view start_bytes(reinterpret_cast<const char*>(start.data()), start.size_bytes());
  RunIdentity out{{"the version of Linkwork", std::string(kVersion)},
                  {"the form of checkpoints", fmt::format("{}", kCheckpointVersion)},
                  {"the build of Linkwork", fmt::format("{}, g++ or clang {}", kBuild, __VERSION__)},
                  {"the model", fingerprint(mechanism)},
                  {"the space", mechanism.space == Space::spatial ? "spatial" : "planar"},
                  {"the start", fmt::format("{:016x}", fnv1a64(start_bytes))},
                  {"right-hand side", options.generated ? "generated" : "built in"}};
  for (const RunOption& option : runOptionTable())
    out.emplace_back(option.label.empty() ? option.name : option.label, option.text(options));
  // What has no name outside of the program.
  out.emplace_back("initial step", fmt::format("{}", options.steps.initial_step));
  out.emplace_back("checkpoint step", fmt::format("{}", options.checkpoint_step));
  for (const Setting& set : parametersSet(mechanism)) out.emplace_back(set.name, set.text());
  return out;
}

std::string identityChunk(const RunIdentity& identity) {
  Archive archive;
  RunIdentity copy = identity;
  transferIdentity(archive, copy);
  return archive.bytes();
}

Checkpoint readCheckpoint(const std::string& path, const RunIdentity& wanted) {
  Checkpoint out;
  ChunkFile file = readChunks(path);
  out.problem = file.problem;
  if (!out.problem.empty() || file.chunks.empty()) return out;
  Archive archive(file.chunks.front());
  RunIdentity was;
  transferIdentity(archive, was);
  if (!archive.ok()) {
    out.problem = fmt::format("{} is no checkpoint file", path);
  } else if (was != wanted) {
    out.problem = fmt::format(
        "{} is the checkpoint of another run. What differs: {}. Repeat that run's model, options and program, or leave "
        "--resume out to start anew",
        path, differences(was, wanted));
  }
  if (!out.problem.empty() || file.chunks.size() == 1) return out;
  out.found = true;
  out.whole = file.whole;
  file.chunks.erase(file.chunks.begin());
  out.chunks = std::move(file.chunks);
  return out;
}

void transfer(Archive& archive, StepCounts& counts) {
  for (long* value :
       {&counts.accepted, &counts.rejected, &counts.evaluations, &counts.state_changes, &counts.stiff_steps})
    archive(*value);
  archive(counts.smallest_step);
  archive(counts.largest_step);
}

void transfer(Archive& archive, IntegratorMemory& memory) {
  for (double* value : {&memory.t, &memory.t_begin, &memory.t_end, &memory.last_step}) archive(*value);
  archive(memory.x);
  archive(memory.slope);
  archive(memory.slope_valid);
  transfer(archive, memory.counts);
  archive(memory.method);
  archive(memory.modes.flags);
  archive(memory.modes.numbers);
  archive(memory.jump_margin);
}

}  // namespace linkwork
