#include "linkwork/formulation/equations/equations_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "linkwork/base/index.hpp"
#include "linkwork/elements/corners.hpp"
#include "linkwork/elements/quick_stretches.hpp"
#include "linkwork/formulation/equations/equations_names.hpp"
#include "linkwork/formulation/tangent_numbers.hpp"

namespace linkwork {

namespace {

// Smallest pivot of rows of length one below which a is taken to be singular, and steps that end nearer are refused.
constexpr double kSingular = 1e-9;

constexpr int kProjections = 8;
constexpr double kOnPositions = 1e-14;  // of Phi, beside 1 m or 1 rad

// Formulas that may have corners in time.
std::vector<Expr> formulasOfMotion(const EquationsModel& model) {
  std::vector<Expr> out{model.potential};
  for (const auto* forms : {&model.quasi_velocities, &model.constraints}) {
    for (const EquationsForm& form : *forms) out.push_back(form.value);
  }
  for (const EquationsBody& body : model.bodies) {
    out.insert(out.end(), body.velocity.begin(), body.velocity.end());
    out.insert(out.end(), body.angular_velocity.begin(), body.angular_velocity.end());
    out.push_back(body.kinetic_energy);
  }
  for (const EquationsForce& force : model.forces) {
    out.push_back(force.value);
    out.insert(out.end(), force.force.begin(), force.force.end());
    out.insert(out.end(), force.couple.begin(), force.couple.end());
  }
  return out;
}

}  // namespace

struct EquationsSystem::Work : Workspace {
  enum class Failure { none, singular, not_positive, not_finite };

