// Given values: held, wished for, contradicting each other; lengths that do not quite fit; axes that point the wrong
// way.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/force_imbalance.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork {
namespace assemble_given_test {

using test::frameAt;
using ::testing::HasSubstr;

InitialValue given(QuantityKind kind, int index, double value, int line = 1) {
  return {{kind, index}, Value(value), Source("model.toml", line, 1)};
}

InitialValue wish(QuantityKind kind, int index, double value, double weight) {
  InitialValue out = given(kind, index, value);
  out.weight = weight;
  return out;
}

// An arm of 1 m from the origin; frame and centre of mass at its tip.
Mechanism arm() {
  Mechanism m;
  const BodyIndex body = test::addBody(m, "arm", 2.0, 0.1);
  m.bodies[0].drawn = {1.0, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), body, frameAt(-1, 0));
  return m;
}

Mechanism fourBarAbout(double crank_angle) {
  Mechanism m = test::fourBar();
  m.bodies[0].drawn = {0.1, 0.17, crank_angle};
  m.bodies[1].drawn = {0.8, 0.5, 0.1};
  m.bodies[2].drawn = {1.3, 0.2, 1.2};
  return m;
}

// --- wishes

TEST(AssembleGiven, WishThatCanBeMetIsMet) {
  for (const bool spatial : {false, true}) {
    Mechanism m = fourBarAbout(1.0);
    m.initial = {wish(QuantityKind::joint_angle, 0, 1.3, 1.0), wish(QuantityKind::joint_angle_rate, 0, 2.0, 5.0)};
    if (spatial) m = liftToSpace(m);
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    ASSERT_EQ(assembly.wishes.size(), 2U);
    EXPECT_NEAR(assembly.wishes[0].got, 1.3, 1e-9);
    EXPECT_NEAR(assembly.wishes[1].got, 2.0, 1e-12);
    EXPECT_LT(assembly.position_residual, 1e-12);
    EXPECT_LT(assembly.velocity_residual, 1e-12);
  }
}

// The tip of the arm is wished to (2, 1) with weights a and b: the least a (cos - 2)^2 + b (sin - 1)^2 has
// a (cos - 2) sin = b (sin - 1) cos.
TEST(AssembleGiven, WishOutOfReachIsMetAsNearlyAsItsWeightAsks) {
  for (const double weight : {1.0, 9.0}) {
    Mechanism m = arm();
    m.initial = {wish(QuantityKind::body_x, 0, 2.0, 1.0), wish(QuantityKind::body_y, 0, 1.0, weight)};
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    const double c = assembly.wishes[0].got;
    const double s = assembly.wishes[1].got;
    EXPECT_NEAR(c * c + s * s, 1.0, 1e-12);
    EXPECT_NEAR((c - 2.0) * s, weight * (s - 1.0) * c,
                1e-8);  // where the derivative vanishes: to the root of round-off
    if (weight == 1.0) {
      EXPECT_NEAR(s / c, 0.5, 1e-8);
    }
  }
}

TEST(AssembleGiven, HeldValuesComeBeforeWishes) {
  Mechanism m = arm();
  m.initial = {wish(QuantityKind::joint_angle, 0, 1.0, 1000.0), given(QuantityKind::body_angle, 0, 0.5)};
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_NEAR(assembly.q[2], 0.5, 1e-13);
  EXPECT_NEAR(assembly.wishes[0].got, 0.5, 1e-13);
}

// Rates of 1 and 4 rad/s for one and the same turn: (1*1 + 3*4)/4, and at rest for what nobody wishes.
TEST(AssembleGiven, VelocitiesAreNearestToWhatWasGiven) {
  Mechanism m = arm();
  const BodyIndex bob = test::addBody(m, "bob", 1.0, 0.1);
  m.bodies[1].drawn = {1.0, -1.0, 0.0};
  test::addJoint(m, "A", JointKind::revolute, BodyIndex(0), frameAt(0, 0), bob, frameAt(0, 1));
  m.initial = {wish(QuantityKind::joint_angle_rate, 0, 1.0, 1.0), wish(QuantityKind::body_angle_rate, 0, 4.0, 3.0)};
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_NEAR(assembly.v[2], 3.25, 1e-12);
  // The bob hangs straight down from A, which moves up at 3.25 m/s: of least energy without any turn.
  EXPECT_NEAR(assembly.v[4], 3.25, 1e-12);
  EXPECT_NEAR(assembly.v[5], 0.0, 1e-12);
}

