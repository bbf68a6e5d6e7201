// linkwork assemble: a consistent start: positions, velocities, accelerations and reactions, each with its residual.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "linkwork/analyse/branches.hpp"
#include "linkwork/analyse/force_imbalance.hpp"
#include "linkwork/files/json_settings.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options : ModelOptions {
  bool json = false;
  bool branches = false;
  std::optional<double> reaction_length;
  bool nearest = false;
};

// What is left over at each level.
struct Start {
  Assembly assembly;
  Observation seen;
  double imbalance = 0.0;        // N
  double reaction_length = 0.0;  // m
};

using Row = std::vector<double>;

void printTable(const std::string& title, const std::vector<const char*>& columns,
                const std::vector<std::string>& names, const std::vector<Row>& rows,
                const std::vector<std::string>& remarks = {}) {
  printOut("{:<16}", title);
  for (const char* column : columns) printOut(" {:>14}", column);
  printOut("\n");
  for (std::size_t k = 0; k < names.size(); ++k) {
    printOut("{:<16}", names[k]);
    for (const double value : rows[k]) printOut(" {:>14.8g}", value);
    printOut("{}\n", k < remarks.size() ? remarks[k] : "");
  }
}

// "  not unique: force x, moment"
std::string remarkOn(const Reaction& reaction, bool spatial) {
  if (reaction.unique) return {};
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < (spatial ? 3U : 2U); ++k) {
    if (!reaction.force_unique[k]) parts.push_back(fmt::format("force {}", "xyz"[k]));
  }
  for (std::size_t k = spatial ? 0 : 2; k < 3; ++k) {
    if (!reaction.moment_unique[k]) parts.push_back(spatial ? fmt::format("moment {}", "xyz"[k]) : "moment");
  }
  return fmt::format("  not unique: {}", fmt::join(parts, ", "));
}

std::vector<std::string> remarksOn(const Mechanism& mechanism, const Observation& seen, bool spatial) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < seen.joints.size(); ++k) {
    if (!isRelation(mechanism.joints[k].kind)) out.push_back(remarkOn(seen.joints[k], spatial));
  }
  return out;
}

// The joints that act at a point.
std::vector<std::string> jointNames(const Mechanism& mechanism) {
  std::vector<std::string> out;
  for (const Joint& joint : mechanism.joints) {
    if (!isRelation(joint.kind)) out.push_back(joint.name);
  }
  return out;
}

// Gears and couplings act at no point: a force or torque along the coordinates they relate.
void printEfforts(const Mechanism& mechanism, const Observation& seen) {
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const Joint& joint = mechanism.joints[k];
    if (!isRelation(joint.kind)) continue;
    printOut("effort      {}: {:.8g} {}{}\n", joint.name, seen.joints[k].effort,
             joint.unit == RelationUnit::length ? "N" : "N*m", seen.joints[k].unique ? "" : " (not unique)");
  }
}

template <class List>
std::vector<std::string> namesOf(const List& list) {
  std::vector<std::string> out;
  for (const auto& item : list) out.push_back(item.name);
  return out;
}

void printInPlane(const Mechanism& mechanism, const Observation& seen) {
  const auto names = namesOf(mechanism.bodies);
  std::vector<Row> positions, velocities, accelerations, reactions;
  for (const BodyMotion& body : seen.bodies) {
    positions.push_back({body.position[0], body.position[1], body.angle});
    velocities.push_back({body.velocity[0], body.velocity[1], body.angular_velocity[2]});
    accelerations.push_back({body.acceleration[0], body.acceleration[1], body.angular_acceleration[2]});
  }
  printTable("position", {"x [m]", "y [m]", "angle [rad]"}, names, positions);
  printTable("velocity", {"x [m/s]", "y [m/s]", "angle [rad/s]"}, names, velocities);
  printTable("acceleration", {"x [m/s^2]", "y [m/s^2]", "angle [rad/s^2]"}, names, accelerations);
  if (mechanism.joints.empty()) return;
  for (std::size_t k = 0; k < seen.joints.size(); ++k) {
    const Reaction& reaction = seen.joints[k];
    if (isRelation(mechanism.joints[k].kind)) continue;
    reactions.push_back({reaction.force_on_second[0], reaction.force_on_second[1], reaction.moment_on_second[2]});
  }
  printOut("\n");
  printTable("reaction", {"force x [N]", "force y [N]", "moment [N*m]"}, jointNames(mechanism), reactions,
             remarksOn(mechanism, seen, false));
  printOut(
      "(force of the first-named body on the second, ground axes; moment about the joint's point on the second)\n");
}

