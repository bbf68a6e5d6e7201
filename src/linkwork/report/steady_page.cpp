#include "linkwork/report/steady_page.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "linkwork/files/base64.hpp"
#include "linkwork/report/modes_page.hpp"
#include "linkwork/report/page.hpp"
#include "linkwork/report/page_parts.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;
using Space3 = Eigen::Vector3d;

constexpr int kShapesOfPage = 4000;  // bodies x modes x stops: about a megabyte

Space3 asSpace(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

// Pose, velocity, angular velocity and how both turn; at rest where they do not turn as one.
Json bodyJson(Space space, const BodyMotion& body, const std::optional<Space3>& turn) {
  Json out = Json::array();
  const auto& p = body.position;
  if (space == Space::planar) {
    out = {p[0], p[1], body.angle};
  } else {
    const auto& o = body.orientation;
    out = {p[0], p[1], p[2], o[0], o[1], o[2], o[3]};
  }
  const Space3 none = Space3::Zero();
  for (const Space3& three :
       {turn ? asSpace(body.velocity) : none, turn ? asSpace(body.angular_velocity) : none, turn ? *turn : none}) {
    for (const double number : three) out.push_back(number);
  }
  return out;
}

// Six digits are more than a drawing shows.
void shorten(Json& value) {
  if (value.is_structured()) {
    for (Json& part : value) shorten(part);
  } else if (value.is_number_float()) {
    const double number = value.get<double>();
    const double unit = number == 0.0 ? 1.0 : std::pow(10.0, 5.0 - std::floor(std::log10(std::abs(number))));
    value = std::round(number * unit) / unit;
  }
}

// The branch whose value lies nearest, of those at the nearest sample.
int branchOf(const Locus& locus, double p, std::complex<double> value) {
  const auto nearest = std::min_element(
      locus.samples.begin(), locus.samples.end(),
      [p](const LocusSample& a, const LocusSample& b) { return std::abs(a.p - p) < std::abs(b.p - p); });
  if (nearest == locus.samples.end() || nearest->values.size() == 0) return -1;
  Eigen::Index best = 0;
  (nearest->values.array() - value).abs().minCoeff(&best);
  return static_cast<int>(best);
}

Json stopJson(const Mechanism& mechanism, const SteadyStop& stop, const Locus* locus) {
  Json out{{"at", stop.at}, {"rows", Json::array()}, {"bodies", Json::object()}, {"modes", Json::array()}};
  for (const auto& [name, value] : stop.rows) out["rows"].push_back({name, value});
  for (std::size_t b = 0; b < std::min(stop.bodies.size(), stop.turns.size()); ++b) {
    out["bodies"][mechanism.bodies[b].name] = bodyJson(mechanism.space, stop.bodies[b], stop.turns[b]);
  }
  Linearisation linear;
  linear.seen = stop.seen;
  linear.length = stop.length;
  for (const Mode& mode : stop.modes) {
    Json one = modeJson(mechanism, linear, mode);
    shorten(one["shape"]);
    shorten(one["joints"]);
    if (locus != nullptr) one["branch"] = branchOf(*locus, stop.at, mode.eigenvalue);
    out["modes"].push_back(std::move(one));
  }
  return out;
}

void putLocus(const SteadyPage& page, Json& part) {
  const Locus& locus = *page.locus;
  part["branches"] = Json::array();
  const Eigen::Index count = locus.samples.empty() ? 0 : locus.samples.front().values.size();
  for (Eigen::Index k = 0; k < count; ++k) {
    std::vector<double> re;
    std::vector<double> im;
    for (const LocusSample& sample : locus.samples) {
      re.push_back(sample.values[k].real());
      im.push_back(sample.values[k].imag());
    }
    part["branches"].push_back({{"re", base64(re)}, {"im", base64(im)}});
  }
  part["limits"] = Json::array();
  for (std::size_t k = 0; k < locus.limits.size(); ++k) {
    const StabilityLimit& limit = locus.limits[k];
    part["limits"].push_back({{"at", limit.at}, {"branch", limit.branch}, {"words", page.limit_words[k]}});
  }
  part["ranges"] = Json::array();
  for (std::size_t k = 0; k < locus.ranges.size(); ++k) {
    const StabilityRange& range = locus.ranges[k];
    part["ranges"].push_back(
        {{"from", range.from}, {"to", range.to}, {"is", wordFor(range.is)}, {"words", page.range_words[k]}});
  }
}

Json mapJson(const StabilityMap& map) {
  Json out{{"second", map.second}, {"unit", map.unit}, {"at", base64(map.at)}, {"across", base64(map.across)}};
  out["is"] = Json::array();
  for (const auto& is : map.is) out["is"].push_back(is ? Json(wordFor(*is)) : Json());
  out["re"] = base64(map.greatest_part);
  return out;
}

}  // namespace

int roomForStops(const Mechanism& mechanism, int modes, int most) {
  const int each = std::max<int>(1, static_cast<int>(mechanism.bodies.size())) * std::max(1, modes);
  return std::clamp(kShapesOfPage / each, 2, std::max(2, most));
}

std::string steadyPageData(const Mechanism& mechanism, const SteadyPage& page, const Result& still,
                           const std::vector<std::string>& warnings) {
  Json out = stillOutline(mechanism, still, warnings);
  out["title"] = page.title;
  putFreedoms(out, page.freedoms, page.freedoms_of_positions);
  out["start"] = "steady";
  Json& part = out["steady"];
  part["parameter"] = page.parameter;
  part["unit"] = page.unit;
  part["sentences"] = page.sentences;
  part["reach"] = kModeReach * (page.stops.empty() ? 1.0 : page.stops.front().length);
  part["at"] = base64(page.at);
  if (page.locus != nullptr) putLocus(page, part);
  part["curves"] = Json::array();
  for (const SteadyCurve& curve : page.curves) {
    part["curves"].push_back({{"name", curve.name}, {"unit", curve.unit}, {"values", base64(curve.values)}});
  }
  if (page.map) part["map"] = mapJson(*page.map);
  part["stops"] = Json::array();
  for (const SteadyStop& stop : page.stops) part["stops"].push_back(stopJson(mechanism, stop, page.locus));
  return pageData(out.dump(-1, ' ', false, Json::error_handler_t::replace), still);
}

}  // namespace linkwork