// --- contradictions

TEST(AssembleGiven, JointAndBodyThatContradictAreNamedWithBothLines) {
  Mechanism m = arm();
  m.initial = {given(QuantityKind::joint_angle, 0, 0.5, 12), given(QuantityKind::body_angle, 0, 0.7, 15)};
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem,
              HasSubstr("O.angle = 0.5 rad (model.toml:12:1) and arm.angle = 0.7 rad (model.toml:15:1) "
                        "contradict each other: no pose has them all"));
  EXPECT_EQ(assembly.where.line, 12);
  EXPECT_THAT(assembly.hint, HasSubstr("weight"));
  m.initial[1].value = Value(0.5);
  EXPECT_TRUE(assemble(m).ok);
  for (InitialValue& initial : m.initial) initial.weight = 1.0;
  m.initial[1].value = Value(0.7);
  const Assembly compromise = assemble(m);
  ASSERT_TRUE(compromise.ok) << compromise.problem;
  EXPECT_NEAR(compromise.q[2], 0.6, 1e-9);
}

TEST(AssembleGiven, TwoTurnsOfOneFourBarContradictInSpaceToo) {
  Mechanism m = fourBarAbout(1.0);
  // The value that fits, and one beside it: each can be reached without the other.
  m.initial = {given(QuantityKind::joint_angle, 0, 1.0, 3), wish(QuantityKind::joint_angle, 3, 2.0, 1.0)};
  const Assembly fits = assemble(m);
  ASSERT_TRUE(fits.ok) << fits.problem;
  m.initial[1] = given(QuantityKind::joint_angle, 3, fits.wishes.at(0).got + 0.2, 4);
  for (const bool spatial : {false, true}) {
    const Assembly assembly = assemble(spatial ? liftToSpace(m) : m);
    EXPECT_FALSE(assembly.ok);
    EXPECT_THAT(assembly.problem, HasSubstr("O.angle = 1 rad (model.toml:3:1) and C.angle = "));
    EXPECT_THAT(assembly.problem, HasSubstr("(model.toml:4:1) contradict each other"));
  }
}

TEST(AssembleGiven, ValueOutOfReachIsNamedAlone) {
  Mechanism m = arm();
  m.initial = {given(QuantityKind::body_x, 0, 1.5, 7)};
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(
      assembly.problem,
      HasSubstr("the initial value arm.x = 1.5 m cannot be reached: the joints let it come to within 0.5 of it"));
}

// --- loops that cannot close

TEST(AssembleGiven, OpenLoopIsNamedByItsJointsWithTheGapInLengthAndAngle) {
  Mechanism m = fourBarAbout(1.0);
  m.joints[3].on_second = frameAt(4.0, 0.0);
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("stays open by 0.95 m: the loop "));
  for (const char* name : {"O", "A", "B", "C"}) EXPECT_THAT(assembly.problem, HasSubstr(name));
  EXPECT_THAT(assembly.problem, HasSubstr("(ground - "));

  // Two clamps on one body whose angles differ by 0.1 rad.
  Mechanism clamped;
  const BodyIndex beam = test::addBody(clamped, "beam", 1.0, 1.0);
  test::addJoint(clamped, "left", JointKind::fixed, kGround, frameAt(0, 0), beam, frameAt(0, 0));
  test::addJoint(clamped, "right", JointKind::fixed, kGround, frameAt(0, 0), beam, frameAt(0, 0, 0.1));
  EXPECT_THAT(assemble(clamped).problem,
              HasSubstr("stays open by 5.73 deg: the loop left, right (ground - beam) cannot close"));
}

