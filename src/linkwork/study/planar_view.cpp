#include "linkwork/study/planar_view.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>

namespace linkwork {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlanarNames{
    {{"angular_velocity.z", "angle_rate"},
     {"angular_acceleration.z", "angle_acceleration"},
     {"moment.z", "moment"},
     {"moment_on_first.z", "moment_on_first"}}};

void rename(Series& series, std::string_view label) {
  series.label = label;
  series.name = series.group + "." + series.label;
}

// The angle about z of the quaternion (w, 0, 0, z), followed along the angular velocity so that no turn is lost.
void makeAngle(const Result& result, const std::string& body, double drawn, Series& w) {
  const Series* z = result.find(body + ".orientation.z");
  const Series* rate = result.find(body + ".angular_velocity.z");
  double expected = drawn;
  for (std::size_t k = 0; k < w.values.size(); ++k) {
    if (k > 0)
      expected =
          w.values[k - 1] + 0.5 * (result.time[k] - result.time[k - 1]) * (rate->values[k] + rate->values[k - 1]);
    const double angle = 2.0 * std::atan2(z->values[k], w.values[k]);
    const double turn = 2.0 * std::numbers::pi;
    w.values[k] = angle + turn * std::round((expected - angle) / turn);
  }
  rename(w, "angle");
  w.unit = "rad";
}

}  // namespace

Result planarView(const Mechanism& planar, Result lifted) {
  for (const Body& body : planar.bodies) {
    for (Series& series : lifted.series) {
      if (series.name == body.name + ".orientation.w") makeAngle(lifted, body.name, body.drawn.angle, series);
    }
  }
  for (Series& series : lifted.series) {
    for (const auto& [in_space, in_plane] : kPlanarNames) {
      if (series.label == in_space) rename(series, in_plane);
    }
  }
  std::erase_if(lifted.series, [](const Series& series) {
    const std::string_view label = series.label;
    return label.starts_with("orientation.") || label.starts_with("angular_") || label.starts_with("moment.") ||
           label.starts_with("moment_on_first.") || label == "z" || label.starts_with("z_") || label == "force.z" ||
           label == "unique_force.z" || label.starts_with("unique_moment.");
  });
  return lifted;
}

}  // namespace linkwork