  EquationsKernel<double>::Work own;
  std::vector<double> seen_in, seen_scratch, seen;
  Failure failure = Failure::none;
  double failed_at = 0.0;
  long projections = 0;
};

EquationsSystem::EquationsSystem(const EquationsModel& model, EquationsSystemOptions options)
    : model_(model), options_(options), tapes_(model), kernel_(tapes_), dual_(tapes_) {
  std::map<std::string, Expr> numbers;
  for (const Parameter& parameter : model.frame.parameters)
    numbers.emplace(parameter.name, Expr(parameter.value.number));
  std::vector<Expr> outputs;
  for (const Event& event : model.frame.events) outputs.push_back(substitute(event.when, numbers));
  for (const Output& output : model.frame.outputs) outputs.push_back(substitute(output.value, numbers));
  std::vector<std::string> inputs;
  for (const EquationsCoordinate& coordinate : model.coordinates) inputs.push_back(coordinate.name);
  for (const EquationsCoordinate& coordinate : model.coordinates) inputs.push_back(coordinate.rate());
  inputs.emplace_back("t");
  seen_ = Tape(outputs, inputs);
  for (const Expr& formula : formulasOfMotion(model)) {
    for (const Expr& part : partsOfTime(substitute(formula, numbers))) {
      const std::vector<double> times = breakTimes(part, TablePoints::corners);
      corner_times_.insert(corner_times_.end(), times.begin(), times.end());
    }
  }
  std::sort(corner_times_.begin(), corner_times_.end());
  corner_times_.erase(std::unique(corner_times_.begin(), corner_times_.end()), corner_times_.end());
}

std::unique_ptr<Workspace> EquationsSystem::makeWorkspace() const {
  auto out = std::make_unique<Work>();
  out->own = kernel_.makeWork();
  out->seen_in.resize(seen_.inputCount());
  out->seen_scratch.resize(seen_.scratchSize());
  out->seen.resize(seen_.outputCount());
  return out;
}

bool EquationsSystem::place(double t, std::span<const double> q, Work& work) const {
  kernel_.place(t, q, work.own);
  work.failed_at = t;
  work.failure = work.own.order.smallest > kSingular ? Work::Failure::none : Work::Failure::singular;
  return work.failure == Work::Failure::none;
}

Eval EquationsSystem::evaluate(double t, std::span<const double> x, Work& work) const {
  if (!place(t, positionsOf(x), work)) return Eval::retry;
  kernel_.move(velocitiesOf(x), work.own);
  kernel_.accelerate(options_.variant, work.own);
  if (!work.own.positive) work.failure = Work::Failure::not_positive;
  for (const double rate : work.own.udot) {
    if (!std::isfinite(rate)) work.failure = Work::Failure::not_finite;
  }
  return work.failure == Work::Failure::none ? Eval::ok : Eval::retry;
}

RowRank EquationsSystem::rankOf(const Work& work) const {
  RowRank out;
  out.rank = tapes_.n - tapes_.free;
  out.freedoms = tapes_.free;
  out.smallest_pivot = work.own.order.smallest * work.own.order.smallest;
  out.nearest_row = work.own.order.worst_row;
  out.velocity_rank = out.rank - static_cast<int>(tapes_.position_rows.size());
  return out;
}

Evaluation EquationsSystem::derivative(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& work,
                                       std::span<double> xdot) const {
  auto& own = static_cast<Work&>(work);
  if (const Eval eval = evaluate(t, x, own); eval != Eval::ok) return eval;
  std::copy(own.own.u.begin(), own.own.u.end(), xdot.begin());
  std::copy(own.own.wdot.begin(), own.own.wdot.end(), xdot.begin() + tapes_.n);
  xdot.back() = kernel_.power(velocitiesOf(x), own.own);
  return {Eval::ok, rankOf(own)};
}

AfterStep EquationsSystem::afterStep(double t, std::span<double> x, const Modes& /*modes*/, Workspace& work) const {
  auto& own = static_cast<Work&>(work);
  AfterStep out;
  if (!options_.projects || tapes_.position_rows.empty()) return out;
  const std::size_t n = at(tapes_.n);
  for (int sweep = 0; sweep < kProjections; ++sweep) {
    if (!place(t, positionsOf(x), own)) {
      out.eval = Eval::retry;
      return out;
    }
    const std::span<const double> phi = kernel_.phi(own.own);
    double miss = 0.0;
    for (const double entry : phi) miss = std::max(miss, std::abs(entry));
    if (!std::isfinite(miss)) own.failure = Work::Failure::not_finite;
    if (!(miss > kOnPositions)) break;
    if (sweep == 0) ++own.projections;
    for (std::size_t s = 0; s < n; ++s) {
      for (std::size_t k = 0; k < phi.size(); ++k) x[s] -= own.own.b[s * n + at(tapes_.position_rows[k])] * phi[k];
    }
    out.changed = true;
  }
  if (own.failure != Work::Failure::none) out.eval = Eval::retry;
  return out;
}

// Events and outputs, at the state whose rates are known.
void EquationsSystem::look(double t, Work& work) const {
  const std::size_t n = at(tapes_.n);
  std::copy_n(work.own.place_in.begin(), n, work.seen_in.begin());
  std::copy(work.own.u.begin(), work.own.u.end(), work.seen_in.begin() + tapes_.n);
  work.seen_in[2 * n] = t;
  seen_.evaluate<double>(work.seen_in, work.seen_scratch, work.seen);
}

Eval EquationsSystem::eventValues(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& work,
                                  std::span<double> values) const {
  auto& own = static_cast<Work&>(work);
  if (!place(t, positionsOf(x), own)) return Eval::retry;
  kernel_.move(velocitiesOf(x), own.own);
  look(t, own);
  std::copy_n(own.seen.begin(), values.size(), values.begin());
  return Eval::ok;
}

EventSense EquationsSystem::eventSense(int event, const Modes& /*modes*/) const {
  switch (model_.frame.events[at(event)].crossing) {
    case Crossing::rising: return EventSense::rising;
    case Crossing::falling: return EventSense::falling;
    case Crossing::both: break;
  }
  return EventSense::both;
}

std::string EquationsSystem::rowName(int row) const {
  if (row < 0) return {};
  const auto& free = model_.quasi_velocities;
  const std::size_t r = at(row);
  return r < free.size() ? free[r].name : model_.constraints[r - free.size()].name;
}

std::string EquationsSystem::describeFailure(const Workspace& work) const {
  const auto& own = static_cast<const Work&>(work);
  switch (own.failure) {
    case Work::Failure::singular:
      return fmt::format(
          "t = {:.9g} s: the quasi-velocities and constraints do not determine the rates: \"{}\" depends on the others "
          "there (smallest pivot {:.2g})",
          own.failed_at, rowName(own.own.order.worst_row), own.own.order.smallest);
    case Work::Failure::not_positive:
      return fmt::format("t = {:.9g} s: the mass matrix of the quasi-velocities is not positive definite",
                         own.failed_at);
    default: return fmt::format("t = {:.9g} s: a formula gives no finite number", own.failed_at);
  }
}

// Of everything that an EquationsModel is recorded by, in the order of recordedNames(); then the user's outputs.
Evaluation EquationsSystem::observe(double t, std::span<const double> x, const Modes& modes, Workspace& work,
                                    Observation& out) const {
  auto& own = static_cast<Work&>(work);
  if (const Eval eval = evaluate(t, x, own); eval != Eval::ok) return eval;
  look(t, own);
  out = Observation();
  const std::span<const double> q = positionsOf(x);
  const std::span<const double> w = velocitiesOf(x);
  const auto add = [&](std::span<const double> values) {
    out.outputs.insert(out.outputs.end(), values.begin(), values.end());
  };
  add(q);
  add(own.own.u);
  add(own.own.udot);
  for (const int k : quasiVelocitiesWithNames(model_)) out.outputs.push_back(w[at(k)]);
  for (const int k : quasiVelocitiesWithNames(model_)) out.outputs.push_back(own.own.wdot[at(k)]);
  for (int r = tapes_.free; r < tapes_.n; ++r) out.outputs.push_back(kernel_.reaction(own.own, r));
  add(std::span<const double>(own.seen).subspan(at(eventCount())));
  out.kinetic = kernel_.kinetic(own.own);
  out.potential = kernel_.potential(own.own);
  out.supplied_work = x.back();
  out.violation = violation(t, x, modes, work);
  return {Eval::ok, rankOf(own)};
}

Violation EquationsSystem::violation(double t, std::span<const double> x, const Modes& /*modes*/,
                                     Workspace& work) const {
  auto& own = static_cast<Work&>(work);
  Violation out;
  if (evaluate(t, x, own) != Eval::ok) {
    out.position = out.velocity = std::numeric_limits<double>::quiet_NaN();
    return out;
  }
  const std::size_t n = at(tapes_.n);
  const auto a = kernel_.block(own.own.forms, tapes_.a);
  const auto a0 = kernel_.block(own.own.forms, tapes_.a0);
  const auto rates = kernel_.block(own.own.terms, tapes_.forms_dot);
  for (const double phi : kernel_.phi(own.own)) out.position = std::hypot(out.position, phi);
  for (std::size_t r = at(tapes_.free); r < n; ++r) {
    double velocity = a0[r];
    double acceleration = rates[r];
    for (std::size_t s = 0; s < n; ++s) {
      velocity += a[r * n + s] * own.own.u[s];
      acceleration += a[r * n + s] * own.own.udot[s];
    }
    out.velocity = std::hypot(out.velocity, velocity);
    out.acceleration = std::hypot(out.acceleration, acceleration);
  }
  return out;
}

RowRank EquationsSystem::factorRows(double t, std::span<const double> x, const Modes& /*modes*/,
                                    Workspace& work) const {
  auto& own = static_cast<Work&>(work);
  place(t, positionsOf(x), own);
  return rankOf(own);
}

RankReport EquationsSystem::rankReport(double t, std::span<const double> x, const Modes& modes, Workspace& work) const {
  const RowRank found = factorRows(t, x, modes, work);
  return namedRank(
      tapes_.n - tapes_.free, found, 0.0, 0, [](int) { return false; }, [&](int row) { return rowName(row); });
}

SolveCounts EquationsSystem::solveCounts(const Workspace& work) const {
  SolveCounts out;
  out.projections = static_cast<const Work&>(work).projections;
  return out;
}

// J d, eight directions at a time.
class EquationsSystem::Product final : public JacobianProduct {
 public:
  explicit Product(const EquationsSystem& system)
      : system_(system), work_(system.dual_.makeWork()), x_(at(system.space().size())) {}

