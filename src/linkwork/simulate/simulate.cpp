#include "linkwork/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "linkwork/analyse/named_angles.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/simulate/checkpoint_writer.hpp"
#include "linkwork/simulate/corners.hpp"
#include "linkwork/simulate/generated_system.hpp"
#include "linkwork/simulate/ledger_keeper.hpp"
#include "linkwork/simulate/methods.hpp"
#include "linkwork/simulate/progress_watch.hpp"
#include "linkwork/simulate/rank_watch.hpp"
#include "linkwork/simulate/sampler.hpp"
#include "linkwork/simulate/softened_run.hpp"
#include "linkwork/simulate/step_plan.hpp"

namespace linkwork {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double checkpointStep(const RunOptions& options, const Integrator& integrator) {
  if (options.checkpoint_step != kChosenCheckpointStep) return options.checkpoint_step;
  return options.until / (integrator.remembers() ? 1000.0 : 20.0);
}

// Springs of joints swing with hardly any way: their velocities are not to be followed.
IntegratorOptions stepsFor(const Mechanism& mechanism, const RunOptions& options) {
  IntegratorOptions out = options.steps;
  const FormulationInfo* info = findFormulation(options.system.formulation);
  const bool velocities = info != nullptr && info->state == StateKind::velocities;
  if (out.velocity_errors == VelocityErrors::chosen && velocities && springsAreFast(mechanism, options.until))
    out.velocity_errors = VelocityErrors::times_step;
  return out;
}

RankWatch::Steps stepsOf(const RunOptions& options) {
  const bool fixed = takesFixedSteps(*findIntegrator(options.integrator), options.steps);
  return fixed ? RankWatch::Steps::fixed : RankWatch::Steps::chosen;
}

// One run, from the first sample to the ledger.
class Run {
 public:
  Run(const Mechanism& mechanism, const RunOptions& options, const RunControl& control, const MechanismSystem& system)
      : mechanism_(mechanism),
        options_(options),
        control_(control),
        system_(system),
        integrator_(makeIntegrator(options.integrator, system, stepsFor(mechanism, options))),
        event_jumps_(system),
        work_(system.makeWorkspace()),
        plan_(planSteps(mechanism, options.until, control.formulas)),
        end_(isAdaptive() ? plan_.end : std::min(plan_.end, plan_.near_pole)),
        corners_(system, end_, isAdaptive() ? CornerWalk::Steps::chosen : CornerWalk::Steps::fixed),
        output_step_(options.output_step > 0.0 ? options.output_step : usualOutputStep(options.until)),
        sampler_({mechanism, options, system, *integrator_, result_}, output_step_, stepsOf(options)),
        rank_watch_(mechanism, system, stepsOf(options)),
        progress_(options.until, end_ > plan_.near_pole ? plan_.near_pole : std::numeric_limits<double>::infinity()),
        ledger_(system, *integrator_, options, result_.ledger),
        checkpoints_(control.checkpoint_path, checkpointStep(options, *integrator_), control.checkpoint_wall,
                     control.resume) {
    integrator_->limitSteps(plan_.limits);
  }

  // From the assembled start, [q, v, work, turns] in absolute coordinates.
  Result go(std::span<const double> start) {
    identity_ = runIdentity(mechanism_, options_, start);
    sampler_.watchSprings(start);
    sayStiffSprings();
    StepStatus status = control_.resume != nullptr ? recall(*control_.resume) : begin(system_.fromAbsolute(0.0, start));
    event_jumps_.start(*integrator_);
    while (status == StepStatus::ok && !sampler_.ended()) {
      sampler_.keepMultipliers();
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
      if (corners_.isKnown(integrator_->time())) sampler_.addCorner(integrator_->time());
      const bool at_end = status == StepStatus::finished && integrator_->time() >= end_;
      const bool last = at_end || std::isfinite(stop);
      // The last grid point may miss the end by round-off; the end itself is always sampled by finishAt.
      sampler_.upTo(std::min(stop, integrator_->time()), last ? Sampler::Bound::short_of : Sampler::Bound::through,
                    Sampler::Check::spikes);
      if (sampler_.metSpike()) {
        status = meetSpike();
        continue;
      }
      if (control_.progress) control_.progress(integrator_->time(), options_.until);
      if (std::isfinite(stop)) {
        sampler_.finishAt(stop);
      } else if (progress_.nearEnoughToPole(*integrator_)) {
        sampler_.finishAt(integrator_->time());
        fail(plan_.whyEnd(integrator_->time()));
      } else if (!at_end) {
        sampler_.lookAtLoads();
        status = goOn(status);
      }
    }
    if (status == StepStatus::finished && !sampler_.ended()) {
      sampler_.finishAt(integrator_->time());
      if (!plan_.pole.empty()) fail(plan_.whyEnd(integrator_->time()));
    }
    if (status == StepStatus::underflow || status == StepStatus::failed) {
      fail((integrator_->failure().empty() ? event_jumps_.failure() : integrator_->failure()) + lostAnglesHere());
      if (integrator_->time() > plan_.near_pole) result_.message += fmt::format(" Here {}. {}", plan_.pole, plan_.hint);
    }
    return closeBooks();
  }

