// Sampler: what a run writes down of its motion: samples on the grid of output times, within the last step; the two
// sides of jumps; the end. What samples show that the steps did not (spikes, lift-offs, gaps of outputs) it notes too.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/integrate/integrator.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/simulate/jump_watch.hpp"
#include "linkwork/simulate/lift_watch.hpp"
#include "linkwork/simulate/load_watch.hpp"
#include "linkwork/simulate/rank_watch.hpp"
#include "linkwork/simulate/recorder.hpp"
#include "linkwork/simulate/run_options.hpp"
#include "linkwork/simulate/spike_watch.hpp"
#include "linkwork/simulate/spring_watch.hpp"

namespace linkwork {

// Times that differ by less than this share of the output step are one.
inline constexpr double kSameTime = 1e-9;
// Steps that are taken again for what no stage had seen.
inline constexpr long kMostRetaken = 1000;

class Sampler {
 public:
  // The run that is sampled; all of it must outlive the sampler. Ledger, events, status and message are written to the
  // result on the way, the series by close.
  struct Subject {
    const Mechanism& mechanism;
    const RunOptions& options;
    const MechanismSystem& system;
    const Integrator& integrator;
    Result& result;
  };
  // Only a step that was chosen by its error is taken again for what it has not seen.
  Sampler(const Subject& run, double output_step, RankWatch::Steps steps);
  Sampler(const Sampler&) = delete;  // views of the last step know where it is
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler() = default;

  // Once, after the integrator has begun: the method's own multipliers become columns where all are wanted.
  void nameMultipliers();
  // Once, before the first sample, or before a checkpoint says what there was: [q, v, work, turns] at the start.
  void watchSprings(std::span<const double> start) { springs_.begin(start, result_.ledger.spring_joints); }
  // Before a step: the multipliers are linear between its ends.
  void keepMultipliers();

  // Corners of the last step, in rising order, at which upTo looks for jumps.
  template <class Corner>
  void addCorner(const Corner& corner) {
    jumps_.add(corner);
  }
  void clearCorners() { jumps_.clear(); }

  // Samples and jumps in the order of their times, through t or short of it, where t is going to be sampled by itself.
  enum class Bound { through, short_of };
  enum class Check { nothing, spikes };
  void upTo(double t, Bound bound, Check check = Check::nothing);
  void sampleAt(double t, std::span<const double> x) { sampleAt(t, x, t, Check::nothing); }
  // The last sample.
  void finishAt(double t);
  // Whether the run is at its end: the last sample is taken, or none can be had, or a lift-off ends it.
  bool ended() const { return ended_; }

  // A sample has met what no stage of the step had seen: upTo has stopped there, and the step is to be taken again.
  bool metSpike() const { return spike_ < std::numeric_limits<double>::infinity(); }
  SpikeWatch::Step takeSpike();  // from the sample before, to end at the spike
  // Velocities may have jumped, so that the next sample has nothing to be compared with.
  void forgetSpikes() { spikes_.forget(); }

  // Where events change the motion: what is before and what is after them, at one time.
  struct Across {
    double time = 0.0;  // under which both are written
    long next = 0;      // sample on the grid
  };
  Across sampleBefore(double t);
  // With the state from which the integrator goes on.
  void sampleLanded(const Across& across);

  // At the end of a step that is no sample: where samples are far apart, loads have their peaks between them. A state
  // that cannot be observed has none.
  void lookAtLoads();
  const Observation& lastSeen() const { return seen_; }

  // What is kept between two steps, without samples that are in the checkpoints already.
  void transfer(Archive& archive);
  void markLogged() { logged_ = recorder_.samples(); }

  // Moves what was recorded into the result.
  void close();

 private:
  // The two samples of jumps at one instant.
  struct Pair {
    double time = 0.0;
    bool begins = true;
  };
  Pair pairAt(double t);
  bool sampleJump(double t);
  void sampleOnGrid(double t, Check check);
  // Recorded at t; seen then, or by round-off beside it.
  void sampleAt(double t, std::span<const double> x, double seen_at, Check check);
  void failSample(double t);

  // Writes down what is seen at t.
  void keep(double t, const Observation& seen);
  std::span<const double> multipliersAt(double t);
  void noteLifts(double t, const Observation& seen);
  void noteOutputGaps(double t, const Observation& seen);
  void noteNotUnique(const Observation& seen);

  // Whether the step is to be taken again because of what is seen at t; what cannot be mended is noted.
  bool meetsSpike(double t);

  void enterLastStep(double t, std::span<const double> x);
  bool correct(double t, std::span<double> x);
  StepView makeStepView();

  const Mechanism& mechanism_;
  const RunOptions& options_;
  const MechanismSystem& system_;
  const Integrator& integrator_;
  Result& result_;
  RankWatch::Steps steps_;
  double output_step_;
  std::unique_ptr<Workspace> work_;

  Recorder recorder_;
  LoadWatch loads_;
  LiftWatch lifts_;
  JumpWatch jumps_;
  SpikeWatch spikes_;
  SpringWatch springs_;
  double spike_ = std::numeric_limits<double>::infinity();  // s: where a sample of the last step met one
  double last_spike_ = -1.0;                                // s: where a step was taken again for one

  StepView view_;
  std::vector<double> sample_, rates_, beside_;
  Modes modes_;  // of the last step, for the state that is looked at
  Observation seen_;
  long samples_ = 0;  // on the grid
  double last_sample_ = -1.0;
  double last_pair_ = -1.0;  // the time of the last two samples at one time
  bool ended_ = false;
  std::size_t logged_ = 0;  // samples that are in the checkpoints

  std::vector<std::string> multiplier_names_;
  std::vector<double> multipliers_, multipliers_before_;
};

}  // namespace linkwork
