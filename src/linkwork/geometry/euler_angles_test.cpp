#include "linkwork/geometry/euler_angles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace linkwork {
namespace euler_angles_test {

using Quaternion = std::array<double, 4>;
constexpr double kPi = std::numbers::pi;

Quaternion times(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion about(int axis, double angle) {
  Quaternion q{std::cos(0.5 * angle), 0, 0, 0};
  q[static_cast<std::size_t>(axis) + 1] = std::sin(0.5 * angle);
  return q;
}

Quaternion turned(EulerOrder order, const std::array<double, 3>& a) {
  return order == EulerOrder::zxz ? times(times(about(2, a[0]), about(0, a[1])), about(2, a[2]))
                                  : times(times(about(2, a[0]), about(1, a[1])), about(0, a[2]));
}

// Half a turn of two orientations apart, 0 where they are the same (q and -q are).
double apart(const Quaternion& a, const Quaternion& b) {
  return 1.0 - std::abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
}

class EulerAngles : public ::testing::TestWithParam<EulerOrder> {};

// A path through several turns of all three, and through the poses that leave one open: the angles it was made of come
// back, as a record of small steps.
TEST_P(EulerAngles, FollowAPathWithoutJumps) {
  std::array<double, 3> last{0.3, 0.4, -0.2};
  for (int k = 0; k <= 4000; ++k) {
    const double t = 0.005 * k;
    const std::array<double, 3> made{0.3 + 0.7 * t, 0.4 + 0.9 * t, -0.2 - 1.1 * t};
    last = eulerAngles(GetParam(), turned(GetParam(), made), last);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_NEAR(last[i], made[i], 1e-9) << "t = " << t << ", angle " << i;
  }
}

// At such a pose itself, and however far from the angles before, they still make the orientation.
TEST_P(EulerAngles, MakeTheOrientationEverywhere) {
  const double open = GetParam() == EulerOrder::zxz ? 0.0 : 0.5 * kPi;
  for (const double middle : {open, open + kPi, open + 1e-12, open + 1e-7, 0.4, -2.0}) {
    for (const double first : {0.0, 1.0, -3.0}) {
      const Quaternion q = turned(GetParam(), {first, middle, 0.7});
      for (const double before : {0.0, 2.0, 40.0}) {
        const auto found = eulerAngles(GetParam(), q, {before, before, before});
        EXPECT_LT(apart(turned(GetParam(), found), q), 1e-15) << middle << ' ' << first << ' ' << before;
      }
    }
  }
}

TEST_P(EulerAngles, KeepTheFirstWhereOneIsOpen) {
  const double open = GetParam() == EulerOrder::zxz ? 0.0 : 0.5 * kPi;
  const auto found = eulerAngles(GetParam(), turned(GetParam(), {0.5, open, 0.25}), {0.5, open, 0.25});
  EXPECT_EQ(found[0], 0.5);
  EXPECT_NEAR(found[2], 0.25, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(BothOrders, EulerAngles, ::testing::Values(EulerOrder::zxz, EulerOrder::zyx),
                         [](const auto& order) { return order.param == EulerOrder::zxz ? "zxz" : "zyx"; });

}  // namespace euler_angles_test
}  // namespace linkwork
