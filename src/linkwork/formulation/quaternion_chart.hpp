// How the four numbers of a unit quaternion and its three motions go together.
//
//   o' = o * (0, w) / 2 = T w,   T = E / 2,   S = 2 E^T / |o|^2,   S T = 1
#pragma once

#include <span>

namespace linkwork {

enum class ChartPart { forward, back, rates_by_q };  // T, S and rates_by_q of PositionChart

// put(part, row, column, value) for each entry that is not zero everywhere, always in the same order.
template <class Put>
void forEachQuaternionEntry(std::span<const double> o, std::span<const double> w, Put&& put) {
  const double E[4][3] = {{-o[1], -o[2], -o[3]}, {o[0], -o[3], o[2]}, {o[3], o[0], -o[1]}, {-o[2], o[1], o[0]}};
  const double square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] + o[3] * o[3];
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 3; ++c) {
      put(ChartPart::forward, r, c, 0.5 * E[r][c]);
      put(ChartPart::back, c, r, 2.0 * E[r][c] / square);
    }
  }
  const double W[4][4] = {
      {0.0, -w[0], -w[1], -w[2]}, {w[0], 0.0, w[2], -w[1]}, {w[1], -w[2], 0.0, w[0]}, {w[2], w[1], -w[0], 0.0}};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      if (r != c) put(ChartPart::rates_by_q, r, c, 0.5 * W[r][c]);
    }
  }
}

}  // namespace linkwork
