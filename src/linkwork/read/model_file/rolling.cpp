#include "linkwork/read/model_file/rolling.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace linkwork::model_file {

namespace {

// What a rolling joint and a knife edge have in common: two bodies, a place, directions as drawn.
class TouchReader {
 public:
  TouchReader(Reader& reader, const Node& entry, const Node& word)
      : reader_(reader), entry_(entry), word_(word), what_(fmt::format("joint \"{}\"", entry.key)) {
    joint_.name = entry.key;
    joint_.source = entry.key_source;
  }

 protected:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }
  bool has(std::string_view key) const { return entry_.find(key) != nullptr; }

  // The bodies, and the frames of those ends that name a point.
  bool readEnds(const char* example) {
    if (word_.kind != NodeKind::array || word_.children.size() != 2) {
      reader_.wrongType(word_, of(word_.key), example);
      return false;
    }
    first_ = reader_.end(word_.children[0], what_);
    second_ = reader_.end(word_.children[1], what_);
    if (!first_ || !second_ || first_->broken || second_->broken) return false;
    joint_.first = first_->body;
    joint_.second = second_->body;
    return true;
  }

  // Where the joint is: `at`, or the point that is named like it.
  std::optional<Place> readPlace() {
    if (const Node* at = entry_.find("at")) return reader_.place(*at, of("at"));
    const auto point = reader_.points.find(entry_.key);
    if (point != reader_.points.end())
      return point->second.broken ? std::nullopt : std::optional(Place{point->second.at, entry_.key});
    reader_.error(entry_.key_source, fmt::format("{}: where is it?", what_),
                  fmt::format("Give at = \"P\" or at = [x, y{}], or add a point \"{}\" to [points].",
                              reader_.inSpace() ? ", z" : "", entry_.key));
    return std::nullopt;
  }

  // The angle against the body's x axis of a direction that the drawing shows.
  Value angleOnBody(BodyIndex body, const Value& in_ground) const {
    const Value own = reader_.drawnPose(body).angle;
    return withoutRounding(minus(in_ground, own), std::abs(in_ground.number) + std::abs(own.number));
  }

  // A direction [x, y] in a file of the plane, turned by the quarter turns to the right.
  std::optional<Value> planarDirection(const Node& node, int right_turns) {
    const auto vector = reader_.pair(node, dimension::kNumber, of(node.key));
    if (!vector) return std::nullopt;
    if ((*vector)[0].number == 0 && (*vector)[1].number == 0) {
      reader_.error(node.source, fmt::format("{}: [0, 0] has no direction.", of(node.key)));
      return std::nullopt;
    }
    if (right_turns == 0) return direction((*vector)[0], (*vector)[1]);
    return direction((*vector)[1], minus(Value(0.0), (*vector)[0]));
  }

  Reader& reader_;
  const Node& entry_;
  const Node& word_;
  std::string what_;
  Joint joint_;
  std::optional<End> first_, second_;
};

// { knife_edge = ["ground", "sledge"], at = "P", axis = [1, 0] }: the blade is on the second body.
class KnifeEdgeReader : private TouchReader {
 public:
  using TouchReader::TouchReader;

  std::optional<Joint> read() {
    joint_.kind = JointKind::knife_edge;
    std::vector<std::string> keys{word_.key, "at", "axis"};
    if (reader_.inSpace()) keys.emplace_back("normal");
    const bool good = reader_.checkKeys(entry_, what_, keys);
    if (!readEnds("two bodies such as [\"ground\", \"sledge\"], the one with the blade last")) return std::nullopt;
    const bool placed = readBlade();
    return readDirections() && placed && good ? std::optional(joint_) : std::nullopt;
  }

 private:
  bool readBlade() {
    if (second_->frame) {
      joint_.on_second = second_->frame->frame;
    } else {
      const auto place = readPlace();
      if (!place) return false;
      joint_.on_second = reader_.frameAt(joint_.second, *place);
    }
    const Point at = toGround(reader_.drawnPose(joint_.second), joint_.on_second.point);
    joint_.on_first = reader_.frameAt(joint_.first, {at, {}});
    return true;
  }

