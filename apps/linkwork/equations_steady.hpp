// equations --steady: the state about which small motions are written, and which parameters may stay letters there.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "linkwork/codegen/equation_forms.hpp"
#include "steady_models.hpp"

namespace linkwork::app {

struct SteadyInLetters {
  Mechanism mechanism;
  VelocityChoice velocities;
  StateInLetters about;
  std::map<std::string, Expr> numbers;  // of parameters that move the motion in other ways than `about` says
  std::string note;
};

// Finds the motion; prints what there is to say to stderr. On failure nullopt, and the exit code.
std::optional<SteadyInLetters> findSteadyInLetters(const SteadyOptions& options, int& exit_code);

}  // namespace linkwork::app
