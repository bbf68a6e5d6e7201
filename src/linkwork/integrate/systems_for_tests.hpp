// Small systems with known solutions for the tests of the integrators.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/system/plain_ode_system.hpp"

namespace linkwork::testing_systems {

using Values = std::span<double>;
using ConstValues = std::span<const double>;

// A system written down as lambdas.
class LambdaSystem final : public PlainOdeSystem {
 public:
  using Derivative = std::function<Evaluation(double, ConstValues, Values)>;
  using Correction = std::function<AfterStep(double, Values)>;
  using Restating = std::function<void(Values)>;
  using Events = std::function<Eval(double, ConstValues, Values)>;
  using Jumping = std::function<Jump(double, std::span<const LocatedEvent>, Values, Modes&)>;

  LambdaSystem(StateSpace space, Derivative derivative) : space_(space), derivative_(std::move(derivative)) {}
  LambdaSystem& after(Correction correction) { return correction_ = std::move(correction), *this; }
  LambdaSystem& restated(Restating restating) { return restating_ = std::move(restating), *this; }
  LambdaSystem& events(int count, Events events) { return event_count_ = count, events_ = std::move(events), *this; }
  LambdaSystem& senses(std::vector<EventSense> senses) { return senses_ = std::move(senses), *this; }
  LambdaSystem& jumps(Jumping jumping) { return jumping_ = std::move(jumping), *this; }
  LambdaSystem& says(std::string reason) { return reason_ = std::move(reason), *this; }

  StateSpace space() const override { return space_; }
  Evaluation derivative(double t, ConstValues x, const Modes&, Workspace&, Values xdot) const override {
    ++calls_;
    return derivative_(t, x, xdot);
  }
  Restated restate(double /*t*/, Values x, Modes&, Workspace&) const override {
    if (!restating_) return Restated::no;
    restating_(x);
    return Restated::better;
  }
  AfterStep afterStep(double t, Values x, const Modes&, Workspace&) const override {
    return correction_ ? correction_(t, x) : AfterStep{};
  }
  int eventCount() const override { return event_count_; }
  Eval eventValues(double t, ConstValues x, const Modes&, Workspace&, Values values) const override {
    return events_(t, x, values);
  }
  EventSense eventSense(int event, const Modes&) const override {
    return senses_.empty() ? EventSense::both : senses_[static_cast<std::size_t>(event)];
  }
  Jump jump(double t, std::span<const LocatedEvent> events, Values x, Modes& modes, Workspace&) const override {
    return jumping_ ? jumping_(t, events, x, modes) : Jump{};
  }
  std::string describeFailure(const Workspace&) const override { return reason_; }

  long calls() const { return calls_; }  // of derivative, to hold the integrators' own count against

 private:
  StateSpace space_;
  Derivative derivative_;
  Correction correction_;
  Restating restating_;
  int event_count_ = 0;
  Events events_;
  std::vector<EventSense> senses_;
  Jumping jumping_;
  std::string reason_ = "no reason given";
  mutable long calls_ = 0;
};

// q'' = -q with the quadrature w' = v^2: from q = 1, v = 0 it is q = cos t, v = -sin t, w = t/2 - sin(2 t)/4.
inline LambdaSystem oscillator() {
  return {StateSpace(1, 1, 1), [](double, ConstValues x, Values f) {
            f[0] = x[1];
            f[1] = -x[0];
            f[2] = x[1] * x[1];
            return Eval::ok;
          }};
}
inline const std::vector<double> kOscillatorStart{1, 0, 0};
inline double oscillatorError(double t, ConstValues x) {
  return std::max(
      {std::abs(x[0] - std::cos(t)), std::abs(x[1] + std::sin(t)), std::abs(x[2] - (t / 2 - std::sin(2 * t) / 4))});
}

// x' = -x
inline LambdaSystem decay() {
  return {StateSpace::firstOrder(1), [](double, ConstValues x, Values f) {
            f[0] = -x[0];
            return Eval::ok;
          }};
}

// x' = rate(t)
inline LambdaSystem timeOnly(std::function<double(double)> rate) {
  return {StateSpace::firstOrder(1), [rate = std::move(rate)](double t, ConstValues, Values f) {
            f[0] = rate(t);
            return Eval::ok;
          }};
}

// Plane Kepler orbit of semi-axis 1 and period 2 pi, started at its pericentre.
inline LambdaSystem kepler() {
  return {StateSpace(2, 2, 0), [](double, ConstValues x, Values f) {
            const double r = std::hypot(x[0], x[1]);
            f[0] = x[2];
            f[1] = x[3];
            f[2] = -x[0] / (r * r * r);
            f[3] = -x[1] / (r * r * r);
            return Eval::ok;
          }};
}
// Its exact state, by Newton on Kepler's equation E - e sin E = t.
inline std::vector<double> keplerState(double e, double t) {
  double anomaly = t;
  for (int i = 0; i < 50; ++i) anomaly -= (anomaly - e * std::sin(anomaly) - t) / (1 - e * std::cos(anomaly));
  const double c = std::cos(anomaly);
  const double s = std::sin(anomaly);
  const double b = std::sqrt(1 - e * e);
  return {c - e, b * s, -s / (1 - e * c), b * c / (1 - e * c)};
}
inline std::vector<double> keplerStart(double e) { return {1 - e, 0, 0, std::sqrt((1 + e) / (1 - e))}; }

// Once around the unit circle in 2 pi, with toUnitCircle put back onto it after each step.
inline LambdaSystem circle() {
  return {StateSpace::firstOrder(2), [](double, ConstValues x, Values f) {
            f[0] = -x[1];
            f[1] = x[0];
            return Eval::ok;
          }};
}
inline AfterStep toUnitCircle(double, Values x) {
  const double r = std::hypot(x[0], x[1]);
  x[0] /= r;
  x[1] /= r;
  return {Eval::ok, true};
}

// Those of this build that take equations without constraints.
inline std::vector<std::string> plainIntegrators() {
  const LambdaSystem system = oscillator();
  IntegratorOptions options;
  options.step = 0.01;
  std::vector<std::string> names = integratorNames();
  std::erase_if(names, [&](const std::string& name) { return !integratorProblem(name, system, options).empty(); });
  return names;
}

// Loose enough to accept everything: steps of max_step only.
inline IntegratorOptions equalSteps(double h) {
  IntegratorOptions options;
  options.rtol = 0.5;
  options.atol = 1e6;
  options.initial_step = h;
  options.max_step = h;
  return options;
}

inline StepStatus runToEnd(Integrator& integrator) {
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) status = integrator.step();
  return status;
}

// The largest difference of two entries.
inline double distance(ConstValues a, ConstValues b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace linkwork::testing_systems
