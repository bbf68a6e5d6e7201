// linkwork kinematics: the motion that drives prescribe, dead points, and what an engineer asks about such a mechanism.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "linkwork/read/expression.hpp"
#include "motion_verb.hpp"
#include "output.hpp"
#include "summary.hpp"

namespace linkwork::app {

namespace {

struct Options : MotionVerb {
  std::string drive, from, to, rate;
  std::optional<int> steps;
  std::vector<std::string> outputs, transmissions, centres, points;
};

class NoNames final : public Scope {
 public:
  std::optional<NamedValue> find(std::string_view /*name*/) const override { return std::nullopt; }
  std::vector<std::string> candidates() const override { return {}; }
};

// "30 deg", "0.1 m", "2*pi"; nullopt and a message where it is nothing of the kind.
std::optional<double> numberOf(const Options& options, const char* option, const std::string& text) {
  const auto parsed = parseQuantity(text, NoNames(), Numbers::adapting);
  if (const auto* value = std::get_if<ParsedExpression>(&parsed); value != nullptr && value->number) {
    return value->number;
  }
  const auto* error = std::get_if<TextError>(&parsed);
  options.badInput(fmt::format("{} {}: {}.", option, text, error != nullptr ? error->message : "not a number"));
  return std::nullopt;
}

std::optional<Quantity> coordinateOf(const Options& options, const char* option, const Mechanism& mechanism,
                                     const std::string& name) {
  std::optional<Quantity> found = findQuantity(mechanism, name);
  for (const char* ending : {".angle", ".slide"}) {
    if (!found) found = findQuantity(mechanism, name + ending);  // a joint by its name alone
  }
  if (found && !isRate(found->kind) && found->kind != QuantityKind::time) return found;
  std::vector<std::string> names;
  for (const std::string& known : quantityNames(mechanism)) {
    const auto quantity = findQuantity(mechanism, known);
    if (quantity && !isRate(quantity->kind) && quantity->kind != QuantityKind::time) names.push_back(known);
  }
  options.badInput(fmt::format("{}: \"{}\" is no coordinate of the model. {}", option, name, didYouMean(name, names)));
  return std::nullopt;
}

// What --drive asks for.
struct Sweep {
  SweepStart start;
  Quantity coordinate;
  double way = 0.0;   // from its start, rad or m
  double rate = 0.0;  // rad/s or m/s

