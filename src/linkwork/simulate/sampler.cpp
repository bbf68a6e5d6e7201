#include "linkwork/simulate/sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/simulate/ledger_keeper.hpp"
#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

namespace {

// Relative pivots below this belong to poses that are next to one of lower rank.
constexpr double kNearLowerRank = 1e-4;

// Places that no stage had seen, and that are kept.
constexpr std::size_t kMostMissed = 20;

}  // namespace

Sampler::Sampler(const Subject& run, double output_step, RankWatch::Steps steps)
    : mechanism_(run.mechanism),
      options_(run.options),
      system_(run.system),
      integrator_(run.integrator),
      result_(run.result),
      steps_(steps),
      output_step_(output_step),
      work_(run.system.makeWorkspace()),
      recorder_(run.mechanism, static_cast<std::size_t>(run.options.until / output_step) + 2, run.options.columns),
      loads_(run.mechanism),
      lifts_(run.mechanism),
      jumps_(run.system, run.options.until, output_step),
      spikes_(run.options.steps),
      springs_(run.mechanism),
      view_(makeStepView()),
      sample_(static_cast<std::size_t>(run.system.space().size())) {}

// --- on the grid of output times -------------------------------------------------------------------------------------

// The two samples of a jump stand for one that is due at its time.
void Sampler::upTo(double t_to, Bound bound, Check check) {
  const double slack = bound == Bound::short_of ? kSameTime * output_step_ : 0.0;
  while (!ended_) {
    const double t = static_cast<double>(samples_) * output_step_;
    const double jump = jumps_.next();
    if (jump <= t_to && jump <= t + kSameTime * output_step_) {
      const bool due = std::abs(jump - t) <= kSameTime * output_step_;
      if (sampleJump(due ? t : jump) && due) ++samples_;
      continue;
    }
    if (t > t_to - slack) return;
    sampleOnGrid(t, check);
    if (metSpike()) return;
  }
}

void Sampler::sampleOnGrid(double t, Check check) {
  integrator_.interpolate(t, sample_);
  sampleAt(t, sample_, t, check);
}

void Sampler::finishAt(double t) {
  if (last_sample_ < t && !ended_) sampleOnGrid(t, Check::nothing);
  ended_ = true;
}

void Sampler::sampleAt(double t, std::span<const double> x, double seen_at, Check check) {
  if (x.data() != sample_.data()) std::copy(x.begin(), x.end(), sample_.begin());
  ++result_.ledger.output_evaluations;
  if (!correct(seen_at, sample_) || system_.observe(seen_at, sample_, modes_, *work_, seen_) != Eval::ok) {
    failSample(t);
    return;
  }
  if (check == Check::spikes && meetsSpike(t)) return;
  ++samples_;
  last_sample_ = t;
  spikes_.keep(t, seen_);
  keep(t, seen_);
}

// A sample that cannot be had ends the run: a gap would go unseen.
void Sampler::failSample(double t) {
  ended_ = true;
  result_.status = RunStatus::failed;
  result_.message = fmt::format("t = {:.6g} s: no output between two steps: {}", t, system_.describeFailure(*work_));
}

// --- at jumps --------------------------------------------------------------------------------------------------------

bool Sampler::sampleJump(double t) {
  if (!jumps_.look(view_, recorder_, integrator_.previousTime(), integrator_.time())) return false;
  const Pair pair = pairAt(t);
  last_sample_ = pair.time;
  result_.ledger.output_evaluations += 2;
  if (pair.begins) keep(pair.time, jumps_.left());
  keep(pair.time, jumps_.right());
  springs_.lookAtJump(pair.time, jumps_.left(), jumps_.right(), result_.ledger.spring_joints);
  return true;
}

// Of several jumps at one instant the samples are left of the first and right of the last: where there are two already,
// the right one is taken back.
Sampler::Pair Sampler::pairAt(double t) {
  const bool begins = !(std::abs(t - last_pair_) <= kSameTime * output_step_);
  if (begins) {
    last_pair_ = t;
  } else {
    recorder_.dropLast();
    logged_ = std::min(logged_, recorder_.samples());
  }
  return {last_pair_, begins};
}

