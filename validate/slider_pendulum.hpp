// The textbook's slider with a pendulum, run under any method to one end time, with everything its tables print.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "linkwork/model/reference_motions_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::textbook {

using Six = std::array<double, 6>;   // x1, y1, phi1, x2, y2, phi2 (1: slider, 2: pendulum) or their rates
using Four = std::array<double, 4>;  // guide: couple, normal force; pin: x, y

inline Mechanism sliderPendulum() { return validation::readShippedModel("slider_pendulum"); }

// The same without its damper: nothing takes energy away.
inline Mechanism undampedSliderPendulum() {
  Mechanism mechanism = sliderPendulum();
  mechanism.loads.at(0).damping = Value(0.0);
  return mechanism;
}

// The state of examples 3.1 to 3.5: the drawn pose, the slider at -(1 + sqrt 2) m/s, the pendulum at 2 rad/s.
inline Mechanism movingSliderPendulum() {
  Mechanism mechanism = sliderPendulum();
  mechanism.initial.clear();
  mechanism.initial.push_back({{QuantityKind::body_x_rate, 0}, Value(-(1.0 + std::sqrt(2.0))), {}});
  mechanism.initial.push_back({{QuantityKind::body_angle_rate, 1}, Value(2.0), {}});
  return mechanism;
}

template <std::size_t n>
double greatestDifference(const std::array<double, n>& a, const std::array<double, n>& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < n; ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

template <std::size_t n>
double greatest(const std::array<double, n>& a) {
  return greatestDifference(a, {});
}

template <std::size_t n>
std::array<double, n> firstOf(const std::vector<double>& values) {
  std::array<double, n> out{};
  for (std::size_t i = 0; i < n; ++i) out[i] = values.at(i);
  return out;
}

// What is known where a run ends.
struct RunEnd {
  double t = 0.0;
  Six q{}, dq{}, ddq{};
  Four lambda{};
  std::vector<double> own_multipliers;  // the method's, where it has some
  Violation violation;
  double phi_before_last_step = 0.0;  // |Phi| of the state that the last step started from
  double energy_gain = 0.0;           // J, kinetic and potential, against the start
  StepCounts counts;
  long projection_solves = 0;
};

inline RunOptions method(const std::string& integrator, const std::string& stabilisation) {
  RunOptions options;
  options.integrator = integrator;
  options.system.stabilisation = stabilisation;
  return options;
}

inline RunOptions fixedStep(const std::string& integrator, const std::string& stabilisation, double step) {
  RunOptions options = method(integrator, stabilisation);
  options.steps.step = step;
  return options;
}

inline RunOptions adaptive(const std::string& integrator, const std::string& stabilisation, double rtol, double atol) {
  RunOptions options = method(integrator, stabilisation);
  options.steps.rtol = rtol;
  options.steps.atol = atol;
  return options;
}

// MATLAB's ode45 with its default tolerances.
inline RunOptions defaultOde45(const std::string& stabilisation) {
  return adaptive("ode45", stabilisation, 1e-3, 1e-6);
}

inline RunEnd runTo(const Mechanism& mechanism, const RunOptions& options, double until) {
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  const std::unique_ptr<MechanismSystem> system = makeSystem(mechanism, options.system);
  const std::unique_ptr<Workspace> work = system->makeWorkspace();
  const std::unique_ptr<Integrator> integrator = makeIntegrator(options.integrator, *system, options.steps);
  Observation start, seen;
  expect(system->observe(0.0, assembly.state(), system->startModes(), *work, start) == Eval::ok,
         "the start cannot be observed");

  std::vector<double> before = assembly.state();
  StepStatus status = integrator->begin(0.0, before, until);
  while (status == StepStatus::ok) {
    before.assign(integrator->state().begin(), integrator->state().end());
    status = integrator->step();
  }
  expect(status == StepStatus::finished, integrator->failure());

  RunEnd out;
  out.t = integrator->time();
  out.phi_before_last_step =
      system->violation(integrator->previousTime(), before, system->startModes(), *work).position;
  expect(system->observe(out.t, integrator->state(), system->startModes(), *work, seen) == Eval::ok,
         "the end cannot be observed");
  expect(seen.bodies.size() == 2 && seen.multipliers.size() == 4, "not the slider with a pendulum");
  for (std::size_t i = 0; i < 6; ++i) {
    out.q[i] = integrator->state()[i];
    out.dq[i] = integrator->state()[6 + i];
    out.ddq[i] = validation::planarAcceleration(seen.bodies[i / 3])[i % 3];
  }
  out.lambda = firstOf<4>(seen.multipliers);
  out.own_multipliers.assign(integrator->multipliers().begin(), integrator->multipliers().end());
  out.violation = seen.violation;
  out.energy_gain = seen.kinetic + seen.potential - start.kinetic - start.potential;
  out.counts = integrator->counts();
  out.projection_solves = system->solveCounts(integrator->workspace()).projections;
  return out;
}

// A number as a book prints it. A rounded zero has no sign there.
inline std::string withDecimals(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool zero = text.find_first_not_of("-0.") == std::string::npos;
  return zero && text[0] == '-' ? text.substr(1) : text;
}

inline std::string withDigits(double value, int digits) { return fmt::format("{:.{}e}", value, digits - 1); }

inline std::vector<std::string> withFourDecimals(const auto& values) {
  std::vector<std::string> out;
  for (const double value : values) out.push_back(withDecimals(value, 4));
  return out;
}

}  // namespace linkwork::textbook
