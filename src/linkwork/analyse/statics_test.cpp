#include "linkwork/analyse/statics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwork/analyse/rest_solver.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/lift.hpp"

namespace linkwork {
namespace statics_test {

using std::numbers::pi;
using test::addJoint;
using test::frameAt;
using ::testing::HasSubstr;

// A uniform rod of length 1 and mass 2 on a hinge in its end, at an angle from the x axis.
Mechanism pendulum(double angle) {
  Mechanism m;
  m.name = "pendulum";
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex bar = test::addBody(m, "bar", 2.0, 2.0 / 12.0);
  m.bodies[0].drawn = {0.5 * std::cos(angle), 0.5 * std::sin(angle), angle};
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), bar, frameAt(-0.5, 0));
  return m;
}

Equilibria all(const Mechanism& m, const StaticsOptions& options = {}) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return findEquilibria(m, assembly, options);
}

TEST(Statics, FindsBothEquilibriaOfAPendulum) {
  const Mechanism m = pendulum(0.0);
  const Equilibria found = all(m);
  ASSERT_EQ(found.found.size(), 2U);
  EXPECT_EQ(found.failed, 0);
  const Equilibrium& hanging = found.found[0];  // where it comes to rest from the drawing
  EXPECT_TRUE(hanging.drawn);
  EXPECT_EQ(hanging.stability, Stability::stable);
  EXPECT_NEAR(std::remainder(hanging.q[2] + pi / 2, 2 * pi), 0.0, 1e-11);
  EXPECT_NEAR(hanging.potential, -9.81, 1e-12);
  // U'' = m g l / 2 = 9.81 J for a radian, which moves the centre by 0.5 m and counts 0.5 m itself.
  ASSERT_EQ(hanging.stiffness.size(), 1U);
  EXPECT_NEAR(hanging.stiffness[0], 9.81 / 0.5, 1e-9);
  const Equilibrium& upright = found.found[1];
  EXPECT_EQ(upright.stability, Stability::unstable);
  EXPECT_EQ(upright.unstable_directions, 1);
  EXPECT_NEAR(upright.potential, 9.81, 1e-12);
  EXPECT_NEAR(upright.stiffness[0], -9.81 / 0.5, 1e-9);
}

TEST(Statics, FindsTheSameInSpace) {
  const Equilibria found = all(liftToSpace(pendulum(0.3)));
  ASSERT_EQ(found.found.size(), 2U);
  EXPECT_NEAR(found.found[0].potential, -9.81, 1e-11);
  EXPECT_NEAR(found.found[0].stiffness[0], 9.81 / 0.5, 1e-8);
  EXPECT_EQ(found.found[1].unstable_directions, 1);
}

// Where the drawing stands close to an equilibrium that is it, even an unstable one.
TEST(Statics, TakesAnUnstableEquilibriumThatWasDrawn) {
  const Mechanism m = pendulum(pi / 2 - 0.05);
  const Equilibrium found = findEquilibrium(m, assemble(m));
  ASSERT_TRUE(found.ok) << found.problem;
  EXPECT_EQ(found.stability, Stability::unstable);
  EXPECT_NEAR(found.q[2], pi / 2, 1e-11);
}

TEST(Statics, GivesTheReactionsAtRest) {
  const Mechanism m = pendulum(0.0);
  const Assembly assembly = assemble(m);
  const Equilibrium found = findEquilibrium(m, assembly);
  Observation seen;
  std::string problem;
  ASSERT_TRUE(observeAtRest(m, assembly, found, 0.0, seen, problem)) << problem;
  EXPECT_NEAR(seen.joints[0].force_on_second[0], 0.0, 1e-9);
  EXPECT_NEAR(seen.joints[0].force_on_second[1], 2 * 9.81, 1e-9);
}

