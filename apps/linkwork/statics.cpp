// linkwork statics: poses in which the mechanism stays at rest, with reactions and stability.
#include "linkwork/analyse/statics.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "linkwork/files/json_settings.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options : ModelOptions {
  StaticsOptions statics;
  bool json = false;
};

struct Shown {
  Equilibrium equilibrium;
  Observation seen;
  std::string problem;  // why there are no reactions
};

std::string stabilityText(const Equilibrium& found) {
  std::string out(wordFor(found.stability));
  if (found.unstable_directions > 0) {
    out += fmt::format(" in {} direction{}", found.unstable_directions, found.unstable_directions == 1 ? "" : "s");
  }
  if (found.neutral_directions > 0) {
    out += fmt::format("{}{} direction{} without resistance", found.unstable_directions > 0 ? ", " : ": ",
                       found.neutral_directions, found.neutral_directions == 1 ? "" : "s");
  }
  if (!found.symmetric) out += " (loads without a potential: real parts)";
  return out;
}

void printOne(const Mechanism& mechanism, std::size_t number, const Shown& shown) {
  const Equilibrium& found = shown.equilibrium;
  const bool spatial = mechanism.space == Space::spatial;
  printOut("\n{}. {}{}\n", number, stabilityText(found), found.drawn ? ", from the drawn pose" : "");
  printOut("   potential energy {:.9g} J, forces balanced to {:.1e} N, {} start{} ended here\n", found.potential,
           found.residual, found.hits, found.hits == 1 ? "" : "s");
  if (!found.stiffness.empty()) {
    printOut("   stiffness");
    for (std::size_t k = 0; k < found.stiffness.size() && k < 8; ++k) printOut(" {:.6g}", found.stiffness[k]);
    printOut("{} N/m\n", found.stiffness.size() > 8 ? fmt::format(" ... ({} in all)", found.stiffness.size()) : "");
  }
  if (!shown.problem.empty()) {
    printOut("   no reactions: {}\n", shown.problem);
    return;
  }
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const BodyMotion& body = shown.seen.bodies[b];
    printOut("   {:<16} x {:.9g} m, y {:.9g} m", mechanism.bodies[b].name, body.position[0], body.position[1]);
    if (spatial) {
      printOut(", z {:.9g} m, quaternion {:.6g} {:.6g} {:.6g} {:.6g}\n", body.position[2], body.orientation[0],
               body.orientation[1], body.orientation[2], body.orientation[3]);
    } else {
      printOut(", angle {:.9g} rad\n", body.angle);
    }
  }
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const Reaction& reaction = shown.seen.joints[k];
    const Joint& joint = mechanism.joints[k];
    if (isRelation(joint.kind)) {
      printOut("   {:<16} effort {:.9g}\n", joint.name, reaction.effort);
      continue;
    }
    printOut("   {:<16} force {:.9g} {:.9g}", joint.name, reaction.force_on_second[0], reaction.force_on_second[1]);
    if (spatial) printOut(" {:.9g}", reaction.force_on_second[2]);
    printOut(" N");
    if (spatial) {
      printOut(", moment {:.9g} {:.9g} {:.9g} N*m", reaction.moment_on_second[0], reaction.moment_on_second[1],
               reaction.moment_on_second[2]);
    } else if (joint.kind != JointKind::revolute && joint.kind != JointKind::distance) {
      printOut(", moment {:.9g} N*m", reaction.moment_on_second[2]);
    }
    printOut("{}\n", reaction.unique ? "" : "  (not unique)");
  }
  for (std::size_t k = 0; k < mechanism.drives.size(); ++k) {
    printOut("   {:<16} effort {:.9g} {}\n", mechanism.drives[k].name, shown.seen.drive_efforts[k],
             mechanism.drives[k].kind == DriveKind::angle ? "N*m" : "N");
  }
}

