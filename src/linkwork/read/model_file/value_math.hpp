// Arithmetic on Values: the number and the expression go the same way, so that lengths and angles keep their letters.
#pragma once

#include <cmath>
#include <limits>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/read/model_file/orientation.hpp"

namespace linkwork::model_file {

inline Value plus(const Value& a, const Value& b) { return {a.number + b.number, a.expr + b.expr}; }
inline Value minus(const Value& a, const Value& b) { return {a.number - b.number, a.expr - b.expr}; }
inline Value times(const Value& a, const Value& b) { return {a.number * b.number, a.expr * b.expr}; }
inline Value over(const Value& a, const Value& b) { return {a.number / b.number, a.expr / b.expr}; }
inline Value squareRoot(const Value& a) { return {std::sqrt(a.number), sqrt(a.expr)}; }
inline Value direction(const Value& x, const Value& y) {
  return {std::atan2(y.number, x.number), atan2(y.expr, x.expr)};
}
inline Value cosine(const Value& a) { return {std::cos(a.number), cos(a.expr)}; }
inline Value sine(const Value& a) { return {std::sin(a.number), sin(a.expr)}; }

inline Value lengthOf(const Value& x, const Value& y) { return squareRoot(plus(times(x, x), times(y, y))); }

// Zero if it is a plain number below the rounding of numbers as large as `scale`: 0.3*cos(90 deg) is no length.
inline Value withoutRounding(const Value& a, double scale) {
  const bool is_noise = std::abs(a.number) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(scale);
  return a.expr.isNumber() && is_noise ? Value(0.0) : a;
}

inline Value lengthOf(const Value& x, const Value& y, const Value& z) {
  return squareRoot(plus(plus(times(x, x), times(y, y)), times(z, z)));
}

// Where the drawing puts a body frame, in ground axes, with the letters kept; c and s are cosine and sine of the angle.
// In space the orientation is the rotation, in numbers, and the angle is zero; in the plane z is zero.
struct DrawnPose {
  Value x, y, angle;
  Value c{1.0};
  Value s{0.0};
  Value z{};
  Quaternion rotation = kNoTurn;
};

inline DrawnPose poseAt(const Point& origin, const Value& angle) {
  return {origin[0], origin[1], angle, withoutRounding(cosine(angle), 1.0), withoutRounding(sine(angle), 1.0)};
}

inline DrawnPose poseAt(const Point& origin, const Quaternion& rotation) {
  DrawnPose pose{origin[0], origin[1], Value(0.0)};
  pose.z = origin[2];
  pose.rotation = rotation;
  return pose;
}

inline Pose numbersOf(const DrawnPose& pose) {
  return {pose.x.number, pose.y.number, pose.angle.number, pose.z.number, pose.rotation};
}

// p_B = R^T (p_G - r), R = Rz(angle) R(rotation)
inline Point toBody(const DrawnPose& pose, const Point& ground) {
  const Value dx = minus(ground[0], pose.x);
  const Value dy = minus(ground[1], pose.y);
  const double scale = std::hypot(ground[0].number, ground[1].number) + std::hypot(pose.x.number, pose.y.number);
  const Value dz = withoutRounding(minus(ground[2], pose.z), std::abs(ground[2].number) + std::abs(pose.z.number));
  return turnedBack(pose.rotation, {withoutRounding(plus(times(pose.c, dx), times(pose.s, dy)), scale),
                                    withoutRounding(minus(times(pose.c, dy), times(pose.s, dx)), scale), dz});
}

// p_G = r + R p_B
inline Point toGround(const DrawnPose& pose, const Point& body) {
  const Point p = turned(pose.rotation, body);
  return {plus(pose.x, minus(times(pose.c, p[0]), times(pose.s, p[1]))),
          plus(pose.y, plus(times(pose.s, p[0]), times(pose.c, p[1]))), plus(pose.z, p[2])};
}

}  // namespace linkwork::model_file
