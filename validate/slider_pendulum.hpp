// The textbook's slider with a pendulum, run under any method to one end time, with everything its tables print.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

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
  expect(system->observe(0.0, assembly.state(), *work, start) == Eval::ok, "the start cannot be observed");

  std::vector<double> before = assembly.state();
  StepStatus status = integrator->begin(0.0, before, until);
  while (status == StepStatus::ok) {
    before.assign(integrator->state().begin(), integrator->state().end());
    status = integrator->step();
  }
  expect(status == StepStatus::finished, integrator->failure());

  RunEnd out;
  out.t = integrator->time();
  out.phi_before_last_step = system->violation(integrator->previousTime(), before, *work).position;
  expect(system->observe(out.t, integrator->state(), *work, seen) == Eval::ok, "the end cannot be observed");
  expect(seen.bodies.size() == 2 && seen.multipliers.size() == 4, "not the slider with a pendulum");
  for (std::size_t i = 0; i < 6; ++i) {
    out.q[i] = integrator->state()[i];
    out.dq[i] = integrator->state()[6 + i];
    out.ddq[i] = validation::planarAcceleration(seen.bodies[i / 3])[i % 3];
  }
  out.lambda = firstOf<4>(seen.multipliers);
  out.violation = seen.violation;
  out.energy_gain = seen.kinetic + seen.potential - start.kinetic - start.potential;
  out.counts = integrator->counts();
  out.projection_solves = system->projectionSolves(integrator->workspace());
  return out;
}

// The reference trajectory: 36-digit arithmetic in minimal coordinates (slide, angle), extrapolation of order 24, two
// step sizes agreeing to 3e-28, rounded to 12 digits.
struct Reference {
  double t = 0.0;
  Six q{}, dq{}, ddq{};
  Four lambda{};
};

inline const std::array<Reference, 5>& referenceTrajectory() {
  static const std::array<Reference, 5> rows{{
      {1,
       {0.690699621185, 0, 0, 0.771959808150, -0.996692922627, 0.0813498835386},
       {1.06326380545, 0, 0, 0.427370987422, -0.0518442221368, -0.638002742460},
       {0.132210377687, 0, 0, 0.510952472884, 0.439276875470, 0.413185286814},
       {0, -80.6252501320, 0.661051888433, -30.6252501320}},
      {2,
       {1.60066883167, 0, 0, 1.32300194176, -0.960677416330, -0.281364644562},
       {0.596496059387, 0, 0, 0.552457426056, 0.0127285914556, -0.0458412288898},
       {-0.807297709716, 0, 0, -0.223160691221, -0.166647084881, 0.607439619482},
       {0, -80.9675242114, -4.03648854858, -30.9675242114}},
      {5,
       {1.58169164562, 0, 0, 1.62443570479, -0.999086055055, 0.0427570858380},
       {-0.0743596026397, 0, 0, -0.0771768469247, -0.000120530614757, -0.00281982144647},
       {0.105255477306, 0, 0, 0.0502479416921, -0.00234543756488, -0.0550575152765},
       {0, -79.7032784038, 0.526277386528, -29.7032784038}},
      {10,
       {1.60032613503, 0, 0, 1.60049610889, -0.999999985554, 0.000169973864654},
       {-0.00503862243485, 0, 0, -0.00235286312799, 4.56508893313e-7, 0.00268575934566},
       {0.000912083061009, 0, 0, -0.00246664542664, 6.63900782279e-6, -0.00337872731038},
       {0, -80.0012033792, 0.00456041530505, -30.0012033792}},
      {20,
       {1.59688407961, 0, 0, 1.59687694154, -0.999999999975, -7.13806996503e-6},
       {1.23246397947e-5, 0, 0, 1.28958887790e-5, -4.07761521740e-12, 5.71248984307e-7},
       {-1.79496012895e-5, 0, 0, -8.34858335822e-6, -6.82064123285e-11, 9.60101793157e-6},
       {0, -80.0000477682, -8.97480064477e-5, -30.0000477682}},
  }};
  return rows;
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
