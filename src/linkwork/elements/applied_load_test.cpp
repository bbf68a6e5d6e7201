#include "linkwork/elements/applied_load.hpp"

#include <numbers>

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace {

using namespace test;
using P = Planar<double>;

TEST(PointForce, DoesWorkOnThePointItActsAt) {
  Random random(71);
  for (int trial = 0; trial < 50; ++trial) {
    const auto x = P::position(random.number(), random.number(), random.number());
    const P::Velocity v{random.vector(), random.number()};
    const Vec2<double> s = random.vector();
    const Vec2<double> given = random.vector();
    const auto point_velocity = v.v + perp(x.R * s) * v.w;
    const PointForce<P> in_ground{s, PointForce<P>::Components::ground_axes};
    EXPECT_NEAR(P::power(in_ground.wrench(x, given), v), dot(given, point_velocity), 1e-13);
    // Body axes: a force that turns with the body is R times its components.
    const PointForce<P> in_body{s, PointForce<P>::Components::body_axes};
    EXPECT_NEAR(P::power(in_body.wrench(x, given), v), dot(x.R * given, point_velocity), 1e-13);
    EXPECT_NEAR(in_body.wrench(x, given).moment, cross(s, given), 1e-13);
  }
}

TEST(PointForce, ActsInTheAxesAskedFor) {
  const auto x = P::position(5.0, 5.0, std::numbers::pi / 2);
  const PointForce<P> follower{{1.0, 0.0}, PointForce<P>::Components::body_axes};
  const auto w = follower.wrench(x, {2.0, 0.0});
  EXPECT_NEAR(w.force.x, 0.0, 1e-15);
  EXPECT_NEAR(w.force.y, 2.0, 1e-15);
  EXPECT_NEAR(w.moment, 0.0, 1e-15);
  const PointForce<P> fixed_direction{{1.0, 0.0}};
  EXPECT_NEAR(fixed_direction.wrench(x, {2.0, 0.0}).moment, -2.0, 1e-15);
}

TEST(Couple, TurnsTheSecondBodyAndTheFirstTheOtherWay) {
  P::Wrench on_i{{1, 2}, 3};
  P::Wrench on_j{{4, 5}, 6};
  Couple<P>{}.apply(0.5, on_i, on_j);
  EXPECT_EQ(on_i.moment, 2.5);
  EXPECT_EQ(on_j.moment, 6.5);
  EXPECT_EQ(on_i.force.x, 1.0);
  EXPECT_EQ(on_j.force.y, 5.0);
}

}  // namespace
}  // namespace linkwork
