#include "linkwork/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/result/chunk_log.hpp"
#include "linkwork/simulate/corners.hpp"
#include "linkwork/simulate/generated_system.hpp"
#include "linkwork/simulate/jump_watch.hpp"
#include "linkwork/simulate/lift_watch.hpp"
#include "linkwork/simulate/load_watch.hpp"
#include "linkwork/simulate/methods.hpp"
#include "linkwork/simulate/progress_watch.hpp"
#include "linkwork/simulate/provenance.hpp"
#include "linkwork/simulate/rank_watch.hpp"
#include "linkwork/simulate/spike_watch.hpp"
#include "linkwork/simulate/step_plan.hpp"
#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

namespace {

// Times that differ by less than this share of the output step are one.
constexpr double kSameTime = 1e-9;

constexpr double kNoTime = std::numeric_limits<double>::infinity();

// Relative pivots below this belong to poses that are next to one of lower rank.
constexpr double kNearLowerRank = 1e-4;

// Steps that are taken again for what no stage had seen, and such places that are kept.
constexpr long kMostRetaken = 1000;
constexpr std::size_t kMostMissed = 20;

// One run, from the first sample to the ledger.
class Run {
 public:
  Run(const Mechanism& mechanism, const RunOptions& options, const RunControl& control, const MechanismSystem& system)
      : mechanism_(mechanism),
        options_(options),
        control_(control),
        system_(system),
        integrator_(makeIntegrator(options.integrator, system, options.steps)),
        event_jumps_(system),
        sample_work_(system.makeWorkspace()),
        plan_(planSteps(mechanism, options.until)),
        corners_(system, plan_.end),
        output_step_(options.output_step > 0.0 ? options.output_step : usualOutputStep(options.until)),
        recorder_(mechanism, static_cast<std::size_t>(options.until / output_step_) + 2, options.columns),
        loads_(mechanism),
        lifts_(mechanism),
        rank_watch_(mechanism, system, isAdaptive() ? RankWatch::Steps::chosen : RankWatch::Steps::fixed),
        jumps_(system, options.until, output_step_),
        progress_(options.until),
        spikes_(options.steps),
        step_view_(makeStepView()),
        sample_(static_cast<std::size_t>(system.space().size())) {
    integrator_->limitSteps(plan_.limits);
  }

  // From the assembled start, [q, v, work, turns] in absolute coordinates.
  Result go(std::span<const double> start) {
    identity_ = runIdentity(mechanism_, options_, start);
    StepStatus status = control_.resume != nullptr ? recall(*control_.resume) : begin(system_.fromAbsolute(0.0, start));
    event_jumps_.start(*integrator_);
    while (status == StepStatus::ok && !done_) {
      const std::span<const double> multipliers = integrator_->multipliers();
      multipliers_before_.assign(multipliers.begin(), multipliers.end());
      status = integrator_->step();
      if (status != StepStatus::ok && status != StepStatus::finished) break;
      takeStock();
      if (isAdaptive() && progress_.standsStill(*integrator_)) {
        sayStandsStill();
        break;
      }
      if (meetsTurn()) {
        status = retake(integrator_->previousTime(), rank_watch_.turnToMeet());
        continue;
      }
      const double stop = findEvents();
      if (!std::isfinite(stop) && beginsAnew()) {
        status = beginAnew();
        continue;
      }
      if (corners_.isKnown(integrator_->time())) jumps_.add(integrator_->time());
      const bool at_end = status == StepStatus::finished && integrator_->time() >= plan_.end;
      const bool last = at_end || std::isfinite(stop);
      // The last grid point may miss the end by round-off; the end itself is always sampled by finishAt.
      sampleUpTo(std::min(stop, integrator_->time()), last ? kSameTime * output_step_ : 0.0, Check::spikes);
      if (std::isfinite(spike_)) {
        status = meetSpike();
        continue;
      }
      if (control_.progress) control_.progress(integrator_->time(), options_.until);
      if (std::isfinite(stop)) {
        finishAt(stop);
      } else if (!at_end) {
        lookAtLoads();
        status = goOn(status);
      }
    }
    if (status == StepStatus::finished && !done_) {
      finishAt(integrator_->time());
      if (!plan_.why_end.empty()) fail(plan_.why_end);
    }
    if (status == StepStatus::underflow || status == StepStatus::failed)
      fail(integrator_->failure().empty() ? event_jumps_.failure() : integrator_->failure());
    return closeBooks();
  }

