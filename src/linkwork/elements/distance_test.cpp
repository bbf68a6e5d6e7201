#include "linkwork/elements/distance.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace distance_test {

using namespace test;

template <class F>
class DistanceLaws : public ::testing::Test {};
TYPED_TEST_SUITE(DistanceLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  // Points far enough apart (several metres against paths of about one) that 1/L^3 stays moderate.
  auto s_B = random.vector<F>();
  s_B.x += 6.0;
  s_B.y += 5.0;
  return [s_A = random.vector<F>(), s_B, length = random.number(0.5, 2.0)](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return Distance<G>{lift<T>(s_A), lift<T>(s_B), T(length)};
  };
}

TYPED_TEST(DistanceLaws, HoldAsAJoint) { expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, false, 41); }

TYPED_TEST(DistanceLaws, HoldAsADrive) { expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, true, 42); }

TYPED_TEST(DistanceLaws, EqualAndOppositeForcesOnOneLineEverywhere) {
  using G = typename TypeParam::template Of<double>;
  Random random(43);
  for (int trial = 0; trial < 20; ++trial) {
    const Distance<G> rod = makeRandom<TypeParam>(random)(G{});
    expectActionEqualsReaction<G>(rod, random.position<TypeParam>(), random.position<TypeParam>(), 1e-14);
  }
}

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

}  // namespace distance_test
}  // namespace linkwork
