#include "linkwork/elements/point_on_line.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace {

using namespace test;

const auto kMakeRandom = [](Random& random) {
  // A unit normal as the model makes it; the laws hold for any length.
  const double angle = random.number(-3.0, 3.0);
  return [s_A = random.vector(), s_B = random.vector(), n = Vec2<double>{std::cos(angle), std::sin(angle)}](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return PointOnLine<G>{lift<T>(s_A), lift<T>(s_B), lift<T>(n)};
  };
};

TEST(PointOnLine, KeepsTheConstraintLawsAsAJoint) { expectConstraintLawsEverywhere(kMakeRandom, false, 31); }

TEST(PointOnLine, KeepsTheConstraintLawsAsADrive) { expectConstraintLawsEverywhere(kMakeRandom, true, 32); }

TEST(PointOnLine, HoldsAnywhereAlongTheLineAndMeasuresAcrossIt) {
  Random random(33);
  for (int trial = 0; trial < 20; ++trial) {
    const auto line = kMakeRandom(random)(Planar<double>{});
    const auto xj = Planar<double>::position(random.number(), random.number(), random.number());
    const double angle = random.number();
    const double along = random.number();
    const double across = random.number();
    const auto n = xj.R * line.normal;
    const auto A = xj.r + xj.R * line.s_B + perp(n) * along - n * across;
    const auto r = A - Rotation2<double>::fromAngle(angle) * line.s_A;
    const auto xi = Planar<double>::position(r.x, r.y, angle);
    EXPECT_NEAR(line.phi({xi, xj}, {})[0], across, 1e-14);
    EXPECT_NEAR(line.phi({xi, xj}, {across, 0, 0})[0], 0.0, 1e-14);
    // The force acts through A along n, so the pair balances off the line too: both wrenches pass through A.
    expectActionEqualsReaction(line, xi, xj, 1e-14);
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

}  // namespace
}  // namespace linkwork
