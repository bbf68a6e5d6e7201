#include "linkwork/elements/actuator.hpp"

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace actuator_test {

using namespace test;

// Efforts up to 20, arms up to 10.
constexpr double kRoundoff = 1e-12;

// Power is effort times the rate of the coordinate, which is found along a smooth motion by Dual; and the forces
// balance.
template <class F, class Make>
void expectWorksAlongItsCoordinate(const Make& make, Random& random) {
  using G = typename F::template Of<double>;
  using GD = typename F::template Of<Dual<1>>;
  const auto paths = PairPaths<F>::random(Ends::two_bodies, random);
  const double t = random.number(-0.5, 0.5);
  const double effort = random.number(-20, 20);
  const auto xi = paths.i.at(Dual<1>::variable(t));
  const auto xj = paths.j.at(Dual<1>::variable(t));
  const double rate = make(GD{}).coordinate({xi, xj}).derivative();
  TwoBodies<F> s;
  s.xi = paths.i.at(t);
  s.xj = paths.j.at(t);
  s.vi = paths.i.velocity(t);
  s.vj = paths.j.velocity(t);
  Wrenches<F> w;
  const auto load = make(G{});
  const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj}, {&effort});
  load.apply({s.xi, s.xj}, state, w.on_i, w.on_j);
  EXPECT_EQ(load.suppliedPower(state, {s.vi, s.vj}), powerOf(w, s));
  EXPECT_NEAR(powerOf(w, s), effort * rate, 20 * kRoundoff * (1.0 + std::abs(rate)));
  expectActionEqualsReaction(w, s, 20 * kRoundoff);
}

template <class F>
class ActuatorLaws : public ::testing::Test {};
TYPED_TEST_SUITE(ActuatorLaws, PlaneAndSpace, GeometryName);

TYPED_TEST(ActuatorLaws, PushesItsPointsApart) {
  Random random(71);
  for (int trial = 0; trial < 30; ++trial) {
    const auto make = [s_A = random.vector<TypeParam>(), s_B = random.vector<TypeParam>()](auto g) {
      using G = decltype(g);
      using T = typename G::Scalar;
      return Actuator<G, Distance<G>>{{lift<T>(s_A), lift<T>(s_B), T(0.0)}};
    };
    expectWorksAlongItsCoordinate<TypeParam>(make, random);
  }
}

TYPED_TEST(ActuatorLaws, PushesAlongASlide) {
  Random random(72);
  for (int trial = 0; trial < 30; ++trial) {
    const auto make = [s_A = random.vector<TypeParam>(), s_B = random.vector<TypeParam>(),
                       n = random.direction<TypeParam>()](auto g) {
      using G = decltype(g);
      using T = typename G::Scalar;
      return Actuator<G, PointOnLine<G>>{{lift<T>(s_A), lift<T>(s_B), lift<T>(n)}};
    };
    expectWorksAlongItsCoordinate<TypeParam>(make, random);
  }
}

TEST(Actuator, TurnsInThePlane) {
  Random random(73);
  for (int trial = 0; trial < 30; ++trial) {
    const auto make = [](auto g) {
      using G = decltype(g);
      return Actuator<G, RelativeAngle<G>>{{typename G::Scalar(0.3)}};
    };
    expectWorksAlongItsCoordinate<InPlane>(make, random);
  }
}

TEST(Actuator, TurnsInSpace) {
  Random random(74);
  for (int trial = 0; trial < 30; ++trial) {
    const auto R = random.position<InSpace>().R;
    const auto a = random.direction<InSpace>();
    const auto make = [R, a](auto g) {
      using G = decltype(g);
      using T = typename G::Scalar;
      return Actuator<G, AxialAngle<G>>{{lift<T>(a), lift<T>(R.x), lift<T>(R.y)}};
    };
    expectWorksAlongItsCoordinate<InSpace>(make, random);
  }
}

TEST(Actuator, APositiveForcePushesThePointsApart) {
  TwoBodies<InPlane> s;
  s.xj = Planar<double>::position(2.0, 0.0, 0.0);
  Wrenches<InPlane> w;
  const Actuator<Planar<double>, Distance<Planar<double>>> actuator;
  const double effort = 3.0;
  actuator.apply({s.xi, s.xj}, actuator.state({s.xi, s.xj}, {s.vi, s.vj}, {&effort}), w.on_i, w.on_j);
  EXPECT_EQ(w.on_j.force.x, 3.0);
  EXPECT_EQ(w.on_i.force.x, -3.0);
}

}  // namespace actuator_test
}  // namespace linkwork
