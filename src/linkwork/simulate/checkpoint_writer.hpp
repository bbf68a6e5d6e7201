// CheckpointWriter: when a run writes a checkpoint, and the file it goes to.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "linkwork/result/archive.hpp"
#include "linkwork/result/chunk_log.hpp"
#include "linkwork/simulate/checkpoint.hpp"

namespace linkwork {

class CheckpointWriter {
 public:
  // An empty path: none is written. What `resume` holds, if it is not null, is kept.
  CheckpointWriter(std::string path, double step, double wall_step, const Checkpoint* resume)
      : path_(std::move(path)), step_(step), wall_step_(wall_step), resume_(resume) {}

  // Whether a step to t went past a time at which one may be written: the model's time alone decides.
  bool passes(double t);
  // Whether it is to be written: by the wall clock.
  bool isDue() const { return std::chrono::steady_clock::now() - last_write_ >= wall_step_; }

  // Appends a chunk that `fill` puts together. Answers what went wrong, once: then none is written any more.
  std::string write(const RunIdentity& identity, const std::function<void(Archive&)>& fill);

  void transfer(Archive& archive) { archive(passed_); }  // what it keeps between steps

 private:
  std::string path_;
  double step_;  // s of the model's time; 0: none
  std::chrono::duration<double> wall_step_;
  const Checkpoint* resume_;
  ChunkWriter log_;
  bool failed_ = false;
  double passed_ = 0.0;  // times so far
  std::chrono::steady_clock::time_point last_write_ = std::chrono::steady_clock::now();
};

}  // namespace linkwork
