// ProgressWatch: whether the adaptive steps of a run still get anywhere, and have come near enough to a pole.
#pragma once

#include <limits>

#include "linkwork/integrate/integrator.hpp"
#include "linkwork/result/archive.hpp"

namespace linkwork {

class ProgressWatch {
 public:
  static constexpr long kSteps = 10000;
  static constexpr double kLeastShare = 1e-7;  // of the run, in so many steps

  // What grows beyond all bounds makes steps shorter and shorter: with so many of them a run has come near enough.
  static constexpr long kStepsNearPole = 2000;

  explicit ProgressWatch(double until, double near_pole = std::numeric_limits<double>::infinity())
      : until_(until), near_pole_(near_pole) {}

  // After a step: true where the last kSteps of them have not brought the run kLeastShare further.
  bool standsStill(const Integrator& integrator) {
    if (integrator.counts().accepted - steps_ < kSteps) return false;
    gained_ = integrator.time() - time_;
    steps_ = integrator.counts().accepted;
    time_ = integrator.time();
    return gained_ < kLeastShare * until_;
  }
  // After a step: true where this many of them have been taken near the pole.
  bool nearEnoughToPole(const Integrator& integrator) {
    if (integrator.time() <= near_pole_) steps_before_pole_ = integrator.counts().accepted;
    return integrator.counts().accepted - steps_before_pole_ >= kStepsNearPole;
  }
  double gained() const { return gained_; }  // s, in those steps

  void transfer(Archive& archive) {  // what it keeps between steps
    archive(steps_);
    archive(time_);
    archive(steps_before_pole_);
  }

 private:
  double until_;
  double near_pole_;
  long steps_before_pole_ = 0;
  long steps_ = 0;  // when it was looked at last
  double time_ = 0.0;
  double gained_ = 0.0;
};

}  // namespace linkwork