 private:
  bool isAdaptive() const { return !takesFixedSteps(*findIntegrator(options_.integrator), options_.steps); }

  // With the body that moves most violently, which is near to the cause as a rule.
  void sayStandsStill() {
    double most = 0.0;
    std::string who;
    lookAtLoads();
    for (std::size_t k = 0; k < seen_.bodies.size(); ++k) {
      const BodyMotion& motion = seen_.bodies[k];
      const auto sizeOf = [](const std::array<double, 3>& a) { return std::hypot(a[0], a[1], a[2]); };
      for (const auto& [size, unit] : {std::pair{sizeOf(motion.acceleration), "m/s^2"},
                                       std::pair{sizeOf(motion.angular_acceleration), "rad/s^2"}}) {
        if (!(size > most)) continue;
        most = size;
        who = fmt::format("; body \"{}\" is accelerated by {:.2g} {}", mechanism_.bodies[k].name, size, unit);
      }
    }
    fail(fmt::format(
        "t = {:.9g} s: the last {} steps brought the run only {:.1e} s further{}. A load may grow beyond all bounds "
        "there, "
        "or jump to and fro; or the model is too stiff for the integrator {}: try radau5, or larger --rtol and --atol.",
        integrator_->time(), ProgressWatch::kSteps, progress_.gained(), who, options_.integrator));
    finishAt(integrator_->time());
  }

  void fail(std::string why) {
    result_.status = RunStatus::failed;
    result_.message = std::move(why);
  }

  StepStatus begin(std::span<const double> x0) {
    const StepStatus status = integrator_->begin(0.0, x0, corners_.firstEnd());
    noteRank();
    if (status == StepStatus::ok) {
      nameMultipliers();
      takeStock();
      sampleAt(0.0, x0);
    }
    return status;
  }

  // A sample has met what no stage of the step had seen: the step is taken again, from the sample before, to end there.
  StepStatus meetSpike() {
    const double from = std::max(spikes_.lastTime(), integrator_->previousTime());
    const double to = std::exchange(spike_, kNoTime);
    // What was found beyond is found again.
    auto& events = result_.events;
    while (events.size() > events_before_ && events.back().time > from) events.pop_back();
    result_.status = RunStatus::complete;
    result_.message.clear();
    jumps_.clear();
    return retake(from, to);
  }

  // The last step went straight on where the motion turns (RankWatch): the next one is to begin where it sees that.
  bool meetsTurn() const {
    return std::isfinite(rank_watch_.turnToMeet()) && isAdaptive() && result_.ledger.retaken < kMostRetaken;
  }

  StepStatus retake(double from, double to) {
    ++result_.ledger.retaken;
    rank_watch_.takeBack(from, result_.ledger.rank_changes);
    return corners_.retake(from, to, *integrator_, event_jumps_.locator(), *sample_work_);
  }

  // Whether the step is to be taken again because of what is seen at t; what cannot be mended is noted.
  bool meetsSpike(double t) {
    const double from = integrator_->previousTime();
    const auto& changes = result_.ledger.rank_changes;
    if (!spikes_.doubts(t, seen_) || (!changes.empty() && changes.back().time >= from)) return false;
    const int body = spikes_.bodyInSpike(t, seen_, {from, integrator_->time()}, [&](double at, Observation& out) {
      beside_.resize(sample_.size());
      integrator_->interpolate(at, beside_);
      ++result_.ledger.output_evaluations;
      return correctSample(at, beside_) && step_view_.observe(at, beside_, out);
    });
    if (body < 0) return false;
    // Beside a pose of lower rank accelerations are limits, and poor ones.
    enterLastStep(t, sample_);
    if (system_.factorRows(t, sample_, sample_modes_, *sample_work_).smallest_pivot < kNearLowerRank) return false;
    // Steps that end at the spike have it in their last stage. One that has done so and still differs, one that cannot
    // be cut, or too many of them: a load that flutters.
    const bool again = t <= last_spike_ + kSameTime * options_.until || !(t > from) || t >= integrator_->time();
    if (isAdaptive() && !again && result_.ledger.retaken < kMostRetaken) {
      last_spike_ = t;
      spike_ = t;
      return true;
    }
    auto& missed = result_.ledger.missed_spikes;
    if (missed.size() < kMostMissed)
      missed.push_back({t, mechanism_.bodies[static_cast<std::size_t>(body)].name, 0.25 * output_step_});
    return false;
  }

