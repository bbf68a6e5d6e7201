// One steady motion with what is linear about it: for --steady of linearize and modes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linear_state.hpp"
#include "linkwork/analyse/steady_linear.hpp"
#include "steady_models.hpp"

namespace linkwork::app {

struct SteadyPoint {
  std::unique_ptr<SteadyModels> models;
  std::unique_ptr<MotionFollower> follower;
  SteadyMotion motion;
};

// Reads and finds the motion; prints what there is to say to stderr. On failure nullopt, and the exit code.
std::optional<SteadyPoint> findSteadyPoint(const std::string& verb, const SteadyOptions& options, int& exit_code);

// "at a steady motion: rear_axle.angle goes on at -16.7 rad/s; ..."
std::string steadyWords(SteadyPoint& point, const SteadyLinearisation& linear);

// What --formulation and --coordinates ask for; nullopt after a message.
std::optional<SteadyNaming> namingFor(const std::string& verb, const LinearStateOptions& options);

struct SteadyLinearizeOptions {
  bool second_order = false;
  std::string split;  // a parameter: matrices as polynomials of it
  bool json = false;
  std::string out;
};
int linearizeSteady(const LinearStateOptions& state, const SteadyLinearizeOptions& options);

}  // namespace linkwork::app
