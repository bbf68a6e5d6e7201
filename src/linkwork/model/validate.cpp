#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "linkwork/geometry/mass_properties.hpp"
#include "linkwork/model/bushing_matrix.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

// kg, kg m^2: less than this is a slip, not a body.
constexpr double kLeastInertia = 1e-120;

// "crank.toml:12" is too long inside a sentence about the same file: "line 12".
std::string lineOf(const Source& source, const Source& seen_from) {
  if (source.line <= 0) return {};
  const bool elsewhere = source.file && seen_from.file && *source.file != *seen_from.file;
  return elsewhere ? fmt::format(" ({}:{})", *source.file, source.line) : fmt::format(" (line {})", source.line);
}

enum class Names { parameters, time, quantities };  // each allows those before it too

class Validation {
 public:
  Validation(const Mechanism& mechanism, Diagnostics& diagnostics) : mechanism_(mechanism), diagnostics_(diagnostics) {}

  void run() {
    checkParameters();
    checkNames();
    checkBodies();
    checkJoints();
    checkDrives();
    checkLoads();
    checkGiven(mechanism_.initial, "initial value");
    checkGiven(mechanism_.steady, "steady value");
    checkEvents();
    checkSignals();
    if (!diagnostics_.hasErrors()) noteLooseBodies();
  }

 private:
  // --- expressions ---------------------------------------------------------------------------------------------------

  bool isQuantity(const std::string& symbol) {
    if (quantities_.empty()) {
      const std::vector<std::string> names = quantityNames(mechanism_);
      quantities_.insert(names.begin(), names.end());
    }
    return quantities_.contains(symbol);
  }

  bool mayStand(const std::string& symbol, Names allowed) {
    if (parameters_.contains(symbol)) return true;
    return symbol == "t" ? allowed != Names::parameters : (allowed == Names::quantities && isQuantity(symbol));
  }

  // Whether all symbols of a formula may stand there. What formulas have in common is looked at once: this is half of
  // the time that reading a model takes otherwise.
  bool hasGoodSymbols(const Expr& formula, Names allowed) {
    auto& good = good_[static_cast<std::size_t>(allowed)];
    std::vector<std::uint64_t> added;
    std::vector<const Expr*> open{&formula};
    while (!open.empty()) {
      const Expr& e = *open.back();
      open.pop_back();
      if (e.isNumber() || !good.insert(e.id()).second) continue;
      added.push_back(e.id());
      if (e.isSymbol() && !mayStand(e.name(), allowed)) {
        for (const std::uint64_t id : added) good.erase(id);
        return false;
      }
      for (const Expr& operand : e.operands()) open.push_back(&operand);
    }
    return true;
  }

  void checkSymbols(const Expr& expr, Names allowed, const Source& where, const std::string& what) {
    if (hasGoodSymbols(expr, allowed)) return;
    for (const std::string& symbol : symbolsOf(expr)) {
      if (mayStand(symbol, allowed)) continue;
      if (symbol == "t" || isQuantity(symbol)) {
        diagnostics_.error(where, fmt::format("{}: \"{}\" may not stand here.", what, symbol),
                           allowed == Names::time ? "Only t and parameters may." : "Only parameters may.");
        continue;
      }
      std::vector<std::string> candidates(parameters_.begin(), parameters_.end());
      if (allowed == Names::quantities) candidates.insert(candidates.end(), quantities_.begin(), quantities_.end());
      diagnostics_.error(where, fmt::format("{}: unknown name \"{}\".", what, symbol), didYouMean(symbol, candidates));
    }
  }

  bool checkValue(const Value& value, const Source& where, const std::string& what) {
    if (!std::isfinite(value.number)) {
      diagnostics_.error(where, fmt::format("{} must be a finite number, got {}.", what, value.number));
      return false;
    }
    checkSymbols(value.expr, Names::parameters, where, what);
    return true;
  }

  void checkNotNegative(const Value& value, const Source& where, const std::string& what) {
    if (checkValue(value, where, what) && value.number < 0) {
      diagnostics_.error(where, fmt::format("{} must not be negative, got {:g}.", what, value.number));
    }
  }

