#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "linkwork/model/walk.hpp"
#include "linkwork/read/model_file/include.hpp"

namespace linkwork::model_file {

namespace {

// Three quantities of a body that turn together.
struct Triple {
  std::array<QuantityKind, 3> kinds;
  bool is_place = false;
  const char* words = "";

  std::size_t indexOf(QuantityKind kind) const {
    return static_cast<std::size_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
  }
};

constexpr Triple kTriples[] = {
    {{QuantityKind::body_x, QuantityKind::body_y, QuantityKind::body_z}, true, "x, y and z"},
    {{QuantityKind::body_x_rate, QuantityKind::body_y_rate, QuantityKind::body_z_rate},
     false,
     "x_rate, y_rate and z_rate"},
    {{QuantityKind::body_wx, QuantityKind::body_wy, QuantityKind::body_wz}, false, "wx, wy and wz"},
};

const Triple* tripleOf(QuantityKind kind) {
  for (const Triple& triple : kTriples) {
    if (triple.indexOf(kind) < 3) return &triple;
  }
  return nullptr;
}

// Carries the contents of a part over: symbols get the prefix, ground axes become those at the placement.
class Merge {
 public:
  Merge(Reader& whole, Reader& part, const std::string& prefix, const DrawnPose& placement)
      : whole_(whole),
        part_(part),
        prefix_(prefix),
        placement_(placement),
        moved_(!(placement.x.expr.isNumber(0.0) && placement.y.expr.isNumber(0.0) && placement.z.expr.isNumber(0.0) &&
                 placement.angle.expr.isNumber(0.0) && placement.rotation == kNoTurn)),
        turned_(!placement.angle.expr.isNumber(0.0) || placement.rotation != kNoTurn),
        first_body_(static_cast<int>(whole.mechanism.bodies.size())),
        first_joint_(static_cast<int>(whole.mechanism.joints.size())) {}

  void run() {
    if (!checkNames()) return;
    mergeParameters();
    mergePoints();
    mergeBodies();
    mergeLinks();
    mergeJoints();
    mergeSignals();
    mergeLoads();
    mergeInitial();
    mergeRest();
  }

 private:
  std::string named(const std::string& name) const { return prefix_ + name; }
  BodyIndex shifted(BodyIndex index) const { return index.valid() ? BodyIndex(index.value() + first_body_) : index; }
  JointIndex shifted(JointIndex index) const {
    return index.valid() ? JointIndex(index.value() + first_joint_) : index;
  }

  // Names that are keys of one section cannot be taken twice in one file, but by two files they can. Bodies, joints and
  // the like are checked in the finished mechanism.
  bool checkNames() {
    bool good = true;
    const auto refuse = [&](const char* kind, const std::string& name, const Source& source) {
      whole_.error(source, fmt::format("{} \"{}\" is there already.", kind, name), "Give the include another prefix.");
      good = false;
    };
    for (const Parameter& parameter : part_.mechanism.parameters) {
      if (whole_.parameters.contains(named(parameter.name)))
        refuse("parameter", named(parameter.name), parameter.source);
    }
    for (const auto& [name, point] : part_.points) {
      if (whole_.points.contains(named(name))) refuse("point", named(name), point.source);
    }
    for (const Body& body : part_.mechanism.bodies) {
      if (whole_.bodies.contains(named(body.name))) refuse("body", named(body.name), body.source);
    }
    for (const FlexibleLink& link : part_.mechanism.links) {
      if (whole_.bodies.contains(named(link.name))) refuse("body", named(link.name), link.source);
    }
    for (const Joint& joint : part_.mechanism.joints) {
      if (whole_.joints.contains(named(joint.name))) refuse("joint", named(joint.name), joint.source);
    }
    for (const Input& input : part_.mechanism.inputs) {
      if (whole_.inputs.contains(named(input.name))) refuse("input", named(input.name), input.source);
    }
    return good;
  }

  // --- values --------------------------------------------------------------------------------------------------------

