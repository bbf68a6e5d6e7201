// Checkpoints: what a run writes on its way so that another process can go on from there, to the same last bit.
//
// The file is a chunk log (result/chunk_log.hpp). Its first chunk says which run it belongs to; each further one holds
// the samples since the one before and all that the run keeps between two steps. Resuming reads them in order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/integrate/integrator.hpp"
#include "linkwork/result/archive.hpp"

namespace linkwork {

struct Mechanism;
struct RunOptions;

// Of what the chunks hold. Part of a run's identity: a checkpoint of another form is refused.
inline constexpr int kCheckpointVersion = 6;

// Everything that decides a run's numbers, by name: program, model, options, start.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;
// `start`: in absolute coordinates, whatever the formulation.
RunIdentity runIdentity(const Mechanism& mechanism, const RunOptions& options, std::span<const double> start);

struct Checkpoint {
  bool found = false;   // there is something to go on from
  std::string problem;  // why it is refused, and what to do
  std::vector<std::string> chunks;
  std::uint64_t whole = 0;  // bytes of the file that count
};

// A file that ends before its first whole checkpoint counts as none.
Checkpoint readCheckpoint(const std::string& path, const RunIdentity& wanted);

std::string identityChunk(const RunIdentity& identity);

void transfer(Archive& archive, StepCounts& counts);
void transfer(Archive& archive, IntegratorMemory& memory);

}  // namespace linkwork
