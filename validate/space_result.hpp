// Vectors and orientations among the series of a run in space.
#pragma once

#include <string>

#include "linkwork/geometry/spatial.hpp"
#include "run_model.hpp"

namespace linkwork::validation {

using V3 = Vec3<double>;

// NAMEx, NAMEy and NAMEz at sample k; the name ends with a dot.
inline V3 vectorAt(const Result& result, const std::string& name, std::size_t k) {
  return {result.find(name + "x")->values[k], result.find(name + "y")->values[k], result.find(name + "z")->values[k]};
}

inline Rotation3<double> orientationAt(const Result& result, const std::string& body, std::size_t k) {
  const auto part = [&](const char* which) { return result.find(body + ".orientation." + which)->values[k]; };
  return Rotation3<double>::fromQuaternion(part("w"), part("x"), part("y"), part("z"));
}

// Where a point of the body is, given in body axes from its frame.
inline V3 pointAt(const Result& result, const std::string& body, const V3& point, std::size_t k) {
  return vectorAt(result, body + ".", k) + orientationAt(result, body, k) * point;
}

// Angular velocity in body axes.
inline V3 spinAt(const Result& result, const std::string& body, std::size_t k) {
  return orientationAt(result, body, k).inverseTimes(vectorAt(result, body + ".angular_velocity.", k));
}

inline std::size_t lastSample(const Result& result) { return result.time.size() - 1; }

inline double distanceBetween(const V3& a, const V3& b) {
  const V3 d = a - b;
  return std::sqrt(dot(d, d));
}

}  // namespace linkwork::validation
