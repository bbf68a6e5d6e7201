#include "linkwork/elements/constant_velocity.hpp"

#include <numbers>

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace constant_velocity_test {

using namespace test;
using G = Spatial<double>;

TEST(ConstantVelocity, KeepsTheLaws) {
  const auto make_random = [](Random& random) {
    const std::array<Vec3<double>, 4> a{random.direction<InSpace>(), random.direction<InSpace>(),
                                        random.direction<InSpace>(), random.direction<InSpace>()};
    return [a](auto geometry) {
      using H = decltype(geometry);
      using T = typename H::Scalar;
      return ConstantVelocity<H>{lift<T>(a[0]), lift<T>(a[1]), lift<T>(a[2]), lift<T>(a[3])};
    };
  };
  expectConstraintLawsEverywhere<InSpace>(make_random, false, 31);
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
      EXPECT_GT(std::abs(rows.first[0][5]), 0.2);  // 1 + cos(bend)
      EXPECT_NEAR(std::abs(rows.first[0][5]), 1.0 + std::cos(bend), 1e-14);
    }
  }
}

}  // namespace constant_velocity_test
}  // namespace linkwork
