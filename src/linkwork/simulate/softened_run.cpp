#include "linkwork/simulate/softened_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/compliant/soften.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {

namespace {

constexpr double kSamples = 400.0;

// The greatest length of a recorded vector.
double greatest(const Result& result, const std::string& name) {
  std::vector<const Series*> parts;
  for (const char* axis : {".x", ".y", ".z", ""}) {
    if (const Series* series = result.find(name + axis)) parts.push_back(series);
  }
  double out = 0.0;
  for (std::size_t n = 0; n < result.time.size(); ++n) {
    double square = 0.0;
    for (const Series* part : parts) square += part->values[n] * part->values[n];
    if (std::isfinite(square)) out = std::max(out, std::sqrt(square));
  }
  return out;
}

}  // namespace

bool isSoftened(const Mechanism& mechanism, const RunOptions& options) {
  const FormulationInfo* info = findFormulation(options.system.formulation);
  return info != nullptr && info->softens && !softenedJoints(mechanism).empty();
}

Mechanism softenedMechanism(const Mechanism& mechanism, const Assembly& assembly, const RunOptions& options) {
  std::vector<CutLoad> loads;
  if (asksForLoads(options.system)) {
    RunOptions first;
    first.system.formulation = "recursive";
    first.until = options.until;
    first.output_step = options.until / kSamples;
    first.steps.max_step = first.output_step;
    const Result hard = simulate(mechanism, assembly, first);
    for (const int joint : softenedJoints(mechanism)) {
      const std::string& name = mechanism.joints[at(joint)].name;
      loads.push_back({joint, greatest(hard, name + ".force"), greatest(hard, name + ".moment")});
    }
  }
  const SystemOptions own = startingFrom(assembly, options.system);
  return soften(mechanism, own, own.start, loads);
}

}  // namespace linkwork