  bool readDirections() {
    const Node* axis = reader_.required(entry_, "axis", what_, "It is the direction of the blade, as drawn.");
    if (axis == nullptr) return false;
    if (!reader_.inSpace()) {
      const auto angle = planarDirection(*axis, 0);
      if (angle) joint_.on_second.angle = angleOnBody(joint_.second, *angle);
      return angle.has_value();
    }
    const Node* normal = reader_.required(entry_, "normal", what_, "It is that of the ice: normal = [0, 0, 1].");
    const auto along = reader_.direction(*axis, of("axis"));
    const auto up = normal == nullptr ? std::nullopt : reader_.direction(*normal, of("normal"));
    if (!along || !up) return false;
    if (areParallel(*along, *up)) {
      reader_.error(normal->source, fmt::format("{}: the blade stands upright on the ice.", what_),
                    "axis is the direction in which it may slide.");
      return false;
    }
    joint_.on_first.rotation = reader_.turnOnBody(joint_.first, frameWithZ(*up));
    joint_.on_second.rotation = reader_.turnOnBody(joint_.second, frameWithX(*along));
    return true;
  }
};

class RollingReader : private TouchReader {
 public:
  using TouchReader::TouchReader;

  std::optional<Joint> read() {
    joint_.kind = JointKind::rolling;
    const bool good = reader_.checkKeys(entry_, what_, keys());
    if (!readEnds("two bodies such as [\"ground\", \"wheel\"], the one that rolls last")) return std::nullopt;
    const bool shaped = readSecond();
    const bool grounded = has("normal") ? readPlane() : readRound();
    if (!good || !shaped || !grounded || !checkPair()) return std::nullopt;
    if (!readOptions() || !readSurface()) return std::nullopt;
    if (!reader_.inSpace() && !has("surface_velocity")) countArc();
    return joint_;
  }

 private:
  std::vector<std::string> keys() const {
    std::vector<std::string> out{word_.key, "at", "normal", "inside", "centre", "radius", "first", "surface_velocity"};
    if (reader_.inSpace()) {
      for (const char* key : {"axis", "tyre", "semi_axes", "pivoting", "roller"}) out.emplace_back(key);
    }
    return out;
  }
  Rolling& rolling() { return joint_.rolling; }

  // --- the second body -----------------------------------------------------------------------------------------------

  // Its roundness is written here, or is that of its shape.
  bool readSecond() {
    const KnownBody* body = knownOf(joint_.second);
    if (has("semi_axes")) return readEllipsoid();
    if (!has("radius") && (body == nullptr || !body->round)) {
      reader_.error(entry_.key_source,
                    fmt::format("{}: {} is not round.", what_, reader_.mechanism.bodyName(joint_.second)),
                    reader_.inSpace() ? "Make it a disc or a sphere, or give radius here: with axis it is a disc, with "
                                        "semi_axes = [a, b, c] an ellipsoid."
                                      : "Make it a disc, or give radius here.");
      return false;
    }
    if (!has("radius")) {
      rolling().shape = body->round->shape;
      rolling().radius = body->round->radius;
      joint_.on_second = body->round->frame;
      if (!readCentre()) return false;
    } else {
      const auto radius = reader_.positive(*entry_.find("radius"), dimension::kLength, of("radius"));
      if (!radius || !readCentre()) return false;
      rolling().radius = *radius;
      rolling().shape = has("axis") ? RollingShape::disc : RollingShape::ball;
    }
    return readAxle() && readTyre();
  }

  const KnownBody* knownOf(BodyIndex body) const {
    if (!body.valid()) return nullptr;
    return &reader_.bodies.find(reader_.mechanism.body(body).name)->second;
  }

  bool readCentre() {
    if (second_->frame) joint_.on_second.point = second_->frame->frame.point;
    const Node* node = entry_.find("centre");
    if (node == nullptr) return true;
    const auto place = reader_.place(*node, of("centre"));
    if (place) joint_.on_second.point = reader_.frameAt(joint_.second, *place).point;
    return place.has_value();
  }

  bool readAxle() {
    const Node* node = entry_.find("axis");
    if (node == nullptr) return true;
    const auto axis = reader_.direction(*node, of("axis"));
    if (!axis) return false;
    if (rolling().shape == RollingShape::ball) {
      reader_.error(node->key_source, fmt::format("{}: a ball has no axis.", what_));
      return false;
    }
    joint_.on_second.rotation = reader_.turnOnBody(joint_.second, frameWithZ(*axis));
    return true;
  }

