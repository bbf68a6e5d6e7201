// Directions and orientations as a file in space writes them.
#include <fmt/format.h>

#include <cmath>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

constexpr const char* kExample =
    "[w, x, y, z] or a table such as { axis = [0, 0, 1], angle = \"30 deg\" } or { x = [1, 1, 0], z = [0, 0, 1] }";

std::optional<Quaternion> readQuaternion(Reader& reader, const Node& node, const std::string& what) {
  Quaternion q{};
  bool good = true;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto part = reader.constant(node.children[k], dimension::kNumber, fmt::format("{} of {}", "wxyz"[k], what));
    good = good && part;
    if (part) q[k] = part->number;
  }
  if (!good) return std::nullopt;
  if (!(std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3])) > 0.0)) {
    reader.error(node.source, fmt::format("{}: [0, 0, 0, 0] is no orientation.", what),
                 "[1, 0, 0, 0] leaves the axes as they are.");
    return std::nullopt;
  }
  // A quaternion that was written with unit length keeps its digits.
  return q == kNoTurn ? q : normalised(q);
}

std::optional<Quaternion> readAxisAngle(Reader& reader, const Node& node, const std::string& what) {
  if (!reader.checkKeys(node, what, {"axis", "angle"})) return std::nullopt;
  const Node* axis = reader.required(node, "axis", what);
  const Node* angle = reader.required(node, "angle", what);
  if (axis == nullptr || angle == nullptr) return std::nullopt;
  const auto direction = reader.direction(*axis, "axis of " + what);
  const auto size = reader.constant(*angle, dimension::kAngle, "angle of " + what);
  if (!direction || !size) return std::nullopt;
  return aboutAxis(*direction, size->number);
}

// Turns one after the other about axes that turn with the body: R = R1(a) R2(b) R3(c).
std::optional<Quaternion> readThreeTurns(Reader& reader, const Node& table, const std::string& what) {
  const Node& node = table.children.front();
  if (!reader.checkKeys(table, what, {node.key})) return std::nullopt;
  const std::string of = node.key + " of " + what;
  if (node.kind != NodeKind::array || node.children.size() != 3) {
    reader.wrongType(node, of, "a list of three angles");
    return std::nullopt;
  }
  Quaternion q = kNoTurn;
  bool good = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto angle = reader.constant(node.children[k], dimension::kAngle, of);
    good = good && angle;
    const char axis = node.key[k];
    const Direction direction{axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
    if (angle) q = product(q, aboutAxis(direction, angle->number));
  }
  return good ? std::optional(q) : std::nullopt;
}

std::optional<Quaternion> readAxes(Reader& reader, const Node& node, const std::string& what) {
  if (!reader.checkKeys(node, what, {"x", "y", "z"})) return std::nullopt;
  if (node.children.size() == 3) {
    reader.error(node.children[2].key_source, fmt::format("{}: two axes are enough.", what), "Leave one out.");
    return std::nullopt;
  }
  std::optional<Direction> axes[3];
  for (const Node& axis : node.children) {
    auto& direction = axes[axis.key[0] - 'x'];
    direction = reader.direction(axis, fmt::format("{} of {}", axis.key, what));
    if (!direction) return std::nullopt;
  }
  const auto& [x, y, z] = axes;
  if (node.children.size() == 1) {
    if (x) return frameWithX(*x);
    if (z) return frameWithZ(*z);
    reader.error(node.source, fmt::format("{}: y alone does not say which way the others point.", what),
                 "Give x or z beside it.");
    return std::nullopt;
  }
  const Direction& first = x ? *x : *y;
  const Direction& second = z ? *z : *y;
  if (areParallel(first, second)) {
    reader.error(node.source, fmt::format("{}: its two axes are parallel.", what));
    return std::nullopt;
  }
  // The first is kept, the other made orthogonal to it.
  if (!z) return frameWithXy(*x, *y);
  return x ? frameWithXz(*x, *z) : frameWithYz(*y, *z);
}

Direction directionOf(const Point& point) { return {point[0].number, point[1].number, point[2].number}; }

// ["A", "B"]: from a point of the drawing to another.
std::optional<Direction> fromPointToPoint(Reader& reader, const Node& node, const std::string& what) {
  const auto from = reader.place(node.children[0], what);
  const auto to = reader.place(node.children[1], what);
  if (!from || !to) return std::nullopt;
  const Direction way = directionOf(to->at) - directionOf(from->at);
  if (lengthOf(way) > 0.0) return unit(way);
  reader.error(node.source, fmt::format("{}: the two points are at the same place.", what));
  return std::nullopt;
}

}  // namespace

std::optional<Direction> Reader::direction(const Node& node, const std::string& what) {
  const bool list = node.kind == NodeKind::array;
  if (list && node.children.size() == 2 && node.children[0].kind == NodeKind::text &&
      node.children[1].kind == NodeKind::text)
    return fromPointToPoint(*this, node, what);
  if (!list || node.children.size() != 3) {
    wrongType(node, what, "a direction, [x, y, z] or two points such as [\"A\", \"B\"]");
    return std::nullopt;
  }
  const auto vector = coordinates(node, dimension::kNumber, what);
  if (!vector) return std::nullopt;
  const Direction found = directionOf(*vector);
  if (!(lengthOf(found) > 0.0)) {
    error(node.source, fmt::format("{}: [0, 0, 0] has no direction.", what));
    return std::nullopt;
  }
  return unit(found);
}

std::optional<Quaternion> Reader::rotation(const Node& node, const std::string& what) {
  if (node.kind == NodeKind::array && node.children.size() == 4) return readQuaternion(*this, node, what);
  if (node.kind != NodeKind::table || node.children.empty()) {
    wrongType(node, what, kExample);
    return std::nullopt;
  }
  if (node.find("axis") != nullptr || node.find("angle") != nullptr) return readAxisAngle(*this, node, what);
  for (const char* word : {"zyx", "zxz"}) {
    if (node.find(word) == nullptr) continue;
    if (node.children.size() == 1) return readThreeTurns(*this, node, what);
    checkKeys(node, what, {word});
    return std::nullopt;
  }
  for (const char* word : {"x", "y", "z"}) {
    if (node.find(word) != nullptr) return readAxes(*this, node, what);
  }
  checkKeys(node, what, {"axis", "angle", "zyx", "zxz", "x", "y", "z"});
  return std::nullopt;
}

}  // namespace linkwork::model_file