 private:
  // A method that follows every swing of a spring takes a step of about three over its frequency at most.
  void sayStiffSprings() const {
    constexpr std::array<std::string_view, 6> kFollow{"dopri5", "ode45", "dop853", "rk4", "explicit_step", "euler"};
    constexpr double kMostSteps = 1e7;
    if (!control_.note || std::find(kFollow.begin(), kFollow.end(), options_.integrator) == kFollow.end()) return;
    for (const SpringJoint& joint : result_.ledger.spring_joints) {
      const double steps = options_.until * joint.frequency / 3.0;
      if (!(steps > kMostSteps)) continue;
      control_.note(
          fmt::format("the springs of joint \"{}\" swing at {:.3g} rad/s, which {} follows swing by swing: about "
                      "{:.1g} steps. Take "
                      "--integrator radau5, or softer springs.",
                      joint.joint, joint.frequency, options_.integrator, steps));
      return;
    }
  }

  bool isAdaptive() const { return stepsOf(options_) == RankWatch::Steps::chosen; }

  // With the body that moves most violently, which is near to the cause as a rule.
  void sayStandsStill() {
    double most = 0.0;
    std::string who;
    sampler_.lookAtLoads();
    const Observation& seen = sampler_.lastSeen();
    for (std::size_t k = 0; k < seen.bodies.size(); ++k) {
      const BodyMotion& motion = seen.bodies[k];
      const auto sizeOf = [](const std::array<double, 3>& a) { return std::hypot(a[0], a[1], a[2]); };
      for (const auto& [size, unit] : {std::pair{sizeOf(motion.acceleration), "m/s^2"},
                                       std::pair{sizeOf(motion.angular_acceleration), "rad/s^2"}}) {
        if (!(size > most)) continue;
        most = size;
        who = fmt::format("; body \"{}\" is accelerated by {:.2g} {}", mechanism_.bodies[k].name, size, unit);
      }
    }
    fail(fmt::format("t = {:.9g} s: the last {} steps brought the run only {:.1e} s further{}. A load may grow beyond "
                     "all bounds "
                     "there, "
                     "or jump to and fro; or the model is too stiff for the integrator {}: try radau5, or larger "
                     "--rtol and --atol.",
                     integrator_->time(), ProgressWatch::kSteps, progress_.gained(), who, options_.integrator) +
         lostAnglesHere());
    sampler_.finishAt(integrator_->time());
  }

  // Formulas of named angles have no value where these mean nothing, and hardly one beside it.
  std::string lostAnglesHere() const {
    std::string text;
    const std::vector<double> x = system_.toAbsolute(integrator_->time(), integrator_->state(), integrator_->modes());
    for (const LostAngles& lost : lostAngles(mechanism_, x, kAnglesNearlyLost))
      text +=
          fmt::format("; {}, and the motion has come to within {:.1e} rad of it. {}", lost.what, lost.away, lost.hint);
    return text;
  }

  void fail(std::string why) {
    result_.status = RunStatus::failed;
    result_.message = std::move(why);
  }

  StepStatus begin(std::span<const double> x0) {
    const StepStatus status = integrator_->begin(0.0, x0, corners_.firstEnd());
    corners_.tellOfEnd(corners_.firstEnd(), *integrator_);
    ledger_.noteRank(event_jumps_);
    if (status == StepStatus::ok) {
      sampler_.nameMultipliers();
      takeStock();
      sampler_.sampleAt(0.0, x0);
    }
    return status;
  }

