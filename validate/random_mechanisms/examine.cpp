#include "examine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/body_actions_for_tests.hpp"
#include "linkwork/study/planar_view.hpp"
#include "timed_run.hpp"

namespace linkwork::random_mechanisms {

namespace {

constexpr int kSamples = 24;
constexpr double kNudge = 1e-7;
// A trial may miss the reference by so many times what it promises: local errors add up over steps and pass through
// masses and lengths that are not one.
constexpr double kPatience = 1000.0;
// Beyond this a difference tells nothing.
constexpr double kLargestAllowed = 1e-2;
// Of what was allowed: further off than this for its tolerance is worth a look even if finer steps mend it.
constexpr double kFarOff = 100.0;
const Trial kReference{"absolute", "projection", "dop853", false};
// Tried in turn until one goes through with green lamps. The long steps of dop853 end too near to poses of lower rank.
struct Tight {
  const char* formulation;
  const char* integrator;
  double rtol;
};
constexpr std::array<Tight, 3> kTight{
    {{"absolute", "dop853", 1e-11}, {"absolute", "dopri5", 1e-9}, {"recursive", "dopri5", 1e-9}}};

// How far a trial is off, in units of what is allowed, at its worst.
struct Miss {
  double ratio = 0.0;
  double time = 0.0, relative = 0.0;
  Aspect aspect = Aspect::position;
};

class Examiner {
 public:
  Examiner(const std::string& text, Draws draws, const ExamineOptions& options)
      : draws_(draws), options_(options), text_(text) {}

  Examination go(std::vector<Trial> trials) {
    try {
      if (!prepare()) return out_;
      if (trials.empty()) trials = drawTrials(plain_.mechanism, draws_);
      for (const Trial& trial : trials) attempt(trial);
    } catch (const std::exception& error) {
      find(Fault::threw, kReference, error.what());
    }
    return out_;
  }

 private:
  void find(Fault fault, const Trial& trial, std::string what) {
    out_.findings.push_back({fault, trial, std::move(what)});
  }

  bool prepare() {
    Diagnostics diagnostics;
    const auto mechanism = readModelText(text_, options_.file, diagnostics);
    if (!mechanism) {
      out_.refused = diagnostics.format();
      return false;
    }
    plain_ = {*mechanism, assemble(*mechanism)};
    if (!plain_.assembly.ok) {
      out_.refused = plain_.assembly.problem;
      return false;
    }
    until_ = options_.until > 0.0 ? options_.until : runOptions(plain_.mechanism).until;
    return runReference();
  }

  RunOptions tightOptions(const Tight& tight) const {
    const Trial trial{tight.formulation, "projection", tight.integrator, false};
    RunOptions options = optionsOf(plain_.mechanism, trial, until_, kSamples, Fineness::usual);
    options.steps.rtol = tight.rtol;
    options.steps.atol = 0.01 * tight.rtol;
    return options;
  }

  bool runReference() {
    Result first;
    std::vector<Finding> failures;
    std::vector<double> stops;
    for (const Tight& tight : kTight) {
      tight_ = &tight;
      if (runTight(tight, failures, stops)) break;
      if (tight_ == kTight.data()) first = reference_;
    }
    // Where none goes through, the first one counts as far as it gets.
    if (!sound_) {
      tight_ = kTight.data();
      reference_ = std::move(first);
    }
    // A dead point that all of them find at the same time is one.
    const bool agreed =
        stops.size() == kTight.size() &&
        *std::max_element(stops.begin(), stops.end()) - *std::min_element(stops.begin(), stops.end()) < 1e-2 * until_;
    if (!agreed) out_.findings.insert(out_.findings.end(), failures.begin(), failures.end());
    end_ = reference_.time.empty() ? 0.0 : std::min(until_, reference_.time.back());
    if (!(end_ > 0.0)) return false;
    settleScales();
    checkBalance();
    nudge();
    return true;
  }