void printInSpace(const Mechanism& mechanism, const Observation& seen) {
  const auto names = namesOf(mechanism.bodies);
  const auto join = [](const auto& a, const auto& b) {
    Row row(a.begin(), a.end());
    row.insert(row.end(), b.begin(), b.end());
    return row;
  };
  std::vector<Row> positions, velocities, accelerations, reactions;
  for (const BodyMotion& body : seen.bodies) {
    positions.push_back(join(body.position, body.orientation));
    velocities.push_back(join(body.velocity, body.angular_velocity));
    accelerations.push_back(join(body.acceleration, body.angular_acceleration));
  }
  printTable("position", {"x [m]", "y [m]", "z [m]", "quaternion w", "x", "y", "z"}, names, positions);
  printTable("velocity", {"x [m/s]", "y [m/s]", "z [m/s]", "turn x [rad/s]", "y [rad/s]", "z [rad/s]"}, names,
             velocities);
  printTable("acceleration", {"x [m/s^2]", "y [m/s^2]", "z [m/s^2]", "x [rad/s^2]", "y [rad/s^2]", "z [rad/s^2]"},
             names, accelerations);
  if (mechanism.joints.empty()) return;
  for (std::size_t k = 0; k < seen.joints.size(); ++k) {
    if (isRelation(mechanism.joints[k].kind)) continue;
    reactions.push_back(join(seen.joints[k].force_on_second, seen.joints[k].moment_on_second));
  }
  printOut("\n");
  printTable("reaction", {"force x [N]", "force y [N]", "force z [N]", "mom. x [N*m]", "mom. y [N*m]", "mom. z [N*m]"},
             jointNames(mechanism), reactions, remarksOn(mechanism, seen, true));
  printOut("(of the first-named body on the second, ground axes; moment about the joint's point on the second)\n");
}

void printWishes(const Mechanism& mechanism, const Assembly& assembly) {
  for (const WishResult& wish : assembly.wishes) {
    const std::string_view unit = quantityUnit(mechanism, wish.quantity);
    printOut("wish        {}: wanted {:.8g} {}, got {:.8g} {}\n", quantityName(mechanism, wish.quantity), wish.wanted,
             unit, wish.got, unit);
  }
}

