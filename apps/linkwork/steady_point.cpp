#include "steady_point.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "output.hpp"

namespace linkwork::app {

std::optional<SteadyPoint> findSteadyPoint(const std::string& verb, const SteadyOptions& options, int& exit_code) {
  exit_code = kBadInput;
  std::optional<SteadyModels> models = SteadyModels::read(verb, options);
  if (!models) return std::nullopt;
  exit_code = kNumericalFailure;
  SteadyPoint out;
  out.models = std::make_unique<SteadyModels>(*std::move(models));
  out.follower = std::make_unique<MotionFollower>(out.models->over("", {}), 0.0);
  const std::string& file = out.models->mechanism().file_name;
  if (!out.follower->problem().empty()) {
    printErr("{}: error: {}.{}{}\n", file, out.follower->problem(), out.follower->hint().empty() ? "" : " ",
             out.follower->hint());
    return std::nullopt;
  }
  out.motion = out.follower->motionAt(0.0);
  if (!out.motion.ok) {
    printErr("{}: error: {}.\n", file, out.motion.problem);
    return std::nullopt;
  }
  exit_code = kGood;
  return out;
}

std::optional<SteadyNaming> namingFor(const std::string& verb, const LinearStateOptions& options) {
  SteadyNaming out;
  out.coordinates = options.coordinates;
  const std::string& name = options.formulation;
  if (name.empty() || name == "recursive") return out;
  if (name == "absolute") {
    out.states = SteadyStates::bodies;
  } else if (name == "quasivelocity") {
    out.states = SteadyStates::quasi_velocities;
  } else if (name == "hamiltonian") {
    out.states = SteadyStates::impulses;
  } else {
    printErr(
        "linkwork {}: error: --formulation {}: states about a steady motion are those of recursive (chosen when left "
        "out), absolute, quasivelocity or hamiltonian.\n",
        verb, name);
    return std::nullopt;
  }
  return out;
}

std::string steadyWords(SteadyPoint& point, const SteadyLinearisation& linear) {
  std::vector<std::string> going;
  for (const GoesOn& one : point.motion.goes_on) {
    going.push_back(fmt::format("{} at {:.9g} {}", one.name, one.rate, one.unit));
  }
  std::string out = going.empty() ? std::string("at rest") : fmt::format("steady: {}", fmt::join(going, ", "));
  if (!linear.ignorable.empty()) {
    out += fmt::format("\nleft out, because nothing depends on them: {}", fmt::join(linear.ignorable, ", "));
  }
  if (!linear.families.empty()) {
    out += fmt::format("\nzero for each that may have any value: {}", fmt::join(linear.families, ", "));
  }
  if (point.motion.turning)
    out += "\nmatrices in axes that turn with the motion; in those of the ground they are not constant";
  return out;
}

}  // namespace linkwork::app