  // Within the last step: at a corner of the loads, or where events changed the motion.
  bool beginsAnew() const { return jumps_to_ || std::isfinite(corner_); }
  StepStatus beginAnew() {
    spikes_.forget();
    if (jumps_to_) return sampleAcross(event_jumps_.time());
    const bool back = corners_.takesBack(corner_, *integrator_);
    rank_watch_.takeBack(back ? integrator_->previousTime() : corner_, result_.ledger.rank_changes);
    if (!back) sampleUpTo(corner_, 0.0);
    return corners_.resume(corner_, *integrator_, event_jumps_.locator(), *sample_work_);
  }

  // Where events changed the motion: what was before and what is after them, at one time.
  StepStatus sampleAcross(double t) {
    if (corners_.isKnown(t)) jumps_.add(t);
    sampleUpTo(t, kSameTime * output_step_);
    // On the grid the two stand for the one that is due, between its times and at the end for none.
    const double grid = static_cast<double>(samples_) * output_step_;
    const bool due = std::abs(grid - t) <= kSameTime * output_step_ && t < options_.until;
    const long next = samples_ + (due ? 1 : 0);
    const Pair pair = pairAt(due ? grid : t);
    integrator_->interpolate(t, sample_);
    if (pair.begins && !done_) sampleAt(pair.time, sample_);
    rank_watch_.takeBack(t, result_.ledger.rank_changes);
    rank_watch_.settleAnew();
    const StepStatus status = corners_.land(event_jumps_, *integrator_);
    if (status == StepStatus::ok || status == StepStatus::finished) {
      noteRank();
      sampleLanded(pair.time);
    }
    samples_ = next;
    return status;
  }

  // A little later, so that loads that jump at the same instant have done so.
  void sampleLanded(double t) {
    if (done_) return;
    const std::span<const double> x = integrator_->state();
    rates_.resize(x.size());
    const Evaluation found = system_.derivative(integrator_->time(), x, integrator_->modes(), *sample_work_, rates_);
    if (found.eval != Eval::ok) std::fill(rates_.begin(), rates_.end(), 0.0);
    for (std::size_t k = 0; k < x.size(); ++k) sample_[k] = x[k] + jumps_.roundOff() * rates_[k];
    sampleAt(t, sample_, integrator_->time() + jumps_.roundOff());
  }

  // The two samples of jumps at t. Of several at one instant they are left of the first and right of the last: where
  // there are two already, the right one is taken back.
  struct Pair {
    double time = 0.0;
    bool begins = true;
  };
  Pair pairAt(double t) {
    const bool begins = !(std::abs(t - last_pair_) <= kSameTime * output_step_);
    if (begins) {
      last_pair_ = t;
    } else {
      recorder_.dropLast();
      logged_ = std::min(logged_, recorder_.samples());
    }
    return {last_pair_, begins};
  }

  // Between two steps: the next leg, a checkpoint, the user's wish to stop.
  StepStatus goOn(StepStatus status) {
    if (status == StepStatus::finished) status = corners_.nextLeg(*integrator_, event_jumps_.locator());
    if (status == StepStatus::ok && !done_) status = passCheckpoint();
    if (status == StepStatus::ok && !done_ && control_.interrupted && control_.interrupted()) {
      if (integrator_->remembers()) writeCheckpoint();
      result_.status = RunStatus::interrupted;
      result_.message = fmt::format("interrupted at t = {:.6g} s", integrator_->time());
      finishAt(integrator_->time());
    }
    return status;
  }

