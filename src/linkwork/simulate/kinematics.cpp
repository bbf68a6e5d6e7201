#include "linkwork/simulate/kinematics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwork/analyse/free_motions.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/elements/velocity_rows.hpp"
#include "linkwork/model/drive_of.hpp"
#include "linkwork/simulate/jump_watch.hpp"
#include "linkwork/simulate/load_watch.hpp"
#include "linkwork/simulate/provenance.hpp"
#include "linkwork/simulate/step_plan.hpp"

namespace linkwork {

namespace {

// Gauss's three points on (0, 1).
constexpr std::array<double, 3> kGaussPoints{0.1127016653792583, 0.5, 0.8872983346207417};
constexpr std::array<double, 3> kGaussWeights{5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

// Times that differ by less than this share of the output step are one.
constexpr double kSameSample = 1e-9;

class Walker {
 public:
  Walker(const Mechanism& mechanism, const Assembly& assembly, const KinematicsOptions& options,
         const RunControl& control, const MechanismSystem& system)
      : mechanism_(mechanism),
        options_(options),
        control_(control),
        system_(system),
        work_(system.makeWorkspace()),
        modes_(system.startModes()),
        plan_(planSteps(mechanism, options.until)),
        end_(std::min(plan_.end, plan_.near_pole)),
        curve_(mechanism, assembly, options.until),
        output_step_(options.output_step > 0.0 ? options.output_step : usualOutputStep(options.until)),
        recorder_(mechanism, static_cast<std::size_t>(options.until / output_step_) + 2, options.columns),
        loads_(mechanism),
        corners_(system.cornerTimes()),
        jumps_(system, options.until, output_step_),
        x_(assembly.state()),
        xdot_(x_.size()) {
    if (options.extras) extras_.emplace(mechanism, *options.extras);
  }

  KinematicsRun go() {
    if (sampleAt(0.0)) noteRank(0.0);
    double last = 0.0;
    for (long k = 1; !done_; ++k) {
      // The last grid point may miss the end by round-off; the end itself is always sampled.
      double t = static_cast<double>(k) * output_step_;
      if (t > end_ - kSameSample * output_step_) t = end_;
      if (!passCorners(last, t)) break;
      if (last < t && (!supplyWork(last, t) || !sampleAt(t))) break;
      last = t;
      if (control_.progress) control_.progress(t, options_.until);
      if (t >= end_) {
        if (!plan_.pole.empty()) fail(plan_.whyEnd(t));
        break;
      }
      if (control_.interrupted && control_.interrupted()) {
        run_.result.status = RunStatus::interrupted;
        run_.result.message = fmt::format("interrupted at t = {:.6g} s", t);
        break;
      }
    }
    return closeBooks();
  }

 private:
  // x_ at time t, from the curve: places, velocities, counted turns; the work so far stays.
  bool stateAt(double t) {
    const MotionCurve::Walk walk = curve_.to(t);
    if (walk == MotionCurve::Walk::dead_point) return fail("");
    if (walk == MotionCurve::Walk::stuck) return fail(whyStuck(t));
    const StateSpace space = system_.space();
    const std::vector<double> v = curve_.velocity();
    const std::vector<double> turns = curve_.turns();
    std::copy(curve_.q().begin(), curve_.q().end(), x_.begin());
    std::copy(v.begin(), v.end(), x_.begin() + space.velocityOffset());
    std::copy(turns.begin(), turns.end(), x_.end() - static_cast<std::ptrdiff_t>(turns.size()));
    if (system_.afterStep(t, x_, modes_, *work_).eval == Eval::ok) return true;
    return fail(fmt::format("t = {:.6g} s: {}", t, system_.describeFailure(*work_)));
  }

  bool fail(const std::string& why) {
    done_ = true;
    Result& result = run_.result;
    result.status = RunStatus::failed;
    result.message = why;
    if (why.empty()) {
      const DeadPoint& dead = curve_.deadPoints().back();
      result.message = fmt::format("t = {:.10g} s: {}", dead.time, dead.words);
    }
    return false;
  }

  // A motion or load that is no number says so itself; else it is the joints that do not close.
  std::string whyStuck(double t) {
    const double trouble = std::clamp(curve_.troubleTime(), curve_.time(), t);
    std::vector<double> x = x_;
    std::copy(curve_.q().begin(), curve_.q().end(), x.begin());
    for (const double when : {trouble, t}) {
      std::vector<double> trial = x;
      if (system_.afterStep(when, trial, modes_, *work_).eval == Eval::ok) continue;
      const std::string why = system_.describeFailure(*work_);
      if (why.find("finite") != std::string::npos || why.find("end of the curve") != std::string::npos) {
        return fmt::format("t = {:.6g} s: {}", when, why);
      }
    }
    return fmt::format(
        "t = {:.6g} s: the joints cannot be closed beyond this time: a drive jumps, or asks for what the joints forbid",
        curve_.time());
  }

  // The integral of the power over one sample interval.
  bool supplyWork(double from, double to) {
    double sum = 0.0;
    const auto work_at = static_cast<std::size_t>(system_.space().quadratureOffset());
    for (std::size_t k = 0; k < kGaussPoints.size(); ++k) {
      const double t = from + kGaussPoints[k] * (to - from);
      if (!stateAt(t)) return false;
      ++evaluations_;
      if (system_.derivative(t, x_, modes_, *work_, xdot_) != Eval::ok) {
        return fail(fmt::format("t = {:.6g} s: {}", t, system_.describeFailure(*work_)));
      }
      sum += kGaussWeights[k] * xdot_[work_at];
    }
    x_[work_at] += sum * (to - from);
    return true;
  }

  // The work up to the corners that loads are known to have before t, or at it, piece by piece, and both samples of a
  // jump; `last` then is the last of these corners.
  bool passCorners(double& last, double t) {
    const double same = kSameSample * output_step_;
    for (; next_corner_ < corners_.size() && corners_[next_corner_] <= t + same; ++next_corner_) {
      double corner = corners_[next_corner_];
      if (corner <= last + same || corner > options_.until - same) continue;
      const bool due = std::abs(corner - t) <= same;
      if (due) corner = t;
      if (!supplyWork(last, corner) || !stateAt(corner)) return false;
      const bool jumped = sampleJump(corner);
      if (due && !jumped && !sampleAt(t)) return false;
      last = corner;
    }
    return true;
  }

  // x_ is the state at t.
  bool sampleJump(double t) {
    const StepView view{[this](double /*t*/, std::span<double> x) { std::copy(x_.begin(), x_.end(), x.begin()); },
                        [](double /*t*/, std::span<double> /*x*/) { return true; },
                        [this](double near, std::span<const double> x, Observation& out) {
                          return system_.observe(near, x, modes_, *work_, out).eval == Eval::ok;
                        },
                        {}};
    jumps_.add(t);
    if (!jumps_.look(view, recorder_, t, t)) return false;
    for (const Observation* side : {&jumps_.left(), &jumps_.right()}) {
      ++run_.result.ledger.output_evaluations;
      keep(t, *side);
    }
    return true;
  }

  bool sampleAt(double t) {
    if (!stateAt(t)) return false;
    ++run_.result.ledger.output_evaluations;
    const Evaluation observed = system_.observe(t, x_, modes_, *work_, seen_);
    if (observed.eval != Eval::ok) {
      return fail(fmt::format("t = {:.6g} s: {}", t, system_.describeFailure(*work_)));
    }
    keep(t, seen_);
    Ledger& ledger = run_.result.ledger;
    if (observed.rows && observed.rows->smallest_pivot < ledger.smallest_pivot) {
      ledger.smallest_pivot = observed.rows->smallest_pivot;
      ledger.nearest_row = system_.rowName(observed.rows->nearest_row);
    }
    return true;
  }

  // Writes down what is seen at t.
  void keep(double t, const Observation& seen) {
    recorder_.record(t, seen);
    loads_.look(t, seen);
    if (extras_) extras_->record(t, seen);
    Ledger& ledger = run_.result.ledger;
    ledger.worst_position = std::max(ledger.worst_position, seen.violation.position);
    ledger.worst_velocity = std::max(ledger.worst_velocity, seen.violation.velocity);
    ledger.worst_acceleration = std::max(ledger.worst_acceleration, seen.violation.acceleration);
    ledger.final_position = seen.violation.position;
    for (std::size_t k = 0; k < seen.joints.size(); ++k) {
      auto& names = ledger.joints_not_unique;
      const std::string& name = mechanism_.joints[k].name;
      if (!seen.joints[k].unique && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }

  void noteRank(double t) {
    const RankReport rank = system_.rankReport(t, x_, modes_, *work_);
    Ledger& ledger = run_.result.ledger;
    ledger.rows = rank.rows;
    ledger.rank = rank.rank;
    ledger.dependent_rows = rank.dependent_rows;
    ledger.degrees_of_freedom = rank.freedoms;
    ledger.position_degrees_of_freedom = rank.position_freedoms;
  }

  KinematicsRun closeBooks() {
    Result& result = run_.result;
    Ledger& ledger = result.ledger;
    ledger.reference_length = system_.referenceLength();
    ledger.reaction_length = system_.reactionLength();
    ledger.steps = curve_.steps();
    ledger.rejected = curve_.refused();
    ledger.evaluations = evaluations_;
    const SolveCounts counts = system_.solveCounts(*work_);
    ledger.projection_solves = counts.projections;
    ledger.worst_linear_residual = counts.worst_residual;
    ledger.worst_energy_balance = recorder_.worstEnergyBalance();
    ledger.energy_scale = recorder_.energyScale();
    ledger.possible_energy = recorder_.possibleEnergy(ledger.reference_length);
    recorder_.finish(result);
    if (extras_) extras_->finish(result);
    result.loads = loads_.cases();
    result.name = mechanism_.name;
    for (const DeadPoint& point : curve_.deadPoints()) {
      result.events.push_back({point.kind == SingularPose::dead_point ? "dead point" : "branch point", point.time});
    }
    run_.dead_points = curve_.deadPoints();
    result.provenance = provenanceOf(mechanism_);
    result.settings = {{"analysis", options_.analysis}, {"formulation", "absolute"},
                       {"stabilisation", "projection"}, {"output step", output_step_, "s"},
                       {"until", options_.until, "s"},  {"reaction length", system_.reactionLength(), "m"}};
    for (Setting& set : parametersSet(mechanism_)) result.settings.push_back(std::move(set));
    return std::move(run_);
  }

  const Mechanism& mechanism_;
  const KinematicsOptions& options_;
  const RunControl& control_;
  const MechanismSystem& system_;
  std::unique_ptr<Workspace> work_;
  Modes modes_;
  StepPlan plan_;
  double end_;  // s: of the walk; nearer to a pole there are more places to be than anyone waits for
  MotionCurve curve_;
  double output_step_;
  Recorder recorder_;
  LoadWatch loads_;
  std::vector<double> corners_;  // of the loads, at times known beforehand
  std::size_t next_corner_ = 0;
  JumpWatch jumps_;
  std::optional<MotionExtras> extras_;
  std::vector<double> x_, xdot_;
  Observation seen_;
  KinematicsRun run_;
  long evaluations_ = 0;
  bool done_ = false;
};

}  // namespace

std::string KinematicsOptions::problem() const {
  RunOptions same;
  same.until = until;
  same.output_step = output_step;
  same.system.reaction_length = reaction_length;
  if (std::string text = same.problem(); !text.empty()) return text;
  return until / (output_step > 0.0 ? output_step : until) > kMostSamples ? "too many samples." : "";
}

std::string kinematicsProblem(const Mechanism& mechanism, const Assembly& assembly) {
  expect(assembly.ok, "kinematicsProblem: the mechanism is not assembled");
  std::string text = mechanism.drives.empty() ? "the mechanism has no drive" : "";
  const FreeMotions free = freeMotions(mechanism, assembly.q, 0.0, assembly.turns);
  if (const std::string more = freeMotionsProblem(mechanism, free); !more.empty()) {
    text += (text.empty() ? "" : "; ") + more;
    // Drives may settle all velocities and no pose.
    const std::string holder = holderOfVelocitiesAlone(mechanism);
    if (!holder.empty()) {
      text += fmt::format("; {} holds velocities alone, and where they lead to only simulate can follow", holder);
    }
  }
  return text;
}

KinematicsRun runKinematics(const Mechanism& mechanism, const Assembly& assembly, const KinematicsOptions& options,
                            const RunControl& control) {
  expect(assembly.ok, "runKinematics: the mechanism is not assembled");
  expect(options.problem().empty(), options.problem());
  SystemOptions system_options;
  system_options.reaction_length = options.reaction_length;
  const std::unique_ptr<MechanismSystem> system = makeSystem(mechanism, startingFrom(assembly, system_options));
  KinematicsRun out = Walker(mechanism, assembly, options, control, *system).go();
  const FreeMotions free = freeMotions(mechanism, assembly.q, 0.0, assembly.turns);
  std::vector<std::string> idle;
  for (const int b : free.idle_bodies) idle.push_back(mechanism.bodies[static_cast<std::size_t>(b)].name);
  if (!idle.empty()) {
    out.notes.push_back(fmt::format("nothing keeps {} from turning about {}; no drive asks for it, so it is kept still",
                                    fmt::join(idle, ", "), idle.size() == 1 ? "itself" : "themselves"));
  }
  return out;
}

SweepStart sweepFrom(const Mechanism& mechanism, const Quantity& coordinate, std::optional<double> from) {
  SweepStart out;
  out.mechanism = mechanism;
  out.mechanism.drives.clear();
  // Given places and rates are for the model's own run.
  out.mechanism.initial.clear();
  if (from) out.mechanism.initial.push_back({coordinate, Value(*from), {}});
  const Assembly assembly = assemble(out.mechanism);
  if (!assembly.ok) {
    out.problem = assembly.problem;
    return out;
  }
  out.mechanism.initial.clear();
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    out.mechanism.bodies[b].drawn = poseOfBody(mechanism, BodyIndex(static_cast<int>(b)), assembly.q);
  }
  if (from) {
    out.from = *from;
    return out;
  }
  // As drawn: an output reads it.
  Mechanism reader = out.mechanism;
  reader.outputs = {{"value", Expr::symbol(quantityName(mechanism, coordinate)), "", {}}};
  reader.loads.clear();
  const auto system = makeSystem(reader, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  Observation seen;
  if (system->observe(0.0, assembly.state(), system->startModes(), *work, seen) == Eval::ok) {
    out.from = seen.outputs[0];
  } else {
    out.problem = system->describeFailure(*work);
  }
  return out;
}

Mechanism withSweep(const Mechanism& mechanism, const Quantity& coordinate, double from, double rate) {
  Mechanism out = mechanism;
  out.drives = {driveOf(mechanism, coordinate, Expr(from) + Expr(rate) * Expr::symbol("t"))};
  out.drives[0].name = "sweep";
  return out;
}

}  // namespace linkwork
