#include "linkwork/read/model_file/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/elements/spline_curve.hpp"

namespace linkwork::model_file {

namespace {

// How far points of a curve in space may stand off its plane, of the size of the curve.
constexpr double kOffPlane = 1e-6;

class CurveReader {
 public:
  CurveReader(Reader& reader, const Node& entry, const Node& word)
      : reader_(reader), entry_(entry), word_(word), what_(fmt::format("joint \"{}\"", entry.key)) {}

  std::optional<Joint> read() {
    joint_.name = entry_.key;
    joint_.source = entry_.key_source;
    return readAll() ? std::optional(joint_) : std::nullopt;
  }

 private:
  bool readAll() {
    std::vector<std::string> keys{word_.key, "points", "closed", "offset"};
    if (reader_.inSpace()) keys.emplace_back("normal");
    bool good = reader_.checkKeys(entry_, what_, keys);
    joint_.kind = JointKind::curve;
    if (word_.kind != NodeKind::array || word_.children.size() != 2) {
      reader_.wrongType(word_, fmt::format("{} of {}", word_.key, what_),
                        "a point and a body such as [\"follower.P\", \"cam\"]");
      return false;
    }
    const auto first = reader_.pointEnd(word_.children[0], what_);
    const auto second = reader_.end(word_.children[1], what_);
    const Node* points = reader_.required(entry_, "points", what_, "Give points = [[x, y], ...] or names of points.");
    if (const Node* node = entry_.find("closed")) {
      const auto closed = reader_.flag(*node, "closed of " + what_);
      good = good && closed;
      joint_.curve.closed = closed.value_or(false);
    }
    if (const Node* node = entry_.find("offset")) {
      const auto offset = reader_.constant(*node, dimension::kLength, "offset of " + what_);
      good = good && offset;
      if (offset) joint_.curve.offset = *offset;
    }
    if (!first || !second || second->broken || points == nullptr) return false;
    if (!reader_.isRigid(*second, word_.children[1], what_)) return false;
    joint_.first = first->body;
    joint_.second = second->body;
    joint_.on_first = first->frame->frame;
    return (second->frame ? readPointsInFrame(*points, *second->frame) : readPointsInDrawing(*points)) &&
           checkCurve(*points) && good;
  }

  bool isListOfPoints(const Node& node) {
    const std::size_t fewest = joint_.curve.closed ? 3 : 2;
    if (node.kind == NodeKind::array && node.children.size() >= fewest) return true;
    reader_.wrongType(node, "points of " + what_,
                      joint_.curve.closed ? "a list of at least three points" : "a list of at least two points");
    return false;
  }

  // In the x-y plane of the frame that the second end names.
  bool readPointsInFrame(const Node& node, const KnownFrame& frame) {
    if (const Node* normal = entry_.find("normal")) {
      reader_.error(normal->key_source,
                    fmt::format("{}: normal is not needed, because a frame of its ends gives the direction.", what_));
      return false;
    }
    joint_.on_second = frame.frame;
    if (!isListOfPoints(node)) return false;
    bool good = true;
    for (const Node& child : node.children) {
      const auto point = reader_.pair(child, dimension::kLength, "points of " + what_);
      good = good && point;
      if (point) joint_.curve.points.push_back({(*point)[0], (*point)[1]});
    }
    return good;
  }

  // As drawn: carried over to the second body.
  bool readPointsInDrawing(const Node& node) {
    if (!isListOfPoints(node)) return false;
    std::vector<Point> places;
    bool good = true;
    for (const Node& child : node.children) {
      const auto place = reader_.place(child, "points of " + what_);
      good = good && place;
      if (place) places.push_back(toBody(reader_.drawnPose(joint_.second), place->at));
    }
    if (!good) return false;
    if (!reader_.inSpace()) {
      for (const Point& place : places) joint_.curve.points.push_back({place[0], place[1]});
      return true;
    }
    const Node* node_normal =
        reader_.required(entry_, "normal", what_, "Give the normal of the curve's plane: [0, 0, 1].");
    const auto normal = node_normal == nullptr ? std::nullopt : reader_.direction(*node_normal, "normal of " + what_);
    if (!normal) return false;
    joint_.on_second.point = places.front();
    joint_.on_second.rotation = reader_.turnOnBody(joint_.second, frameWithZ(*normal));
    const Rotation3<double> axes = matrixOf(joint_.on_second.rotation);
    const auto vector = [](const Point& p) { return Vec3<double>{p[0].number, p[1].number, p[2].number}; };
    double size = 0.0;
    double off = 0.0;
    std::size_t worst = 0;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const Vec3<double> p = axes.inverseTimes(vector(places[k]) - vector(places.front()));
      size = std::max(size, std::hypot(p.x, p.y));
      if (std::abs(p.z) > off) worst = k;
      off = std::max(off, std::abs(p.z));
      joint_.curve.points.push_back({Value(p.x), Value(p.y)});
    }
    if (off <= kOffPlane * size) return true;
    reader_.error(node.children[worst].source,
                  fmt::format("{}: a curve lies in a plane, but this point is {:.3g} m off the plane through the first "
                              "point.",
                              what_, off));
    return false;
  }

  // The spline can be made, and a roller fits into its bends.
  bool checkCurve(const Node& node) {
    Curve& curve = joint_.curve;
    std::vector<std::array<double, 2>> points;
    for (const auto& point : curve.points) points.push_back({point[0].number, point[1].number});
    const std::size_t pairs = curve.closed ? points.size() : points.size() - 1;
    for (std::size_t k = 0; k < pairs; ++k) {
      const auto& a = points[k];
      const auto& b = points[(k + 1) % points.size()];
      if (std::hypot(a[0] - b[0], a[1] - b[1]) > 0.0) continue;
      const bool last = k + 1 == points.size();
      reader_.error(
          node.children[last ? k : k + 1].source,
          fmt::format("{}: this point of the curve is the same as {}.", what_, last ? "the first" : "the one before"),
          last ? "A closed curve goes back to its first point by itself." : "");
      return false;
    }
    const SplineCurve spline(points, curve.closed);
    // Outwards of a closed curve is to its right where it runs counter-clockwise.
    if (curve.closed && spline.turningSense() > 0.0) curve.offset = minus(Value(0.0), curve.offset);
    const auto bend = curve.offset.number > 0.0 ? spline.sharpestLeft() : spline.sharpestRight();
    if (bend.curvature * curve.offset.number < 1.0) return true;
    reader_.error(
        entry_.find("offset")->source,
        fmt::format("{}: a roller of radius {:.4g} m does not fit: near [{:.4g}, {:.4g}] the curve is bent with a "
                    "radius of {:.4g} m.",
                    what_, std::abs(curve.offset.number), bend.at[0], bend.at[1], 1.0 / std::abs(bend.curvature)),
        "Make offset smaller, or the curve smoother.");
    return false;
  }

  Reader& reader_;
  const Node& entry_;
  const Node& word_;
  std::string what_;
  Joint joint_;
};

}  // namespace

std::optional<Joint> readCurve(Reader& reader, const Node& entry, const Node& word) {
  return CurveReader(reader, entry, word).read();
}

}  // namespace linkwork::model_file
