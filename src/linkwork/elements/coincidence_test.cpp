#include "linkwork/elements/coincidence.hpp"

#include <numbers>

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace coincidence_test {

using namespace test;

template <class F>
class CoincidenceLaws : public ::testing::Test {};
TYPED_TEST_SUITE(CoincidenceLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  return [s_A = random.vector<F>(), s_B = random.vector<F>()](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return Coincidence<G>{lift<T>(s_A), lift<T>(s_B)};
  };
}

TYPED_TEST(CoincidenceLaws, HoldOffTheSurface) {
  expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, false, 11);
}

TYPED_TEST(CoincidenceLaws, HoldOnTheSurface) {
  Random random(13);
  for (int trial = 0; trial < 40; ++trial) {
    const auto paths = PairPaths<TypeParam>::random(static_cast<Ends>(trial % 3), random);
    const double t = random.number(-0.8, 0.8);
    const auto xi = paths.i.at(t);
    const auto xj = paths.j.at(t);
    const auto s_A = random.vector<TypeParam>();
    const auto s_B = xj.R.inverseTimes(xi.r + xi.R * s_A - xj.r);
    const auto make = [&](auto g) {
      using G = decltype(g);
      using T = typename G::Scalar;
      return Coincidence<G>{lift<T>(s_A), lift<T>(s_B)};
    };
    for (const double rest : make(typename TypeParam::template Of<double>{}).phi({xi, xj}, {}))
      EXPECT_NEAR(rest, 0.0, 1e-14);
    expectConstraintLaws<TypeParam>(make, paths, {}, t);
  }
}

TYPED_TEST(CoincidenceLaws, EqualAndOppositeForcesWhereItHolds) {
  using G = typename TypeParam::template Of<double>;
  Random random(12);
  for (int trial = 0; trial < 20; ++trial) {
    const Coincidence<G> pin = makeRandom<TypeParam>(random)(G{});
    const auto xi = random.position<TypeParam>();
    auto xj = random.position<TypeParam>();
    xj.r = xi.r + xi.R * pin.s_A - xj.R * pin.s_B;
    expectActionEqualsReaction<G>(pin, xi, xj, 1e-14);
  }
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

}  // namespace coincidence_test
}  // namespace linkwork
