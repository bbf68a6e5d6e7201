#include "linkwork/elements/rotational_spring_damper.hpp"

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace {

using namespace test;

constexpr double kTorqueRoundoff = 1e-12;  // torques of the order of 100

const auto kMakeRandom = [](Random& random) {
  return
      [offset = random.number(), k = random.number(5, 30), c = random.number(0, 4), angle = random.number()](auto g) {
        using G = decltype(g);
        using T = typename G::Scalar;
        return RotationalSpringDamper<G>{T(offset), T(k), T(c), T(angle)};
      };
};

TEST(RotationalSpringDamper, KeepsPowerBalanceAndActionEqualsReaction) {
  Random random(61);
  for (int trial = 0; trial < 50; ++trial) {
    const auto load = kMakeRandom(random)(Planar<double>{});
    const TwoBodies s = TwoBodies::random(random);
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    const Wrenches w = wrenchesOf(load, s);
    EXPECT_NEAR(powerOf(w, s), state.torque * state.rate, kTorqueRoundoff);
    EXPECT_NEAR(-powerOf(w, s),
                load.stiffness * (state.angle - load.free_angle) * state.rate + load.dissipatedPower(state),
                kTorqueRoundoff);
    expectActionEqualsReaction(w, s, 0.0);
  }
}

TEST(RotationalSpringDamper, TorqueIsMinusTheSlopeOfTheStoredEnergy) {
  Random random(62);
  for (int trial = 0; trial < 50; ++trial) {
    const auto make = kMakeRandom(random);
    expectForceIsSlopeOfEnergy(make, TwoBodies::random(random), kTorqueRoundoff);
  }
}

TEST(RotationalSpringDamper, TurnsTheSecondBodyBack) {
  TwoBodies s;
  s.xj.angle = 0.5;
  const Wrenches w = wrenchesOf(RotationalSpringDamper<Planar<double>>{0.1, 10.0, 0.0, 0.2}, s);
  EXPECT_DOUBLE_EQ(w.on_j.moment, -10.0 * (0.5 + 0.1 - 0.2));
  EXPECT_DOUBLE_EQ(w.on_i.moment, 10.0 * (0.5 + 0.1 - 0.2));
}

}  // namespace
}  // namespace linkwork