Sampler::Across Sampler::sampleBefore(double t) {
  upTo(t, Bound::short_of);
  // On the grid the two stand for the one that is due, between its times and at the end for none.
  const double grid = static_cast<double>(samples_) * output_step_;
  const bool due = std::abs(grid - t) <= kSameTime * output_step_ && t < options_.until;
  const long next = samples_ + (due ? 1 : 0);
  const Pair pair = pairAt(due ? grid : t);
  integrator_.interpolate(t, sample_);
  if (pair.begins && !ended_) sampleAt(pair.time, sample_);
  return {pair.time, next};
}

// A little later, so that loads that jump at the same instant have done so.
void Sampler::sampleLanded(const Across& across) {
  if (!ended_) {
    const std::span<const double> x = integrator_.state();
    rates_.resize(x.size());
    const Evaluation found = system_.derivative(integrator_.time(), x, integrator_.modes(), *work_, rates_);
    if (found.eval != Eval::ok) std::fill(rates_.begin(), rates_.end(), 0.0);
    for (std::size_t k = 0; k < x.size(); ++k) sample_[k] = x[k] + jumps_.roundOff() * rates_[k];
    sampleAt(across.time, sample_, integrator_.time() + jumps_.roundOff(), Check::nothing);
  }
  samples_ = across.next;
}

// --- within the last step --------------------------------------------------------------------------------------------

// x lies in the last step, and what that knows beyond t and x holds for it.
void Sampler::enterLastStep(double t, std::span<const double> x) {
  modes_ = integrator_.modes();
  system_.enterStep(t, x, modes_, *work_);
}

// Between steps the dense output leaves the constraint surface a little; a stabilisation that projects does so here
// too.
bool Sampler::correct(double t, std::span<double> x) {
  enterLastStep(t, x);
  return system_.afterStep(t, x, modes_, *work_).eval == Eval::ok;
}

StepView Sampler::makeStepView() {
  return {[this](double t, std::span<double> x) { integrator_.interpolate(t, x); },
          [this](double t, std::span<double> x) { return correct(t, x); },
          [this](double t, std::span<const double> x, Observation& out) {
            return system_.observe(t, x, modes_, *work_, out) == Eval::ok;
          },
          [this](double t, std::span<const double> x, std::span<double> values) {
            return system_.eventValues(t, x, modes_, *work_, values) == Eval::ok;
          }};
}

// --- what no stage of the step has seen ------------------------------------------------------------------------------

bool Sampler::meetsSpike(double t) {
  const double from = integrator_.previousTime();
  const auto& changes = result_.ledger.rank_changes;
  if (!spikes_.doubts(t, seen_) || (!changes.empty() && changes.back().time >= from)) return false;
  const int body = spikes_.bodyInSpike(t, seen_, {from, integrator_.time()}, [&](double at, Observation& out) {
    beside_.resize(sample_.size());
    integrator_.interpolate(at, beside_);
    ++result_.ledger.output_evaluations;
    return correct(at, beside_) && view_.observe(at, beside_, out);
  });
  if (body < 0) return false;
  // Beside a pose of lower rank accelerations are limits, and poor ones.
  enterLastStep(t, sample_);
  if (system_.factorRows(t, sample_, modes_, *work_).smallest_pivot < kNearLowerRank) return false;
  // Steps that end at the spike have it in their last stage. One that has done so and still differs, one that cannot be
  // cut, or too many of them: a load that flutters.
  const bool again = t <= last_spike_ + kSameTime * options_.until || !(t > from) || t >= integrator_.time();
  if (steps_ == RankWatch::Steps::chosen && !again && result_.ledger.retaken < kMostRetaken) {
    last_spike_ = t;
    spike_ = t;
    return true;
  }
  auto& missed = result_.ledger.missed_spikes;
  if (missed.size() < kMostMissed)
    missed.push_back({t, mechanism_.bodies[static_cast<std::size_t>(body)].name, 0.25 * output_step_});
  return false;
}

SpikeWatch::Step Sampler::takeSpike() {
  jumps_.clear();
  return {std::max(spikes_.lastTime(), integrator_.previousTime()),
          std::exchange(spike_, std::numeric_limits<double>::infinity())};
}

// --- written down ----------------------------------------------------------------------------------------------------

void Sampler::keep(double t, const Observation& seen) {
  recorder_.record(t, seen, multiplier_names_.empty() ? std::span<const double>() : multipliersAt(t));
  loads_.look(t, seen);
  springs_.look(t, seen, result_.ledger.spring_joints);
  noteLifts(t, seen);
  noteViolation(seen.violation, result_.ledger);
  noteOutputGaps(t, seen);
  noteNotUnique(seen);
}

