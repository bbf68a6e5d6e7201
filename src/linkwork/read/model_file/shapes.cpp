#include <algorithm>
#include <array>
#include <cmath>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

using XY = std::array<double, 2>;

double cross(const XY& o, const XY& a, const XY& b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

// Convex hull, counter-clockwise, without points on its edges; two points if all lie on one line.
std::vector<XY> hull(std::vector<XY> points) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() < 3) return points;
  const double size = std::hypot(points.back()[0] - points.front()[0], points.back()[1] - points.front()[1]);
  const double flat = 1e-9 * size * size;
  std::vector<XY> outline;
  const auto extend = [&](auto first, auto last) {
    const std::size_t base = outline.size();
    for (auto point = first; point != last; ++point) {
      while (outline.size() >= base + 2 && cross(outline[outline.size() - 2], outline.back(), *point) <= flat)
        outline.pop_back();
      outline.push_back(*point);
    }
    outline.pop_back();
  };
  extend(points.begin(), points.end());
  extend(points.rbegin(), points.rend());
  return outline;
}

std::array<double, 3> onPlane(const XY& point) { return {point[0], point[1], 0.0}; }

Shape shapeOf(const std::vector<XY>& outline) {
  Shape shape;
  if (outline.empty()) {
    shape.kind = ShapeKind::point;
  } else if (outline.size() == 1) {
    shape.kind = ShapeKind::point;
    shape.from = onPlane(outline[0]);
  } else if (outline.size() == 2) {
    shape.kind = ShapeKind::rod;
    shape.from = onPlane(outline[0]);
    shape.to = onPlane(outline[1]);
  } else {
    shape.kind = ShapeKind::polygon;
    shape.outline = outline;
  }
  return shape;
}

XY numbersInPlane(const Point& point) { return {point[0].number, point[1].number}; }

// In space: a rod between two points, more of them tied to the centre of mass.
void deriveShapesInSpace(Mechanism& mechanism) {
  using Corner3 = std::array<double, 3>;
  const auto xyz = [](const Point& point) { return Corner3{point[0].number, point[1].number, point[2].number}; };
  std::vector<std::vector<Corner3>> attached(mechanism.bodies.size());
  for (const Joint& joint : mechanism.joints) {
    if (joint.first.valid()) attached[joint.first.at()].push_back(xyz(joint.on_first.point));
    if (joint.second.valid()) attached[joint.second.at()].push_back(xyz(joint.on_second.point));
  }
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    Body& body = mechanism.bodies[i];
    if (!body.shapes.empty()) continue;
    std::vector<Corner3>& points = attached[i];
    for (const NamedPoint& point : body.points) points.push_back(xyz(point.at));
    points.push_back(xyz(body.com));
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    Shape shape;
    shape.from = points.front();
    if (points.size() == 1) {
      shape.kind = ShapeKind::point;
      body.shapes.push_back(shape);
    } else if (points.size() == 2) {
      shape.to = points.back();
      body.shapes.push_back(shape);
    } else {
      shape.from = xyz(body.com);
      for (const Corner3& point : points) {
        if (point == shape.from) continue;
        shape.to = point;
        body.shapes.push_back(shape);
      }
    }
  }
}

}  // namespace

void deriveShapes(Mechanism& mechanism) {
  if (mechanism.space == Space::spatial) {
    deriveShapesInSpace(mechanism);
    return;
  }
  std::vector<std::vector<XY>> attached(mechanism.bodies.size());
  const auto attach = [&attached](BodyIndex body, const Frame& frame) {
    if (body.valid()) attached[body.at()].push_back(numbersInPlane(frame.point));
  };
  for (const Joint& joint : mechanism.joints) {
    attach(joint.first, joint.on_first);
    attach(joint.second, joint.on_second);
  }
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    Body& body = mechanism.bodies[i];
    std::vector<XY>& points = attached[i];
    for (const NamedPoint& point : body.points) points.push_back(numbersInPlane(point.at));
    if (body.shapes.empty()) {
      if (points.empty()) points.push_back(numbersInPlane(body.com));
      body.shapes.push_back(shapeOf(hull(points)));
    } else if (body.shapes.front().kind == ShapeKind::rod) {
      // A rod with something attached beside its line is a plate as well.
      for (const auto& end : {body.shapes.front().from, body.shapes.front().to}) points.push_back({end[0], end[1]});
      const Shape plate = shapeOf(hull(points));
      if (plate.kind == ShapeKind::polygon) body.shapes.push_back(plate);
    }
  }
}

}  // namespace linkwork::model_file