  // Whether a tight run goes through with green lamps; otherwise what was wrong, and where it stopped.
  bool runTight(const Tight& tight, std::vector<Finding>& failures, std::vector<double>& stops) {
    TimedRun run = runOf(plain_, tightOptions(tight), options_.cpu_limit);
    ++out_.runs;
    reference_ = std::move(run.result);
    const Trial trial{tight.formulation, "projection", tight.integrator, false};
    sound_ = reference_.status == RunStatus::complete || reference_.status == RunStatus::stopped_by_event;
    const double reached = reference_.time.empty() ? 0.0 : reference_.time.back();
    const auto fail = [&](Fault fault, const std::string& what) {
      failures.push_back({fault, trial, fmt::format("rtol {}: {}", tight.rtol, what)});
    };
    if (run.too_long) {
      fail(Fault::slow, fmt::format("{:.3g} s of CPU time to t = {:.4g} s of {:.4g} s, {} steps", run.cpu, reached,
                                    until_, reference_.ledger.steps));
    } else if (!sound_) {
      stops.push_back(run.reached);
      if (!isRounded()) fail(Fault::stops, fmt::format("at t = {:.4g} s: {}", run.reached, reference_.message));
    } else if (const std::string red = redInTight(); !red.empty()) {
      sound_ = false;
      if (!isRounded()) fail(Fault::reference_red, red);
    }
    return sound_;
  }

  // Numbers of the joints that do not quite fit: near a pose of lower rank they decide how the mechanism goes on.
  bool isRounded() const { return plain_.assembly.misfit > 0.0; }

  // What moves is measured against what a mechanism of this size could do, not against a motion that is hardly there.
  double possibleEnergy() const {
    double mass = 0.0;
    for (const Body& body : plain_.mechanism.bodies) mass += body.mass.number;
    double g = 0.0;
    for (const Value& part : plain_.mechanism.gravity) g = std::hypot(g, part.number);
    const double L = reference_.ledger.reference_length;
    const double T = std::max(reference_.time.back(), 1e-3 * until_);
    return 0.01 * mass * (g * L + L * L / (T * T));
  }
  void settleScales() { reference_.ledger.energy_scale = std::max(reference_.ledger.energy_scale, possibleEnergy()); }

  // A lamp of a tight run that is red, or yellow for the energy, and rightly so; where it is wrong that is a finding of
  // its own.
  std::string redInTight() {
    std::string out;
    for (const LedgerLine& line : ledgerLines(reference_)) {
      const bool energy = line.id == "energy";
      const bool poor = line.grade == Grade::poor;
      // Rounded numbers show in the other lamps, and a little in that of the energy.
      if (isRounded() ? !(poor && energy) : !poor && !(energy && line.grade != Grade::good)) continue;
      const std::string said = fmt::format("{}: {}", line.label, line.sentence);
      if (line.id == "energy" && reference_.ledger.worst_energy_balance < 1e-9 * possibleEnergy()) {
        find(Fault::false_alarm, kReference, said);
      } else {
        out += (out.empty() ? "" : "; ") + said;
      }
    }
    return out;
  }

  void checkBalance() {
    const Ledger& ledger = reference_.ledger;
    if (!isFinite(reference_)) find(Fault::not_finite, kReference, "a series of the reference");
    // The last sample of a run that stopped is the state that could not be gone on from.
    const bool stopped = reference_.status == RunStatus::failed;
    const test::Imbalance off =
        test::BalanceSheet(plain_.mechanism, reference_).worst(stopped ? 0.98 * end_ : reference_.time.back());
    const double weight = ledger.energy_scale / ledger.reference_length;
    // Rows left open for a misfit carry nothing; what is left out of the balance is of its order.
    // Accelerations from both sides of a pose of lower rank are known to 1e-6.
    const double known = ledger.rank_changes.empty() ? 1e-7 : 1e-6;
    const double allowed = known + 100.0 * plain_.assembly.misfit;
    if (off.force > allowed * (off.force_scale + weight) ||
        off.moment > allowed * (off.moment_scale + ledger.energy_scale))
      find(Fault::unbalanced, kReference,
           fmt::format("by {:.3g} N of {:.3g} N, {:.3g} N*m of {:.3g} N*m", off.force, off.force_scale, off.moment,
                       off.moment_scale));
  }

