// Orientations in space while a model file is read: quaternions of axes and angles, and points turned by them.
#pragma once

#include <array>

#include "linkwork/geometry/quaternion_of.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork::model_file {

using Direction = Vec3<double>;

inline Quaternion conjugate(const Quaternion& q) { return {q[0], -q[1], -q[2], -q[3]}; }
Quaternion normalised(const Quaternion& q);
Quaternion aboutAxis(const Direction& unit_axis, double angle);

// The matrix of a unit quaternion; entries that are 0 or +-1 but for rounding are exactly that, so that letters of
// points stay short.
Rotation3<double> matrixOf(const Quaternion& q);
using linkwork::quaternionOf;

double lengthOf(const Direction& a);
Direction unit(const Direction& a);

// Frames with one axis along a unit direction; the others as the shortest turn from the ground's axes leaves them.
Quaternion frameWithX(const Direction& x);
Quaternion frameWithZ(const Direction& z);
// Frames with one axis along the first direction and a second one as near as possible to the second; they must not be
// parallel.
Quaternion frameWithXy(const Direction& x, const Direction& y);
Quaternion frameWithXz(const Direction& x, const Direction& z);
Quaternion frameWithYx(const Direction& y, const Direction& x);
Quaternion frameWithYz(const Direction& y, const Direction& z);
bool areParallel(const Direction& a, const Direction& b);  // to within rounding, either way round

// Points keep their letters.
Point turned(const Quaternion& q, const Point& point);
Point turnedBack(const Quaternion& q, const Point& point);

}  // namespace linkwork::model_file
