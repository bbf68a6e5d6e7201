// A motion of one body in words: "it can turn about [0, 0, 1]".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string>

#include "linkwork/geometry/planar.hpp"
#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

namespace free_direction {

// Rounded, so that round-off does not show and zero has no sign.
inline double tidy(double value) { return std::round(value * 1e4) / 1e4 + 0.0; }

// A turn counts when it is not lost beside the way of the centre of mass; lengths in m.
inline constexpr double kTurns = 1e-6;

}  // namespace free_direction

// `part` holds the freedoms of the body at x. Empty where it does not move.
inline std::string freeDirection(const Planar<double>::Position& x, std::span<const double> part) {
  using free_direction::tidy;
  const double way = std::hypot(part[0], part[1]);
  const double turn = part[2];
  if (!(way + std::abs(turn) > 0.0)) return {};
  if (std::abs(turn) > free_direction::kTurns * way) {
    // v + w perp(d) = 0 at the point that stays: d = perp(v) / w.
    return fmt::format("it can turn about the point [{:.4g}, {:.4g}]", tidy(x.r.x - part[1] / turn),
                       tidy(x.r.y + part[0] / turn));
  }
  return fmt::format("it can move along [{:.4g}, {:.4g}]", tidy(part[0] / way), tidy(part[1] / way));
}

inline std::string freeDirection(const Spatial<double>::Position& x, std::span<const double> part) {
  using free_direction::tidy;
  const Vec3<double> v{part[0], part[1], part[2]};
  const Vec3<double> w = x.R * Vec3<double>{part[3], part[4], part[5]};
  const double way = std::sqrt(dot(v, v));
  const double turn = std::sqrt(dot(w, w));
  if (!(way + turn > 0.0)) return {};
  const bool turns = turn > free_direction::kTurns * way;
  const Vec3<double> along = turns ? w * (1.0 / turn) : v * (1.0 / way);
  return fmt::format("it can {} [{:.4g}, {:.4g}, {:.4g}]", turns ? "turn about the direction" : "move along",
                     tidy(along.x), tidy(along.y), tidy(along.z));
}

}  // namespace linkwork
