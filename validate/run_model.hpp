// Runs a shipped model the way the program does, for comparisons with reference values.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "linkwork/base/contract.hpp"
#include "linkwork/io/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork::validation {

inline Mechanism readShippedModel(const std::string& name) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism =
      readModelFile(std::string(LINKWORK_MODELS_DIR) + "/" + name + ".toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  return *mechanism;
}

inline Result runModel(const Mechanism& mechanism, const RunOptions& options) {
  const Assembly assembly = assemble(mechanism);
  expect(assembly.ok, assembly.problem);
  return simulate(mechanism, assembly, options);
}

// The recorded value of a series at the sample nearest to t (samples must include t).
inline double valueAt(const Result& result, const std::string& name, double t) {
  const Series* series = result.find(name);
  expect(series != nullptr, "no series " + name);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    if (std::abs(result.time[k] - t) <= 1e-12 * (1.0 + t)) return series->values[k];
  }
  throw ContractError("no sample at the time asked for");
}

// (x, y, angle) of the second derivative, as the coordinates of the plane have it.
inline std::array<double, 3> planarAcceleration(const BodyMotion& body) {
  return {body.acceleration[0], body.acceleration[1], body.angular_acceleration[2]};
}

// A run to `until` with atol = rtol / 100; its last sample is a step's own end, free of interpolation.
inline Result runTo(const Mechanism& mechanism, double until, double rtol) {
  RunOptions options = runOptions(mechanism);
  options.until = until;
  options.output_step = until;
  options.steps.rtol = rtol;
  options.steps.atol = 0.01 * rtol;
  Result result = runModel(mechanism, options);
  expect(result.status == RunStatus::complete, result.message);
  return result;
}

inline double lastOf(const Result& result, const std::string& name) {
  const Series* series = result.find(name);
  expect(series != nullptr && !series->values.empty(), "no series " + name);
  return series->values.back();
}

}  // namespace linkwork::validation
