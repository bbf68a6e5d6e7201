#include "linkwork/io/modes_page.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>

#include "linkwork/io/page.hpp"
#include "linkwork/io/page_parts.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

// At full amplitude the body that moves most goes so far, as a share of the mechanism's reference length: large enough
// to be seen, small enough for a straight line to pass for an arc.
constexpr double kReach = 0.35;

// Motion of x, y and angle of each body.
using PlanarShape = std::map<std::string, std::array<Complex, 3>>;

PlanarShape planarShape(const Mechanism& mechanism, const Linearisation& linear, const Mode& mode) {
  PlanarShape out;
  std::map<std::string, Complex> seen;
  for (std::size_t k = 0; k < linear.seen.size(); ++k)
    seen[linear.seen[k].name] = mode.seen[static_cast<Eigen::Index>(k)];
  for (const Body& body : mechanism.bodies) {
    std::array<Complex, 3>& motion = out[body.name];
    constexpr std::array kLabels{"x", "y", "angle"};
    for (std::size_t k = 0; k < kLabels.size(); ++k) {
      const auto found = seen.find(fmt::format("{}.{}", body.name, kLabels[k]));
      if (found != seen.end()) motion[k] = found->second;
    }
  }
  return out;
}

// Scaled so that the body that moves most moves by one metre, a turn counted with the reference length.
Json shapeJson(const Mechanism& mechanism, const Linearisation& linear, const Mode& mode) {
  PlanarShape shape = planarShape(mechanism, linear, mode);
  double largest = 0.0;
  for (const auto& [name, motion] : shape) {
    largest =
        std::max(largest, std::hypot(std::abs(motion[0]), std::abs(motion[1]), linear.length * std::abs(motion[2])));
  }
  Json out = Json::object();
  for (const auto& [name, motion] : shape) {
    for (const Complex& part : motion) {
      const Complex scaled = largest > 0.0 ? part / largest : Complex();
      out[name].push_back({scaled.real(), scaled.imag()});
    }
  }
  return out;
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
           {"shape", Json::object()}};
  const std::vector<ModeShare> joints = jointShares(linear, mode, mechanism);
  for (const ModeShare& share : joints) {
    double phase = std::remainder(share.phase - joints.front().phase, 360.0);
    if (phase <= -179.95) phase = 180.0;
    out["joints"].push_back({share.name, share.size, phase});
  }
  if (mechanism.space == Space::planar) out["shape"] = shapeJson(mechanism, linear, mode);
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

std::string modesPageData(const Mechanism& mechanism, const Linearisation& linear, const Modes& modes,
                          const Result& still, const std::vector<std::string>& warnings) {
  Json out = stillOutline(mechanism, still, warnings);
  out["title"] = fmt::format("{}: modes", mechanism.name);
  out["dof"] = linear.coordinates.size();
  out["start"] = "modes";
  Json& part = out["modes"];
  part["time"] = linear.time;
  part["sentence"] =
      fmt::format("Small motions about the state at t = {:.6g} s: {}.", linear.time,
                  modes.stable ? "stable, nothing grows" : "not stable, something grows or stays where it is put");
  part["reach"] = kReach * linear.length;
  part["list"] = Json::array();
  for (const Mode& mode : modes.modes) part["list"].push_back(modeJson(mechanism, linear, mode));
  return pageData(out.dump(-1, ' ', false, Json::error_handler_t::replace), still);
}

}  // namespace linkwork