  bool readTyre() {
    const Node* node = entry_.find("tyre");
    if (node == nullptr) return true;
    const auto tyre = reader_.notNegative(*node, dimension::kLength, of("tyre"));
    if (!tyre) return false;
    if (rolling().shape != RollingShape::disc || !(tyre->number < rolling().radius.number)) {
      reader_.error(node->source, rolling().shape != RollingShape::disc
                                      ? fmt::format("{}: only the rim of a disc has a tyre.", what_)
                                      : fmt::format("{} must be smaller than the outer radius, {:g} m.", of("tyre"),
                                                    rolling().radius.number));
      return false;
    }
    rolling().rounding = *tyre;
    return true;
  }

  // In body axes, about the body's origin or `centre`.
  bool readEllipsoid() {
    for (const char* key : {"radius", "axis", "tyre", "roller"}) {
      if (const Node* node = entry_.find(key)) {
        reader_.error(node->key_source, fmt::format("{}: {} does not go with semi_axes.", what_, key));
        return false;
      }
    }
    const Node& node = *entry_.find("semi_axes");
    const auto axes = reader_.coordinates(node, dimension::kLength, of("semi_axes"));
    if (!axes) return false;
    if (!((*axes)[0].number > 0 && (*axes)[1].number > 0 && (*axes)[2].number > 0)) {
      reader_.error(node.source, fmt::format("{} must be positive.", of("semi_axes")));
      return false;
    }
    rolling().shape = RollingShape::ellipsoid;
    rolling().semi_axes = *axes;
    return readCentre();
  }

  // --- the first body ------------------------------------------------------------------------------------------------

  bool readPlane() {
    const Node& node = *entry_.find("normal");
    std::optional<Place> place;
    if (first_->frame) {
      joint_.on_first.point = first_->frame->frame.point;
    } else {
      place = readPlace();
      if (!place) return false;
      joint_.on_first.point = reader_.frameAt(joint_.first, *place).point;
    }
    for (const char* key : {"first", "inside"}) {
      if (const Node* other = entry_.find(key)) {
        reader_.error(other->key_source,
                      fmt::format("{}: {} does not go with normal, which makes the first body flat.", what_, key));
        return false;
      }
    }
    if (!reader_.inSpace()) {
      const auto along = planarDirection(node, 1);
      if (along) joint_.on_first.angle = angleOnBody(joint_.first, *along);
      return along.has_value();
    }
    const auto normal = reader_.direction(node, of("normal"));
    if (!normal) return false;
    // The normal as the y axis; x as near as possible to an axis of the ground.
    const Direction x = std::abs(normal->x) < 0.9 ? Direction{1, 0, 0} : Direction{0, 0, 1};
    joint_.on_first.rotation = reader_.turnOnBody(joint_.first, frameWithYx(*normal, x));
    return true;
  }

  // Both bodies are round: `first = { centre, radius, axis }` where the first has no such shape.
  bool readRound() {
    const KnownBody* body = knownOf(joint_.first);
    const Node* own = entry_.find("first");
    if (own == nullptr && (body == nullptr || !body->round)) {
      reader_.error(
          entry_.key_source, fmt::format("{}: on what does {} roll?", what_, reader_.mechanism.bodyName(joint_.second)),
          fmt::format("Give normal = {}, from the plane towards the rolling body; or first = {{ centre = \"P\", "
                      "radius = 1 }} where it rolls on (inside = true: in) something round.",
                      reader_.inSpace() ? "[0, 0, 1]" : "[0, 1]"));
      return false;
    }
    bool with_axis = false;
    if (own != nullptr) {
      if (!readFirstShape(*own, with_axis)) return false;
    } else {
      rolling().first_radius = body->round->radius;
      joint_.on_first = body->round->frame;
      with_axis = body->round->shape == RollingShape::disc;
    }
    if (first_->frame) joint_.on_first.point = first_->frame->frame.point;
    rolling().on = with_axis && reader_.inSpace() ? RollingOn::cylinder : RollingOn::ball;
    if (const Node* node = entry_.find("inside")) {
      const auto inside = reader_.flag(*node, of("inside"));
      if (!inside) return false;
      rolling().inside = *inside;
    }
    return true;
  }

