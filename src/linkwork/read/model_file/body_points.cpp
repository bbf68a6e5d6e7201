#include "linkwork/read/model_file/body_points.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace linkwork::model_file {

BodyPoints::BodyPoints(Reader& reader, const Node& entry, std::string what, Body& body, KnownBody& known)
    : reader_(reader), entry_(entry), what_(std::move(what)), body_(body), known_(known) {}

std::string BodyPoints::of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

bool BodyPoints::read() {
  const bool points = readPoints();
  return readFrames() && points;
}

void BodyPoints::add(const std::string& name, const Point& at) {
  if (name.empty()) return;
  known_.frames[name] = {{at, Value(0.0)}, false};
  body_.points.push_back({name, at});
}

bool BodyPoints::checkNew(const Node& entry, std::string_view kind) {
  if (!reader_.checkName(entry, kind)) return false;
  if (known_.frames.find(entry.key) == known_.frames.end()) return true;
  reader_.error(entry.key_source, fmt::format("{}: point \"{}\" is given twice.", what_, entry.key));
  return false;
}

bool BodyPoints::readPoints() {
  const Node* table = entry_.find("points");
  if (table == nullptr) return true;
  if (!reader_.checkTable(*table, of("points"), "a table such as { tip = [0.3, 0] }")) return false;
  bool good = true;
  for (const Node& entry : table->children) {
    const auto at = reader_.coordinates(entry, dimension::kLength, fmt::format("point \"{}\" of {}", entry.key, what_));
    const bool is_new = checkNew(entry, "point");
    if (is_new) add(entry.key, at.value_or(Point{}));
    good = good && at && is_new;
  }
  return good;
}

bool BodyPoints::readFrames() {
  const Node* table = entry_.find("frames");
  if (table == nullptr) return true;
  const bool in_space = reader_.inSpace();
  const std::string example =
      in_space ? "{ at = [0.3, 0, 0], rotation = { z = [0, 1, 0] } }" : "{ at = [0.3, 0], angle = \"30 deg\" }";
  if (!reader_.checkTable(*table, of("frames"), fmt::format("a table such as {{ rail = {} }}", example))) return false;
  bool good = true;
  for (const Node& entry : table->children) {
    const std::string what = fmt::format("frame \"{}\" of {}", entry.key, what_);
    if (!reader_.checkTable(entry, what, "a table such as " + example)) {
      good = false;
      continue;
    }
    if (in_space) {
      good = readFrameInSpace(entry, what) && good;
      continue;
    }
    good = reader_.checkKeys(entry, what, {"at", "angle"}) && good;
    const Node* at_node = reader_.required(entry, "at", what);
    const Node* angle_node =
        reader_.required(entry, "angle", what, "A frame without an angle is a point: put it in points.");
    std::optional<Point> at;
    std::optional<Value> angle;
    if (at_node != nullptr) at = reader_.coordinates(*at_node, dimension::kLength, "at of " + what);
    if (angle_node != nullptr) angle = reader_.constant(*angle_node, dimension::kAngle, "angle of " + what);
    const bool is_new = checkNew(entry, "frame");
    good = good && at && angle && is_new;
    if (!is_new) continue;
    add(entry.key, at.value_or(Point{}));
    known_.frames[entry.key] = {{at.value_or(Point{}), angle.value_or(Value(0.0))}, true};
  }
  return good;
}

bool BodyPoints::readFrameInSpace(const Node& entry, const std::string& what) {
  bool good = reader_.checkKeys(entry, what, {"at", "rotation"});
  const Node* at_node = reader_.required(entry, "at", what);
  const Node* turn_node =
      reader_.required(entry, "rotation", what, "A frame without a rotation is a point: put it in points.");
  std::optional<Point> at;
  std::optional<Quaternion> turn;
  if (at_node != nullptr) at = reader_.coordinates(*at_node, dimension::kLength, "at of " + what);
  if (turn_node != nullptr) turn = reader_.rotation(*turn_node, "rotation of " + what);
  const bool is_new = checkNew(entry, "frame");
  good = good && at && turn && is_new;
  if (!is_new) return false;
  add(entry.key, at.value_or(Point{}));
  known_.frames[entry.key] = {{at.value_or(Point{}), Value(0.0), turn.value_or(kNoTurn)}, true};
  return good;
}

}  // namespace linkwork::model_file