  // The growth of a small error, by a second run from a start beside the first one.
  void nudge() {
    Posed beside = plain_;
    SystemOptions nudging;  // in absolute coordinates, whatever the reference has
    const auto system = makeSystem(plain_.mechanism, startingFrom(plain_.assembly, nudging));
    const auto work = system->makeWorkspace();
    std::vector<double> x = system->fromAbsolute(0.0, plain_.assembly.state());
    const StateSpace space = system->space();
    const double L = reference_.ledger.reference_length;
    double speed = L;
    for (int k = space.positions(); k < space.controlled(); ++k)
      speed = std::max(speed, std::abs(x[static_cast<std::size_t>(k)]));
    for (int k = 0; k < space.controlled(); ++k)
      x[static_cast<std::size_t>(k)] += kNudge * draws_.between(-1, 1) * (k < space.positions() ? L : speed);
    if (system->afterStep(0.0, x, system->startModes(), *work).eval != Eval::ok) return;
    const std::size_t nq = beside.assembly.q.size();
    std::copy_n(x.begin(), nq, beside.assembly.q.begin());
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(nq), beside.assembly.v.size(), beside.assembly.v.begin());
    // How a difference of 1e-7 grows is to be known to a hundredth.
    Tight loose = *tight_;
    loose.rtol = std::max(loose.rtol, 0.01 * kNudge);
    TimedRun run = runOf(beside, tightOptions(loose), options_.cpu_limit);
    ++out_.runs;
    growth_ = coursesOf(differencesOf(plain_.mechanism, reference_, run.result, 1.0), reference_, run.result);
    if (!run.result.time.empty()) nudged_end_ = run.result.time.back();
    for (const RankChange& change : reference_.ledger.rank_changes) end_ = std::min(end_, 0.98 * change.time);
  }

  double allowed(Aspect aspect, double t, double promised) const {
    const double grown = std::max(1.0, growth_[aspect].upTo(t, 2.0 * until_ / kSamples) / kNudge);
    // What a misfit does to the motion depends on which rows are left open.
    return (kPatience * promised + 100.0 * openMisfit()) * grown;
  }

  // What lengths miss grows with the motion; it is left open and told.
  double openMisfit() const {
    if (!(plain_.assembly.misfit > 0.0)) return 0.0;
    const Ledger& ledger = reference_.ledger;
    return std::max(plain_.assembly.misfit, ledger.worst_position / ledger.reference_length);
  }

  std::optional<Posed> posed(const Trial& trial) const {
    Posed out = plain_;
    if (trial.lifted) out.mechanism = liftToSpace(out.mechanism);
    if (options_.tamper) options_.tamper(out.mechanism, trial);
    if (trial.lifted || options_.tamper) out.assembly = assemble(out.mechanism);
    if (!out.assembly.ok) return std::nullopt;
    return out;
  }

  Miss missOf(const Result& other, double promised) {
    Miss out;
    const Differences differences = differencesOf(plain_.mechanism, reference_, other, 1.0);
    const PerAspect<Course> courses = coursesOf(differences, reference_, other);
    double horizon = 0.0;
    for (const Aspect aspect : kAspects) {
      const Course& course = courses[aspect];
      for (std::size_t k = 0; k < course.time.size() && course.time[k] <= end_; ++k) {
        const double may = allowed(aspect, course.time[k], std::max(promised, tight_->rtol));
        if (may > kLargestAllowed || course.time[k] > nudged_end_) break;
        horizon = std::max(horizon, course.time[k]);
        if (!(course.value[k] / may > out.ratio)) continue;
        out = {course.value[k] / may, course.time[k], course.value[k], aspect};
      }
    }
    out_.horizon = std::max(out_.horizon, horizon);
    return out;
  }

  Result seenAs(const Trial& trial, Result result) const {
    return trial.lifted ? planarView(plain_.mechanism, std::move(result)) : std::move(result);
  }

  // In space turns are counted from sample to sample, which needs several in a turn.
  bool turnsCanBeCounted() const {
    for (const Series& series : reference_.series) {
      if (series.unit != "rad/s") continue;
      for (const double rate : series.values) {
        if (std::abs(rate) * until_ / kSamples > 1.0) return false;
      }
    }
    return true;
  }

  void attempt(const Trial& trial) {
    if (trial.lifted && !turnsCanBeCounted()) return;
    const std::optional<Posed> at = posed(trial);
    if (!at) return;
    try {
      attemptFrom(*at, trial);
    } catch (const std::exception& error) {
      find(Fault::threw, trial, error.what());
    }
  }

  void attemptFrom(const Posed& at, const Trial& trial) {
    const RunOptions options = optionsOf(at.mechanism, trial, until_, kSamples, Fineness::usual);
    if (!runProblem(at.mechanism, options).empty()) return;
    TimedRun run = runOf(at, options, options_.cpu_limit);
    ++out_.runs;
    if (run.too_long)
      find(Fault::slow, trial,
           fmt::format("{:.3g} s of CPU time to t = {:.4g} s of {:.4g} s, {} steps", run.cpu, run.result.time.back(),
                       until_, run.result.ledger.steps));
    const bool complete = run.result.status == RunStatus::complete;
    if (complete && !isFinite(run.result)) find(Fault::not_finite, trial, "a series of a complete run");
    std::string red = redLamps(run.result);
    checkEnd(at, trial, run.result, red);
    const bool energy_told = ledgerLines(run.result)[1].grade != Grade::good;
    const Result seen = seenAs(trial, std::move(run.result));
    const double promised = promise(options);
    const Miss miss = missOf(seen, promised);
    // A yellow lamp over the energy tells that the energy is off.
    if (red.empty() && energy_told && miss.aspect == Aspect::energy) red = "energy (yellow)";
    if (miss.ratio > 1.0) judge(at, trial, miss, promised, red);
  }

