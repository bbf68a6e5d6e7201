#include "linkwork/report/modes_page.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "linkwork/report/page.hpp"
#include "linkwork/report/page_parts.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

// The coordinates of a body whose motion a shape tells; in space small turns about axes of the ground stand for the
// angle.
std::span<const std::string_view> shapeLabels(Space space) {
  static constexpr std::array<std::string_view, 3> kPlanar{"x", "y", "angle"};
  static constexpr std::array<std::string_view, 6> kSpatial{"x", "y", "z", "turn_x", "turn_y", "turn_z"};
  if (space == Space::planar) return kPlanar;
  return kSpatial;
}

// Their motions, for each body.
using Shapes = std::map<std::string, std::vector<Complex>>;

Shapes shapesOf(const Mechanism& mechanism, const Linearisation& linear, const Mode& mode) {
  Shapes out;
  std::map<std::string, Complex> seen;
  for (std::size_t k = 0; k < linear.seen.size(); ++k)
    seen[linear.seen[k].name] = mode.seen[static_cast<Eigen::Index>(k)];
  for (const Body& body : mechanism.bodies) {
    for (const std::string_view label : shapeLabels(mechanism.space)) {
      const auto found = seen.find(fmt::format("{}.{}", body.name, label));
      out[body.name].push_back(found != seen.end() ? found->second : Complex());
    }
  }
  return out;
}

// Scaled so that the body that moves most moves by one metre, a turn counted with the reference length.
Json shapeJson(const Mechanism& mechanism, const Linearisation& linear, const Mode& mode) {
  const std::size_t lengths = mechanism.space == Space::planar ? 2 : 3;  // before the turns
  Shapes shapes = shapesOf(mechanism, linear, mode);
  double largest = 0.0;
  for (const auto& [name, motion] : shapes) {
    double square = 0.0;
    for (std::size_t k = 0; k < motion.size(); ++k)
      square += std::norm(motion[k]) * (k < lengths ? 1.0 : linear.length * linear.length);
    largest = std::max(largest, std::sqrt(square));
  }
  Json out = Json::object();
  for (const auto& [name, motion] : shapes) {
    for (const Complex& part : motion) {
      const Complex scaled = largest > 0.0 ? part / largest : Complex();
      out[name].push_back({scaled.real(), scaled.imag()});
    }
  }
  return out;
}

}  // namespace

std::string_view wordFor(ModeKind kind) {
  switch (kind) {
    case ModeKind::oscillation: return "oscillation";
    case ModeKind::exponential: return "exponential";
    case ModeKind::drift: break;
  }
  return "drift";
}

Json modeJson(const Mechanism& mechanism, const Linearisation& linear, const Mode& mode) {
  Json out{{"kind", wordFor(mode.kind)},
           {"re", mode.eigenvalue.real()},
           {"im", mode.eigenvalue.imag()},
           {"frequency", mode.frequency},
           {"damping", mode.damping_ratio},
           {"timeConstant", std::isfinite(mode.time_constant) ? Json(mode.time_constant) : Json()},
           {"words", modeWords(mode)},
           {"joints", Json::array()},
           {"shape", shapeJson(mechanism, linear, mode)}};
  const std::vector<ModeShare> joints = jointShares(linear, mode, mechanism);
  for (const ModeShare& share : joints) {
    double phase = std::remainder(share.phase - joints.front().phase, 360.0);
    if (phase <= -179.95) phase = 180.0;
    out["joints"].push_back({share.name, share.size, phase});
  }
  return out;
}

std::string modesPageData(const Mechanism& mechanism, const Linearisation& linear, const NaturalModes& modes,
                          const Result& still, const std::vector<std::string>& warnings) {
  Json out = stillOutline(mechanism, still, warnings);
  out["title"] = fmt::format("{}: modes", mechanism.name);
  putFreedoms(out, static_cast<int>(linear.speeds.size()), static_cast<int>(linear.coordinates.size()));
  out["start"] = "modes";
  Json& part = out["modes"];
  part["time"] = linear.time;
  part["sentence"] =
      fmt::format("Small motions about the state at t = {:.6g} s: {}.", linear.time, stabilityWords(modes));
  part["reach"] = kModeReach * linear.length;
  part["list"] = Json::array();
  for (const Mode& mode : modes.modes) part["list"].push_back(modeJson(mechanism, linear, mode));
  return pageData(out.dump(-1, ' ', false, Json::error_handler_t::replace), still);
}

}  // namespace linkwork