  // The part's symbol in the letters of the whole.
  Expr symbolInWhole(const std::string& symbol) const {
    if (symbol == "t") return Expr::symbol(symbol);
    Expr renamed = Expr::symbol(named(symbol));
    if (!moved_ || part_.parameters.contains(symbol)) return renamed;
    const auto quantity = part_.findQuantity(symbol);
    if (!quantity) return renamed;
    if (whole_.inSpace()) return inSpace(*quantity, renamed);
    const auto ofBody = [&](const char* word) {
      return Expr::symbol(named(part_.mechanism.bodies[static_cast<std::size_t>(quantity->index)].name) + "." + word);
    };
    const Expr& c = placement_.c.expr;
    const Expr& s = placement_.s.expr;
    // p_part = R^T (p - r)
    switch (quantity->kind) {
      case QuantityKind::body_x: return c * (ofBody("x") - placement_.x.expr) + s * (ofBody("y") - placement_.y.expr);
      case QuantityKind::body_y: return c * (ofBody("y") - placement_.y.expr) - s * (ofBody("x") - placement_.x.expr);
      case QuantityKind::body_angle: return renamed - placement_.angle.expr;
      case QuantityKind::body_x_rate: return c * ofBody("x_rate") + s * ofBody("y_rate");
      case QuantityKind::body_y_rate: return c * ofBody("y_rate") - s * ofBody("x_rate");
      default: return renamed;
    }
  }

  // The part's x, y, z of a vector of the whole; as Values, so that there is one text for turning.
  Point inPart(const Point& vector) const { return turnedBack(placement_.rotation, vector); }

  // A quantity of the part in space: places, rates and turning in its own ground axes.
  Expr inSpace(const Quantity& quantity, const Expr& renamed) const {
    if (quantity.kind == QuantityKind::time || isOfJoint(quantity.kind)) return renamed;
    const Triple* triple = tripleOf(quantity.kind);
    if (triple == nullptr) return renamed;
    Point vector{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Quantity part{triple->kinds[k], quantity.index};
      vector[k] = {1.0, Expr::symbol(named(quantityName(part_.mechanism, part)))};
    }
    if (triple->is_place) {
      vector[0].expr -= placement_.x.expr;
      vector[1].expr -= placement_.y.expr;
      vector[2].expr -= placement_.z.expr;
    }
    return inPart(vector)[triple->indexOf(quantity.kind)].expr;
  }

  Expr inWhole(const Expr& expr) const {
    if (expr.isNumber()) return expr;
    std::map<std::string, Expr> replacements;
    for (const std::string& symbol : symbolsOf(expr)) replacements.emplace(symbol, symbolInWhole(symbol));
    return substitute(expr, replacements);
  }

  Value inWhole(const Value& value) const { return {value.number, inWhole(value.expr)}; }
  Point inWhole(const Point& point) const { return {inWhole(point[0]), inWhole(point[1]), inWhole(point[2])}; }

  // A frame on a body keeps its numbers; a frame on the ground is carried along.
  Frame inWhole(const Frame& frame, BodyIndex body) const {
    Frame result{inWhole(frame.point), inWhole(frame.angle), frame.rotation};
    if (body.valid() || !moved_) return result;
    if (whole_.inSpace()) {
      const Quaternion own = product(aboutAxis({0, 0, 1}, result.angle.number), result.rotation);
      return {toGround(placement_, result.point), Value(0.0), product(placement_.rotation, own)};
    }
    return {toGround(placement_, result.point), plus(result.angle, placement_.angle)};
  }

  DrawnPose inWhole(const DrawnPose& pose) const {
    DrawnPose result{inWhole(pose.x), inWhole(pose.y), inWhole(pose.angle), inWhole(pose.c), inWhole(pose.s)};
    result.z = inWhole(pose.z);
    result.rotation = pose.rotation;
    if (!moved_) return result;
    const Point at = toGround(placement_, {result.x, result.y, result.z});
    if (whole_.inSpace()) return poseAt(at, product(placement_.rotation, result.rotation));
    const Value& c = placement_.c;
    const Value& s = placement_.s;
    return {at[0], at[1], plus(result.angle, placement_.angle), minus(times(c, result.c), times(s, result.s)),
            plus(times(s, result.c), times(c, result.s))};
  }

  // --- parts ---------------------------------------------------------------------------------------------------------

  // A body, joint, load or the like with the names, numbers and ground axes of the whole.
  template <class Part>
  Part carried(Part part) const {
    walk(part, Visitor{
                   [this](std::string& name) { name = named(name); },
                   [this](BodyIndex& body) { body = shifted(body); },
                   [this](JointIndex& joint) { joint = shifted(joint); },
                   [this](Quantity& of) { of.index += isOfJoint(of.kind) ? first_joint_ : first_body_; },
                   [this](Value& value) { value = inWhole(value); },
                   [this](Expr& formula) { formula = inWhole(formula); },
                   [this](BodyIndex& body, Frame& frame) {
                     frame = inWhole(frame, body);
                     body = shifted(body);
                   },
                   [this](std::array<Expr, 3>& vector, Axes axes) {
                     for (Expr& component : vector) component = inWhole(component);
                     if (turned_ && axes == Axes::ground) turn(vector);
                   },
               });
    return part;
  }