  // Squares and reciprocals of masses must be numbers too. False after a message.
  bool checkSize(const Value& value, const Source& where, const std::string& what, const char* unit) {
    if (!(value.number > 0.0) || !std::isfinite(value.number)) return true;
    if (value.number >= kLeastInertia && value.number <= 1.0 / kLeastInertia) return true;
    if (value.number < kLeastInertia) {
      diagnostics_.error(where, fmt::format("{} is {} {}, too little to count with.", what, value.number, unit),
                         "Write 0 for a body without mass that its joints hold. Are the units right?");
    } else {
      diagnostics_.error(where, fmt::format("{} is {} {}, too much to count with.", what, value.number, unit),
                         "Hold a body that does not move by a joint to the ground. Are the units right?");
    }
    return false;
  }

  // Unusual but meaningful: a negative spring pushes away, a negative damper feeds energy in.
  void warnIfNegative(const Value& value, const Source& where, const std::string& what) {
    if (checkValue(value, where, what) && value.number < 0) {
      diagnostics_.warning(where, fmt::format("{} is negative ({:g}).", what, value.number));
    }
  }

  void checkFrame(const Frame& frame, const Source& where, const std::string& what) {
    checkValue(frame.point[0], where, what + ": x of its point");
    checkValue(frame.point[1], where, what + ": y of its point");
    checkValue(frame.point[2], where, what + ": z of its point");
    checkValue(frame.angle, where, what + ": angle of its frame");
  }

  bool checkBodyIndex(BodyIndex index, const Source& where, const std::string& what) {
    if (!index.valid() || index.at() < mechanism_.bodies.size()) return true;
    diagnostics_.error(where, fmt::format("{} refers to body number {}, but there are {}.", what, index.value(),
                                          mechanism_.bodies.size()));
    return false;
  }

  // --- parts ---------------------------------------------------------------------------------------------------------

  void checkParameters() {
    for (const Parameter& parameter : mechanism_.parameters) {
      if (!parameters_.insert(parameter.name).second) {
        diagnostics_.error(parameter.source, fmt::format("parameter \"{}\" is defined twice.", parameter.name));
      }
    }
    for (const Parameter& parameter : mechanism_.parameters) {
      checkValue(parameter.value, parameter.source, fmt::format("parameter \"{}\"", parameter.name));
    }
    checkValue(mechanism_.gravity[0], {}, "x of gravity");
    checkValue(mechanism_.gravity[1], {}, "y of gravity");
    checkValue(mechanism_.gravity[2], {}, "z of gravity");
  }

  void checkName(const char* kind, const std::string& name, const Source& where) {
    const std::string what = fmt::format("{} \"{}\"", kind, name);
    const bool has_control =
        std::any_of(name.begin(), name.end(), [](char c) { return (c >= 0 && c < 0x20) || c == 0x7F; });
    if (name.empty()) {
      diagnostics_.error(where, fmt::format("a {} needs a name.", kind));
    } else if (has_control) {
      diagnostics_.error(where, fmt::format("the name of a {} may not hold control characters.", kind));
    } else if (name.find('.') != std::string::npos) {
      diagnostics_.error(where, fmt::format("{}: a name may not hold a dot.", what),
                         "The dot reads a quantity, as in \"crank.angle\".");
    } else if (name == "ground" || name == "world") {
      diagnostics_.error(where, fmt::format("{}: this name means the ground.", what), "Choose another name.");
    }
    const auto [taken, is_new] = names_.try_emplace(name, std::pair(kind, where));
    if (!is_new && !name.empty()) {
      diagnostics_.error(where,
                         fmt::format("{}: the name is taken by a {}{}.", what, taken->second.first,
                                     lineOf(taken->second.second, where)),
                         "Bodies, joints, drives and loads need different names.");
    }
  }

  void checkNames() {
    for (const Body& body : mechanism_.bodies) checkName("body", body.name, body.source);
    for (const Joint& joint : mechanism_.joints) checkName("joint", joint.name, joint.source);
    for (const Drive& drive : mechanism_.drives) checkName("drive", drive.name, drive.source);
    for (const Load& load : mechanism_.loads) checkName("load", load.name, load.source);
  }