  double checkpointStep() const {
    if (options_.checkpoint_step != kChosenCheckpointStep) return options_.checkpoint_step;
    return options_.until / (integrator_->remembers() ? 1000.0 : 20.0);
  }

  // Which checkpoint times count is decided by the model's time alone; what is written, by the wall clock too.
  StepStatus passCheckpoint() {
    const double step = checkpointStep();
    if (!(step > 0.0)) return StepStatus::ok;
    const double passed = std::floor(integrator_->time() / step);
    if (!(passed > checkpoints_passed_)) return StepStatus::ok;
    checkpoints_passed_ = passed;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_write_ >= std::chrono::duration<double>(control_.checkpoint_wall)) {
      writeCheckpoint();
      last_write_ = now;
    }
    return integrator_->remembers() ? StepStatus::ok : startOver();
  }

  StepStatus startOver() {
    ++result_.ledger.restarts;
    const StepStatus status = integrator_->startOver();
    if (status == StepStatus::ok) event_jumps_.start(*integrator_);
    return status;
  }

  void writeCheckpoint() {
    if (control_.checkpoint_path.empty() || log_failed_) return;
    std::string problem;
    if (!log_.isOpen()) {
      problem = control_.resume != nullptr ? log_.reopen(control_.checkpoint_path, control_.resume->whole)
                                           : log_.create(control_.checkpoint_path);
      if (problem.empty() && control_.resume == nullptr) problem = log_.append(identityChunk(identity_));
    }
    if (problem.empty()) {
      Archive archive;
      transfer(archive);
      problem = log_.append(archive.bytes());
      logged_ = recorder_.samples();
    }
    if (problem.empty()) return;
    log_failed_ = true;
    if (control_.note) control_.note(fmt::format("{}; the run goes on without further checkpoints", problem));
  }

  // All that is kept between two steps, written or read.
  void transfer(Archive& archive) {
    if (archive.reading() && multiplier_names_.empty()) {
      archive(multiplier_names_);
      recorder_.addMultipliers(multiplier_names_);
    } else {
      archive(multiplier_names_);
    }
    IntegratorMemory memory;
    if (!archive.reading()) memory = integrator_->memory();
    archive(memory);
    if (archive.reading() && archive.ok()) integrator_->recall(memory);
    recorder_.transfer(archive, logged_);
    loads_.transfer(archive);
    lifts_.transfer(archive);
    rank_watch_.transfer(archive);
    corners_.transfer(archive);
    jumps_.transfer(archive);
    progress_.transfer(archive);
    event_jumps_.transfer(archive);
    spikes_.transfer(archive);
    archive(last_spike_);
    archive(result_.events);
    countSolves();
    archive(result_.ledger);
    archive(samples_);
    archive(last_sample_);
    archive(last_pair_);
    archive(checkpoints_passed_);
    if (!archive.reading()) return;
    before_ = result_.ledger;
  }

  // The workspace counts from where this process began.
  void countSolves() {
    Ledger& ledger = result_.ledger;
    const SolveCounts counts = system_.solveCounts(integrator_->workspace());
    ledger.projection_solves = before_.projection_solves + counts.projections;
    ledger.penalty_iterations = before_.penalty_iterations + counts.penalty_iterations;
    ledger.repartitions = before_.repartitions + counts.repartitions;
    ledger.worst_linear_residual = std::max(before_.worst_linear_residual, counts.worst_residual);
  }

  StepStatus recall(const Checkpoint& checkpoint) {
    for (const std::string& chunk : checkpoint.chunks) {
      Archive archive(chunk);
      transfer(archive);
      expect(archive.ok() && archive.atEnd(),
             "simulate: a chunk of the checkpoint has another form than this program's");
    }
    logged_ = recorder_.samples();
    // Checkpoints at which nothing was written count as well; this one was.
    return integrator_->remembers() ? StepStatus::ok : startOver();
  }