// Upright rod with a rotational spring too weak to hold it: k a = (m g l / 2) sin a has three solutions.
TEST(Statics, FindsTheThreeEquilibriaOfASpringLoadedToggle) {
  Mechanism m = pendulum(pi / 2 - 0.02);
  Load spring;
  spring.name = "spring";
  spring.kind = LoadKind::rotational_spring_damper;
  spring.second = BodyIndex(0);
  spring.stiffness = 0.5 * 9.81;
  spring.free_length = pi / 2;
  m.loads.push_back(spring);
  const Equilibria found = all(m);
  ASSERT_EQ(found.found.size(), 3U);
  const double a = 1.8954942670339809;  // sin a = a / 2
  int stable = 0;
  for (const Equilibrium& one : found.found) {
    const double tilt = one.q[2] - pi / 2;
    if (one.stability == Stability::stable) {
      ++stable;
      EXPECT_NEAR(std::abs(tilt), a, 1e-11);
      EXPECT_NEAR(one.potential, 9.81 * (0.25 * a * a + std::cos(a)), 1e-11);
      EXPECT_NEAR(one.stiffness[0], (0.5 - std::cos(a)) * 9.81 / 0.5, 1e-8);
    } else {
      EXPECT_EQ(one.unstable_directions, 1);
      EXPECT_NEAR(tilt, 0.0, 1e-11);
    }
  }
  EXPECT_EQ(stable, 2);
}

// A chain of eight equal links between two nails: the slopes are as 7, 5, 3, 1 (each link carries what hangs below its
// middle), and each nail bears half of the weight.
TEST(Statics, HangsAChainLikeACatenary) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  constexpr int kLinks = 8;
  // Drawn as two straight flanks: closed, but far from rest.
  const double slope = std::acos(0.75);
  for (int k = 0; k < kLinks; ++k) {
    const BodyIndex link = test::addBody(m, fmt::format("link{}", k + 1), 0.1, 0.1 / 12.0);
    const bool down = k < kLinks / 2;
    const double along = 0.75 * (k + 0.5);
    const double depth = std::sin(slope) * (down ? k + 0.5 : kLinks - k - 0.5);
    m.bodies.back().drawn = {along, -depth, down ? -slope : slope};
    if (k == 0) {
      addJoint(m, "left", JointKind::revolute, kGround, frameAt(0, 0), link, frameAt(-0.5, 0));
    } else {
      addJoint(m, fmt::format("pin{}", k), JointKind::revolute, BodyIndex(k - 1), frameAt(0.5, 0), link,
               frameAt(-0.5, 0));
    }
  }
  addJoint(m, "right", JointKind::revolute, BodyIndex(kLinks - 1), frameAt(0.5, 0), kGround, frameAt(0.75 * kLinks, 0));
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Equilibrium found = findEquilibrium(m, assembly);
  ASSERT_TRUE(found.ok) << found.problem;
  EXPECT_EQ(found.stability, Stability::stable);
  EXPECT_EQ(found.stiffness.size(), 6U);
  const double unit = std::tan(found.q[3 * 4 + 2]);
  for (int k = 0; k < kLinks; ++k) {
    EXPECT_NEAR(std::tan(found.q[static_cast<std::size_t>(3 * k + 2)]), (2 * k - 7) * unit, 1e-9) << k;
  }
  Observation seen;
  std::string problem;
  ASSERT_TRUE(observeAtRest(m, assembly, found, 0.0, seen, problem)) << problem;
  EXPECT_NEAR(seen.joints[0].force_on_second[1], 4 * 0.1 * 9.81, 1e-9);
}

