#include "linkwork/elements/constant_velocity.hpp"

#include <numbers>

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace constant_velocity_test {

using namespace test;
using G = Spatial<double>;

TEST(ConstantVelocity, KeepsTheLaws) {
  const auto make_random = [](Random& random) {
    const Rotation3<double> i = random.position<InSpace>().R;
    const Rotation3<double> j = random.position<InSpace>().R;
    const std::array<Vec3<double>, 4> a{i.x, i.y, j.x, j.y};
    return [a](auto geometry) {
      using H = decltype(geometry);
      using T = typename H::Scalar;
      return ConstantVelocity<H>{lift<T>(a[0]), lift<T>(a[1]), lift<T>(a[2]), lift<T>(a[3])};
    };
  };
  // Near half a turn u is a small difference, and all is divided by its powers: round-off, not the laws, would be seen.
  const auto usable = [](const ConstantVelocity<G>& element, const PairPosition<G>& x) {
    const auto along = [&](const Vec3<double>& a, const Vec3<double>& b) { return dot(x.i.R * a, x.j.R * b); };
    return 1.0 + along(element.x_i, element.x_j) + along(element.y_i, element.y_j) +
               along(cross(element.x_i, element.y_i), cross(element.x_j, element.y_j)) >
           0.5;
  };
  expectConstraintLawsEverywhere<InSpace>(make_random, false, 31, usable);
}

// Two shafts in bearings of the ground, bent by any angle against each other: where the row holds, it allows only equal
// speeds.
TEST(ConstantVelocity, ShaftsInBearingsTurnAtEqualSpeedsAtAnyBend) {
  const ConstantVelocity<G> element{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  for (const double bend : {0.0, 0.2, 0.7, 1.3, 2.4}) {
    for (int k = 0; k < 12; ++k) {
      const double angle = 0.55 * k;
      const auto shaft = Rotation3<double>::aboutZ(angle);
      // The second shaft: bent about the ground's x axis, then turned by the same angle about itself.
      const Rotation3<double> tilt{
          {1, 0, 0}, {0, std::cos(bend), std::sin(bend)}, {0, -std::sin(bend), std::cos(bend)}};
      const G::Position i{{0, 0, 0}, shaft};
      const G::Position j{{0, 0, 0}, tilt * shaft};
      EXPECT_NEAR(element.phi({i, j}, {})[0], 0.0, 1e-14);
      const auto rows = element.jacobian({i, j});
      // Each turns about its own z axis, in body axes.
      EXPECT_NEAR(rows.first[0][5], -rows.second[0][5], 1e-14);
      EXPECT_NEAR(std::abs(rows.first[0][5]), std::cos(0.5 * bend), 1e-14);
    }
  }
}

// However far the shafts are bent, folded back too, a turn of one changes the row at the same rate: it never vanishes,
// and there is no second way on. A half turn about another axis is far from keeping it.
TEST(ConstantVelocity, IsAsFirmAtEveryBend) {
  const ConstantVelocity<G> element{{1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto turned = [](const Vec3<double>& axis, double angle) {
    const double s = std::sin(0.5 * angle);
    return G::Position{{0, 0, 0},
                       Rotation3<double>::fromQuaternion(std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z)};
  };
  constexpr double kPi = std::numbers::pi;
  for (const double bend : {0.0, 1.0, 3.0, kPi - 1e-3, kPi - 1e-5, kPi + 1e-5, kPi + 0.5, 6.0}) {
    for (int k = 0; k < 7; ++k) {
      const Vec3<double> across{std::cos(0.9 * k), std::sin(0.9 * k), 0.0};
      const auto row = element.jacobian({G::Position{}, turned(across, bend)}).second[0];
      // u = 4 cos^2(bend/2) is a difference of numbers of the order of one.
      const double round_off = 1e-15 / std::pow(std::cos(0.5 * bend), 2);
      EXPECT_NEAR(std::hypot(row[3], row[4], row[5]), 1.0, 1e-14 + round_off) << bend;
    }
  }
  const Vec3<double> askew{0.6, 0.0, 0.8};
  EXPECT_GT(std::abs(element.phi({G::Position{}, turned(askew, kPi - 1e-5)}, {})[0]), 1.0);
}

}  // namespace constant_velocity_test
}  // namespace linkwork