  void nameMultipliers() {
    if (options_.columns != Columns::all) return;
    const MechanicalSystem* mechanical = system_.mechanical();
    const auto count = static_cast<int>(integrator_->multipliers().size());
    for (int k = 0; k < count; ++k) {
      // Beyond one for each row are those that hold the positions of a stabilised index 2.
      const int rows = mechanical != nullptr ? mechanical->rows() : 0;
      const std::string row = rows > 0 ? mechanical->rowName(k % rows) : fmt::format("{}", k + 1);
      multiplier_names_.push_back(rows > 0 && k >= rows ? row + ", position" : row);
    }
    recorder_.addMultipliers(multiplier_names_);
  }

  // Linear between the ends of the step: a method knows its multipliers there alone.
  std::span<const double> multipliersAt(double t) {
    const std::span<const double> now = integrator_->multipliers();
    multipliers_.assign(now.begin(), now.end());
    const double from = integrator_->previousTime();
    const double to = integrator_->time();
    if (t < to && multipliers_before_.size() == now.size()) {
      const double share = (t - from) / (to - from);
      for (std::size_t k = 0; k < now.size(); ++k)
        multipliers_[k] = (1.0 - share) * multipliers_before_[k] + share * now[k];
    }
    return multipliers_;
  }

  // At the start, and settled anew by jumps, in which rows may begin or cease to act.
  void noteRank() {
    const auto work = system_.makeWorkspace();
    const RankReport rank = system_.rankReport(integrator_->time(), integrator_->state(), integrator_->modes(), *work);
    Ledger& ledger = result_.ledger;
    ledger.rows = rank.rows;
    ledger.rank = rank.rank;
    ledger.dependent_rows = rank.dependent_rows;
    if (event_jumps_.count() == 0 || rank.smallest_kept < ledger.smallest_pivot) {
      ledger.nearest_row = rank.nearest_row;
      ledger.smallest_pivot = rank.smallest_kept;
    }
    ledger.degrees_of_freedom = rank.freedoms;
    ledger.position_degrees_of_freedom = rank.position_freedoms;
    ledger.reference_length = system_.referenceLength();
    ledger.reaction_length = system_.reactionLength();
  }

  // After a step: violation, rank and the pivot nearest to zero.
  void takeStock() {
    Ledger& ledger = result_.ledger;
    const std::optional<RowRank>& rows = integrator_->rows();
    if (rows && rows->smallest_pivot < ledger.smallest_pivot) {
      ledger.smallest_pivot = rows->smallest_pivot;
      ledger.nearest_row = system_.rowName(rows->nearest_row);
    }
    rank_watch_.look(*integrator_, ledger.rank_changes);
    const Violation violation =
        system_.violation(integrator_->time(), integrator_->state(), integrator_->modes(), integrator_->workspace());
    noteViolation(violation);
    if (rows) noteTurned(violation.position / ledger.reference_length / rows->smallest_pivot);
  }

  // Near a pose of lower rank a gap e turns the nearly free direction by e over the distance from it, and its rate by e
  // over the square of that.                                                     [docs/theory/01, before eq. 1.32]
  void noteTurned(double turned) {
    const StabilisationInfo* stabilisation = findStabilisation(options_.system.stabilisation);
    if (stabilisation->projects || !(turned > result_.ledger.turned)) return;
    result_.ledger.turned = turned;
    result_.ledger.turned_at = integrator_->time();
  }

  void noteViolation(const Violation& violation) {
    Ledger& ledger = result_.ledger;
    ledger.worst_position = std::max(ledger.worst_position, violation.position);
    ledger.worst_velocity = std::max(ledger.worst_velocity, violation.velocity);
    ledger.worst_acceleration = std::max(ledger.worst_acceleration, violation.acceleration);
    ledger.final_position = violation.position;
  }

  // Records the events of the last step, up to the first corner (corner_, or infinity) or jump at which the run is to
  // begin anew; returns the time of the event that ends the run, or infinity.
  double findEvents() {
    double stop = std::numeric_limits<double>::infinity();
    const std::size_t events_before = events_before_ = result_.events.size();
    const auto [found, corner] =
        corners_.search(event_jumps_, *integrator_, mechanism_.events.size(), [&](const LocatedEvent& hit) {
          if (!noteEvent(hit)) return false;
          stop = hit.time;
          return true;
        });
    corner_ = corner;
    if (std::isfinite(stop)) return stop;
    jumps_to_ = found == Jumps::Found::jump;
    if (std::isfinite(corner_) && corners_.takesBack(corner_, *integrator_)) takeBack(events_before);
    if (found != Jumps::Found::failed) return stop;
    result_.status = RunStatus::failed;
    result_.message = event_jumps_.failure();
    return integrator_->previousTime();
  }