void print(const Mechanism& mechanism, const Start& start) {
  const Assembly& assembly = start.assembly;
  const Observation& seen = start.seen;
  printOut(
      "positions   closed to {:.1e} m after {} iterations; moved at most {:.3g} m and {:.3g} deg from the drawing\n",
      assembly.position_residual, assembly.iterations, assembly.moved, assembly.turned * 57.29577951308232);
  if (mechanism.lifted) printOut("            (a planar file, lifted to space)\n");
  printOut("velocities  consistent to {:.1e} m/s\n", assembly.velocity_residual);
  printOut("accelerations consistent to {:.1e} m/s^2\n", seen.violation.acceleration);
  printOut("reactions   balance masses and loads to {:.1e} N\n", start.imbalance);
  printWishes(mechanism, assembly);
  printOut("\n");
  if (mechanism.space == Space::spatial) {
    printInSpace(mechanism, seen);
  } else {
    printInPlane(mechanism, seen);
  }
  printEfforts(mechanism, seen);
  if (!mechanism.joints.empty()) {
    printOut("reaction length {:.6g} m{}\n", start.reaction_length,
             assembly.dependent_rows.empty()
                 ? "; every reaction is unique"
                 : ": what is not unique is the least of many that fit, moments divided by it");
  }
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
        const Joint& own = mechanism.joints[static_cast<std::size_t>(joint.joint)];
        // A joint that turns and slides has two.
        const bool both = hasAngle(own.kind) && hasSlide(own.kind);
        coordinates[own.name + (!both ? "" : joint.is_angle ? ".angle" : ".slide")] = joint.value;
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

std::string jsonOf(const Mechanism& mechanism, const Start& start,
                   const std::optional<std::vector<LoopBranches>>& branches) {
  const Assembly& assembly = start.assembly;
  const Observation& seen = start.seen;
  nlohmann::ordered_json out;
  out["residuals"] = {{"position", assembly.position_residual},
                      {"velocity", assembly.velocity_residual},
                      {"acceleration", seen.violation.acceleration},
                      {"reaction", start.imbalance}};
  out["misfit"] = assembly.misfit;
  out["iterations"] = assembly.iterations;
  out["lifted"] = mechanism.lifted;
  addParametersSet(mechanism, out);
  out["reaction_length"] = start.reaction_length;
  out["moved"] = assembly.moved;
  out["turned"] = assembly.turned;
  out["wishes"] = nlohmann::ordered_json::object();
  for (const WishResult& wish : assembly.wishes) {
    out["wishes"][quantityName(mechanism, wish.quantity)] = {{"wanted", wish.wanted}, {"got", wish.got}};
  }
  out["warnings"] = nlohmann::ordered_json::array();
  for (const AssemblyWarning& warning : assembly.warnings) out["warnings"].push_back(warning.text);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const BodyMotion& body = seen.bodies[b];
    auto& entry = out["bodies"][mechanism.bodies[b].name];
    entry = {{"position", body.position}, {"orientation", body.orientation}};
    if (mechanism.space == Space::planar) entry["angle"] = body.angle;
    entry["velocity"] = body.velocity;
    entry["angular_velocity"] = body.angular_velocity;
    entry["acceleration"] = body.acceleration;
    entry["angular_acceleration"] = body.angular_acceleration;
  }
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    out["joints"][mechanism.joints[k].name] = {{"force", seen.joints[k].force_on_second},
                                               {"moment", seen.joints[k].moment_on_second},
                                               {"moment_on_first", seen.joints[k].moment_on_first},
                                               {"effort", seen.joints[k].effort},
                                               {"unique", seen.joints[k].unique},
                                               {"force_unique", seen.joints[k].force_unique},
                                               {"moment_unique", seen.joints[k].moment_unique},
                                               {"moment_on_first_unique", seen.joints[k].moment_on_first_unique}};
  }
  if (branches) out["branches"] = branchesJson(mechanism, *branches);
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

int run(const Options& options) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModel(options, diagnostics);
  if (!mechanism) return kBadInput;
  if (options.nearest) {
    for (InitialValue& initial : mechanism->initial) initial.weight = initial.weight.value_or(1.0);
  }
  std::optional<Assembly> assembly = assembleModel(*mechanism);
  if (!assembly) return kNumericalFailure;
  SystemOptions given;
  given.reaction_length = options.reaction_length.value_or(0.0);
  if (const std::string problem = given.problem(); !problem.empty()) {
    printErr("linkwork assemble: error: {}\n", problem);
    return kBadInput;
  }
  const auto system = makeSystem(*mechanism, startingFrom(*assembly, given));
  const auto work = system->makeWorkspace();
  const std::vector<double> x = assembly->state();
  std::vector<double> xdot(x.size());
  Start start;
  if (system->derivative(0.0, x, system->startModes(), *work, xdot) != Eval::ok ||
      system->observe(0.0, x, system->startModes(), *work, start.seen) != Eval::ok) {
    printErr("{}: error: {}\n", mechanism->file_name, system->describeFailure(*work));
    return kNumericalFailure;
  }
  start.imbalance = forceImbalance(*mechanism, 0.0, x, xdot, start.seen.multipliers);
  start.assembly = std::move(*assembly);
  start.reaction_length = system->reactionLength();
  std::optional<std::vector<LoopBranches>> branches;
  if (options.branches) branches = findBranches(*mechanism, start.assembly.q);
  if (options.json) {
    printOut("{}\n", jsonOf(*mechanism, start, branches));
  } else {
    print(*mechanism, start);
    if (branches) printOut("\n{}", branchesText(*mechanism, *branches));
  }
  return kGood;
}

}  // namespace

void addAssemble(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb =
      line.add("assemble", "Close the loops and find consistent velocities, accelerations and reactions at the start",
               [options] { return run(*options); });
  options->addFile(verb);
  options->addSpace(verb);
  verb.add("--branches", options->branches, "Also look for the other ways in which each loop can be put together");
  verb.add("--reaction-length", options->reaction_length,
           "Length in metres by which moments are divided where reactions of least norm are chosen");
  verb.add("--nearest", options->nearest, "Take initial values for wishes of weight 1 instead of holding them");
  verb.add("--json", options->json, "As JSON");
}

}  // namespace linkwork::app
