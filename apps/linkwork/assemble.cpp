// linkwork assemble: a consistent start: positions, velocities, accelerations and reactions, each with its residual.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "linkwork/analyse/branches.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options {
  std::string file;
  bool json = false;
  bool branches = false;
};

void print(const Mechanism& mechanism, const Assembly& assembly, const Observation& seen) {
  fmt::print(
      "positions   closed to {:.1e} m after {} iterations; moved at most {:.3g} m and {:.3g} deg from the drawing\n",
      assembly.position_residual, assembly.iterations, assembly.moved, assembly.turned * 57.29577951308232);
  fmt::print("velocities  consistent to {:.1e} m/s\n", assembly.velocity_residual);
  fmt::print("accelerations consistent to {:.1e} m/s^2\n\n", seen.violation.acceleration);
  fmt::print("{:<16} {:>14} {:>14} {:>14}\n", "body", "x [m]", "y [m]", "angle [rad]");
  const auto table = [&](std::array<double, 3> BodyMotion::*level, const char* title) {
    if (title[0] != '\0') fmt::print("{}\n", title);
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      const auto& values = seen.bodies[b].*level;
      fmt::print("{:<16} {:>14.8g} {:>14.8g} {:>14.8g}\n", mechanism.bodies[b].name, values[0], values[1], values[2]);
    }
  };
  table(&BodyMotion::position, "");
  table(&BodyMotion::velocity, "velocity [m/s, rad/s]");
  table(&BodyMotion::acceleration, "acceleration [m/s^2, rad/s^2]");
  if (mechanism.joints.empty()) return;
  fmt::print("\n{:<16} {:>14} {:>14} {:>14}\n", "reaction", "force x [N]", "force y [N]", "moment [N*m]");
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const Reaction& reaction = seen.joints[k];
    fmt::print("{:<16} {:>14.8g} {:>14.8g} {:>14.8g}{}\n", mechanism.joints[k].name, reaction.force_on_second[0],
               reaction.force_on_second[1], reaction.moment_on_second,
               reaction.unique ? "" : "  not unique: smallest of many");
  }
  fmt::print(
      "(force of the first-named body on the second, ground axes; moment about the joint's point on the second)\n");
}

nlohmann::ordered_json branchesJson(const Mechanism& mechanism, const std::vector<LoopBranches>& loops) {
  auto out = nlohmann::ordered_json::array();
  for (const LoopBranches& loop : loops) {
    nlohmann::ordered_json entry;
    for (const int j : loop.joints) entry["joints"].push_back(mechanism.joints[static_cast<std::size_t>(j)].name);
    entry["held"] = loop.held;
    entry["starts"] = loop.starts;
    entry["closed"] = loop.closed;
    for (const BranchAssembly& assembly : loop.assemblies) {
      nlohmann::ordered_json coordinates;
      for (const BranchJoint& joint : assembly.joints) {
        coordinates[mechanism.joints[static_cast<std::size_t>(joint.joint)].name] = joint.value;
      }
      entry["assemblies"].push_back({{"words", assembly.words},
                                     {"coordinates", coordinates},
                                     {"isolated", assembly.isolated},
                                     {"hits", assembly.hits}});
    }
    out.push_back(entry);
  }
  return out;
}

std::string jsonOf(const Mechanism& mechanism, const Assembly& assembly, const Observation& seen,
                   const std::optional<std::vector<LoopBranches>>& branches) {
  nlohmann::ordered_json out;
  out["residuals"] = {{"position", assembly.position_residual},
                      {"velocity", assembly.velocity_residual},
                      {"acceleration", seen.violation.acceleration}};
  out["iterations"] = assembly.iterations;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    out["bodies"][mechanism.bodies[b].name] = {{"position", seen.bodies[b].position},
                                               {"velocity", seen.bodies[b].velocity},
                                               {"acceleration", seen.bodies[b].acceleration}};
  }
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    out["joints"][mechanism.joints[k].name] = {{"force", seen.joints[k].force_on_second},
                                               {"moment", seen.joints[k].moment_on_second},
                                               {"moment_on_first", seen.joints[k].moment_on_first},
                                               {"unique", seen.joints[k].unique}};
  }
  if (branches) out["branches"] = branchesJson(mechanism, *branches);
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<Mechanism> mechanism = readModel(options.file, diagnostics);
  if (!mechanism) return kBadInput;
  const std::optional<Assembly> assembly = assembleModel(*mechanism);
  if (!assembly) return kNumericalFailure;
  SystemOptions system_options;
  system_options.dependent_rows = assembly->dependent_rows;
  const auto system = makeSystem(*mechanism, system_options);
  const auto work = system->makeWorkspace();
  Observation seen;
  if (system->observe(0.0, assembly->state(), *work, seen) != Eval::ok) {
    fmt::print(stderr, "{}: error: {}\n", mechanism->file_name, system->describeFailure(*work));
    return kNumericalFailure;
  }
  std::optional<std::vector<LoopBranches>> branches;
  if (options.branches) branches = findBranches(*mechanism, assembly->q);
  if (options.json) {
    fmt::print("{}\n", jsonOf(*mechanism, *assembly, seen, branches));
  } else {
    print(*mechanism, *assembly, seen);
    if (branches) fmt::print("\n{}", branchesText(*mechanism, *branches));
  }
  return kGood;
}

}  // namespace

void addAssemble(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "assemble", "Close the loops and find consistent velocities, accelerations and reactions at the start");
  verb->add_option("FILE", options->file, "Model file")->required();
  verb->add_flag("--branches", options->branches,
                 "Also look for the other ways in which each loop can be put together");
  verb->add_flag("--json", options->json, "As JSON");
  verb->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace linkwork::app