  void checkBodies() {
    for (const Body& body : mechanism_.bodies) {
      const std::string of = fmt::format(" of body \"{}\"", body.name);
      checkNotNegative(body.mass, body.source, "mass" + of);
      checkNotNegative(body.inertia, body.source, "inertia" + of);
      // The inertia of a drawn body comes of its mass.
      if (checkSize(body.mass, body.source, "mass" + of, "kg"))
        checkSize(body.inertia, body.source, "inertia" + of, "kg m^2");
      if (body.tensor) checkTensor(body, of);
      checkValue(body.com[0], body.source, "x of the centre of mass" + of);
      checkValue(body.com[1], body.source, "y of the centre of mass" + of);
      checkValue(body.com[2], body.source, "z of the centre of mass" + of);
      const Pose& drawn = body.drawn;
      bool finite = std::isfinite(drawn.x) && std::isfinite(drawn.y) && std::isfinite(drawn.z);
      for (const double part : drawn.rotation) finite = finite && std::isfinite(part);
      if (!finite || !std::isfinite(drawn.angle)) {
        diagnostics_.error(body.source, "the drawn pose" + of + " must be finite.");
      }
      for (const NamedPoint& point : body.points) {
        checkValue(point.at[0], body.source, fmt::format("x of point \"{}\"{}", point.name, of));
        checkValue(point.at[1], body.source, fmt::format("y of point \"{}\"{}", point.name, of));
        checkValue(point.at[2], body.source, fmt::format("z of point \"{}\"{}", point.name, of));
      }
    }
  }

  // Semi-definite is allowed: a point mass has no inertia at all, a thin rod none about its line.
  void checkTensor(const Body& body, const std::string& of) {
    const Tensor& J = *body.tensor;
    const std::pair<const char*, const Value*> entries[] = {{"xx", &J.xx}, {"yy", &J.yy}, {"zz", &J.zz},
                                                            {"xy", &J.xy}, {"xz", &J.xz}, {"yz", &J.yz}};
    bool good = true;
    for (const auto& [name, value] : entries)
      good = checkValue(*value, body.source, fmt::format("{} of inertia{}", name, of)) && good;
    if (!good) return;
    const auto principal =
        principalMoments({J.xx.number, J.yy.number, J.zz.number, J.xy.number, J.xz.number, J.yz.number});
    const std::string shown = fmt::format("{:.4g}, {:.4g} and {:.4g} kg m^2", principal[0], principal[1], principal[2]);
    switch (faultOf(principal)) {
      case InertiaFault::none: break;
      case InertiaFault::negative:
        diagnostics_.error(
            body.source, fmt::format("inertia{} is not positive: its principal moments are {}.", of, shown),
            "xy, xz and yz are entries of the matrix: xy = - integral of x y dm. Are their signs and sizes "
            "right?");
        break;
      case InertiaFault::triangle:
        diagnostics_.warning(
            body.source,
            fmt::format("inertia{} belongs to no body: of its principal moments, {}, the largest is larger "
                        "than the sum of the others.",
                        of, shown),
            "Jxx + Jyy - Jzz is twice the integral of z^2 dm, and cannot be negative.");
        break;
    }
  }

  void checkJoints() {
    for (const Joint& joint : mechanism_.joints) {
      const std::string what = fmt::format("joint \"{}\"", joint.name);
      if (isRelation(joint.kind)) {
        checkRelation(joint, what);
        continue;
      }
      const bool first_good = checkBodyIndex(joint.first, joint.source, what);
      const bool second_good = checkBodyIndex(joint.second, joint.source, what);
      if (first_good && second_good && joint.first == joint.second) {
        diagnostics_.error(joint.source,
                           fmt::format("{} joins \"{}\" to itself.", what, mechanism_.bodyName(joint.first)),
                           "A joint needs two different bodies.");
      }
      checkFrame(joint.on_first, joint.source, what);
      checkFrame(joint.on_second, joint.source, what);
      if (joint.compliance) checkCompliance(joint, what);
      if (joint.kind == JointKind::knife_edge) checkSymbols(joint.speed, Names::time, joint.source, what);
      if (joint.kind == JointKind::distance && checkValue(joint.length, joint.source, "length of " + what) &&
          joint.length.number <= 0) {
        diagnostics_.error(joint.source,
                           fmt::format("length of {} must be positive, got {:g}.", what, joint.length.number),
                           "For two points that coincide use a revolute joint.");
      }
    }
  }