  // After a step: violation, rank and the pivot nearest to zero.
  void takeStock() {
    ledger_.notePivot();
    rank_watch_.look(*integrator_, result_.ledger.rank_changes);
    ledger_.noteClosure(integrator_->workspace());
  }

  // --- steps that are taken again ------------------------------------------------------------------------------------

  // From the sample before, to end where the next one has met what no stage of the step had seen.
  StepStatus meetSpike() {
    const SpikeWatch::Step step = sampler_.takeSpike();
    // What was found beyond is found again.
    auto& events = result_.events;
    while (events.size() > events_before_ && events.back().time > step.from) events.pop_back();
    result_.status = RunStatus::complete;
    result_.message.clear();
    return retake(step.from, step.to);
  }

  // The last step went straight on where the motion turns (RankWatch): the next one is to begin where it sees that.
  bool meetsTurn() const {
    return std::isfinite(rank_watch_.turnToMeet()) && isAdaptive() && result_.ledger.retaken < kMostRetaken;
  }

  StepStatus retake(double from, double to) {
    ++result_.ledger.retaken;
    rank_watch_.takeBack(from, result_.ledger.rank_changes);
    return corners_.retake(from, to, CornerWalk::At::smooth, *integrator_, event_jumps_.locator(), *work_);
  }

  // Within the last step: at a corner of the loads, or where events changed the motion.
  bool beginsAnew() const { return jumps_to_ || std::isfinite(corner_); }
  StepStatus beginAnew() {
    sampler_.forgetSpikes();
    if (jumps_to_) return landFrom(event_jumps_.time());
    const bool back = corners_.takesBack(corner_, *integrator_);
    rank_watch_.takeBack(back ? integrator_->previousTime() : corner_, result_.ledger.rank_changes);
    if (!back) sampler_.upTo(corner_, Sampler::Bound::through);
    return corners_.resume(corner_, *integrator_, event_jumps_.locator(), *work_);
  }

  // From where events changed the motion.
  StepStatus landFrom(double t) {
    if (corners_.isKnown(t)) sampler_.addCorner(t);
    const Sampler::Across across = sampler_.sampleBefore(t);
    rank_watch_.takeBack(t, result_.ledger.rank_changes);
    rank_watch_.settleAnew();
    const StepStatus status = corners_.land(event_jumps_, *integrator_);
    if (status == StepStatus::ok || status == StepStatus::finished) {
      ledger_.noteRank(event_jumps_);
      sampler_.sampleLanded(across);
    }
    return status;
  }

  // --- between two steps ---------------------------------------------------------------------------------------------

  // The next leg, a checkpoint, the user's wish to stop.
  StepStatus goOn(StepStatus status) {
    if (status == StepStatus::finished) status = corners_.nextLeg(*integrator_, event_jumps_.locator());
    if (status == StepStatus::ok && !sampler_.ended()) status = passCheckpoint();
    if (status == StepStatus::ok && !sampler_.ended() && control_.interrupted && control_.interrupted()) {
      if (integrator_->remembers()) writeCheckpoint();
      result_.status = RunStatus::interrupted;
      result_.message = fmt::format("interrupted at t = {:.6g} s", integrator_->time());
      sampler_.finishAt(integrator_->time());
    }
    return status;
  }

  // A method that does not remember starts over at each time that counts, whether it is written or not.
  StepStatus passCheckpoint() {
    if (!checkpoints_.passes(integrator_->time())) return StepStatus::ok;
    if (checkpoints_.isDue()) writeCheckpoint();
    return integrator_->remembers() ? StepStatus::ok : startOver();
  }

  StepStatus startOver() {
    ++result_.ledger.restarts;
    const StepStatus status = integrator_->startOver();
    if (status == StepStatus::ok) event_jumps_.start(*integrator_);
    return status;
  }

  void writeCheckpoint() {
    const std::string problem = checkpoints_.write(identity_, [&](Archive& archive) { transfer(archive); });
    sampler_.markLogged();
    if (!problem.empty() && control_.note)
      control_.note(fmt::format("{}; the run goes on without further checkpoints", problem));
  }