std::string jsonOf(const Mechanism& mechanism, const Equilibria& all, const std::vector<Shown>& list, double t) {
  nlohmann::ordered_json out;
  out["time"] = t;
  out["starts"] = all.starts;
  out["failed_starts"] = all.failed;
  addParametersSet(mechanism, out);
  if (!all.problem.empty()) out["problem"] = all.problem;
  out["equilibria"] = nlohmann::ordered_json::array();
  for (const Shown& shown : list) {
    const Equilibrium& found = shown.equilibrium;
    nlohmann::ordered_json entry = {{"stability", wordFor(found.stability)},
                                    {"unstable_directions", found.unstable_directions},
                                    {"neutral_directions", found.neutral_directions},
                                    {"stiffness", found.stiffness},
                                    {"symmetric", found.symmetric},
                                    {"potential", found.potential},
                                    {"residual", found.residual},
                                    {"hits", found.hits},
                                    {"from_drawn_pose", found.drawn}};
    if (!shown.problem.empty()) entry["problem"] = shown.problem;
    for (std::size_t b = 0; b < shown.seen.bodies.size(); ++b) {
      const BodyMotion& body = shown.seen.bodies[b];
      auto& own = entry["bodies"][mechanism.bodies[b].name];
      own = {{"position", body.position}, {"orientation", body.orientation}};
      if (mechanism.space == Space::planar) own["angle"] = body.angle;
    }
    for (std::size_t k = 0; k < shown.seen.joints.size(); ++k) {
      const Reaction& reaction = shown.seen.joints[k];
      entry["joints"][mechanism.joints[k].name] = {{"force", reaction.force_on_second},
                                                   {"moment", reaction.moment_on_second},
                                                   {"moment_on_first", reaction.moment_on_first},
                                                   {"effort", reaction.effort},
                                                   {"unique", reaction.unique}};
    }
    for (std::size_t k = 0; k < shown.seen.drive_efforts.size(); ++k) {
      entry["drives"][mechanism.drives[k].name] = {{"effort", shown.seen.drive_efforts[k]}};
    }
    out["equilibria"].push_back(std::move(entry));
  }
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

int run(const Options& options) {
  Diagnostics diagnostics;
  const std::optional<Mechanism> read = readModel(options, diagnostics);
  if (!read) return kBadInput;
  if (const std::string problem = options.statics.problem(); !problem.empty()) {
    printErr("linkwork statics: error: {}\n", problem);
    return kBadInput;
  }
  // At rest from here on: what the file says about rates is for a run.
  Mechanism mechanism = heldAt(*read, options.statics.t);
  std::erase_if(mechanism.initial, [](const InitialValue& initial) { return isRate(initial.quantity.kind); });
  const std::optional<Assembly> assembly = assembleModel(mechanism);
  if (!assembly) return kNumericalFailure;
  const Equilibria all = findEquilibria(mechanism, *assembly, options.statics);
  std::vector<Shown> list;
  for (const Equilibrium& found : all.found) {
    list.push_back({found, {}, {}});
    observeAtRest(mechanism, *assembly, found, options.statics.t, list.back().seen, list.back().problem);
  }
  if (options.json) {
    printOut("{}\n", jsonOf(mechanism, all, list, options.statics.t));
  } else {
    printOut("{}: {} equilibri{} found from {} start{}{}\n", mechanism.name, list.size(), list.size() == 1 ? "um" : "a",
             all.starts, all.starts == 1 ? "" : "s",
             all.failed > 0 ? fmt::format(", {} of which came to none", all.failed) : "");
    for (std::size_t k = 0; k < list.size(); ++k) printOne(mechanism, k + 1, list[k]);
  }
  if (!list.empty()) return kGood;
  printErr("{}: error: {}\n", mechanism.file_name, all.problem);
  return kNumericalFailure;
}

}  // namespace

void addStatics(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("statics", "Poses at rest: equilibria with reactions and stability",
                        [options] { return run(*options); });
  options->addFile(verb);
  options->addSpace(verb);
  verb.add("--at", options->statics.t, "Time in seconds at which drives are held and loads are taken")
      .in("s")
      .showDefault();
  verb.add("--starts", options->statics.starts, "Random starts beside the drawn pose").showDefault();
  verb.add("--seed", options->statics.seed, "Of the random starts").showDefault();
  verb.add("--json", options->json, "As JSON");
}

}  // namespace linkwork::app
