#include "linkwork/report/page_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/files/base64.hpp"
#include "linkwork/geometry/mesh_clusters.hpp"
#include "linkwork/read/body_mesh.hpp"
#include "linkwork/report/page_drawing.hpp"
#include "linkwork/report/stand_in.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

// Of one body: at 18 bytes for a triangle this is 360 kB, 480 kB as text.
constexpr std::size_t kMostTriangles = 20'000;

// Where a file gives no shape, the reader draws lines without thickness to the centre of mass.
bool isDerived(const Body& body, const Shape& shape) {
  const std::array<double, 3> com{body.com[0].number, body.com[1].number, body.com[2].number};
  if (shape.kind == ShapeKind::point) return shape.from == com;
  return shape.kind == ShapeKind::rod && shape.radius == 0.0 && (shape.from == com || shape.to == com);
}

Json spacePointJson(const Point& point) { return {point[0].number, point[1].number, point[2].number}; }

Quaternion turnOf(double angle, const Quaternion& rotation) {
  return product({std::cos(angle / 2.0), 0.0, 0.0, std::sin(angle / 2.0)}, rotation);
}

Json spaceFrameJson(const Mechanism& mechanism, BodyIndex body, const Frame& frame) {
  return {{"body", body.valid() ? Json(mechanism.body(body).name) : Json(nullptr)},
          {"point", spacePointJson(frame.point)},
          {"turn", turnOf(frame.angle.number, frame.rotation)}};
}

Json names(const std::string& group, const char* label) {
  Json out = Json::array();
  for (const char* axis : {"x", "y", "z"}) out.push_back(fmt::format("{}.{}.{}", group, label, axis));
  return out;
}

class Drawing {
 public:
  Drawing(const Mechanism& mechanism, const Result& result) : mechanism_(mechanism), result_(result) {}

  SpaceDrawing all() {
    out_.bodies = bodies();
    out_.joints = joints();
    out_.drives = drives();
    out_.loads = loads();
    return std::move(out_);
  }