TEST(AssembleGiven, DrivesThatFightAreNamedWithTheirLines) {
  for (const bool spatial : {false, true}) {
    Mechanism m = arm();
    const auto turn = [&](const char* name, double angle, int line) {
      test::addDrive(m, name, DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr(angle))
          .source = Source("model.toml", line, 1);
    };
    turn("slow", 0.1, 8);
    turn("fast", 0.3, 9);
    const Assembly assembly = assemble(spatial ? liftToSpace(m) : m);
    EXPECT_FALSE(assembly.ok);
    EXPECT_THAT(assembly.problem,
                HasSubstr("the drives \"slow\" (model.toml:8:1) and \"fast\" (model.toml:9:1) fight"));
    EXPECT_THAT(assembly.problem, HasSubstr("off by 5.73 deg"));
  }
  Mechanism m = arm();
  test::addDrive(m, "pull", DriveKind::coordinate, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr(1.5));
  EXPECT_THAT(assemble(m).problem, HasSubstr("drive \"pull\" asks for what the joints do not allow at the start"));
}

// --- lengths that do not quite fit

TEST(AssembleGiven, RoundedLengthsOfARedundantMechanismAreLeftOpenWithAWarning) {
  for (const double off : {1e-9, 5e-7, 2e-5}) {
    for (const bool spatial : {false, true}) {
      Mechanism m = test::parallelogram(3);
      test::drawAt(m, test::parallelogramStart(3));
      m.joints[1].on_second.point[0] = Value(m.joints[1].on_second.point[0].number + off);
      if (spatial) m = liftToSpace(m);
      const Assembly assembly = assemble(m);
      ASSERT_TRUE(assembly.ok) << assembly.problem << " at " << off;
      EXPECT_GT(assembly.misfit, 0.05 * off);
      EXPECT_LT(assembly.misfit, 5.0 * off);
      ASSERT_EQ(assembly.warnings.size(), 1U);
      EXPECT_THAT(assembly.warnings[0].text, HasSubstr("the lengths do not quite fit"));
      EXPECT_EQ(assembly.dependent_rows.size(), spatial ? 7U : 1U);
    }
  }
}

TEST(AssembleGiven, LargerMisfitsFailAndSayHowMuchAndWhatToDo) {
  Mechanism m;
  const BodyIndex beam = test::addBody(m, "beam", 1.0, 1.0);
  test::addJoint(m, "left", JointKind::revolute, kGround, frameAt(-0.5, 0), beam, frameAt(-0.5, 0));
  test::addJoint(m, "right", JointKind::revolute, kGround, frameAt(0.502, 0), beam, frameAt(0.5, 0));
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("stays open by 0.002 m: the loop left, right (ground - beam) cannot close"));
  EXPECT_THAT(assembly.hint, HasSubstr("give more digits"));
}

// Two rods that are 1e-6 too short for the way between their pivots, with a third body so that something moves: no
// rounded redundancy, for the gap would grow if the rods were let go.
TEST(AssembleGiven, StretchedLoopThatIsALittleTooShortIsNotTakenForARoundedOne) {
  Mechanism m;
  const BodyIndex left = test::addBody(m, "left", 1.0, 0.1);
  const BodyIndex right = test::addBody(m, "right", 1.0, 0.1);
  m.bodies[0].drawn = {0.5, 0.0, 0.0};
  m.bodies[1].drawn = {1.5, 0.0, 0.0};
  test::addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), left, frameAt(-0.5, 0));
  test::addJoint(m, "A", JointKind::revolute, left, frameAt(0.5, 0), right, frameAt(-0.5, 0));
  test::addJoint(m, "B", JointKind::revolute, right, frameAt(0.5, 0), kGround, frameAt(2.0 + 1e-6, 0));
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("stays open by 1e-06 m"));
}

