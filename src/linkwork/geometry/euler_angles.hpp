// Three angles of an orientation, chosen so that a record of them does not jump.
//
//   zxz:  R = Rz(a0) Rx(a1) Rz(a2)        a1 = 0, pi, ...:          only a0 + a2, or a0 - a2, is determined
//   zyx:  R = Rz(a0) Ry(a1) Rx(a2)        a1 = +-pi/2, ...:         likewise
// Every orientation has two sets, (a0, a1, a2) and (a0 + pi, -a1 or pi - a1, a2 + pi), and whole turns of each.
#pragma once

#include <array>

namespace linkwork {

enum class EulerOrder { zxz, zyx };

// Of the quaternion from body to ground axes, scalar first: those nearest to `near`, the angles of a moment before. At
// a pose that leaves one of them open (sin a1, or cos a1, below 1e-9) the first keeps its value.
std::array<double, 3> eulerAngles(EulerOrder order, const std::array<double, 4>& quaternion,
                                  const std::array<double, 3>& near);

}  // namespace linkwork