 private:
  Json meshJson(const Body& body, const TriangleMesh& whole) {
    const TriangleMesh mesh = coarsened(whole, kMostTriangles);
    if (mesh.triangles.size() < whole.triangles.size()) {
      out_.notes.push_back(fmt::format("The mesh of body \"{}\" has {} triangles; it is drawn with {}.", body.name,
                                       whole.triangles.size(), mesh.triangles.size()));
    }
    std::vector<float> numbers;
    for (const Vec3<double>& v : mesh.vertices) {
      for (const double x : {v.x, v.y, v.z}) numbers.push_back(static_cast<float>(x));
    }
    std::vector<std::uint32_t> corners;
    for (const auto& triangle : mesh.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
    return {{"kind", "mesh"}, {"vertices", base64OfFloats(numbers)}, {"triangles", base64OfIndices(corners)}};
  }

  Json shapeJson(const Shape& shape) const {
    switch (shape.kind) {
      case ShapeKind::rod:
      case ShapeKind::cylinder:
      case ShapeKind::capsule:
      case ShapeKind::tube: {
        const char* kind = shape.kind == ShapeKind::rod        ? "rod"
                           : shape.kind == ShapeKind::cylinder ? "cylinder"
                           : shape.kind == ShapeKind::capsule  ? "capsule"
                                                               : "tube";
        return {{"kind", kind},
                {"from", shape.from},
                {"to", shape.to},
                {"radius", shape.radius},
                {"inner", shape.inner_radius}};
      }
      case ShapeKind::sphere: return {{"kind", "sphere"}, {"centre", shape.from}, {"radius", shape.radius}};
      case ShapeKind::disc:
        return {{"kind", "disc"},
                {"centre", shape.from},
                {"radius", shape.radius},
                {"thickness", shape.size[2]},
                {"turn", turnOf(shape.angle, shape.rotation)}};
      case ShapeKind::box:
        return {{"kind", "box"},
                {"centre", shape.from},
                {"size", shape.size},
                {"turn", turnOf(shape.angle, shape.rotation)}};
      case ShapeKind::polygon: return {{"kind", "polygon"}, {"points", shape.outline}};
      case ShapeKind::point: break;
    }
    return {{"kind", "point"}, {"at", shape.from}};
  }

  Json bodies() {
    const MeshFinder meshes(mechanism_);
    Json out = Json::array();
    for (const Body& body : mechanism_.bodies) {
      Json pose = {body.name + ".x", body.name + ".y", body.name + ".z"};
      for (const char* part : {"w", "x", "y", "z"}) pose.push_back(fmt::format("{}.orientation.{}", body.name, part));
      Json shapes = Json::array();
      for (const Shape& shape : body.shapes) {
        if (isDerived(body, shape)) continue;  // the page has more to derive from: joints and the stand-in
        const std::optional<TriangleMesh> mesh = meshes.meshOf(shape);
        shapes.push_back(mesh ? meshJson(body, *mesh) : shapeJson(shape));
      }
      Json points = Json::array();
      for (const NamedPoint& point : body.points) points.push_back(spacePointJson(point.at));
      Json entry{{"name", body.name},
                 {"line", body.source.line},
                 {"pose", std::move(pose)},
                 {"com", spacePointJson(body.com)},
                 {"points", std::move(points)}};
      if (shapes.empty()) {
        if (const std::optional<Shape> solid = standIn(body)) entry["stand_in"] = shapeJson(*solid);
      }
      entry["shapes"] = std::move(shapes);
      out.push_back(std::move(entry));
    }
    return out;
  }

  Json joints() const {
    Json out = Json::array();
    for (const Joint& joint : mechanism_.joints) {
      if (isRelation(joint.kind)) continue;  // between joints: relationsJson
      Json entry{{"name", joint.name},
                 {"kind", wordFor(joint.kind)},
                 {"line", joint.source.line},
                 {"first", spaceFrameJson(mechanism_, joint.first, joint.on_first)},
                 {"second", spaceFrameJson(mechanism_, joint.second, joint.on_second)}};
      if (joint.kind == JointKind::distance) entry["length"] = joint.length.number;
      if (joint.kind == JointKind::screw) entry["pitch"] = joint.pitch.number;
      if (joint.kind == JointKind::rolling) {
        entry["contact"] = names(joint.name, "contact");
        entry["plane"] = joint.rolling.on == RollingOn::plane;
        if (joint.rolling.on != RollingOn::plane) entry["first_radius"] = joint.rolling.first_radius.number;
        if (joint.rolling.on == RollingOn::cylinder) entry["cylinder"] = true;
      }
      if (isCut(result_, joint)) entry["cut"] = true;
      if (joint.kind != JointKind::floating) {
        entry["reaction"]["force"] = names(joint.name, "force");
        if (result_.find(joint.name + ".moment.x") != nullptr)
          entry["reaction"]["moment"] = names(joint.name, "moment");
        entry["reaction"]["unique"] = reactionUnique(result_, joint);
        for (const char* part : {"unique_force", "unique_moment"}) {
          if (result_.find(fmt::format("{}.{}.x", joint.name, part)) != nullptr) {
            entry["reaction"][part] = names(joint.name, part);
          }
        }
      }
      out.push_back(std::move(entry));
    }
    return out;
  }

  Json drives() const {
    Json out = Json::array();
    for (const Drive& drive : mechanism_.drives) {
      out.push_back({{"name", drive.name},
                     {"kind", wordFor(drive.kind)},
                     {"line", drive.source.line},
                     {"first", spaceFrameJson(mechanism_, drive.first, drive.on_first)},
                     {"second", spaceFrameJson(mechanism_, drive.second, drive.on_second)}});
    }
    return out;
  }

  Json loads() const {
    Json out = Json::array();
    for (const Load& load : mechanism_.loads) {
      Json entry{{"name", load.name},
                 {"kind", drawnKind(load)},
                 {"line", load.source.line},
                 {"second", spaceFrameJson(mechanism_, load.second, load.on_second)},
                 {"free_length", load.free_length.number}};
      const LoadArrows arrows = arrowsOf(mechanism_, load);
      if (!arrows.one_body) entry["first"] = spaceFrameJson(mechanism_, load.first, load.on_first);
      if (!arrows.force.empty()) entry["force"] = arrows.force;
      if (!arrows.moment.empty()) entry["moment"] = arrows.moment;
      if (!arrows.moment_about_z.empty()) entry["moment"] = arrows.moment_about_z;
      out.push_back(std::move(entry));
    }
    return out;
  }

  const Mechanism& mechanism_;
  const Result& result_;
  SpaceDrawing out_;
};

}  // namespace

SpaceDrawing drawingInSpace(const Mechanism& mechanism, const Result& result) {
  return Drawing(mechanism, result).all();
}

}  // namespace linkwork
