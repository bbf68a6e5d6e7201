#include "linkwork/simulate/still_result.hpp"

#include "linkwork/base/contract.hpp"
#include "linkwork/base/version.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/simulate/checkpoint.hpp"
#include "linkwork/simulate/recorder.hpp"

namespace linkwork {

Result stillResult(const Mechanism& mechanism, const Assembly& assembly, double t, std::span<const double> x) {
  expect(assembly.ok, "stillResult: the mechanism is not assembled");
  Result result;
  result.name = mechanism.name;
  result.provenance = {
      {"Linkwork", std::string(kVersion)}, {"model file", mechanism.file_name}, {"model hash", fingerprint(mechanism)}};
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