  bool readFirstShape(const Node& node, bool& with_axis) {
    if (!reader_.checkTable(node, of("first"), "a table such as { centre = \"P\", radius = 1 }")) return false;
    std::vector<std::string> allowed{"centre", "radius"};
    if (reader_.inSpace()) allowed.emplace_back("axis");
    if (!reader_.checkKeys(node, of("first"), allowed)) return false;
    const Node* centre = reader_.required(node, "centre", of("first"));
    const Node* size = reader_.required(node, "radius", of("first"));
    if (centre == nullptr || size == nullptr) return false;
    const auto place = reader_.place(*centre, "centre of first of " + what_);
    const auto radius = reader_.positive(*size, dimension::kLength, "radius of first of " + what_);
    if (!place || !radius) return false;
    joint_.on_first.point = reader_.frameAt(joint_.first, *place).point;
    rolling().first_radius = *radius;
    const Node* axis = node.find("axis");
    if (axis == nullptr) return true;
    with_axis = true;
    const auto direction = reader_.direction(*axis, "axis of first of " + what_);
    if (direction) joint_.on_first.rotation = reader_.turnOnBody(joint_.first, frameWithZ(*direction));
    return direction.has_value();
  }

  // --- both together -------------------------------------------------------------------------------------------------

  bool checkPair() {
    if (rolling().on == RollingOn::plane) return true;
    const bool cylinders = rolling().on == RollingOn::cylinder;
    const bool second_is_disc = rolling().shape == RollingShape::disc;
    if (reader_.inSpace() &&
        (rolling().shape == RollingShape::ellipsoid || rolling().rounding.number > 0 || cylinders != second_is_disc)) {
      reader_.error(
          word_.source,
          fmt::format("{}: two bodies that roll on each other are both balls, or both discs or cylinders with "
                      "parallel axes.",
                      what_));
      return false;
    }
    if (rolling().inside && !(rolling().radius.number < rolling().first_radius.number)) {
      reader_.error(word_.source,
                    fmt::format("{}: a body of radius {:g} m does not roll in one of radius {:g} m.", what_,
                                rolling().radius.number, rolling().first_radius.number),
                    "The second body is the inner one.");
      return false;
    }
    if (cylinders) {
      const Direction a = matrixOf(reader_.drawnTurn(joint_.first, joint_.on_first)).z;
      const Direction b = matrixOf(reader_.drawnTurn(joint_.second, joint_.on_second)).z;
      if (std::abs(dot(a, b)) < 1.0 - 1e-6) {
        reader_.error(word_.source,
                      fmt::format("{}: the axes of the two bodies are not parallel in the drawing.", what_));
        return false;
      }
    }
    // The rows of a pair are those of circles across the common axis.
    if (rolling().shape == RollingShape::disc) rolling().shape = RollingShape::ball;
    return true;
  }

  bool readOptions() {
    if (const Node* node = entry_.find("pivoting")) {
      const auto pivots = reader_.flag(*node, of("pivoting"));
      if (!pivots) return false;
      rolling().pivots = *pivots;
    }
    const Node* node = entry_.find("roller");
    if (node == nullptr) return true;
    const auto angle = reader_.constant(*node, dimension::kAngle, of("roller"));
    if (!angle) return false;
    if (rolling().on != RollingOn::plane || rolling().shape != RollingShape::disc) {
      reader_.error(node->key_source, fmt::format("{}: only a disc on a plane has rollers on its rim.", what_));
      return false;
    }
    if (std::abs(std::cos(angle->number)) < 1e-6) {
      reader_.error(
          node->source, fmt::format("{}: rollers that lie along the axle turn with the wheel and hold nothing.", what_),
          "Their angle from the way the wheel rolls is 0 for an omni wheel, 45 deg or -45 deg for a mecanum wheel.");
      return false;
    }
    rolling().slips_across_rollers = true;
    rolling().roller = *angle;
    return true;
  }

