#include "linkwork/elements/point_on_line.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace point_on_line_test {

using namespace test;

template <class F>
class PointOnLineLaws : public ::testing::Test {};
TYPED_TEST_SUITE(PointOnLineLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  // A unit normal as the model makes it; the laws hold for any length.
  return [s_A = random.vector<F>(), s_B = random.vector<F>(), n = random.direction<F>()](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return PointOnLine<G>{lift<T>(s_A), lift<T>(s_B), lift<T>(n)};
  };
}

TYPED_TEST(PointOnLineLaws, HoldAsAJoint) {
  expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, false, 31);
}

TYPED_TEST(PointOnLineLaws, HoldAsADrive) {
  expectConstraintLawsEverywhere<TypeParam>(makeRandom<TypeParam>, true, 32);
}

// Holds anywhere along the line (in the plane) and measures across it; through A along n, so the pair balances off it
// too.
TYPED_TEST(PointOnLineLaws, MeasuresAcrossAndBalancesEverywhere) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  Random random(33);
  for (int trial = 0; trial < 20; ++trial) {
    const PointOnLine<G> line = makeRandom<F>(random)(G{});
    const auto xj = random.position<F>();
    auto xi = random.position<F>();
    const auto n = xj.R * line.normal;
    const auto any = random.vector<F>();
    const auto along = any - n * dot(n, any);
    const double across = random.number();
    xi.r = xj.r + xj.R * line.s_B + along - n * across - xi.R * line.s_A;
    EXPECT_NEAR(line.phi({xi, xj}, {})[0], across, 1e-14);
    EXPECT_NEAR(line.phi({xi, xj}, {across, 0, 0})[0], 0.0, 1e-14);
    expectActionEqualsReaction<G>(line, xi, xj, 1e-14);
  }
}

// A bead in a straight slot that turns at w and slides out at u: its acceleration across the slot is 2 w u (Coriolis).
TEST(PointOnLine, GivesTheCoriolisAcceleration) {
  const PointOnLine<Planar<double>> slot{{0, 0}, {0, 0}, {0, 1}};  // slot along x of body j, bead = centre of body i
  const auto xi = Planar<double>::position(0.7, 0.0, 0.0);
  const auto xj = Planar<double>::position(0.0, 0.0, 0.0);
  const double w = 3.0;
  const double u = 0.5;
  const Planar<double>::Velocity vi{{u, w * 0.7}, 0.0};
  const Planar<double>::Velocity vj{{0, 0}, w};
  // Phi = n^T (r_j - r_i), a_i = (.., 2 w u) with w' = 0 and a_j = 0: Phi_q a = -a_i,y
  EXPECT_NEAR(slot.gamma({xi, xj}, {vi, vj}, {})[0], -2.0 * w * u, 1e-15);
}

}  // namespace point_on_line_test
}  // namespace linkwork
