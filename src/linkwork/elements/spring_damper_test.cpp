#include "linkwork/elements/spring_damper.hpp"

#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace spring_damper_test {

using namespace test;

// Forces here are of the order of 100 (stiffness 30, stretch 3): 1e-12 is some fifty units of their round-off.
constexpr double kForceRoundoff = 1e-12;

template <class F>
class SpringDamperLaws : public ::testing::Test {};
TYPED_TEST_SUITE(SpringDamperLaws, PlaneAndSpace, GeometryName);

template <class F>
auto makeRandom(Random& random) {
  return [s_A = random.vector<F>(), s_B = random.vector<F>(), k = random.number(5, 30), c = random.number(0, 4),
          length = random.number(0, 3), preload = random.number(-5, 5)](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return SpringDamper<G>{lift<T>(s_A), lift<T>(s_B), T(k), T(c), T(length), T(preload)};
  };
}

TYPED_TEST(SpringDamperLaws, TakesThePowerTensionTimesRate) {
  using F = TypeParam;
  Random random(51);
  for (int trial = 0; trial < 50; ++trial) {
    const auto load = makeRandom<F>(random)(typename F::template Of<double>{});
    const auto s = TwoBodies<F>::random(random);
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    const auto w = wrenchesOf(load, s);
    EXPECT_NEAR(powerOf(w, s), -state.tension * state.rate, kForceRoundoff);
    expectActionEqualsReaction(w, s, kForceRoundoff);
    // What the bodies lose is what the spring stores and the damper takes.
    EXPECT_NEAR(
        -powerOf(w, s),
        (load.preload + load.stiffness * (state.length - load.free_length)) * state.rate + load.dissipatedPower(state),
        kForceRoundoff);
    EXPECT_GE(load.dissipatedPower(state), 0.0);
  }
}

TYPED_TEST(SpringDamperLaws, ForceIsMinusTheSlopeOfTheStoredEnergy) {
  Random random(52);
  for (int trial = 0; trial < 50; ++trial) {
    const auto make = makeRandom<TypeParam>(random);
    expectForceIsSlopeOfEnergy(make, TwoBodies<TypeParam>::random(random), kForceRoundoff);
  }
}

TYPED_TEST(SpringDamperLaws, LengthRateIsTheTimeDerivativeOfTheLength) {
  using F = TypeParam;
  using D = Dual<1>;
  using GD = typename F::template Of<D>;
  Random random(53);
  for (int trial = 0; trial < 30; ++trial) {
    const auto make = makeRandom<F>(random);
    const auto paths = PairPaths<F>::random(Ends::two_bodies, random);
    const double t = random.number(-0.5, 0.5);
    const auto xi = paths.i.at(D::variable(t));
    const auto xj = paths.j.at(D::variable(t));
    const typename GD::Velocity unused{};
    const auto moving = make(GD{}).state({xi, xj}, {unused, unused});
    const auto ai = paths.i.at(t);
    const auto aj = paths.j.at(t);
    const auto vi = paths.i.velocity(t);
    const auto vj = paths.j.velocity(t);
    EXPECT_NEAR(make(typename F::template Of<double>{}).state({ai, aj}, {vi, vj}).rate, moving.length.derivative(),
                1e-13);
  }
}

template <class F>
auto makeOneSided(Random& random, Sided sided) {
  return [s_A = random.vector<F>(), s_B = random.vector<F>(), k = random.number(5, 30), c = random.number(0, 20),
          length = random.number(0, 10), preload = random.number(-20, 20), sided](auto g) {
    using G = decltype(g);
    using T = typename G::Scalar;
    return SpringDamper<G>{lift<T>(s_A), lift<T>(s_B), T(k), T(c), T(length), T(preload), sided};
  };
}

