// A shipped mechanism somewhere else, and turned, as a model file that includes it.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork::validation {

// Of parts named "part_...", with gravity turned alike.
inline std::string movedFile(const Mechanism& alone, const std::string& name) {
  constexpr double kAngle = 0.7;
  const double gx = alone.gravity[0].number;
  const double gy = alone.gravity[1].number;
  const double gz = alone.gravity[2].number;
  if (alone.space == Space::planar)
    return fmt::format(
        "linkwork = 1\nspace = \"planar\"\ngravity = [{}, {}]\n"
        "[include]\npart = {{ file = \"{}.toml\", at = [0.3, -0.2], angle = {} }}\n",
        std::cos(kAngle) * gx - std::sin(kAngle) * gy, std::sin(kAngle) * gx + std::cos(kAngle) * gy, name, kAngle);
  // About the axis (2, -1, 2)/3, as a quaternion.
  const double s = std::sin(0.5 * kAngle) / 3.0;
  const auto R = Rotation3<double>::fromQuaternion(std::cos(0.5 * kAngle), 2 * s, -s, 2 * s);
  const Vec3<double> g = R * Vec3<double>{gx, gy, gz};
  return fmt::format(
      "linkwork = 1\nspace = \"spatial\"\ngravity = [{}, {}, {}]\n"
      "[include]\npart = {{ file = \"{}.toml\", at = [0.3, -0.2, 0.5], "
      "rotation = {{ axis = [2, -1, 2], angle = {} }} }}\n",
      g.x, g.y, g.z, name, kAngle);
}

}  // namespace linkwork::validation
