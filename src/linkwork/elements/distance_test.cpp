#include "linkwork/elements/distance.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace {

using namespace test;

const auto kMakeRandom = [](Random& random) {
  // Points far enough apart (several metres against paths of about one) that 1/L^3 stays moderate.
  return [s_A = random.vector(), s_B = random.vector() + Vec2<double>{6.0, 5.0},
          length = random.number(0.5, 2.0)](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return Distance<G>{lift<T>(s_A), lift<T>(s_B), T(length)};
  };
};

TEST(Distance, KeepsTheConstraintLawsAsAJoint) { expectConstraintLawsEverywhere(kMakeRandom, false, 41); }

TEST(Distance, KeepsTheConstraintLawsAsADrive) { expectConstraintLawsEverywhere(kMakeRandom, true, 42); }

TEST(Distance, IsTheLengthOfTheConnectingLine) {
  const Distance<Planar<double>> rod{{0, 0}, {0, 0}, 5.0};
  const auto xi = Planar<double>::position(1, 1, 0.3);
  const auto xj = Planar<double>::position(4, 5, -0.2);
  EXPECT_DOUBLE_EQ(rod.phi({xi, xj}, {})[0], 0.0);
  EXPECT_DOUBLE_EQ(rod.phi({xi, xj}, {-1.0, 0, 0})[0], 1.0);
  const auto rows = rod.jacobian({xi, xj});
  // lambda > 0 is compression: the force on j points from i to j.
  EXPECT_DOUBLE_EQ(rows.second[0][0], 0.6);
  EXPECT_DOUBLE_EQ(rows.second[0][1], 0.8);
  EXPECT_DOUBLE_EQ(rows.first[0][0], -0.6);
}

TEST(Distance, CarriesEqualAndOppositeForcesOnOneLineEverywhere) {
  Random random(43);
  for (int trial = 0; trial < 20; ++trial) {
    const auto rod = kMakeRandom(random)(Planar<double>{});
    const auto xi = Planar<double>::position(random.number(), random.number(), random.number());
    const auto xj = Planar<double>::position(random.number(), random.number(), random.number());
    expectActionEqualsReaction(rod, xi, xj, 1e-14);
  }
}

// A mass on a massless rod that swings at w about a fixed point: along the rod its acceleration is -L w^2.
TEST(Distance, GivesTheCentripetalAccelerationOfARod) {
  const Distance<Planar<double>> rod{{0, 0}, {0, 0}, 2.0};
  const Planar<double>::Position ground{};
  const auto xj = Planar<double>::position(0.0, -2.0, 0.0);
  const double w = 1.5;
  const Planar<double>::Velocity vj{{2.0 * w, 0.0},
                                    7.0};  // the spin of the body itself does not matter: the point is its centre
  EXPECT_DOUBLE_EQ(rod.gamma({ground, xj}, {{}, vj}, {})[0], -2.0 * w * w);
}

}  // namespace
}  // namespace linkwork
