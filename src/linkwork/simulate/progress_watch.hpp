// ProgressWatch: whether the adaptive steps of a run still get anywhere.
#pragma once

#include "linkwork/integrate/integrator.hpp"
#include "linkwork/result/archive.hpp"

namespace linkwork {

class ProgressWatch {
 public:
  static constexpr long kSteps = 10000;
  static constexpr double kLeastShare = 1e-7;  // of the run, in so many steps

  explicit ProgressWatch(double until) : until_(until) {}

  // After a step: true where the last kSteps of them have not brought the run kLeastShare further.
  bool standsStill(const Integrator& integrator) {
    if (integrator.counts().accepted - steps_ < kSteps) return false;
    gained_ = integrator.time() - time_;
    steps_ = integrator.counts().accepted;
    time_ = integrator.time();
    return gained_ < kLeastShare * until_;
  }
  double gained() const { return gained_; }  // s, in those steps

  void transfer(Archive& archive) {  // what it keeps between steps
    archive(steps_);
    archive(time_);
  }

 private:
  double until_;
  long steps_ = 0;  // when it was looked at last
  double time_ = 0.0;
  double gained_ = 0.0;
};

}  // namespace linkwork
