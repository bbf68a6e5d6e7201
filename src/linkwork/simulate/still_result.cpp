#include "linkwork/simulate/still_result.hpp"

#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/simulate/provenance.hpp"
#include "linkwork/simulate/recorder.hpp"

namespace linkwork {

Result stillResult(const Mechanism& mechanism, const Assembly& assembly, double t, std::span<const double> x) {
  expect(assembly.ok, "stillResult: the mechanism is not assembled");
  Result result;
  result.name = mechanism.name;
  result.provenance = provenanceOf(mechanism);
  result.settings = parametersSet(mechanism);
  const auto system = makeSystem(mechanism, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  Recorder recorder(mechanism, 1);
  Observation seen;
  if (system->observe(t, x, system->startModes(), *work, seen) == Eval::ok) {
    recorder.record(t, seen);
  } else {
    result.message = system->describeFailure(*work);
  }
  recorder.finish(result);
  return result;
}

}  // namespace linkwork
