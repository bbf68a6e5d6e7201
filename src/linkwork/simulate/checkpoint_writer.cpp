#include "linkwork/simulate/checkpoint_writer.hpp"

#include <cmath>

namespace linkwork {

bool CheckpointWriter::passes(double t) {
  if (!(step_ > 0.0)) return false;
  const double passed = std::floor(t / step_);
  if (!(passed > passed_)) return false;
  passed_ = passed;
  return true;
}

std::string CheckpointWriter::write(const RunIdentity& identity, const std::function<void(Archive&)>& fill) {
  if (path_.empty() || failed_) return {};
  last_write_ = std::chrono::steady_clock::now();
  std::string problem;
  if (!log_.isOpen()) {
    problem = resume_ != nullptr ? log_.reopen(path_, resume_->whole) : log_.create(path_);
    if (problem.empty() && resume_ == nullptr) problem = log_.append(identityChunk(identity));
  }
  if (problem.empty()) {
    Archive archive;
    fill(archive);
    problem = log_.append(archive.bytes());
  }
  failed_ = !problem.empty();
  return problem;
}

}  // namespace linkwork
