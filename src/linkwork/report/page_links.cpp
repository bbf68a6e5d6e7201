#include "linkwork/report/page_links.hpp"

#include <fmt/format.h>

#include <array>

#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

struct Curve3 {
  const char* label;  // behind the name of a spring, of what is recorded
  const char* title;
};
constexpr Curve3 kCurves[] = {{"normal", "Normal force"},
                              {"shear", "Shear"},
                              {"shear.y", "Shear along y"},
                              {"shear.z", "Shear along z"},
                              {"twisting", "Twisting moment"},
                              {"bending", "Bending moment"},
                              {"bending.y", "Bending moment about y"},
                              {"bending.z", "Bending moment about z"},
                              {"stress", "Greatest normal stress"},
                              {"shear_stress", "Greatest shear stress of twisting"}};

// Where the drawing has the origin of an element, in axes of the root.
std::array<double, 3> atRest(const Mechanism& mechanism, BodyIndex root, BodyIndex element) {
  const Pose& a = mechanism.body(root).drawn;
  const Pose& b = mechanism.body(element).drawn;
  const auto R = Rotation3<double>::aboutZ(a.angle) *
                 Rotation3<double>::fromQuaternion(a.rotation[0], a.rotation[1], a.rotation[2], a.rotation[3]);
  const auto p = R.inverseTimes(Vec3<double>{b.x - a.x, b.y - a.y, b.z - a.z});
  return {p.x, p.y, p.z};
}

// The far end of an element, in its axes.
std::array<double, 3> endOf(const Body& element) {
  if (element.shapes.empty()) return {};
  const Shape& shape = element.shapes.front();
  if (shape.kind != ShapeKind::box) return shape.to;
  return {2.0 * shape.from[0], 2.0 * shape.from[1], 2.0 * shape.from[2]};
}

Json linkJson(const Mechanism& mechanism, const Result& result, const FlexibleLink& link) {
  const BodyIndex root = link.elements.front();
  Json out{{"name", link.name}, {"line", link.source.line}, {"length", link.length}};
  out["elements"] = Json::array();
  out["rest"] = Json::array();
  for (const BodyIndex element : link.elements) {
    out["elements"].push_back(mechanism.bodyName(element));
    out["rest"].push_back(atRest(mechanism, root, element));
  }
  out["end"] = endOf(mechanism.body(link.elements.back()));
  out["at"] = Json::array();
  for (const LinkSpring& spring : link.springs) out["at"].push_back(spring.at);
  out["curves"] = Json::array();
  for (const auto& [label, title] : kCurves) {
    Json names = Json::array();
    for (std::size_t k = 1; k <= link.springs.size(); ++k) {
      const std::string name = fmt::format("{}:s{}.{}", link.name, k, label);
      if (result.find(name) != nullptr) names.push_back(name);
    }
    if (names.size() == link.springs.size())
      out["curves"].push_back({{"label", label}, {"title", title}, {"series", std::move(names)}});
  }
  return out;
}

}  // namespace

Json linksJson(const Mechanism& mechanism, const Result& result) {
  Json out = Json::array();
  for (const FlexibleLink& link : mechanism.links) out.push_back(linkJson(mechanism, result, link));
  return out;
}

}  // namespace linkwork