  void checkCompliance(const Joint& joint, const std::string& what) {
    const Compliance& springs = *joint.compliance;
    for (const auto* axes :
         {&springs.stiffness, &springs.rotational_stiffness, &springs.damping, &springs.rotational_damping}) {
      for (const Value& constant : *axes) {
        if (!checkValue(constant, springs.source, "a spring or damper of the compliance of " + what)) return;
      }
    }
    if (!mayComply(joint.kind)) {
      diagnostics_.error(springs.source,
                         fmt::format("{}: a {} joint cannot be made of springs.", what, wordFor(joint.kind)));
      return;
    }
    const ComplianceProblem problem = complianceProblem(joint.kind, mechanism_.space, springs);
    if (!problem.what.empty()) diagnostics_.error(springs.source, what + ": " + problem.what, problem.hint);
  }

  void checkRelation(const Joint& joint, const std::string& what) {
    for (const Term& term : joint.terms) {
      const int index = term.quantity.index;
      const bool there = isOfJoint(term.quantity.kind) && !isRate(term.quantity.kind) && index >= 0 &&
                         static_cast<std::size_t>(index) < mechanism_.joints.size();
      if (!there) {
        diagnostics_.error(joint.source, what + " names a coordinate of a joint that does not exist.");
        return;
      }
      checkValue(term.coefficient, joint.source, "a coefficient of " + what);
    }
    checkValue(joint.offset, joint.source, "offset of " + what);
    checkSymbols(joint.expression, Names::quantities, joint.source, what);
    if (relatedBodies(mechanism_, joint).empty())
      diagnostics_.error(joint.source, what + " relates nothing: it names no position of a body or joint.");
  }

  void checkDrives() {
    std::map<std::pair<BodyIndex, BodyIndex>, std::vector<std::size_t>> between;  // only drives of one pair can fight
    for (std::size_t i = 0; i < mechanism_.drives.size(); ++i) {
      const Drive& drive = mechanism_.drives[i];
      const std::string what = fmt::format("drive \"{}\"", drive.name);
      const bool first_good = checkBodyIndex(drive.first, drive.source, what);
      const bool second_good = checkBodyIndex(drive.second, drive.source, what);
      if (first_good && second_good && drive.first == drive.second) {
        diagnostics_.error(drive.source,
                           fmt::format("{} drives \"{}\" against itself.", what, mechanism_.bodyName(drive.first)));
      }
      checkFrame(drive.on_first, drive.source, what);
      checkFrame(drive.on_second, drive.source, what);
      checkSymbols(drive.motion, Names::time, drive.source, what);
      std::vector<std::size_t>& rivals = between[std::minmax(drive.first, drive.second)];
      for (const std::size_t j : rivals) {
        if (!fight(mechanism_.drives[j], drive)) continue;
        diagnostics_.error(drive.source,
                           fmt::format("{} drives the same coordinate as drive \"{}\"{}.", what,
                                       mechanism_.drives[j].name, lineOf(mechanism_.drives[j].source, drive.source)),
                           "Two drives on one coordinate fight: remove one.");
        break;
      }
      rivals.push_back(i);
    }
  }

  static bool samePoint(const Frame& a, const Frame& b) {
    return a.point[0].number == b.point[0].number && a.point[1].number == b.point[1].number &&
           a.point[2].number == b.point[2].number;
  }

  static bool sameDirection(const Frame& a, const Frame& b) {
    return a.angle.number == b.angle.number && a.rotation == b.rotation;
  }

