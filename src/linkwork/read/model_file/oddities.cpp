#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "linkwork/geometry/mass_properties.hpp"
#include "linkwork/read/model_file/gaps.hpp"
#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

constexpr double kWideGap = 1e-3;     // of the mechanism's size
constexpr double kWideAngle = 1e-3;   // rad
constexpr double kOddScale = 1000.0;  // radius of gyration against the body's size, either way

using XYZ = std::array<double, 3>;

class Extent {
 public:
  void add(const XYZ& point) {
    for (std::size_t k = 0; k < 3; ++k) {
      low_[k] = std::min(low_[k], point[k]);
      high_[k] = std::max(high_[k], point[k]);
    }
    empty_ = false;
  }
  double size() const { return empty_ ? 0.0 : std::hypot(high_[0] - low_[0], high_[1] - low_[1], high_[2] - low_[2]); }

 private:
  XYZ low_{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  XYZ high_{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  bool empty_ = true;
};

XYZ numbers(const Point& point) { return {point[0].number, point[1].number, point[2].number}; }

double directionInGround(const Mechanism& mechanism, BodyIndex index, const Frame& frame) {
  return frame.angle.number + (index.valid() ? mechanism.body(index).drawn.angle : 0.0);
}

void addShape(const Shape& shape, Extent& extent) {
  extent.add(shape.from);
  XYZ half{shape.size[0] / 2, shape.size[1] / 2, shape.size[2] / 2};
  switch (shape.kind) {
    case ShapeKind::disc: half = {shape.radius, shape.radius, shape.size[2] / 2}; break;
    case ShapeKind::sphere: half = {shape.radius, shape.radius, shape.radius}; break;
    case ShapeKind::rod:
    case ShapeKind::cylinder:
    case ShapeKind::tube:
    case ShapeKind::capsule:
      extent.add(shape.to);
      half = {shape.radius, shape.radius, shape.radius};  // a little more than it is
      break;
    default: break;
  }
  for (const auto& [x, y] : shape.outline) extent.add({x, y, 0.0});
  for (const double side : {-1.0, 1.0}) {
    extent.add({shape.from[0] + side * half[0], shape.from[1] + side * half[1], shape.from[2] + side * half[2]});
  }
}

// --- bodies
// ------------------------------------------------------------------------------------------------------------

double largestMoment(const Body& body) {
  if (!body.tensor) return body.inertia.number;
  return std::max({body.tensor->xx.number, body.tensor->yy.number, body.tensor->zz.number});
}

// Part of a flexible link: what it weighs and where it hangs is Linkwork's own doing.
bool isInsideLink(const Mechanism& mechanism, const Body& body) {
  return std::any_of(mechanism.links.begin(), mechanism.links.end(), [&](const FlexibleLink& link) {
    return body.name.size() > link.name.size() && body.name[link.name.size()] == ':' &&
           body.name.compare(0, link.name.size(), link.name) == 0;
  });
}

void noteMassless(Reader& reader, const Body& body) {
  if (body.mass.number != 0.0 || isInsideLink(reader.mechanism, body)) return;
  if (largestMoment(body) == 0.0) {
    reader.diagnostics.note(body.source, fmt::format("body \"{}\" has neither mass nor inertia.", body.name),
                            "Joints or drives must hold it in every direction in which it could move alone.");
  } else {
    reader.diagnostics.note(body.source, fmt::format("body \"{}\" has inertia but no mass.", body.name));
  }
}

void warnOfOddScale(Reader& reader, const Body& body) {
  if (!(body.mass.number > 0.0 && largestMoment(body) > 0.0)) return;
  Extent extent;
  extent.add(numbers(body.com));
  for (const NamedPoint& point : body.points) extent.add(numbers(point.at));
  for (const Shape& shape : body.shapes) addShape(shape, extent);
  const double size = extent.size();
  const double gyration = std::sqrt(largestMoment(body) / body.mass.number);
  if (!(size > 0.0) || !std::isfinite(gyration / size) || !std::isfinite(size / gyration)) return;
  if (gyration <= kOddScale * size && size <= kOddScale * gyration) return;
  const bool large = gyration > size;
  reader.diagnostics.warning(
      body.source,
      fmt::format(
          "body \"{}\": sqrt(inertia/mass), its radius of gyration, is {:.3g} m, {:.0f} times {} than its size, "
          "{:.3g} m.",
          body.name, gyration, large ? gyration / size : size / gyration, large ? "larger" : "smaller", size),
      "Are the units of inertia, mass and lengths right?");
}

// Whether a joint keeps a body from turning about some axis.
bool holdsTurning(JointKind kind) {
  switch (kind) {
    case JointKind::distance:
    case JointKind::spherical:
    case JointKind::point_line:
    case JointKind::point_plane:
    case JointKind::curve:
    case JointKind::floating: return false;
    default: return true;
  }
}

std::vector<std::vector<const Joint*>> jointsOfBodies(const Mechanism& mechanism) {
  std::vector<std::vector<const Joint*>> joints(mechanism.bodies.size());
  for (const Joint& joint : mechanism.joints) {
    for (const BodyIndex index : {joint.first, joint.second}) {
      if (index.valid()) joints[index.at()].push_back(&joint);
    }
  }
  return joints;
}

// A thin rod has no inertia about its line: if nothing holds it, the equations do not say how it turns there.
void noteNoInertiaAboutAxis(Reader& reader, const Body& body, const std::vector<const Joint*>& joints) {
  if (!body.tensor || !(body.mass.number > 0.0)) return;
  const Tensor& J = *body.tensor;
  const auto moments = principalMoments({J.xx.number, J.yy.number, J.zz.number, J.xy.number, J.xz.number, J.yz.number});
  if (!(moments[2] > 0.0) || moments[0] > 1e-12 * moments[2]) return;
  for (const Joint* joint : joints) {
    if (holdsTurning(joint->kind)) return;
  }
  reader.diagnostics.note(
      body.source,
      fmt::format("body \"{}\" has no inertia about one axis, and no joint keeps it from turning about it.", body.name),
      "Give a rod a radius, or a small moment of inertia about its line.");
}

// What the plane cannot show. [docs/reference/model-file.md, inertia in the plane]
void noteOutOfPlane(Reader& reader, const Body& body, const std::vector<const Joint*>& joints) {
  std::vector<std::string> causes;
  const auto add = [&causes](const char* name, const Value& value, const char* unit) {
    if (value.number != 0.0) causes.push_back(fmt::format("{} = {:.3g} {}", name, value.number, unit));
  };
  if (body.tensor) {
    add("Jxz", body.tensor->xz, "kg m^2");
    add("Jyz", body.tensor->yz, "kg m^2");
  }
  add("z", body.com[2], "m");
  if (causes.empty()) return;
  std::string where = joints.empty() ? "its supports" : fmt::format("joint \"{}\"", joints[0]->name);
  if (joints.size() == 2) where += fmt::format(" and \"{}\"", joints[1]->name);
  if (joints.size() > 2) where += fmt::format(" and {} more", joints.size() - 1);
  reader.diagnostics.note(
      body.source,
      fmt::format(
          "body \"{}\": {} leave{} the motion alone, but bring{} moments about x and y into {}, which a planar model "
          "does not have.",
          body.name, fmt::join(causes, ", "), causes.size() == 1 ? "s" : "", causes.size() == 1 ? "s" : "", where),
      "--space spatial shows them.");
}

// --- joints
// ------------------------------------------------------------------------------------------------------------

double sizeOf(const Mechanism& mechanism) {
  Extent extent;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const Body& body = mechanism.bodies[i];
    const BodyIndex index(static_cast<int>(i));
    extent.add(inGround(mechanism, index, numbers(body.com)));
    for (const NamedPoint& point : body.points) extent.add(inGround(mechanism, index, numbers(point.at)));
  }
  for (const Joint& joint : mechanism.joints) {
    extent.add(inGround(mechanism, joint.first, numbers(joint.on_first.point)));
    extent.add(inGround(mechanism, joint.second, numbers(joint.on_second.point)));
  }
  return extent.size();
}

void noteGapInSpace(Reader& reader, const Joint& joint, double size) {
  const Gap gap = drawnGapInSpace(reader.mechanism, joint);
  if (gap.length > kWideGap * size)
    reader.diagnostics.note(joint.source,
                            fmt::format("joint \"{}\": its two ends are drawn {:.3g} m apart{}.", joint.name,
                                        gap.length, gap.across ? ", where it leaves no freedom" : ""),
                            "The bodies are moved until they meet.");
  if (gap.angle > kWideAngle)
    reader.diagnostics.note(joint.source,
                            fmt::format("joint \"{}\": its axes are drawn {:.3g} deg from where they must be.",
                                        joint.name, gap.angle * 180.0 / std::numbers::pi),
                            "The bodies are turned until they fit.");
}

void noteGap(Reader& reader, const Joint& joint, double size) {
  const Mechanism& mechanism = reader.mechanism;
  if (reader.inSpace()) {
    noteGapInSpace(reader, joint, size);
    return;
  }
  const XYZ first = inGround(mechanism, joint.first, numbers(joint.on_first.point));
  const XYZ second = inGround(mechanism, joint.second, numbers(joint.on_second.point));
  const XYZ apart{second[0] - first[0], second[1] - first[1]};
  double gap = std::hypot(apart[0], apart[1]);
  const bool slides = joint.kind == JointKind::prismatic || joint.kind == JointKind::pin_slot;
  if (slides) {
    const double axis = directionInGround(mechanism, joint.second, joint.on_second);
    gap = std::abs(apart[1] * std::cos(axis) - apart[0] * std::sin(axis));
  }
  if (!(gap > kWideGap * size)) return;
  reader.diagnostics.note(joint.source,
                          fmt::format("joint \"{}\": its two ends are drawn {:.3g} m apart{}.", joint.name, gap,
                                      slides ? ", across the axis" : ""),
                          "The bodies are moved until they meet.");
}

}  // namespace

void findOddities(Reader& reader) {
  const auto joints = jointsOfBodies(reader.mechanism);
  for (std::size_t i = 0; i < reader.mechanism.bodies.size(); ++i) {
    const Body& body = reader.mechanism.bodies[i];
    noteMassless(reader, body);
    warnOfOddScale(reader, body);
    if (reader.inSpace()) {
      noteNoInertiaAboutAxis(reader, body, joints[i]);
    } else {
      noteOutOfPlane(reader, body, joints[i]);
    }
  }
  if (reader.joints_by_two_points.empty()) return;
  const double size = sizeOf(reader.mechanism);
  for (const JointIndex index : reader.joints_by_two_points) noteGap(reader, reader.mechanism.joints[index.at()], size);
}

}  // namespace linkwork::model_file