  // The velocity of the surface in axes of the first body; along the normal it must not move.
  bool readSurface() {
    const Node* node = entry_.find("surface_velocity");
    if (node == nullptr) return true;
    if (rolling().on != RollingOn::plane || rolling().slips_across_rollers) {
      reader_.error(node->key_source,
                    fmt::format("{}: surface_velocity is of a plane, under a wheel without rollers.", what_),
                    "Let the first body itself move.");
      return false;
    }
    const std::size_t size = reader_.inSpace() ? 3 : 2;
    if (node->kind != NodeKind::array || node->children.size() != size) {
      reader_.wrongType(
          *node, of("surface_velocity"),
          size == 3 ? "three velocities such as [\"0.5*t\", 0, 0]" : "two velocities such as [\"0.5*t\", 0]");
      return false;
    }
    std::array<Expr, 3> u{Expr{0.0}, Expr{0.0}, Expr{0.0}};
    for (std::size_t k = 0; k < size; ++k) {
      const auto formula =
          reader_.formula(node->children[k], dimension::kVelocity, of("surface_velocity"), Level::time);
      if (!formula) return false;
      u[k] = *formula;
    }
    std::array<Expr, 3> axes[3];  // x, y (normal), z of the first frame, in axes of the first body
    if (reader_.inSpace()) {
      const Rotation3<double> R = matrixOf(joint_.on_first.rotation);
      axes[0] = {Expr(R.x.x), Expr(R.x.y), Expr(R.x.z)};
      axes[1] = {Expr(R.y.x), Expr(R.y.y), Expr(R.y.z)};
      axes[2] = {Expr(R.z.x), Expr(R.z.y), Expr(R.z.z)};
    } else {
      const Value c = withoutRounding(cosine(joint_.on_first.angle), 1.0);
      const Value s = withoutRounding(sine(joint_.on_first.angle), 1.0);
      axes[0] = {c.expr, s.expr, Expr(0.0)};
      axes[1] = {-s.expr, c.expr, Expr(0.0)};
    }
    const auto along = [&](int axis) { return axes[axis][0] * u[0] + axes[axis][1] * u[1] + axes[axis][2] * u[2]; };
    rolling().surface = {along(0), along(2)};
    return staysInPlane(*node, along(1), along(0), along(2));
  }

  // Looked at in a few moments: a surface that leaves its plane does so soon.
  bool staysInPlane(const Node& node, const Expr& out_of_it, const Expr& x, const Expr& z) {
    std::map<std::string, double> values;
    for (const Parameter& parameter : reader_.mechanism.parameters) values[parameter.name] = parameter.value.number;
    for (const double t : {0.0, 0.31, 1.7, 12.3}) {
      values["t"] = t;
      const double size = std::hypot(evaluate(x, values), evaluate(z, values));
      if (!(std::abs(evaluate(out_of_it, values)) > 1e-9 * (1.0 + size))) continue;
      reader_.error(
          node.source,
          fmt::format("{} leads out of the plane: it has a component along the normal.", of("surface_velocity")),
          "It is given in axes of the first body.");
      return false;
    }
    return true;
  }

  // --- the way rolled, in the plane
  // ------------------------------------------------------------------------------------

  // What elements/rolling.hpp subtracts, such that nothing has slipped in the drawing.
  void countArc() {
    rolling().counted = true;
    const DrawnPose& first = reader_.drawnPose(joint_.first);
    const DrawnPose& second = reader_.drawnPose(joint_.second);
    const Point P = toGround(first, joint_.on_first.point);
    const Point M = toGround(second, joint_.on_second.point);
    const double dx = M[0].number - P[0].number;
    const double dy = M[1].number - P[1].number;
    const double frame = first.angle.number + joint_.on_first.angle.number;
    const double turned = second.angle.number - frame;
    const double r = rolling().radius.number;
    if (rolling().on == RollingOn::plane) {
      joint_.offset = withoutRounding(Value(std::cos(frame) * dx + std::sin(frame) * dy + r * turned),
                                      std::hypot(dx, dy) + r * std::abs(turned));
      return;
    }
    const double R = rolling().first_radius.number;
    const double share = rolling().inside ? -r / (R - r) : r / (R + r);
    joint_.offset = Value(std::atan2(dy, dx) - frame - share * turned);
  }
};

}  // namespace

const Node* rollingWordIn(const Node& entry) {
  if (entry.kind != NodeKind::table) return nullptr;
  for (const char* word : {"rolling", "knife_edge"}) {
    if (const Node* node = entry.find(word)) return node;
  }
  return nullptr;
}

std::optional<Joint> readRolling(Reader& reader, const Node& entry, const Node& word) {
  return word.key == "rolling" ? RollingReader(reader, entry, word).read()
                               : KnifeEdgeReader(reader, entry, word).read();
}

}  // namespace linkwork::model_file
