#include "linkwork/integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace {

// Below this a relative tolerance asks for more than the round-off of one step leaves.
constexpr double kSmallestRtol = 1e-14;

bool isStep(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

std::string IntegratorOptions::problem() const {
  if (!(rtol >= kSmallestRtol && rtol < 1)) {
    return fmt::format("rtol = {:g} is out of range: give a relative tolerance from {:g} to below 1.", rtol,
                       kSmallestRtol);
  }
  if (!(atol > 0 && std::isfinite(atol))) {
    return fmt::format(
        "atol = {:g} is out of range: give a positive absolute tolerance; zero would divide by zero "
        "where a coordinate passes zero.",
        atol);
  }
  if (!isStep(step)) return fmt::format("step = {:g} s is out of range: give a positive fixed step.", step);
  if (!isStep(max_step)) {
    return fmt::format("max_step = {:g} s is out of range: give a positive limit, or 0 for none.", max_step);
  }
  if (!isStep(initial_step)) {
    return fmt::format("initial_step = {:g} s is out of range: give a positive step, or 0 to have it chosen.",
                       initial_step);
  }
  // At 1 the multipliers swing for ever, and ever more: -1 is a double root.
  if (!(rho >= 0 && rho < 1)) {
    return fmt::format(
        "rho = {:g} is out of range: give a number from 0, where fast swings vanish in one step, to below 1, where "
        "they "
        "would stay for ever.",
        rho);
  }
  if (max_step > 0 && initial_step > max_step) {
    return fmt::format("initial_step = {:g} s is larger than max_step = {:g} s: lower one or raise the other.",
                       initial_step, max_step);
  }
  return {};
}

Integrator::Integrator(const OdeSystem& system, const IntegratorOptions& options)
    : system_(system), options_(options), space_(system.space()) {
  const std::string problem = options.problem();
  expect(problem.empty(), problem);
  work_ = system.makeWorkspace();
  expect(work_ != nullptr, "the system made no workspace");
  const auto n = static_cast<std::size_t>(space_.size());
  x_.resize(n);
  modes_ = system.startModes();
  slope_.resize(n);
  x_new_.resize(n);
  raw_x_new_.resize(n);
  dense_.resize(n);
}

Integrator::~Integrator() = default;

StepStatus Integrator::begin(double t0, std::span<const double> x0, double t_end) {
  return begin(t0, x0, t_end, system_.startModes());
}

StepStatus Integrator::begin(double t0, std::span<const double> x0, double t_end, const Modes& modes) {
  expect(x0.size() == x_.size(), "begin: x0 has not the size of the system's state");
  expect(modes.flags.size() == modes_.flags.size() && modes.numbers.size() == modes_.numbers.size(),
         "begin: the modes of another system");
  expect(std::isfinite(t0) && std::isfinite(t_end), "begin: t0 and t_end must be finite");
  if (!(t_end > t0)) {
    throw ContractError(fmt::format("begin: t_end = {:g} s must be after t0 = {:g} s", t_end, t0));
  }
  begun_ = true;
  status_ = StepStatus::ok;
  counts_ = {};
  rows_.reset();
  trouble_ = {};
  last_step_ = 0;
  t_begin_ = t_ = previous_t_ = t0;
  t_end_ = t_end;
  jump_margin_ = 0;
  std::copy(x0.begin(), x0.end(), x_.begin());
  modes_ = modes;
  slope_valid_ = false;
  if (evaluateSlope("the motion cannot start: ") != StepStatus::ok) return status_;
  return status_ = start();
}

StepStatus Integrator::step() {
  expect(begun_, "step: call begin first");
  if (status_ != StepStatus::ok) return status_;
  nearest_rows_.reset();
  if (restate()) slope_valid_ = false;
  if (slope_valid_) {
    system_.beginStep(t_, x_, modes_, *work_);
  } else if (evaluateSlope("the state reached allows no further step: ") != StepStatus::ok) {
    return status_;
  }
  return status_ = advance();
}

StepStatus Integrator::resumeAt(double t, std::span<const double> x, const Modes& modes) {
  expect(begun_, "resumeAt: call begin first");
  expect(x.size() == x_.size(), "resumeAt: x has not the size of the system's state");
  expect(t >= previous_t_ && t <= t_, "resumeAt: t lies outside of the last step");
  t_ = previous_t_ = t;
  std::copy(x.begin(), x.end(), x_.begin());
  modes_ = modes;
  rows_.reset();
  slope_valid_ = false;
  trouble_ = {};
  if (!(t_ < t_end_)) return status_ = StepStatus::finished;
  status_ = StepStatus::ok;
  (void)restate();
  if (evaluateSlope("the motion cannot go on after the event: ") != StepStatus::ok) return status_;
  return status_ = restart();
}

StepStatus Integrator::continueTo(double t_end) {
  expect(begun_, "continueTo: call begin first");
  expect(std::isfinite(t_end) && t_end > t_, "continueTo: t_end must be after the time reached");
  if (status_ != StepStatus::ok && status_ != StepStatus::finished) return status_;
  t_end_ = t_end;
  jump_margin_ = 0;
  status_ = StepStatus::ok;
  slope_valid_ = false;  // the equations may jump here
  (void)restate();
  if (evaluateSlope("the motion cannot go on: ") != StepStatus::ok) return status_;
  return status_ = restart();
}

IntegratorMemory Integrator::memory() const {
  expect(begun_ && status_ == StepStatus::ok, "memory: only between two steps");
  return {t_, t_begin_, t_end_, last_step_, x_, slope_, slope_valid_, counts_, methodMemory(), modes_, jump_margin_};
}

void Integrator::recall(const IntegratorMemory& was) {
  expect(was.x.size() == x_.size() && was.slope.size() == x_.size() && was.modes.flags.size() == modes_.flags.size() &&
             was.modes.numbers.size() == modes_.numbers.size(),
         "recall: the memory of another system");
  begun_ = true;
  status_ = StepStatus::ok;
  trouble_ = {};
  t_ = previous_t_ = was.t;
  t_begin_ = was.t_begin;
  t_end_ = was.t_end;
  last_step_ = was.last_step;
  x_ = was.x;
  modes_ = was.modes;
  slope_ = was.slope;
  slope_valid_ = was.slope_valid;
  counts_ = was.counts;
  jump_margin_ = was.jump_margin;
  recallMethod(was.method);
}

StepStatus Integrator::startOver() {
  expect(begun_ && status_ == StepStatus::ok, "startOver: only between two steps");
  previous_t_ = t_;
  slope_valid_ = false;
  (void)restate();
  if (evaluateSlope("the motion cannot go on: ") != StepStatus::ok) return status_;
  return status_ = start();
}

void Integrator::interpolate(double t, std::span<double> x) const {
  expect(x.size() == x_.size(), "interpolate: x has not the size of the system's state");
  expect(t >= previous_t_ && t <= t_, "interpolate: t lies outside of the last step");
  if (t == t_) {
    std::copy(x_.begin(), x_.end(), x.begin());
  } else if (t == previous_t_) {
    dense_.start(x);
  } else {
    dense_.evaluate((t - previous_t_) / (t_ - previous_t_), x);
  }
}

std::string Integrator::failure() const {
  if (status_ == StepStatus::ok || status_ == StepStatus::finished || !begun_) return {};
  std::string text = fmt::format("t = {:.6g} s: ", trouble_.time);
  text += fmt::format(fmt::runtime(trouble_.lead), trouble_.lead_value);
  text += trouble_.why;
  if (trouble_.ask == AskSystem::yes) text += describeTrouble();
  return text;
}

Eval Integrator::evaluate(double t, std::span<const double> x, std::span<double> xdot) {
  ++counts_.evaluations;
  return take(t, system_.derivative(timeAsked(t), x, modes_, *work_, xdot));
}

Eval Integrator::take(double t, const Evaluation& evaluation) {
  if (evaluation.rows) {
    rows_ = evaluation.rows;
    const bool nearer =
        !nearest_rows_ || rows_->freedoms > nearest_rows_->freedoms ||
        (rows_->freedoms == nearest_rows_->freedoms && rows_->smallest_pivot < nearest_rows_->smallest_pivot);
    if (nearer) nearest_rows_ = rows_;
  }
  if (evaluation.eval != Eval::ok) note(t, "", AskSystem::yes);
  return evaluation.eval;
}

AfterStep Integrator::correct(double t_new) {
  std::copy(x_new_.begin(), x_new_.end(), raw_x_new_.begin());
  const AfterStep after = system_.afterStep(t_new, x_new_, modes_, *work_);
  if (after.rows) rows_ = after.rows;
  if (after.eval != Eval::ok) note(t_new, "the correction after the step did not succeed: ", AskSystem::yes);
  return after;
}

Eval Integrator::checkFinite(double t, std::span<const double> x) {
  const auto controlled = x.first(static_cast<std::size_t>(space_.controlled()));
  if (std::all_of(controlled.begin(), controlled.end(), [](double value) { return std::isfinite(value); }))
    return Eval::ok;
  note(t, "the equations give a value that is not a finite number", AskSystem::no);
  return Eval::retry;
}

void Integrator::finishQuadratures(double h, std::span<const double> end_slope) {
  for (std::size_t i = static_cast<std::size_t>(space_.quadratureOffset()); i < x_.size(); ++i)
    raw_x_new_[i] = x_new_[i] = x_[i] + 0.5 * h * (slope_[i] + end_slope[i]);
}

StepStatus Integrator::commit(double t_new, double h, EndSlope end_slope, const AfterStep& after) {
  previous_t_ = t_;
  t_ = t_new;
  std::copy(x_new_.begin(), x_new_.end(), x_.begin());
  slope_valid_ = end_slope == EndSlope::known;
  last_step_ = h;
  counts_.smallest_step = counts_.accepted == 0 ? h : std::min(counts_.smallest_step, h);
  counts_.largest_step = std::max(counts_.largest_step, h);
  ++counts_.accepted;
  if (after.changed) ++counts_.state_changes;
  return t_ < t_end_ ? StepStatus::ok : StepStatus::finished;
}

void Integrator::note(double t, const char* why, AskSystem ask) { trouble_ = {t, "", 0, why, ask}; }

StepStatus Integrator::fail(StepStatus status, const char* lead, double lead_value) {
  trouble_.lead = lead;
  trouble_.lead_value = lead_value;
  return status_ = status;
}

StepStatus Integrator::failUnderflow(double limit) {
  trouble_.time = t_;
  return fail(StepStatus::underflow, "the step fell below {:.1e} s: ", limit);
}

StepStatus Integrator::evaluateSlope(const char* lead) {
  system_.beginStep(t_, x_, modes_, *work_);
  Eval eval = evaluate(t_, x_, slope_);
  if (eval == Eval::ok) eval = checkFinite(t_, slope_);
  if (eval != Eval::ok) return fail(StepStatus::failed, lead);
  slope_valid_ = true;
  return StepStatus::ok;
}

}  // namespace linkwork