  // Runs end where the reference ends, if that was before its time; red lamps tell of one that went past it.
  void checkEnd(const Posed& at, const Trial& trial, const Result& result, const std::string& red) {
    if (isRounded()) return;  // the message says that exact numbers may go on
    const double reached = result.time.empty() ? 0.0 : result.time.back();
    if (result.status == RunStatus::failed && reached < 0.95 * end_ && !goesWithFinerSteps(at, trial))
      find(Fault::stops, trial, fmt::format("at t = {:.4g} s of {:.4g} s: {}", reached, end_, result.message));
    const bool stopped = reference_.status == RunStatus::failed;
    if (stopped && red.empty() && result.status == RunStatus::complete && reference_.time.back() < 0.95 * until_)
      find(Fault::goes_on, trial,
           fmt::format("to {:.4g} s, where the reference stopped at {:.4g} s: {}", reached, reference_.time.back(),
                       reference_.message));
  }

  // A fixed step that is too long somewhere says so, and to try a smaller one.
  bool goesWithFinerSteps(const Posed& at, const Trial& trial) {
    const RunOptions finer = optionsOf(at.mechanism, trial, until_, kSamples, Fineness::finer);
    if (!takesFixedSteps(*findIntegrator(trial.integrator), finer.steps)) return false;
    const TimedRun run = runOf(at, finer, 4.0 * options_.cpu_limit);
    ++out_.runs;
    return run.result.status != RunStatus::failed ||
           (!run.result.time.empty() && run.result.time.back() >= 0.95 * end_);
  }

  void judge(const Posed& at, const Trial& trial, const Miss& miss, double promised, const std::string& red) {
    const RunOptions finer = optionsOf(at.mechanism, trial, until_, kSamples, Fineness::finer);
    TimedRun run = runOf(at, finer, 4.0 * options_.cpu_limit);
    ++out_.runs;
    const Miss again = missOf(seenAs(trial, std::move(run.result)), promised);
    const bool fixed = takesFixedSteps(*findIntegrator(trial.integrator), finer.steps);
    const bool converges = again.ratio <= 1.0 || again.ratio < (fixed ? 0.5 : 0.2) * miss.ratio;
    const std::string what = fmt::format(
        "{} by {:.3g} at t = {:.4g} s, {:.3g} times what is allowed; with finer steps {:.3g} times{}",
        wordFor(miss.aspect), miss.relative, miss.time, miss.ratio, again.ratio, red.empty() ? "" : "; red: " + red);
    if (!converges) {
      find(red.empty() ? Fault::differs : Fault::differs_red, trial, what);
    } else if (!fixed && red.empty() && miss.ratio > kFarOff) {
      find(Fault::inaccurate, trial, what);
    }
  }

  Draws draws_;
  const ExamineOptions& options_;
  const std::string& text_;
  Posed plain_;
  Result reference_;
  PerAspect<Course> growth_;
  const Tight* tight_ = nullptr;
  bool sound_ = false;
  double until_ = 0.0, end_ = 0.0, nudged_end_ = 0.0;
  Examination out_;
};

}  // namespace

std::string_view wordFor(Fault fault) {
  switch (fault) {
    case Fault::differs: return "differs";
    case Fault::differs_red: return "differs_red";
    case Fault::inaccurate: return "inaccurate";
    case Fault::stops: return "stops";
    case Fault::goes_on: return "goes_on";
    case Fault::slow: return "slow";
    case Fault::not_finite: return "not_finite";
    case Fault::unbalanced: return "unbalanced";
    case Fault::reference_red: return "reference_red";
    case Fault::false_alarm: return "false_alarm";
    case Fault::threw: return "threw";
  }
  return "";
}

Examination examine(const std::string& text, const std::vector<Trial>& trials, Draws draws,
                    const ExamineOptions& options) {
  return Examiner(text, draws, options).go(trials);
}

}  // namespace linkwork::random_mechanisms
