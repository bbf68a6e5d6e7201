// Runs a shipped model the way the program does, for comparisons with reference values.
#pragma once

#include <string>

#include "linkwork/base/contract.hpp"
#include "linkwork/io/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork::validate {

inline Mechanism readShippedModel(const std::string& name) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/" + name + ".toml", diagnostics);
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

}  // namespace linkwork::validate
