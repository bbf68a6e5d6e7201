#include "linkwork/integrate/sundials/stepping.hpp"

#include <algorithm>
#include <cmath>

namespace linkwork::sundials {
namespace {

constexpr double kShrink = 0.01;
constexpr double kFirstGuess = 1e-3;  // of the time left, where nothing better is known
constexpr double kMostFirst = 0.1;    // of the time left: the libraries begin with no longer a step
constexpr double kNoWeight = 1e-30;   // for quadratures; zero is not allowed everywhere
// Numbers that could be smaller are kept as long as they loosen the tolerance by no more than this.
constexpr double kOutgrown = 10;
constexpr long kWorthStarting = 100;  // steps, of which a new start costs a part

}  // namespace

SundialsIntegrator::SundialsIntegrator(const OdeSystem& system, const IntegratorOptions& options, std::size_t unknowns)
    : AdaptiveIntegrator(system, options),
      y_(context_, unknowns),
      dky_(context_, unknowns),
      history_(kMostOrder + 1, std::vector<double>(x_.size())),
      restated_(x_.size()),
      largest_restated_(x_.size()) {
  dense_.resize(x_.size(), kMostOrder - 3);
}

double SundialsIntegrator::scaleOf(std::size_t i, double value) const {
  const auto first = static_cast<std::size_t>(space_.quadratureOffset());
  const bool quadrature = i >= first && i < x_.size();
  return quadrature ? 1 / kNoWeight : options_.atol + options_.rtol * std::abs(value);
}

void SundialsIntegrator::setWeights(std::span<const double> y, std::span<double> weights) const {
  for (std::size_t i = 0; i < y.size(); ++i) weights[i] = 1 / scaleOf(i, y[i]);
}

int SundialsIntegrator::answer(Eval eval) {
  if (eval == Eval::failed) refused_ = true;
  if (eval == Eval::retry) retried_ = true;
  return eval == Eval::ok ? 0 : eval == Eval::retry ? 1 : -1;
}

int SundialsIntegrator::rightSide(double t, N_Vector y, N_Vector ydot) {
  Eval eval = evaluate(t, values(y), values(ydot));
  if (eval == Eval::ok) eval = checkFinite(t, values(ydot));
  return answer(eval);
}

int SundialsIntegrator::project(double t, N_Vector y) {
  std::copy_n(values(y).begin(), x_.size(), x_new_.begin());
  after_ = correct(t);
  return answer(after_.eval);
}

StepStatus SundialsIntegrator::start() {
  if (beginAnew(options_.initial_step)) return StepStatus::ok;
  return fail(StepStatus::failed);
}

StepStatus SundialsIntegrator::restart() { return start(); }

bool SundialsIntegrator::restate() {
  std::copy(x_.begin(), x_.end(), restated_.begin());
  const Restated restated = system_.restate(t_, restated_, modes_, workspace());
  if (restated == Restated::no) return false;
  const bool starts = steps_ == 0 || previousTime() == t_;
  if (!starts && goOnFrom(restated_)) {
    x_.swap(restated_);
    return true;
  }
  if (!starts && restated != Restated::anew && !outgrown()) return false;
  x_.swap(restated_);
  (void)beginAnew(starts ? options_.initial_step : 0);  // where it cannot, advance() says why
  return true;
}

// Any entry beside what restating has left of it at most since the library started.
bool SundialsIntegrator::outgrown() {
  bool out = false;
  for (std::size_t i = 0; i < static_cast<std::size_t>(space_.controlled()); ++i) {
    largest_restated_[i] = std::max(largest_restated_[i], scaleOf(i, restated_[i]));
    out = out || scaleOf(i, x_[i]) > kOutgrown * largest_restated_[i];
  }
  return out && steps_ >= kWorthStarting;
}

bool SundialsIntegrator::beginAnew(double first_step) {
  std::copy(x_.begin(), x_.end(), y_.values().begin());
  failures_seen_ = 0;
  after_ = {};
  steps_ = 0;
  stops_before_ = false;
  std::fill(largest_restated_.begin(), largest_restated_.end(), 0.0);
  first_step_ = first_step > 0 ? std::min(first_step, t_end_ - t_) : kFirstGuess * (t_end_ - t_);
  return initialise(std::min(first_step, t_end_ - t_));
}

StepStatus SundialsIntegrator::advance() {
  // The library cannot start so near to the end; over such a distance a straight step is exact.
  if (t_end_ - t_ < 8 * smallestStep()) return takeShortStep();
  refused_ = retried_ = false;
  double h_try = std::min(steps_ == 0 ? first_step_ : wantedStep(), t_end_ - t_);
  for (;;) {
    after_ = {};
    double t_new = t_;
    if (!limits_.empty()) limitNext();
    const int flag = takeStep(t_new);
    for (; failures_seen_ < failedSteps(); ++failures_seen_) countRejection();
    Eval eval = Eval::ok;
    if (flag >= 0 && t_new > t_) {
      const double h = options_.max_step > 0 ? std::min(t_new - t_, options_.max_step) : t_new - t_;
      EndSlope end_slope = EndSlope::unknown;
      eval = finish(t_new, h, end_slope);
      if (eval == Eval::ok) {
        ++steps_;
        return commit(t_new, h, end_slope, after_);
      }
      countRejection();
    }
    if (refused_ || eval == Eval::failed) return fail(StepStatus::failed);
    h_try *= kShrink;
    if (isTooAccurate(flag) || h_try < smallestStep()) return giveUp(flag);
    if (!beginAnew(h_try)) return fail(StepStatus::failed);
  }
}

// Telling the library where to stop changes what it does before, so that it is told only where its step is too long.
void SundialsIntegrator::limitNext() {
  const double longest = std::max(limits_.from(t_), 8 * smallestStep());
  const double coming = steps_ == 0 ? kMostFirst * (t_end_ - t_) : wantedStep();
  if (coming > longest && t_ + longest < t_end_) {
    stopAt(t_ + longest);
    stops_before_ = true;
  } else if (stops_before_) {
    stopAt(t_end_);
    stops_before_ = false;
  }
}

StepStatus SundialsIntegrator::giveUp(int flag) {
  if (isTooAccurate(flag)) {
    note(t_, "rtol and atol ask for more than round-off allows: give larger ones", AskSystem::no);
    return fail(StepStatus::failed);
  }
  if (!retried_ && !isErrorFailure(flag)) {
    note(t_, "Newton's iteration does not converge however small the step", AskSystem::no);
  } else if (!retried_) {
    noteErrorTooLarge();
  }
  return failUnderflow(smallestStep());
}

StepStatus SundialsIntegrator::takeShortStep() {
  const double h = t_end_ - t_;
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + h * slope_[i];
  const AfterStep after = correct(t_end_);
  if (after.eval != Eval::ok) return fail(StepStatus::failed);
  dense_.setEnds(h, x_, slope_, x_new_);
  return commit(t_end_, h, EndSlope::unknown, after);
}

}  // namespace linkwork::sundials