  static bool fight(const Drive& a, const Drive& b) {
    if (a.kind != b.kind) return false;
    const bool same_pair = a.first == b.first && a.second == b.second;
    const bool swapped_pair = a.first == b.second && a.second == b.first;
    switch (a.kind) {
      case DriveKind::angle:
        // In the plane there is one angle; the rotations are all the same.
        return (same_pair && a.on_first.rotation == b.on_first.rotation) ||
               (swapped_pair && a.on_first.rotation == b.on_second.rotation);
      case DriveKind::distance:
        return (same_pair && samePoint(a.on_first, b.on_first) && samePoint(a.on_second, b.on_second)) ||
               (swapped_pair && samePoint(a.on_first, b.on_second) && samePoint(a.on_second, b.on_first));
      case DriveKind::slide:
        return same_pair && samePoint(a.on_first, b.on_first) && samePoint(a.on_second, b.on_second) &&
               sameDirection(a.on_second, b.on_second);
      case DriveKind::coordinate:
        return same_pair && samePoint(a.on_second, b.on_second) && sameDirection(a.on_first, b.on_first);
      case DriveKind::quantity: return a.of == b.of;
    }
    return false;
  }

  void checkLoads() {
    for (const Load& load : mechanism_.loads) {
      const std::string what = fmt::format("load \"{}\"", load.name);
      const bool first_good = checkBodyIndex(load.first, load.source, what);
      const bool second_good = checkBodyIndex(load.second, load.source, what);
      if (first_good && second_good && load.first == load.second) {
        diagnostics_.error(load.source, load.kind == LoadKind::force
                                            ? fmt::format("{} acts on the ground.", what)
                                            : fmt::format("{} acts between \"{}\" and itself.", what,
                                                          mechanism_.bodyName(load.first)));
      }
      checkFrame(load.on_first, load.source, what);
      checkFrame(load.on_second, load.source, what);
      for (const Expr& formula : formulasOf(load)) checkSymbols(formula, Names::quantities, load.source, what);
      warnIfNegative(load.stiffness, load.source, "stiffness of " + what);
      warnIfNegative(load.damping, load.source, "damping of " + what);
      checkValue(load.preload, load.source, "preload of " + what);
      if (load.sided != Sided::both) checkSided(load, what);
      if (load.kind == LoadKind::bushing) checkBushing(load, what);
      if (load.kind == LoadKind::spring_damper) {
        checkNotNegative(load.free_length, load.source, "free_length of " + what);
      } else {
        checkValue(load.free_length, load.source, "free_angle of " + what);
      }
    }
  }

  // A spring that carries forces one way only must grow tighter that way, or it stays taut or slack for ever.
  void checkSided(const Load& load, const std::string& what) {
    const bool tension = load.sided == Sided::tension_only;
    const char* word = tension ? "tension_only" : "compression_only";
    if (load.stiffness.number < 0.0) {
      diagnostics_.error(load.source, fmt::format("{}: with {} its stiffness must not be negative, got {:g}.", what,
                                                  word, load.stiffness.number));
    } else if (load.stiffness.number == 0.0 && (tension ? load.preload.number < 0.0 : load.preload.number > 0.0)) {
      diagnostics_.error(load.source,
                         fmt::format("{}: with {}, no stiffness and this preload it never acts.", what, word));
    }
  }

  void checkBushing(const Load& load, const std::string& what) {
    const auto check = [&](const BushingMatrix& matrix, const char* name) {
      for (const auto& row : matrix) {
        for (const Value& entry : row) {
          if (!checkValue(entry, load.source, fmt::format("{} of {}", name, what))) return;
        }
      }
      const std::string problem = bushingProblem(matrix, mechanism_.space);
      if (!problem.empty()) diagnostics_.error(load.source, fmt::format("{} of {} {}.", name, what, problem));
    };
    check(load.bushing_stiffness, "stiffness");
    check(load.bushing_damping, "damping");
    for (const Value& entry : load.bushing_preload) checkValue(entry, load.source, "preload of " + what);
  }

