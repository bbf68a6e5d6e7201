// libFuzzer entry: whatever mechanism a text describes, assembly and the first accelerations give numbers or a reason,
// in the plane and lifted to space, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file.hpp"

namespace {

using namespace linkwork;

constexpr std::size_t kManyParts = 40;  // more only take longer

void tryToStart(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  // A failure without a word would leave the user alone.
  if (!assembly.ok && assembly.problem.empty()) std::abort();
  if (!assembly.ok) return;
  const auto system = makeSystem(mechanism, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  Observation seen;
  static_cast<void>(system->observe(0.0, assembly.state(), system->startModes(), *work, seen));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ReadOptions options;
  options.entries = kManyParts;
  Diagnostics diagnostics;
  const auto mechanism =
      readModelText(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml", diagnostics, options);
  if (!mechanism) return -1;
  if (mechanism->bodies.size() + mechanism->joints.size() + mechanism->loads.size() > kManyParts) return -1;
  tryToStart(*mechanism);
  if (mechanism->space == Space::planar) tryToStart(liftToSpace(*mechanism));
  return 0;
}
