#include "linkwork/elements/applied_load.hpp"

#include <numbers>

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace applied_load_test {

using namespace test;
using P = Planar<double>;

template <class G>
typename G::Wrench wrenchAt(const PointForce<G>& load, const typename G::Position& x, const typename G::Vector& given) {
  std::array<double, G::kDimension> components{};
  for (int k = 0; k < G::kDimension; ++k) components[static_cast<std::size_t>(k)] = given[k];
  const typename G::Position ground{};
  const typename G::Velocity still{};
  typename G::Wrench on_ground{};
  typename G::Wrench out{};
  load.apply({ground, x}, load.state({ground, x}, {still, still}, {components.data()}), on_ground, out);
  return out;
}

template <class F>
class AppliedLoadLaws : public ::testing::Test {};
TYPED_TEST_SUITE(AppliedLoadLaws, PlaneAndSpace, GeometryName);

TYPED_TEST(AppliedLoadLaws, ForceDoesWorkOnThePointItActsAt) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  Random random(71);
  for (int trial = 0; trial < 50; ++trial) {
    const auto x = random.position<F>();
    const auto v = random.velocity<F>();
    const auto s = random.vector<F>();
    const auto given = random.vector<F>();
    const auto point_velocity = G::pointRate(x, v, s);
    const PointForce<G> in_ground{s, PointForce<G>::Components::ground_axes};
    EXPECT_NEAR(G::power(wrenchAt<G>(in_ground, x, given), v), dot(given, point_velocity), 1e-13);
    // Body axes: a force that turns with the body is R times its components, and its moment in body axes is s x F.
    const PointForce<G> in_body{s, PointForce<G>::Components::body_axes};
    EXPECT_NEAR(G::power(wrenchAt<G>(in_body, x, given), v), dot(x.R * given, point_velocity), 1e-13);
    const auto moment = wrenchAt<G>(in_body, x, given).moment;
    if constexpr (G::kSpatial) {
      const auto rest = moment - cross(s, given);
      EXPECT_NEAR(dot(rest, rest), 0.0, 1e-26);
    } else {
      EXPECT_NEAR(moment, cross(s, given), 1e-13);
      const auto by_hand = v.v + perp(x.R * s) * v.w;
      EXPECT_NEAR(dot(given, by_hand), dot(given, point_velocity), 1e-13);
    }
  }
}

// Power M n^T (w_j - w_i), n the axis on j: a couple turns j about n and i the other way, whatever their places.
TYPED_TEST(AppliedLoadLaws, CoupleWorksOnTheRelativeTurn) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  Random random(72);
  for (int trial = 0; trial < 50; ++trial) {
    const auto s = TwoBodies<F>::random(random);
    const double size = random.number();
    Couple<G> couple{};
    if constexpr (G::kSpatial) couple.axis = random.direction<F>();
    Wrenches<F> w;
    couple.apply({s.xi, s.xj}, couple.state({s.xi, s.xj}, {s.vi, s.vj}, {&size}), w.on_i, w.on_j);
    expectActionEqualsReaction(w, s, 1e-14);
    if constexpr (G::kSpatial) {
      const auto turning = s.xj.R * s.vj.w - s.xi.R * s.vi.w;
      EXPECT_NEAR(powerOf(w, s), size * dot(s.xj.R * couple.axis, turning), 1e-13);
    } else {
      EXPECT_NEAR(powerOf(w, s), size * (s.vj.w - s.vi.w), 1e-13);
    }
  }
}

TEST(PointForce, ActsInTheAxesAskedFor) {
  const auto x = P::position(5.0, 5.0, std::numbers::pi / 2);
  const PointForce<P> follower{{1.0, 0.0}, PointForce<P>::Components::body_axes};
  const auto w = wrenchAt<P>(follower, x, {2.0, 0.0});
  EXPECT_NEAR(w.force.x, 0.0, 1e-15);
  EXPECT_NEAR(w.force.y, 2.0, 1e-15);
  EXPECT_NEAR(w.moment, 0.0, 1e-15);
  const PointForce<P> fixed_direction{{1.0, 0.0}};
  EXPECT_NEAR(wrenchAt<P>(fixed_direction, x, {2.0, 0.0}).moment, -2.0, 1e-15);
}

TEST(Couple, TurnsTheSecondBodyAndTheFirstTheOtherWay) {
  P::Wrench on_i{{1, 2}, 3};
  P::Wrench on_j{{4, 5}, 6};
  const P::Position x{};
  const double size = 0.5;
  const P::Velocity still{};
  const Couple<P> couple;
  couple.apply({x, x}, couple.state({x, x}, {still, still}, {&size}), on_i, on_j);
  EXPECT_EQ(on_i.moment, 2.5);
  EXPECT_EQ(on_j.moment, 6.5);
  EXPECT_EQ(on_i.force.x, 1.0);
  EXPECT_EQ(on_j.force.y, 5.0);
}

}  // namespace applied_load_test
}  // namespace linkwork