  // role: "initial value"
  void checkGiven(const std::vector<InitialValue>& given, const char* role) {
    std::map<Quantity, Source> seen;
    for (const InitialValue& initial : given) {
      const int index = initial.quantity.index;
      const bool of_joint = initial.quantity.kind >= QuantityKind::joint_angle;
      const std::size_t count = of_joint ? mechanism_.joints.size() : mechanism_.bodies.size();
      if (initial.quantity.kind == QuantityKind::time || index < 0 || static_cast<std::size_t>(index) >= count) {
        diagnostics_.error(initial.source, fmt::format("{} {} belongs to a body or joint that exists.",
                                                       role[0] == 'i' ? "an" : "a", role));
        continue;
      }
      const std::string what = fmt::format("{} of \"{}\"", role, quantityName(mechanism_, initial.quantity));
      checkValue(initial.value, initial.source, what);
      const auto [before, is_new] = seen.try_emplace(initial.quantity, initial.source);
      if (is_new) continue;
      diagnostics_.error(initial.source, fmt::format("the {} is given twice{}.", what,
                                                     before->second.line > 0 && initial.source.line > 0
                                                         ? fmt::format(": on line {} and on line {}",
                                                                       before->second.line, initial.source.line)
                                                         : std::string{}));
    }
  }

  void checkEvents() {
    std::map<std::string, Source> seen;
    for (const Event& event : mechanism_.events) {
      const std::string what = fmt::format("event \"{}\"", event.name);
      checkSymbols(event.when, Names::quantities, event.source, what);
      if (!seen.try_emplace(event.name, event.source).second)
        diagnostics_.error(event.source, what + " is defined twice.");
    }
  }

  void checkSignals() {
    std::map<std::string, Source> seen;
    for (const Input& input : mechanism_.inputs) {
      const std::string what = fmt::format("input \"{}\"", input.name);
      checkSymbols(input.value, Names::time, input.source, what);
      if (parameters_.contains(input.name))
        diagnostics_.error(input.source, what + ": a parameter has this name.", "Choose another name.");
      if (!seen.try_emplace(input.name, input.source).second)
        diagnostics_.error(input.source, what + " is defined twice.");
    }
    seen.clear();
    for (const NamedVelocity& named : mechanism_.named_velocities) {
      const std::string what = fmt::format("quasi-velocity \"{}\"", named.name);
      checkSymbols(named.form, Names::quantities, named.source, what);
      if (!seen.try_emplace(named.name, named.source).second)
        diagnostics_.error(named.source, what + " is defined twice.");
    }
    seen.clear();
    for (const Output& output : mechanism_.outputs) {
      const std::string what = fmt::format("output \"{}\"", output.name);
      checkSymbols(output.value, Names::quantities, output.source, what);
      if (!seen.try_emplace(output.name, output.source).second)
        diagnostics_.error(output.source, what + " is defined twice.");
    }
  }

  void noteLooseBodies() {
    std::vector<const Joint*> held(mechanism_.bodies.size(), nullptr);
    for (const Joint& joint : mechanism_.joints) {
      std::vector<BodyIndex> ends{joint.first, joint.second};
      if (isRelation(joint.kind)) ends = relatedBodies(mechanism_, joint);
      for (const BodyIndex index : ends) {
        if (index.valid() && held[index.at()] == nullptr) held[index.at()] = &joint;
      }
    }
    std::vector<bool> driven(held.size(), false);
    for (const Drive& drive : mechanism_.drives) {
      for (const BodyIndex index : {drive.first, drive.second}) {
        if (index.valid() && index.at() < driven.size()) driven[index.at()] = true;
      }
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
      const Body& body = mechanism_.bodies[i];
      if (held[i] == nullptr && !driven[i] && !body.free) {
        diagnostics_.note(body.source, fmt::format("body \"{}\" hangs on no joint: it moves freely.", body.name),
                          "Write free = true if that is meant.");
      } else if (held[i] != nullptr && body.free && held[i]->kind != JointKind::floating) {
        diagnostics_.note(body.source, fmt::format("body \"{}\" is said to be free, but joint \"{}\"{} holds it.",
                                                   body.name, held[i]->name, lineOf(held[i]->source, body.source)));
      }
    }
  }

  const Mechanism& mechanism_;
  Diagnostics& diagnostics_;
  std::set<std::string> parameters_;
  std::set<std::string> quantities_;
  std::array<std::unordered_set<std::uint64_t>, 3> good_;  // for each of Names: nodes all of whose symbols may stand
  std::map<std::string, std::pair<const char*, Source>> names_;
};

}  // namespace

void validate(const Mechanism& mechanism, Diagnostics& diagnostics) { Validation(mechanism, diagnostics).run(); }

}  // namespace linkwork
