#include "linkwork/elements/coincidence.hpp"

#include <numbers>

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace {

using namespace test;

TEST(Coincidence, KeepsTheConstraintLawsOnAndOffTheSurface) {
  expectConstraintLawsEverywhere(
      [](Random& random) {
        return [s_A = random.vector(), s_B = random.vector()](auto g) {
          using G = decltype(g);
          using T = typename G::Scalar;
          return Coincidence<G>{lift<T>(s_A), lift<T>(s_B)};
        };
      },
      false, 11);
}

TEST(Coincidence, MeasuresFromTheSecondPointToTheFirst) {
  const Coincidence<Planar<double>> pin{{1.0, 0.0}, {0.0, 2.0}};
  const auto xi = Planar<double>::position(0.5, 0.0, std::numbers::pi / 2);
  const auto xj = Planar<double>::position(0.0, -1.0, 0.0);
  const auto phi = pin.phi({xi, xj}, {});  // A = (0.5, 1), B = (0, 1)
  EXPECT_NEAR(phi[0], 0.5, 1e-15);
  EXPECT_NEAR(phi[1], 0.0, 1e-15);
}

// A wheel turning at w about a fixed pin: the pin's acceleration on the wheel is zero, so a_C = -perp(s) w' + s w^2.
TEST(Coincidence, GivesCentripetalAccelerationAboutAFixedPin) {
  const Coincidence<Planar<double>> pin{{-0.3, 0.0}, {0.0, 0.0}};
  const auto xi = Planar<double>::position(0.3, 0.0, 0.0);
  const Planar<double>::Position ground{};
  const auto gamma = pin.gamma({xi, ground}, {{{0.0, 0.6}, 2.0}, {}}, {});
  EXPECT_DOUBLE_EQ(gamma[0], -0.3 * 4.0);  // a_x = -r w^2
  EXPECT_DOUBLE_EQ(gamma[1], 0.0);
}

TEST(Coincidence, CarriesEqualAndOppositeForcesWhereItHolds) {
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    const Coincidence<Planar<double>> pin{random.vector(), random.vector()};
    const auto xi = Planar<double>::position(random.number(), random.number(), random.number());
    const double angle = random.number();
    const auto r = xi.r + xi.R * pin.s_A - Rotation2<double>::fromAngle(angle) * pin.s_B;
    expectActionEqualsReaction(pin, xi, Planar<double>::position(r.x, r.y, angle), 1e-14);
  }
}

}  // namespace
}  // namespace linkwork