  // The step is taken again, to the corner.
  void takeBack(std::size_t events_before) {
    result_.events.resize(events_before);
    jumps_.clear();
  }

  // Whether the event ends the run.
  bool noteEvent(const LocatedEvent& hit) {
    if (static_cast<std::size_t>(hit.index) >= mechanism_.events.size()) {
      jumps_.add(hit);
      return false;
    }
    const Event& event = mechanism_.events[static_cast<std::size_t>(hit.index)];
    result_.events.push_back({event.name, hit.time});
    if (!event.stop) return false;
    result_.status = RunStatus::stopped_by_event;
    result_.message = fmt::format("event \"{}\" at t = {:.9g} s", event.name, hit.time);
    return true;
  }

  // Samples and jumps in the order of their times. The two samples of a jump stand for one that is due at its time.
  enum class Check { nothing, spikes };
  void sampleUpTo(double t_to, double slack, Check check = Check::nothing) {
    while (!done_) {
      const double t = static_cast<double>(samples_) * output_step_;
      const double jump = jumps_.next();
      if (jump <= t_to && jump <= t + kSameTime * output_step_) {
        const bool due = std::abs(jump - t) <= kSameTime * output_step_;
        if (sampleJump(due ? t : jump) && due) ++samples_;
        continue;
      }
      if (t > t_to - slack) return;
      sampleAt(t, check);
      if (std::isfinite(spike_)) return;
    }
  }

  bool sampleJump(double t) {
    if (!jumps_.look(step_view_, recorder_, integrator_->previousTime(), integrator_->time())) return false;
    const Pair pair = pairAt(t);
    last_sample_ = pair.time;
    result_.ledger.output_evaluations += 2;
    if (pair.begins) keep(pair.time, jumps_.left());
    keep(pair.time, jumps_.right());
    return true;
  }

  void finishAt(double t) {
    if (last_sample_ < t && !done_) sampleAt(t);
    done_ = true;
  }

  // x lies in the last step, and what that knows beyond t and x holds for it.
  void enterLastStep(double t, std::span<const double> x) {
    sample_modes_ = integrator_->modes();
    system_.enterStep(t, x, sample_modes_, *sample_work_);
  }

  // Between steps the dense output leaves the constraint surface a little; a stabilisation that projects does so here
  // too.
  bool correctSample(double t, std::span<double> x) {
    enterLastStep(t, x);
    return system_.afterStep(t, x, sample_modes_, *sample_work_).eval == Eval::ok;
  }

  StepView makeStepView() {
    return {[this](double t, std::span<double> x) { integrator_->interpolate(t, x); },
            [this](double t, std::span<double> x) { return correctSample(t, x); },
            [this](double t, std::span<const double> x, Observation& out) {
              return system_.observe(t, x, sample_modes_, *sample_work_, out) == Eval::ok;
            },
            [this](double t, std::span<const double> x, std::span<double> values) {
              return system_.eventValues(t, x, sample_modes_, *sample_work_, values) == Eval::ok;
            }};
  }

  void sampleAt(double t, Check check = Check::nothing) {
    integrator_->interpolate(t, sample_);
    sampleAt(t, sample_, check);
  }

  void sampleAt(double t, std::span<const double> x, Check check = Check::nothing) { sampleAt(t, x, t, check); }

  // Recorded at t; seen then, or by round-off beside it.
  void sampleAt(double t, std::span<const double> x, double seen_at, Check check = Check::nothing) {
    if (x.data() != sample_.data()) std::copy(x.begin(), x.end(), sample_.begin());
    ++result_.ledger.output_evaluations;
    if (!correctSample(seen_at, sample_) ||
        system_.observe(seen_at, sample_, sample_modes_, *sample_work_, seen_) != Eval::ok) {
      failSample(t);
      return;
    }
    if (check == Check::spikes && meetsSpike(t)) return;
    ++samples_;
    last_sample_ = t;
    spikes_.keep(t, seen_);
    keep(t, seen_);
  }