// A run with such lengths keeps the rows that hold at round-off and the others about as far open as they were.
TEST(AssembleGiven, MisfitIsWatchedByTheProjection) {
  Mechanism m = test::parallelogram(3);
  test::drawAt(m, test::parallelogramStart(3));
  m.joints[1].on_second.point[0] = Value(m.joints[1].on_second.point[0].number + 1e-6);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const auto system = makeSystem(m, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  std::vector<double> x = assembly.state();
  for (std::size_t b = 0; b < m.bodies.size(); ++b) x[3 * b] += 1e-5;
  EXPECT_EQ(system->afterStep(0.0, x, system->startModes(), *work).eval, Eval::ok);
  EXPECT_LT(system->violation(0.0, x, system->startModes(), *work).position, 1e-5);
  // Without the figure the projection cannot succeed.
  SystemOptions options = startingFrom(assembly);
  options.misfit = 0.0;
  const auto strict = makeSystem(m, options);
  const auto strict_work = strict->makeWorkspace();
  EXPECT_NE(strict->afterStep(0.0, x, strict->startModes(), *strict_work).eval, Eval::ok);
}

// --- axes

TEST(AssembleGiven, BodyDrawnUpsideDownIsTurnedAndThatIsSaid) {
  Mechanism m = test::inSpace();
  const BodyIndex leaf = test::addSpatialBody(m, "leaf", 1.0, {0.1, 0.1, 0.1}, {0.5, 0, 0});
  test::addJoint(m, "hinge", JointKind::revolute, kGround, test::spatialFrame({0, 0, 0}), leaf,
                 test::spatialFrame({0, 0, 0}));
  m.bodies[0].drawn.rotation = test::aboutAxis({1, 0.2, 0}, 3.0);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_FALSE(isFlipped(m, m.joints[0], assembly.q));
  ASSERT_EQ(assembly.warnings.size(), 1U);
  EXPECT_THAT(assembly.warnings[0].text, HasSubstr("as drawn, the axes of hinge point one way on one body"));
}

TEST(AssembleGiven, ClampIsNeverHalfATurnOff) {
  for (const double angle : {2.0, 2.6, std::numbers::pi}) {
    for (const test::Triple axis : {test::Triple{0, 0, 1}, test::Triple{0, 1, 0}, test::Triple{1, 0.3, 0.5}}) {
      Mechanism m = test::inSpace();
      const BodyIndex box = test::addSpatialBody(m, "box", 1.0, {0.1, 0.1, 0.1}, {0, 0, 0});
      test::addJoint(m, "clamp", JointKind::fixed, kGround, test::spatialFrame({0, 0, 0}), box,
                     test::spatialFrame({0, 0, 0}));
      m.bodies[0].drawn.rotation = test::aboutAxis(axis, angle);
      const Assembly assembly = assemble(m);
      ASSERT_TRUE(assembly.ok) << assembly.problem;
      EXPECT_NEAR(std::abs(assembly.q[3]), 1.0, 1e-12);
    }
  }
}

// A four-bar whose last hinge has its axis reversed on the rocker: it closes, but only so.
TEST(AssembleGiven, AxesThatCannotAgreeAreReported) {
  Mechanism m = liftToSpace(fourBarAbout(1.0));
  m.joints[3].on_second.rotation = test::aboutAxis({1, 0, 0}, std::numbers::pi);
  const Assembly assembly = assemble(m);
  EXPECT_FALSE(assembly.ok);
  EXPECT_THAT(assembly.problem, HasSubstr("closes only with its axes reversed"));
  EXPECT_THAT(assembly.hint, HasSubstr("half a turn"));
}

// --- forces

TEST(AssembleGiven, ReactionsBalanceMassesAndLoads) {
  for (const bool spatial : {false, true}) {
    Mechanism m = test::parallelogram(3);
    test::drawAt(m, test::parallelogramStart(3));
    if (spatial) m = liftToSpace(m);
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    const auto system = makeSystem(m, startingFrom(assembly));
    const auto work = system->makeWorkspace();
    const std::vector<double> x = assembly.state();
    std::vector<double> xdot(x.size());
    Observation seen;
    ASSERT_EQ(system->derivative(0.0, x, system->startModes(), *work, xdot), Eval::ok);
    ASSERT_EQ(system->observe(0.0, x, system->startModes(), *work, seen), Eval::ok);
    EXPECT_LT(forceImbalance(m, 0.0, x, xdot, seen.multipliers), 1e-11);
    seen.multipliers[0] += 1.0;  // N
    EXPECT_GT(forceImbalance(m, 0.0, x, xdot, seen.multipliers), 0.9);
  }
}

}  // namespace assemble_given_test
}  // namespace linkwork