// A four-bar with a spring: the potential energy over the crank angle, in closed form, is stationary there.
TEST(Statics, RestsWhereTheEnergyOfAFourBarIsStationary) {
  const test::FourBar sizes;
  Mechanism m = sizes.mechanism(1.0);
  test::addSpring(m, "spring", kGround, frameAt(-0.1, 0.2), BodyIndex(2), frameAt(0.125, 0), 200.0, 0.0, 0.15);
  const auto energy = [&](double angle) {
    const Mechanism at_angle = sizes.mechanism(angle);
    const double w = sizes.rockerAngle(angle);
    const double length = std::hypot(sizes.d + sizes.c * std::cos(w) + 0.1, sizes.c * std::sin(w) - 0.2);
    double out = 100.0 * std::pow(length - 0.15, 2);
    for (const Body& body : at_angle.bodies) out += 9.81 * body.mass.number * body.drawn.y;
    return out;
  };
  const Equilibria found = all(m);
  ASSERT_GE(found.found.size(), 2U);
  EXPECT_EQ(found.found.size() % 2, 0U);  // on a closed curve valleys and hills alternate
  for (const Equilibrium& one : found.found) {
    const double angle = one.q[2];
    const double h = 1e-4;
    // Central differences: errors h^2 U''' / 6 and 1e-15 / h.
    EXPECT_NEAR((energy(angle + h) - energy(angle - h)) / (2 * h), 0.0, 1e-6);
    const double bend = (energy(angle + h) - 2 * energy(angle) + energy(angle - h)) / (h * h);
    EXPECT_EQ(one.stability == Stability::stable, bend > 0.0) << bend;
    EXPECT_NEAR(one.potential, energy(angle), 1e-11);
  }
}

// A drive that moves, held at a time: its rate and acceleration have no part in the forces.
TEST(Statics, HoldsDrivesAtTheTimeAskedFor) {
  Mechanism m = pendulum(0.0);
  test::drive(m, "O.angle", Expr(5.0) * test::kTime * test::kTime);
  StaticsOptions options;
  options.t = 0.3;
  const Mechanism held = heldAt(m, options.t);
  const Assembly assembly = assemble(held);
  const Equilibrium found = findEquilibrium(held, assembly, options);
  ASSERT_TRUE(found.ok) << found.problem;
  EXPECT_NEAR(found.q[2], 0.45, 1e-12);
  EXPECT_TRUE(found.stiffness.empty());
  Observation seen;
  std::string problem;
  ASSERT_TRUE(observeAtRest(held, assembly, found, options.t, seen, problem)) << problem;
  EXPECT_NEAR(seen.drive_efforts[0], 9.81 * std::cos(0.45), 1e-11);
}

TEST(Statics, SaysWhichBodyIsOutOfBalance) {
  Mechanism m = pendulum(0.0);
  m.gravity = {Value(0.0), Value(0.0)};
  test::addCouple(m, "push", kGround, BodyIndex(0), Expr(2.0));
  const Equilibria found = all(m);
  EXPECT_TRUE(found.found.empty());
  EXPECT_EQ(found.failed, found.starts);
  EXPECT_THAT(found.problem, HasSubstr("no pose was found in which the forces balance"));
  EXPECT_THAT(found.problem, HasSubstr("body \"bar\" by"));
}

TEST(Statics, SaysWhichLoadIsNoNumber) {
  Mechanism m = pendulum(0.0);
  test::addCouple(m, "push", kGround, BodyIndex(0), sqrt(Expr(0.5) - test::kTime));
  StaticsOptions options;
  options.t = 1.0;
  options.starts = 0;
  const Equilibria found = all(m, options);
  EXPECT_TRUE(found.found.empty());
  EXPECT_THAT(found.problem, HasSubstr("load \"push\": couple is not a number"));
}

// A link that nothing turns back: neutral, and one family however many starts end in it.
TEST(Statics, MergesAContinuumOfNeutralPoses) {
  Mechanism m = pendulum(0.4);
  m.gravity = {Value(0.0), Value(0.0)};
  const Equilibria found = all(m);
  ASSERT_EQ(found.found.size(), 1U);
  EXPECT_EQ(found.found[0].stability, Stability::neutral);
  EXPECT_EQ(found.found[0].neutral_directions, 1);
  EXPECT_EQ(found.found[0].hits, 21);
}

}  // namespace statics_test
}  // namespace linkwork