  // Writes down what is seen at t.
  void keep(double t, const Observation& seen) {
    recorder_.record(t, seen, multiplier_names_.empty() ? std::span<const double>() : multipliersAt(t));
    loads_.look(t, seen);
    noteLifts(t, seen);
    noteViolation(seen.violation);
    noteOutputGaps(t, seen);
    for (std::size_t k = 0; k < seen.joints.size(); ++k) {
      auto& names = result_.ledger.joints_not_unique;
      const std::string& name = mechanism_.joints[k].name;
      if (!seen.joints[k].unique && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

  // At the end of a step that is no sample: where samples are far apart, loads have their peaks between them. A state
  // that cannot be observed has none.
  void lookAtLoads() {
    const double t = integrator_->time();
    if (done_ || t == last_sample_) return;
    const auto x = integrator_->state();
    std::copy(x.begin(), x.end(), sample_.begin());
    ++result_.ledger.output_evaluations;
    enterLastStep(t, sample_);
    if (system_.observe(t, sample_, sample_modes_, *sample_work_, seen_) != Eval::ok) return;
    loads_.look(t, seen_);
    noteLifts(t, seen_);
    spikes_.keep(t, seen_);
  }

  void noteLifts(double t, const Observation& seen) {
    const int joint = lifts_.look(t, seen, result_.ledger.lift_offs, result_.events);
    if (joint < 0) return;
    done_ = true;
    result_.status = RunStatus::stopped_by_event;
    result_.message =
        fmt::format("event \"{}\" at t = {:.9g} s", result_.events.back().name, result_.events.back().time);
  }

  // An output does not act on the motion: the run goes on without it, and says so.
  void noteOutputGaps(double t, const Observation& seen) {
    auto& gaps = result_.ledger.output_gaps;
    for (std::size_t k = 0; k < seen.outputs.size(); ++k) {
      const std::string& name = mechanism_.outputs[k].name;
      if (std::isfinite(seen.outputs[k])) continue;
      if (std::none_of(gaps.begin(), gaps.end(), [&](const OutputGap& gap) { return gap.name == name; }))
        gaps.push_back({name, t});
    }
  }

  // A sample that cannot be had ends the run: a gap would go unseen.
  void failSample(double t) {
    done_ = true;
    result_.status = RunStatus::failed;
    result_.message =
        fmt::format("t = {:.6g} s: no output between two steps: {}", t, system_.describeFailure(*sample_work_));
  }

  Result closeBooks() {
    const StepCounts& counts = integrator_->counts();
    Ledger& ledger = result_.ledger;
    ledger.steps = counts.accepted;
    ledger.rejected = counts.rejected;
    ledger.stiff_steps = counts.stiff_steps;
    ledger.evaluations = counts.evaluations;
    ledger.smallest_step = counts.smallest_step;
    ledger.largest_step = counts.largest_step;
    ledger.jumps = event_jumps_.count();
    ledger.jump_energy = event_jumps_.energy();
    countSolves();
    ledger.worst_energy_balance = recorder_.worstEnergyBalance();
    ledger.energy_scale = recorder_.energyScale();
    ledger.loose_bounds = plan_.loose;
    ledger.possible_energy = recorder_.possibleEnergy(ledger.reference_length);
    recorder_.finish(result_);
    result_.loads = loads_.cases();
    result_.name = mechanism_.name;
    result_.provenance = provenanceOf(mechanism_);
#ifdef LINKWORK_SUNDIALS_VERSION
    const IntegratorInfo* info = findIntegrator(options_.integrator);
    if (info != nullptr && info->sundials) result_.provenance.emplace_back("SUNDIALS", LINKWORK_SUNDIALS_VERSION);
#endif
    describeSettings();
    return std::move(result_);
  }

  // With the numbers that were chosen for the run where the options leave them open.
  void describeSettings() {
    RunOptions resolved = options_;
    resolved.output_step = output_step_;
    resolved.system.reaction_length = system_.reactionLength();
    result_.settings = settingsOf(mechanism_, resolved);
    result_.cut_joints = findFormulation(options_.system.formulation)->cutJoints(mechanism_, options_.system);
  }

  const Mechanism& mechanism_;
  const RunOptions& options_;
  const RunControl& control_;
  const MechanismSystem& system_;
  std::unique_ptr<Integrator> integrator_;
  Jumps event_jumps_;
  std::unique_ptr<Workspace> sample_work_;
  StepPlan plan_;
  CornerWalk corners_;
  double output_step_;
  Recorder recorder_;
  LoadWatch loads_;
  LiftWatch lifts_;
  RankWatch rank_watch_;
  JumpWatch jumps_;
  ProgressWatch progress_;
  SpikeWatch spikes_;
  double spike_ = kNoTime;         // s: where a sample of the last step met one
  double last_spike_ = -1.0;       // s: where a step was taken again for one
  std::size_t events_before_ = 0;  // the last step
  std::vector<double> beside_;
  StepView step_view_;
  std::vector<double> sample_, rates_;
  Modes sample_modes_;
  Observation seen_;
  Result result_;
  long samples_ = 0;
  double last_sample_ = -1.0;
  double last_pair_ = -1.0;  // the time of the last two samples at one time
  double corner_ = 0.0;
  bool jumps_to_ = false;  // event_jumps_ found a jump in the last step
  bool done_ = false;

  std::vector<std::string> multiplier_names_;
  std::vector<double> multipliers_, multipliers_before_;

  RunIdentity identity_;
  ChunkWriter log_;
  bool log_failed_ = false;
  std::size_t logged_ = 0;  // samples that are in the log
  double checkpoints_passed_ = 0.0;
  std::chrono::steady_clock::time_point last_write_ = std::chrono::steady_clock::now();
  Ledger before_;  // of a resumed run: where it went on
};

}  // namespace

std::string runProblem(const Mechanism& mechanism, const RunOptions& options) {
  if (std::string text = options.problem(); !text.empty()) return text;
  std::string text = methodProblem(options.system.formulation, options.system.stabilisation, options.integrator);
  if (!text.empty()) return text;
  if (text = formulationProblem(options.system.formulation, mechanism); !text.empty()) return text;
  const auto system = makeSystem(mechanism, options.system);
  if (text = system->problem(); !text.empty()) return text;
  text = integratorProblem(options.integrator, *system, options.steps);
  if (!text.empty() && findIntegrator(options.integrator) == nullptr)
    text += fmt::format(" {}", didYouMean(options.integrator, integratorNames()));
  return text;
}

Result simulate(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options,
                const RunControl& control) {
  expect(assembly.ok, "simulate: the mechanism is not assembled");
  expect(options.problem().empty(), options.problem());
  expect(control.resume == nullptr || control.resume->found, "simulate: no checkpoint to resume from");
  const SystemOptions own = startingFrom(assembly, options.system);
  std::unique_ptr<MechanismSystem> system = makeSystem(mechanism, own);
  if (std::string problem = system->problem(); !problem.empty()) {
    Result refused;
    refused.name = mechanism.name;
    refused.status = RunStatus::failed;
    refused.message = std::move(problem);
    return refused;
  }
  if (options.generated) {
    std::string notice;
    std::unique_ptr<MechanismSystem> generated;
    if (findIntegrator(options.integrator)->form == EquationForm::canonical) {
      notice = fmt::format("the integrator {} takes forces and impulses apart", options.integrator);
    } else {
      generated = makeGeneratedSystem(mechanism, own, system, systemCompiler(), notice);
    }
    if (generated) {
      system = std::move(generated);
    } else if (control.note) {
      control.note("runs without generated code: " + notice);
    }
  }
  return simulate(mechanism, *system, assembly, options, control);
}

Result simulate(const Mechanism& mechanism, const MechanismSystem& system, const Assembly& assembly,
                const RunOptions& options, const RunControl& control) {
  return Run(mechanism, options, control, system).go(assembly.state());
}

}  // namespace linkwork