// Whatever the state: force on one side only, none when slack, and the work that is not stored is lost, never gained.
TYPED_TEST(SpringDamperLaws, OneSidedPullsOrPushesOnlyAndLosesEnergyOnly) {
  using F = TypeParam;
  Random random(54);
  int slack = 0;
  int held_back = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const bool tension = trial % 2 == 0;
    const auto make = makeOneSided<F>(random, tension ? Sided::tension_only : Sided::compression_only);
    const auto load = make(typename F::template Of<double>{});
    const auto s = TwoBodies<F>::random(random);
    const auto state = load.state({s.xi, s.xj}, {s.vi, s.vj});
    const double sign = tension ? 1.0 : -1.0;
    EXPECT_GE(sign * state.tension, 0.0);
    if (sign * state.elastic < 0.0) {
      EXPECT_EQ(state.tension, 0.0);
      ++slack;
    } else {
      EXPECT_EQ(state.tension, sign * std::max(0.0, sign * (state.elastic + load.damping * state.rate)));
      if (state.tension == 0.0) ++held_back;
    }
    EXPECT_GE(load.dissipatedPower(state), 0.0);
    const auto w = wrenchesOf(load, s);
    expectActionEqualsReaction(w, s, kForceRoundoff);
    const double stored_power = sign * std::max(0.0, sign * state.elastic) * state.rate;
    EXPECT_NEAR(-powerOf(w, s), stored_power + load.dissipatedPower(state), 10 * kForceRoundoff);
    expectForceIsSlopeOfEnergy(make, s, 10 * kForceRoundoff);
  }
  EXPECT_GT(slack, 50);
  EXPECT_GT(held_back, 10);
}

// The stored energy has no step where the cable becomes slack.
TEST(SpringDamper, EnergyOfACableIsContinuousWhereItBecomesSlack) {
  SpringDamper<Planar<double>> cable{{0, 0}, {0, 0}, 4.0, 0.0, 1.0, 2.0, Sided::tension_only};
  const auto energyAt = [&](double length) {
    TwoBodies<InPlane> s;
    s.xj = Planar<double>::position(length, 0.0, 0.0);
    return cable.storedEnergy(cable.state({s.xi, s.xj}, {s.vi, s.vj}));
  };
  // E = 2 + 4 (L - 1) = 0 at L = 0.5, where the energy is -F_0^2 / (2 k).
  EXPECT_EQ(energyAt(1.0), 0.0);
  EXPECT_NEAR(energyAt(0.5 + 1e-9), -0.5, 1e-15);
  EXPECT_EQ(energyAt(0.4), -0.5);
  cable.stiffness = 0.0;  // a constant force
  EXPECT_EQ(energyAt(3.0), 4.0);
}

TEST(SpringDamper, CountsTheFunctionsThatMarkItsCorners) {
  using S = SpringDamper<Planar<double>>;
  EXPECT_EQ((S{{0, 0}, {0, 0}, 1.0, 2.0, 1.0}.switches()), 0);
  EXPECT_EQ((S{{0, 0}, {0, 0}, 1.0, 0.0, 1.0, 0.0, Sided::tension_only}.switches()), 1);
  EXPECT_EQ((S{{0, 0}, {0, 0}, 1.0, 2.0, 1.0, 0.0, Sided::compression_only}.switches()), 2);
}

// Example 3.1 of the textbook, with the digits of a recomputation: damper from the pendulum (0, -1) to the ground (4,
// -1).
TEST(SpringDamper, GivesTheTextbookDamperForce) {
  const double r = std::sqrt(0.5);
  TwoBodies<InPlane> s;
  s.xi = Planar<double>::position(r, -r, std::atan(1.0));
  s.vi = {{-1.0, std::sqrt(2.0)}, 2.0};
  const SpringDamper<Planar<double>> damper{{0, -1}, {4, -1}, 0.0, 10.0, 0.0};
  const auto state = damper.state({s.xi, s.xj}, {s.vi, s.vj});
  const auto w = wrenchesOf(damper, s);
  EXPECT_NEAR(state.u.x, 0.9874115597, 5e-11);
  EXPECT_NEAR(state.u.y, 0.1581720956, 5e-11);
  EXPECT_NEAR(state.rate, -0.8563775053, 5e-11);
  EXPECT_NEAR(w.on_i.force.x, -8.4559704816, 5e-11);
  EXPECT_NEAR(w.on_i.force.y, -1.3545502465, 5e-11);
  EXPECT_NEAR(w.on_i.moment, -6.9370857338, 5e-11);
}

TEST(SpringDamper, StretchedSpringPullsItsEndsTogether) {
  TwoBodies<InPlane> s;
  s.xj = Planar<double>::position(3.0, 0.0, 0.0);
  const auto w = wrenchesOf(SpringDamper<Planar<double>>{{0, 0}, {0, 0}, 2.0, 0.0, 1.0}, s);
  EXPECT_EQ(w.on_i.force.x, 4.0);
  EXPECT_EQ(w.on_j.force.x, -4.0);
  EXPECT_EQ(w.on_i.moment, 0.0);
}

}  // namespace spring_damper_test
}  // namespace linkwork