  // From ground axes of the part to those of the whole.
  void turn(std::array<Expr, 3>& vector) const {
    const Expr x = vector[0];
    const Expr y = vector[1];
    if (whole_.inSpace()) {
      const auto valued = [](const Expr& e) { return Value(e.isNumber() ? e.number() : 1.0, e); };
      const Point in_ground = turned(placement_.rotation, {valued(x), valued(y), valued(vector[2])});
      vector = {in_ground[0].expr, in_ground[1].expr, in_ground[2].expr};
    } else {
      const Expr& c = placement_.c.expr;
      const Expr& s = placement_.s.expr;
      vector[0] = c * x - s * y;
      vector[1] = s * x + c * y;
    }
  }

  template <class Part>
  void mergeList(const std::vector<Part>& part, std::vector<Part>& whole) const {
    for (const Part& one : part) whole.push_back(carried(one));
  }

  void mergeParameters() {
    for (const Parameter& parameter : part_.mechanism.parameters) {
      Parameter merged = carried(parameter);
      // What was given from outside is in the letters of the whole already.
      if (part_.overrides.contains(parameter.name)) merged.value = parameter.value;
      whole_.parameters[merged.name] = part_.parameters[parameter.name];
      whole_.mechanism.parameters.push_back(std::move(merged));
    }
  }

  void mergePoints() {
    for (const auto& [name, point] : part_.points) {
      Point at = inWhole(point.at);
      if (moved_) at = toGround(placement_, at);
      whole_.points[named(name)] = {at, point.broken, point.source};
    }
  }

  void mergeBodies() {
    for (const Body& body : part_.mechanism.bodies) {
      const KnownBody& known = part_.bodies.find(body.name)->second;
      KnownBody now;
      now.index = shifted(known.index);
      now.drawn = inWhole(known.drawn);
      now.broken = known.broken;
      for (const auto& [name, frame] : known.frames) {
        const KnownFrame own{inWhole(frame.frame, known.index), frame.has_angle};
        now.frames.insert_or_assign(name, own);
        // The end of a rod is also known by the name that its point of the drawing has now.
        if (part_.points.contains(name)) now.frames.emplace(named(name), own);
      }
      Body merged = carried(body);
      merged.drawn = numbersOf(now.drawn);
      whole_.bodies.emplace(merged.name, std::move(now));
      whole_.mechanism.bodies.push_back(std::move(merged));
    }
  }

  // Flexible links stand for chains of bodies, which are there by now.
  void mergeLinks() {
    for (const FlexibleLink& link : part_.mechanism.links) {
      const KnownBody& known = part_.bodies.find(link.name)->second;
      KnownBody now = known;
      now.index = shifted(known.index);
      now.drawn = inWhole(known.drawn);
      for (BodyIndex& element : now.link->elements) element = shifted(element);
      for (Point& origin : now.link->origins) origin = inWhole(origin);
      for (Value& length : now.link->lengths) length = inWhole(length);
      for (Point& middle : now.link->middles) middle = inWhole(middle);
      now.frames.clear();
      for (const auto& [name, frame] : known.frames) {
        const KnownFrame own{inWhole(frame.frame, known.index), frame.has_angle};
        now.frames.insert_or_assign(name, own);
        if (part_.points.contains(name)) now.frames.emplace(named(name), own);
      }
      whole_.bodies.insert_or_assign(named(link.name), std::move(now));
    }
    mergeList(part_.mechanism.links, whole_.mechanism.links);
  }

  void mergeJoints() {
    mergeList(part_.mechanism.joints, whole_.mechanism.joints);
    for (const auto& [name, known] : part_.joints) {
      whole_.joints.emplace(named(name), KnownJoint{shifted(known.index), known.broken});
    }
    for (const JointIndex joint : part_.joints_by_two_points) whole_.joints_by_two_points.push_back(shifted(joint));
  }