  Eval times(double t, std::span<const double> x, const Modes& /*modes*/, std::span<const double> d,
             std::span<double> out) override {
    const EquationsTapes& tapes = system_.tapes_;
    const std::size_t size = x.size();
    for (std::size_t first = 0; first < d.size(); first += size * kTangentDirections) {
      const std::size_t stretch = std::min(d.size() - first, size * kTangentDirections);
      holdAlong(x, d.subspan(first, stretch), x_);
      const std::span<const TangentNumber> state(x_);
      const auto w = state.subspan(at(tapes.n), at(tapes.free));
      system_.dual_.place(TangentNumber(t), state.first(at(tapes.n)), work_);
      if (!(work_.order.smallest > kSingular)) return Eval::retry;
      system_.dual_.move(w, work_);
      system_.dual_.accelerate(system_.options_.variant, work_);
      const TangentNumber power = system_.dual_.power(w, work_);
      std::copy(work_.u.begin(), work_.u.end(), x_.begin());
      std::copy(work_.wdot.begin(), work_.wdot.end(), x_.begin() + tapes.n);
      x_.back() = power;
      putAlong(x_, out.subspan(first, stretch));
    }
    return Eval::ok;
  }

 private:
  const EquationsSystem& system_;
  EquationsKernel<TangentNumber>::Work work_;
  std::vector<TangentNumber> x_;
};

std::unique_ptr<JacobianProduct> EquationsSystem::makeProduct() const { return std::make_unique<Product>(*this); }

}  // namespace linkwork
