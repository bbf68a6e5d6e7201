#include "linkwork/elements/knife_edge.hpp"

#include "linkwork/elements/coincidence.hpp"
#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace knife_edge_test {

using namespace test;

template <class F>
class KnifeEdgeLaws : public ::testing::Test {};
TYPED_TEST_SUITE(KnifeEdgeLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  return [s_A = random.vector<F>(), a = random.direction<F>(), b = random.direction<F>()](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return KnifeEdge<G>{lift<T>(s_A), lift<T>(a), lift<T>(b)};
  };
}

static_assert(levelOf<KnifeEdge<Planar<double>>>() == RowLevel::velocity);
static_assert(levelOf<Coincidence<Planar<double>>>() == RowLevel::position);

TYPED_TEST(KnifeEdgeLaws, HoldAsAJoint) {
  expectVelocityRowLawsEverywhere<TypeParam>(makeRandom<TypeParam>, false, 51);
}

TYPED_TEST(KnifeEdgeLaws, HoldWithASpeedThatKnowsTheTime) {
  expectVelocityRowLawsEverywhere<TypeParam>(makeRandom<TypeParam>, true, 52);
}

// What the row measures, from the rates of the point alone: those of A on i less those of the same place on j.
TYPED_TEST(KnifeEdgeLaws, MeasureTheSpeedAcrossTheBladeAndBalance) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  Random random(53);
  for (int trial = 0; trial < 20; ++trial) {
    const KnifeEdge<G> blade = makeRandom<F>(random)(G{});
    const auto xi = random.position<F>();
    const auto xj = random.position<F>();
    const auto vi = random.velocity<F>();
    const auto vj = random.velocity<F>();
    const auto place_on_j = xj.R.inverseTimes(G::pointIn(xi, blade.s_A) - xj.r);
    const auto slip = G::pointRate(xi, vi, blade.s_A) - G::pointRate(xj, vj, place_on_j);
    const auto rows = blade.jacobian({xi, xj});
    const double across = G::power(wrenchOf<G>(rows.first[0]), vi) + G::power(wrenchOf<G>(rows.second[0]), vj);
    EXPECT_NEAR(across, dot(blade.across({xi, xj}), slip), 1e-13);
    expectActionEqualsReaction<G>(blade, xi, xj, 1e-13);
  }
}

// A skate that turns at w while it goes along its blade at u is accelerated across it by w u.
TEST(KnifeEdge, GivesTheAccelerationOfASkateThatTurns) {
  const KnifeEdge<Planar<double>> blade{{0, 0}, {1, 0}, {}};
  const auto xi = Planar<double>::position(0.7, -0.2, 0.0);
  const auto ground = Planar<double>::position(0.0, 0.0, 0.0);
  const double w = 3.0;
  const double u = 0.5;
  EXPECT_NEAR(blade.gamma({xi, ground}, {{{u, 0.0}, w}, {{0, 0}, 0.0}}, {})[0], w * u, 1e-15);
}

}  // namespace knife_edge_test
}  // namespace linkwork
