#include "linkwork/elements/rotational_spring_damper.hpp"

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace rotational_spring_damper_test {

using namespace test;

constexpr double kTorqueRoundoff = 1e-12;  // torques of the order of 100

template <class F>
class RotationalSpringDamperLaws : public ::testing::Test {};
TYPED_TEST_SUITE(RotationalSpringDamperLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  // In space: the angle of a direction on j within two perpendicular directions on i.
  const auto a = random.direction<F>();
  const auto x = random.direction<F>();
  auto y = x;
  if constexpr (std::is_same_v<F, InSpace>) {
    y = cross(x, random.direction<F>());
    y = y * (1.0 / std::sqrt(dot(y, y)));
  }
  return [=, offset = random.number(), k = random.number(5, 30), c = random.number(0, 4),
          angle = random.number()](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    RotationalSpringDamper<G> out;
    out.offset = T(offset);
    out.turn = {lift<T>(a), lift<T>(x), lift<T>(y)};
    out.stiffness = T(k);
    out.damping = T(c);
    out.free_angle = T(angle);
    return out;
  };
}

// A direction along the axis has no angle, and the jump between branches no slope: both are kept away from.
template <class Load, class F>
bool usable(const Load& load, const TwoBodies<F>& s) {
  if constexpr (std::is_same_v<F, InSpace>) {
    const auto p = load.turn.parts({s.xj, s.xi});
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    return p.C * p.C + p.S * p.S > 0.1 && std::abs(state.angle - load.free_angle) < 3.1;
  } else {
    return true;
  }
}

TYPED_TEST(RotationalSpringDamperLaws, KeepsPowerBalanceAndActionEqualsReaction) {
  using F = TypeParam;
  Random random(61);
  for (int trial = 0; trial < 50;) {
    const auto load = makeRandom<F>(random)(typename F::template Of<double>{});
    const auto s = TwoBodies<F>::random(random);
    if (!usable(load, s)) continue;
    ++trial;
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    const auto w = wrenchesOf(load, s);
    EXPECT_NEAR(powerOf(w, s), state.torque * state.rate, kTorqueRoundoff);
    EXPECT_NEAR(-powerOf(w, s),
                load.stiffness * (state.angle - load.free_angle) * state.rate + load.dissipatedPower(state),
                kTorqueRoundoff);
    // In the plane the two moments are one number and its negative.
    expectActionEqualsReaction(w, s, std::is_same_v<F, InPlane> ? 0.0 : kTorqueRoundoff);
  }
}

TYPED_TEST(RotationalSpringDamperLaws, TorqueIsMinusTheSlopeOfTheStoredEnergy) {
  using F = TypeParam;
  Random random(62);
  for (int trial = 0; trial < 50;) {
    const auto make = makeRandom<F>(random);
    const auto s = TwoBodies<F>::random(random);
    if (!usable(make(typename F::template Of<double>{}), s)) continue;
    ++trial;
    expectForceIsSlopeOfEnergy(make, s, kTorqueRoundoff);
  }
}

// Two bodies with one common z axis, each turned about it by several turns: only the difference to the free angle
// counts.
TEST(RotationalSpringDamper, InSpaceActsAboutTheCommonAxisAsInThePlane) {
  using S = Spatial<double>;
  Random random(63);
  for (int trial = 0; trial < 50; ++trial) {
    const auto frame = random.coordinates<InSpace>();
    const auto turnedBy = [&](double angle) {
      const auto q = quaternionProduct<double>({frame[3], frame[4], frame[5], frame[6]},
                                               {std::cos(angle / 2), 0.0, 0.0, std::sin(angle / 2)});
      return S::position(std::array<double, 7>{random.number(), 0.0, 0.0, q[0], q[1], q[2], q[3]});
    };
    const double angle_i = random.number(-20, 20);
    const double difference = random.number(-3, 3);  // to the free angle: the short way
    const double free_angle = random.number(-9, 9);
    const auto xi = turnedBy(angle_i);
    const auto xj = turnedBy(angle_i + free_angle + difference);
    RotationalSpringDamper<S> spring;
    spring.turn = {{1, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    spring.stiffness = 10.0;
    spring.damping = 2.0;
    spring.free_angle = free_angle;
    const S::Velocity vi{random.vector<InSpace>(), {0, 0, random.number()}};
    const S::Velocity vj{random.vector<InSpace>(), {0, 0, random.number()}};
    const auto state = spring.state({xi, xj}, {vi, vj});
    EXPECT_NEAR(state.angle, free_angle + difference, 1e-14);
    EXPECT_NEAR(state.rate, vj.w.z - vi.w.z, 1e-14);
    S::Wrench on_i, on_j;
    spring.apply({xi, xj}, state, on_i, on_j);
    const double torque = -10.0 * difference - 2.0 * (vj.w.z - vi.w.z);
    EXPECT_NEAR(on_j.moment.z, torque, 1e-12);
    EXPECT_NEAR(on_i.moment.z, -torque, 1e-12);
    for (const double across : {on_i.moment.x, on_i.moment.y, on_j.moment.x, on_j.moment.y})
      EXPECT_NEAR(across, 0.0, 1e-12);
  }
}

TEST(RotationalSpringDamper, TurnsTheSecondBodyBack) {
  TwoBodies<InPlane> s;
  s.xj.angle = 0.5;
  RotationalSpringDamper<Planar<double>> spring;
  spring.offset = 0.1;
  spring.stiffness = 10.0;
  spring.free_angle = 0.2;
  const auto w = wrenchesOf(spring, s);
  EXPECT_DOUBLE_EQ(w.on_j.moment, -10.0 * (0.5 + 0.1 - 0.2));
  EXPECT_DOUBLE_EQ(w.on_i.moment, 10.0 * (0.5 + 0.1 - 0.2));
}

}  // namespace rotational_spring_damper_test
}  // namespace linkwork
