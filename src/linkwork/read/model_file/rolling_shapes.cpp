#include "linkwork/read/model_file/rolling_shapes.hpp"

namespace linkwork::model_file {

// --- the second body -----------------------------------------------------------------------------------------------

// Its roundness is written here, or is that of its shape.
bool ShapeReader::readSecond() {
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

const KnownBody* ShapeReader::knownOf(BodyIndex body) const {
  if (!body.valid()) return nullptr;
  return &reader_.bodies.find(reader_.mechanism.body(body).name)->second;
}

bool ShapeReader::readCentre() {
  if (second_->frame) joint_.on_second.point = second_->frame->frame.point;
  const Node* node = entry_.find("centre");
  if (node == nullptr) return true;
  const auto place = reader_.place(*node, of("centre"));
  if (place) joint_.on_second.point = reader_.frameAt(joint_.second, *place).point;
  return place.has_value();
}

bool ShapeReader::readAxle() {
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

bool ShapeReader::readTyre() {
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
bool ShapeReader::readEllipsoid() {
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

bool ShapeReader::readPlane() {
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
bool ShapeReader::readRound() {
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

bool ShapeReader::readFirstShape(const Node& node, bool& with_axis) {
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

}  // namespace linkwork::model_file