  // All that is kept between two steps, written or read.
  void transfer(Archive& archive) {
    IntegratorMemory memory;
    if (!archive.reading()) memory = integrator_->memory();
    archive(memory);
    if (archive.reading() && archive.ok()) integrator_->recall(memory);
    sampler_.transfer(archive);
    rank_watch_.transfer(archive);
    corners_.transfer(archive);
    progress_.transfer(archive);
    event_jumps_.transfer(archive);
    checkpoints_.transfer(archive);
    archive(result_.events);
    ledger_.transfer(archive, integrator_->workspace());
  }

  StepStatus recall(const Checkpoint& checkpoint) {
    for (const std::string& chunk : checkpoint.chunks) {
      Archive archive(chunk);
      transfer(archive);
      expect(archive.ok() && archive.atEnd(),
             "simulate: a chunk of the checkpoint has another form than this program's");
    }
    sampler_.markLogged();
    // Checkpoints at which nothing was written count as well; this one was.
    return integrator_->remembers() ? StepStatus::ok : startOver();
  }

  // --- events --------------------------------------------------------------------------------------------------------

  // Records the events of the last step, up to the first corner (corner_, or infinity) or jump at which the run is to
  // begin anew; returns the time of the event that ends the run, or infinity.
  double findEvents() {
    double stop = kNever;
    events_before_ = result_.events.size();
    const auto [found, corner] =
        corners_.search(event_jumps_, *integrator_, mechanism_.events.size(), [&](const LocatedEvent& hit) {
          if (!noteEvent(hit)) return false;
          stop = hit.time;
          return true;
        });
    corner_ = corner;
    if (std::isfinite(stop)) return stop;
    jumps_to_ = found == Jumps::Found::jump;
    if (std::isfinite(corner_) && corners_.takesBack(corner_, *integrator_)) {
      // The step is taken again, to the corner.
      result_.events.resize(events_before_);
      sampler_.clearCorners();
    }
    if (found != Jumps::Found::failed) return stop;
    fail(event_jumps_.failure());
    return integrator_->previousTime();
  }

  // Whether the event ends the run.
  bool noteEvent(const LocatedEvent& hit) {
    if (static_cast<std::size_t>(hit.index) >= mechanism_.events.size()) {
      sampler_.addCorner(hit);
      return false;
    }
    const Event& event = mechanism_.events[static_cast<std::size_t>(hit.index)];
    result_.events.push_back({event.name, hit.time});
    if (!event.stop) return false;
    result_.status = RunStatus::stopped_by_event;
    result_.message = fmt::format("event \"{}\" at t = {:.9g} s", event.name, hit.time);
    return true;
  }

  Result closeBooks() {
    ledger_.close(plan_, event_jumps_, integrator_->workspace());
    sampler_.close();
    describeRun(mechanism_, system_, options_, output_step_, result_);
    return std::move(result_);
  }

  const Mechanism& mechanism_;
  const RunOptions& options_;
  const RunControl& control_;
  const MechanismSystem& system_;
  std::unique_ptr<Integrator> integrator_;
  Jumps event_jumps_;
  std::unique_ptr<Workspace> work_;
  StepPlan plan_;
  double end_;  // s: where the run ends at the latest
  CornerWalk corners_;
  double output_step_;
  Result result_;
  Sampler sampler_;
  RankWatch rank_watch_;
  ProgressWatch progress_;
  LedgerKeeper ledger_;
  CheckpointWriter checkpoints_;
  RunIdentity identity_;

  std::size_t events_before_ = 0;  // the last step
  double corner_ = 0.0;
  bool jumps_to_ = false;  // event_jumps_ found a jump in the last step
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
  if (isSoftened(mechanism, options)) {
    const Mechanism soft = softenedMechanism(mechanism, assembly, options);
    const Assembly start = assemble(soft);
    if (start.ok) return simulate(soft, start, options, control);
    Result refused;
    refused.name = mechanism.name;
    refused.status = RunStatus::failed;
    refused.message = "with springs in the place of joints there is no start: " + start.problem;
    return refused;
  }
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
  Result result = Run(mechanism, options, control, system).go(assembly.state());
  // What rounded numbers do near a pose of lower rank looks like a dead point, and may be none.
  if (result.status == RunStatus::failed && assembly.misfit > 0.0)
    result.message += fmt::format(
        ". The numbers of its joints do not quite fit (by {:.0e} of the mechanism's size, see the warning of check): "
        "with exact ones the mechanism may go on here",
        assembly.misfit);
  return result;
}

}  // namespace linkwork