  Mechanism mechanism(double at_rate) const { return withSweep(start.mechanism, coordinate, start.from, at_rate); }
  bool isAngle() const {
    switch (coordinate.kind) {
      case QuantityKind::joint_slide:
      case QuantityKind::body_x:
      case QuantityKind::body_y:
      case QuantityKind::body_z: return false;
      default: return true;
    }
  }
};

// The sweep asked for; nullopt and a message where it cannot be.
std::optional<Sweep> sweepOf(const Mechanism& mechanism, const Options& options) {
  const auto coordinate = coordinateOf(options, "--drive", mechanism, options.drive);
  if (!coordinate) return std::nullopt;
  const auto to = numberOf(options, "--to", options.to);
  if (!to) return std::nullopt;
  std::optional<double> from;
  if (!options.from.empty()) {
    from = numberOf(options, "--from", options.from);
    if (!from) return std::nullopt;
  }
  SweepStart start = sweepFrom(mechanism, *coordinate, from);
  if (!start.problem.empty()) {
    options.badInput(start.problem + (from ? "; without --from the sweep begins as drawn." : "."));
    return std::nullopt;
  }
  const double way = *to - start.from;
  if (way == 0.0) {
    options.badInput("--to: the sweep ends where it begins.");
    return std::nullopt;
  }
  double rate = way;  // in one second
  if (!options.rate.empty()) {
    const auto given = numberOf(options, "--rate", options.rate);
    if (!given) return std::nullopt;
    if (!(*given > 0.0)) {
      options.badInput("--rate must be positive; the direction comes from --from and --to.");
      return std::nullopt;
    }
    rate = std::copysign(*given, way);
  }
  return Sweep{std::move(start), *coordinate, way, rate};
}

// How far a sweep at this rate came before a dead point ended it.
double reached(const Sweep& sweep, double rate, const KinematicsRun& run) {
  return sweep.start.from + rate * run.dead_points.back().time;
}

// Where the sweep ends the other way round, if a dead point ends it within a turn (a slide: ten times as far).
std::optional<double> otherEnd(const Sweep& sweep) {
  const Mechanism mechanism = sweep.mechanism(-sweep.rate);
  const Assembly assembly = assemble(mechanism);
  if (!assembly.ok) return std::nullopt;
  KinematicsOptions options;
  options.until = (sweep.isAngle() ? 2.0 * std::numbers::pi : 10.0 * std::abs(sweep.way)) / std::abs(sweep.rate);
  const KinematicsRun run = runKinematics(mechanism, assembly, options);
  if (run.dead_points.empty() || run.result.status != RunStatus::failed) return std::nullopt;
  return reached(sweep, -sweep.rate, run);
}

// The answer to what a sweep asks: whether it gets there, and if not, between which values it can move.
std::string verdictOf(const Sweep& sweep, const Options& options, const KinematicsRun& run) {
  const double scale = sweep.isAngle() ? 180.0 / std::numbers::pi : 1.0;
  const char* unit = sweep.isAngle() ? "deg" : "m";
  const auto said = [&](double value) { return fmt::format("{:.6g} {}", value * scale, unit); };
  const double from = sweep.start.from;
  const double turn = 2.0 * std::numbers::pi;
  if (run.result.status == RunStatus::complete) {
    const bool whole = sweep.isAngle() && std::abs(sweep.way) >= turn * (1.0 - 1e-12);
    return fmt::format("{} {} from {} to {}.", options.drive,
                       whole ? "turns all the way:" : (sweep.isAngle() ? "turns" : "slides"), said(from),
                       said(from + sweep.way));
  }
  if (run.dead_points.empty() || run.result.status != RunStatus::failed) return {};
  const double end = reached(sweep, sweep.rate, run);
  const std::optional<double> other = otherEnd(sweep);
  const char* moves = sweep.isAngle() ? "turned" : "moved";
  if (!other)
    return fmt::format("{} does not get there: from {} it can be {} to {}.", options.drive, said(from), moves,
                       said(end));
  return fmt::format("{} does not {}: it can be {} between {} and {}.", options.drive,
                     sweep.isAngle() ? "turn all the way" : "get there", moves, said(std::min(end, *other)),
                     said(std::max(end, *other)));
}

// What the options name, found in the mechanism; false and a message where it is not there.
bool findExtras(const Mechanism& mechanism, const Options& options, ExtraOptions& out) {
  out.transmissions = findTransmissions(mechanism);
  for (const std::string& text : options.transmissions) {
    const NamedTransmission named = transmissionAt(mechanism, text);
    if (!named.problem.empty()) return options.badInput(fmt::format("--transmission: {}.", named.problem)), false;
    const auto same = [&](const Transmission& known) { return known.joint == named.found.joint; };
    std::erase_if(out.transmissions, same);
    out.transmissions.push_back(named.found);
  }
  const auto bodyOf = [&](const std::string& name) -> std::optional<BodyIndex> {
    std::vector<std::string> names{"ground"};
    if (name == "ground") return kGround;
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      names.push_back(mechanism.bodies[b].name);
      if (mechanism.bodies[b].name == name) return BodyIndex(static_cast<int>(b));
    }
    options.badInput(fmt::format("there is no body \"{}\". {}", name, didYouMean(name, names)));
    return std::nullopt;
  };
  for (const std::string& text : options.centres) {
    const auto comma = text.find(',');
    if (comma == std::string::npos) return options.badInput("--instant-centre needs two bodies: crank,rocker."), false;
    if (mechanism.space == Space::spatial) {
      return options.badInput("--instant-centre: there are instant centres only in the plane."), false;
    }
    const auto one = bodyOf(text.substr(0, comma));
    const auto other = one ? bodyOf(text.substr(comma + 1)) : std::nullopt;
    if (!other) return false;
    if (one->valid()) {
      out.centres.emplace_back(*one, *other);
    } else {
      out.centres.emplace_back(*other, *one);
    }
  }
  for (const std::string& text : options.points) {
    const auto dot = text.find('.');
    const auto body = bodyOf(text.substr(0, dot));
    if (!body) return false;
    Trace trace{*body, {}, text};
    if (dot != std::string::npos && body->valid()) {
      const auto& points = mechanism.body(*body).points;
      const std::string name = text.substr(dot + 1);
      const auto found =
          std::find_if(points.begin(), points.end(), [&](const NamedPoint& point) { return point.name == name; });
      if (found == points.end()) {
        std::vector<std::string> names;
        for (const NamedPoint& point : points) names.push_back(point.name);
        options.badInput(fmt::format("--point: body \"{}\" has no point \"{}\". {}", mechanism.bodyName(*body), name,
                                     didYouMean(name, names)));
        return false;
      }
      for (std::size_t k = 0; k < 3; ++k) trace.point[k] = found->at[k].number;
    }
    out.points.push_back(trace);
  }
  for (const std::string& text : options.outputs) {
    const auto coordinate = coordinateOf(options, "--output", mechanism, text);
    if (!coordinate) return false;
    out.outputs.push_back(*coordinate);
  }
  if (!out.outputs.empty() && mechanism.drives.size() != 1) {
    options.badInput(
        fmt::format("--output: mechanical advantage is that of one drive, and there are {}.", mechanism.drives.size()));
    return false;
  }
  return true;
}

void printExtremes(const Result& result, const std::string& ending, const char* what, double factor, const char* unit) {
  for (const Series& series : result.series) {
    if (series.label != ending && !(ending.empty() && series.group == what)) continue;
    std::size_t least = 0;
    std::size_t most = 0;
    for (std::size_t k = 0; k < series.values.size(); ++k) {
      if (!(series.values[k] >= series.values[least])) least = k;
      if (!(series.values[k] <= series.values[most])) most = k;
    }
    if (series.values.empty()) continue;
    printOut("  {:<28} {:.6g} {} at t = {:.6g} s to {:.6g} {} at t = {:.6g} s\n", series.name,
             series.values[least] * factor, unit, result.time[least], series.values[most] * factor, unit,
             result.time[most]);
  }
}

int run(const Options& options) {
  Diagnostics diagnostics;
  std::optional<Mechanism> mechanism = readModel(options, diagnostics);
  if (!mechanism) return kBadInput;
  KinematicsOptions run_options;
  run_options.until = 0.0;
  run_options.output_step = runOptions(*mechanism).output_step;
  std::optional<Sweep> swept;
  if (!options.drive.empty()) {
    if (options.to.empty()) return options.badInput("--drive needs --to: where the sweep ends.");
    swept = sweepOf(*mechanism, options);
    if (!swept) return kBadInput;
    mechanism = swept->mechanism(swept->rate);
    run_options.until = swept->way / swept->rate;
    run_options.output_step = options.steps ? run_options.until / *options.steps : 0.0;
  } else if (!options.to.empty() || !options.from.empty() || !options.rate.empty() || options.steps) {
    return options.badInput("--from, --to, --rate and --steps belong to --drive: name the joint to sweep.");
  }
  ExtraOptions extras;
  if (!findExtras(*mechanism, options, extras)) return kBadInput;
  run_options.extras = extras;
  int code = kGood;
  const std::optional<KinematicsRun> done = options.MotionVerb::run(*mechanism, run_options, code);
  if (!done) return code;
  if (!options.json) {
    if (const std::string verdict = swept ? verdictOf(*swept, options, *done) : std::string(); !verdict.empty())
      printOut("{}\n\n", verdict);
    printSummary(done->result, "kinematics");
    printOut("\n");
    for (const DeadPoint& point : done->dead_points) printOut("  t = {:.10g} s: {}\n", point.time, point.words);
    if (mechanism->space == Space::spatial)
      printOut("  Transmission angles and instant centres are told in the plane alone.\n");
    printExtremes(done->result, "transmission_angle", "", 180.0 / std::numbers::pi, "deg");
    printExtremes(done->result, "", "mechanical_advantage", 1.0, "");
    printExtremes(done->result, "power", "", 1.0, "W");
  }
  return options.finish(*mechanism, *done, diagnostics);
}

}  // namespace

void addKinematics(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->name = "kinematics";
  options->without_drives = "or sweep one joint: --drive NAME --from 0 --to \"360 deg\"";
  Verb& verb = line.add("kinematics",
                        "Follow the drives: positions, velocities, accelerations, forces, dead points; no integration",
                        [options] { return run(*options); });
  options->add(verb);
  verb.add("--drive", options->drive, "Joint or coordinate to sweep, in place of the model's drives");
  verb.add("--from", options->from, "Where the sweep begins, such as \"30 deg\"; as drawn if left out");
  verb.add("--to", options->to, "Where the sweep ends");
  verb.add("--rate", options->rate, "Of the sweep, such as \"10 rad/s\"; the whole way in 1 s if left out");
  verb.add("--steps", options->steps, "Samples over the sweep").positive();
  verb.add("--output", options->outputs, "Coordinate whose mechanical advantage is recorded");
  verb.add("--transmission", options->transmissions,
           "Hinge whose transmission angle is recorded, or two: that hinge and the coupler's other end, B,A");
  verb.add("--instant-centre", options->centres, "Two bodies whose instant centre is recorded: crank,rocker");
  verb.add("--point", options->points, "Point whose path is recorded: coupler.P");
}

}  // namespace linkwork::app
