// The unit quaternion of a rotation matrix.
#pragma once

#include <array>

#include "linkwork/geometry/spatial.hpp"

namespace linkwork {

// Of right-handed orthonormal axes; scalar first, with a scalar part that is not negative.
std::array<double, 4> quaternionOf(const Rotation3<double>& axes);

}  // namespace linkwork