void Sampler::lookAtLoads() {
  const double t = integrator_.time();
  if (ended_ || t == last_sample_) return;
  const auto x = integrator_.state();
  std::copy(x.begin(), x.end(), sample_.begin());
  ++result_.ledger.output_evaluations;
  enterLastStep(t, sample_);
  if (system_.observe(t, sample_, modes_, *work_, seen_) != Eval::ok) return;
  loads_.look(t, seen_);
  springs_.look(t, seen_, result_.ledger.spring_joints);
  noteLifts(t, seen_);
  spikes_.keep(t, seen_);
}

void Sampler::noteLifts(double t, const Observation& seen) {
  const int joint = lifts_.look(t, seen, result_.ledger.lift_offs, result_.events);
  if (joint < 0) return;
  ended_ = true;
  result_.status = RunStatus::stopped_by_event;
  result_.message = fmt::format("event \"{}\" at t = {:.9g} s", result_.events.back().name, result_.events.back().time);
}

// An output does not act on the motion: the run goes on without it, and says so.
void Sampler::noteOutputGaps(double t, const Observation& seen) {
  auto& gaps = result_.ledger.output_gaps;
  for (std::size_t k = 0; k < seen.outputs.size(); ++k) {
    const std::string& name = mechanism_.outputs[k].name;
    if (std::isfinite(seen.outputs[k])) continue;
    if (std::none_of(gaps.begin(), gaps.end(), [&](const OutputGap& gap) { return gap.name == name; }))
      gaps.push_back({name, t});
  }
}

void Sampler::noteNotUnique(const Observation& seen) {
  auto& names = result_.ledger.joints_not_unique;
  for (std::size_t k = 0; k < seen.joints.size(); ++k) {
    const std::string& name = mechanism_.joints[k].name;
    if (!seen.joints[k].unique && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

// --- the method's own multipliers ------------------------------------------------------------------------------------

void Sampler::nameMultipliers() {
  if (options_.columns != Columns::all) return;
  const MechanicalSystem* mechanical = system_.mechanical();
  const auto count = static_cast<int>(integrator_.multipliers().size());
  for (int k = 0; k < count; ++k) {
    // Beyond one for each row are those that hold the positions of a stabilised index 2.
    const int rows = mechanical != nullptr ? mechanical->rows() : 0;
    const std::string row = rows > 0 ? mechanical->rowName(k % rows) : fmt::format("{}", k + 1);
    multiplier_names_.push_back(rows > 0 && k >= rows ? row + ", position" : row);
  }
  recorder_.addMultipliers(multiplier_names_);
}

void Sampler::keepMultipliers() {
  const std::span<const double> now = integrator_.multipliers();
  multipliers_before_.assign(now.begin(), now.end());
}

// Linear between the ends of the step: a method knows its multipliers there alone.
std::span<const double> Sampler::multipliersAt(double t) {
  const std::span<const double> now = integrator_.multipliers();
  multipliers_.assign(now.begin(), now.end());
  const double from = integrator_.previousTime();
  const double to = integrator_.time();
  if (t < to && multipliers_before_.size() == now.size()) {
    const double share = (t - from) / (to - from);
    for (std::size_t k = 0; k < now.size(); ++k)
      multipliers_[k] = (1.0 - share) * multipliers_before_[k] + share * now[k];
  }
  return multipliers_;
}

// --- checkpoints, and the end ----------------------------------------------------------------------------------------

void Sampler::transfer(Archive& archive) {
  const bool first_read = archive.reading() && multiplier_names_.empty();
  archive(multiplier_names_);
  if (first_read) recorder_.addMultipliers(multiplier_names_);
  recorder_.transfer(archive, logged_);
  loads_.transfer(archive);
  lifts_.transfer(archive);
  jumps_.transfer(archive);
  spikes_.transfer(archive);
  archive(last_spike_);
  archive(samples_);
  archive(last_sample_);
  archive(last_pair_);
}

void Sampler::close() {
  Ledger& ledger = result_.ledger;
  ledger.worst_energy_balance = recorder_.worstEnergyBalance();
  ledger.energy_scale = recorder_.energyScale();
  ledger.possible_energy = recorder_.possibleEnergy(ledger.reference_length);
  recorder_.finish(result_);
  result_.loads = loads_.cases();
}

}  // namespace linkwork