  void mergeSignals() {
    for (const auto& [name, table] : part_.tables) whole_.tables.emplace(named(name), table);
    for (const auto& [name, input] : part_.inputs) {
      KnownInput merged = input;
      merged.value = inWhole(input.value);
      whole_.inputs.emplace(named(name), std::move(merged));
    }
    mergeList(part_.mechanism.inputs, whole_.mechanism.inputs);
    mergeList(part_.mechanism.outputs, whole_.mechanism.outputs);
    mergeList(part_.mechanism.named_velocities, whole_.mechanism.named_velocities);
  }

  void mergeLoads() {
    mergeList(part_.mechanism.drives, whole_.mechanism.drives);
    mergeList(part_.mechanism.loads, whole_.mechanism.loads);
  }

  // --- initial values ------------------------------------------------------------------------------------------------

  const InitialValue* initialOf(QuantityKind kind, int body) const {
    for (const InitialValue& initial : part_.mechanism.initial) {
      if (initial.quantity == Quantity{kind, body}) return &initial;
    }
    return nullptr;
  }

  // One of a pair that turns together, such as x and y; nullopt if the other is needed and not given.
  std::optional<Value> turnedInitial(const InitialValue& initial, QuantityKind x_kind, QuantityKind y_kind,
                                     bool is_place) const {
    const bool is_x = initial.quantity.kind == x_kind;
    const InitialValue* other = initialOf(is_x ? y_kind : x_kind, initial.quantity.index);
    if (turned_ && other == nullptr) return std::nullopt;
    const Value own = inWhole(initial.value);
    const Value rest = other == nullptr ? Value(0.0) : inWhole(other->value);
    const Point vector = is_x ? Point{own, rest} : Point{rest, own};
    DrawnPose pose = placement_;
    if (!is_place) pose.x = pose.y = Value(0.0);
    return toGround(pose, vector)[is_x ? 0 : 1];
  }

  // In space; nullopt if the others are needed and not given.
  std::optional<Value> placedInSpace(const InitialValue& initial) const {
    const Triple* triple = tripleOf(initial.quantity.kind);
    if (triple == nullptr) return inWhole(initial.value);
    Point vector{};
    for (std::size_t k = 0; k < 3; ++k) {
      const InitialValue* given = initialOf(triple->kinds[k], initial.quantity.index);
      if (given == nullptr && turned_) return std::nullopt;
      if (given != nullptr) vector[k] = inWhole(given->value);
    }
    vector = turned(placement_.rotation, vector);
    const Point origin{placement_.x, placement_.y, placement_.z};
    const std::size_t k = triple->indexOf(initial.quantity.kind);
    return triple->is_place ? plus(origin[k], vector[k]) : vector[k];
  }

  void mergeInitial() {
    for (const InitialValue& initial : part_.mechanism.initial) {
      const QuantityKind kind = initial.quantity.kind;
      InitialValue merged = carried(initial);
      std::optional<Value> value = merged.value;
      if (whole_.inSpace()) {
        if (moved_) value = placedInSpace(initial);
      } else if (moved_ && (kind == QuantityKind::body_x || kind == QuantityKind::body_y)) {
        value = turnedInitial(initial, QuantityKind::body_x, QuantityKind::body_y, true);
      } else if (moved_ && (kind == QuantityKind::body_x_rate || kind == QuantityKind::body_y_rate)) {
        value = turnedInitial(initial, QuantityKind::body_x_rate, QuantityKind::body_y_rate, false);
      } else if (kind == QuantityKind::body_angle) {
        value = plus(*value, placement_.angle);
      }
      if (!value) {
        whole_.error(initial.source,
                     fmt::format("initial value of \"{}\": the file is included with {}, so {} must be given together.",
                                 named(quantityName(part_.mechanism, initial.quantity)),
                                 whole_.inSpace() ? "a rotation" : "an angle",
                                 whole_.inSpace() ? tripleOf(kind)->words : "x and y"));
        continue;
      }
      merged.value = *value;
      whole_.mechanism.initial.push_back(std::move(merged));
    }
  }

  void mergeRest() {
    mergeList(part_.mechanism.events, whole_.mechanism.events);
    mergeList(part_.mechanism.traces, whole_.mechanism.traces);
    mergeList(part_.mechanism.splits, whole_.mechanism.splits);
  }

  Reader& whole_;
  Reader& part_;
  const std::string& prefix_;
  const DrawnPose& placement_;
  bool moved_;
  bool turned_;
  int first_body_;
  int first_joint_;
};

}  // namespace

void mergePart(Reader& whole, Reader& part, const std::string& prefix, const DrawnPose& placement) {
  Merge(whole, part, prefix, placement).run();
}

}  // namespace linkwork::model_file
