#include "linkwork/read/model_file/rolling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "linkwork/read/model_file/rolling_shapes.hpp"

namespace linkwork::model_file {

namespace {

class RollingReader : private ShapeReader {
 public:
  using ShapeReader::ShapeReader;

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
    std::vector<std::string> out{word_.key, "at",    "normal",           "inside", "centre",
                                 "radius",  "first", "surface_velocity", "lift"};
    if (reader_.inSpace()) {
      for (const char* key : {"axis", "tyre", "semi_axes", "pivoting", "roller"}) out.emplace_back(key);
    }
    return out;
  }
  // --- both together -------------------------------------------------------------------------------------------------

  bool checkPair() {
    rim_ = rolling().shape == RollingShape::disc;
    if (rolling().on == RollingOn::plane) return leans();
    if (rolling().shape == RollingShape::ellipsoid) {
      reader_.error(word_.source,
                    fmt::format("{}: where an ellipsoid touches something round follows from no formula.", what_),
                    "An ellipsoid rolls on a plane: give normal; or let both be balls, discs or cylinders.");
      return false;
    }
    if (rolling().inside && !(rolling().radius.number < rolling().first_radius.number)) {
      reader_.error(word_.source,
                    fmt::format("{}: a body of radius {:g} m does not roll in one of radius {:g} m.", what_,
                                rolling().radius.number, rolling().first_radius.number),
                    "The second body is the inner one.");
      return false;
    }
    if (rolling().on == RollingOn::ball && rim_ && reader_.inSpace()) return touchesAtAPoint();
    if (rolling().on == RollingOn::cylinder && rim_ && !axesAreParallel()) return false;
    // The rows are those of circles across the common axis, whose size the rounding of a rim does not change.
    rolling().shape = RollingShape::ball;
    return true;
  }

  bool axesAreParallel() {
    const Direction a = matrixOf(reader_.drawnTurn(joint_.first, joint_.on_first)).z;
    const Direction b = matrixOf(reader_.drawnTurn(joint_.second, joint_.on_second)).z;
    if (std::abs(dot(a, b)) >= 1.0 - 1e-6) return true;
    reader_.error(word_.source,
                  fmt::format("{}: the axes of the two bodies are not parallel in the drawing, and where a rim touches "
                              "a cylinder that is not, follows from no formula.",
                              what_),
                  "Draw the axes parallel, and keep them so by other joints; or let a ball roll there.");
    return false;
  }

  // A disc on a ball whose axle leads through the ball's centre touches with its whole rim.
  bool touchesAtAPoint() {
    const Point P = toGround(reader_.drawnPose(joint_.first), joint_.on_first.point);
    const Point M = toGround(reader_.drawnPose(joint_.second), joint_.on_second.point);
    const Direction apart{M[0].number - P[0].number, M[1].number - P[1].number, M[2].number - P[2].number};
    const Direction axle = matrixOf(reader_.drawnTurn(joint_.second, joint_.on_second)).z;
    if (lengthOf(cross(apart, axle)) > 1e-6 * lengthOf(apart)) return true;
    reader_.error(
        word_.source,
        fmt::format("{}: the disc's axle leads through the centre of the ball in the drawing, so that the disc "
                    "touches with its whole rim.",
                    what_),
        "Draw it leaning.");
    return false;
  }

  // A disc that lies flat touches with its whole rim.
  bool leans() {
    if (rolling().shape != RollingShape::disc) return true;
    const Direction normal = matrixOf(reader_.drawnTurn(joint_.first, joint_.on_first)).y;
    const Direction axle = matrixOf(reader_.drawnTurn(joint_.second, joint_.on_second)).z;
    if (lengthOf(cross(normal, axle)) > 1e-6) return true;
    reader_.error(word_.source,
                  fmt::format("{}: the disc lies flat in the drawing, and touches with its whole rim.", what_),
                  "Draw it upright or leaning: its axle (axis) is not the normal of the plane.");
    return false;
  }

  bool readOptions() {
    if (const Node* node = entry_.find("lift")) {
      const auto what = reader_.choice(*node, of("lift"), {"note", "stop"});
      if (!what) return false;
      rolling().ends_at_lift = *what == 1;
    }
    if (const Node* node = entry_.find("pivoting")) {
      const auto pivots = reader_.flag(*node, of("pivoting"));
      if (!pivots) return false;
      rolling().pivots = *pivots;
    }
    const Node* node = entry_.find("roller");
    if (node == nullptr) return true;
    const auto angle = reader_.constant(*node, dimension::kAngle, of("roller"));
    if (!angle) return false;
    if (!rim_) {
      reader_.error(node->key_source, fmt::format("{}: only a disc has rollers on its rim.", what_));
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

  bool readSurface() {
    const Node* node = entry_.find("surface_velocity");
    if (node == nullptr) return true;
    if (rolling().slips_across_rollers) {
      reader_.error(
          node->key_source,
          fmt::format("{}: surface_velocity does not go with roller, whose axes turn past each other over the "
                      "surface.",
                      what_),
          "Let the first body itself move: a plate on a slide, with a drive.");
      return false;
    }
    return rolling().on == RollingOn::plane ? readFlatSurface(*node) : readRoundSurface(*node);
  }

  std::optional<std::vector<Expr>> readSpeeds(const Node& node, std::size_t count, const char* example) {
    if (node.kind != NodeKind::array || node.children.size() != count) {
      reader_.wrongType(node, of("surface_velocity"), example);
      return std::nullopt;
    }
    std::vector<Expr> out;
    for (const Node& child : node.children) {
      const auto formula = reader_.formula(child, dimension::kVelocity, of("surface_velocity"), Level::time);
      if (!formula) return std::nullopt;
      out.push_back(*formula);
    }
    return out;
  }

  // Around the axis and, in space, along it. What goes around a ball stands still at two places of it.
  bool readRoundSurface(const Node& node) {
    if (reader_.inSpace() && rolling().on == RollingOn::ball) {
      reader_.error(node.key_source,
                    fmt::format("{}: the surface of a ball cannot move with one speed everywhere.", what_),
                    "Let the first body itself turn: a ball on a hinge, with a drive.");
      return false;
    }
    const auto speeds = reader_.inSpace() ? readSpeeds(node, 2, "two velocities, around and along: [\"0.5*t\", 0]")
                                          : readSpeeds(node, 1, "one velocity, around: [\"0.5*t\"]");
    if (!speeds) return false;
    std::copy(speeds->begin(), speeds->end(), rolling().surface.begin());
    return true;
  }

  // In axes of the first body; along the normal it must not move.
  bool readFlatSurface(const Node& node) {
    const auto given = reader_.inSpace() ? readSpeeds(node, 3, "three velocities such as [\"0.5*t\", 0, 0]")
                                         : readSpeeds(node, 2, "two velocities such as [\"0.5*t\", 0]");
    if (!given) return false;
    std::array<Expr, 3> u{Expr{0.0}, Expr{0.0}, Expr{0.0}};
    std::copy(given->begin(), given->end(), u.begin());
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
    return staysInPlane(node, along(1), along(0), along(2));
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

  // --- the way rolled, in the plane ----------------------------------------------------------------------------------

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

  bool rim_ = false;  // the second body is a disc
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
  return word.key == "rolling" ? RollingReader(reader, entry, word).read() : readKnifeEdge(reader, entry, word);
}

}  // namespace linkwork::model_file
