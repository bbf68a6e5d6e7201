#include "linkwork/simulate/force_scale.hpp"

#include <gtest/gtest.h>

#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace force_scale_test {

// Two hinges 2 m apart, so that the reference length is 1 m, and bodies of 4 kg and 1 kg.
Mechanism twoRods() {
  Mechanism m;
  const BodyIndex a = test::addBody(m, "a", 4.0, 0.5);
  const BodyIndex b = test::addBody(m, "b", 1.0, 0.1);
  test::addJoint(m, "A", JointKind::revolute, kGround, test::frameAt(-1, 0), a, test::frameAt(-1, 0));
  test::addJoint(m, "B", JointKind::revolute, kGround, test::frameAt(1, 0), b, test::frameAt(1, 0));
  return m;
}

TEST(ForceScale, IsMassAndInertiaOfTheBodyThatAccelerates) {
  const Mechanism m = twoRods();
  const ForceScale scale(m);
  EXPECT_EQ(scale.of("N"), 1.0);
  EXPECT_DOUBLE_EQ(scale.of("N*m"), 1.0);
  EXPECT_EQ(scale.of("m/s^2", m.bodies[1]), 1.0);
  EXPECT_DOUBLE_EQ(scale.of("rad/s^2", m.bodies[1]), 0.1);
  EXPECT_EQ(scale.of("m/s^2"), 4.0);  // of no one body: of the heaviest
}

TEST(ForceScale, OfABodyWithoutMassIsThatOfTheHeaviest) {
  Mechanism m = twoRods();
  m.bodies[1].mass = m.bodies[1].inertia = Value(0.0);
  EXPECT_EQ(ForceScale(m).of("m/s^2", m.bodies[1]), 4.0);
  EXPECT_DOUBLE_EQ(ForceScale(m).of("rad/s^2", m.bodies[1]), 4.0);
  m.bodies[0].mass = m.bodies[0].inertia = Value(0.0);  // kinematics needs none at all
  EXPECT_EQ(ForceScale(m).of("m/s^2", m.bodies[0]), 1.0);
}

// Its hinge is off its centre by round-off: no length to divide moments by.
TEST(ForceScale, OfARotorGoesByItsRadiusOfGyration) {
  Mechanism m;
  const BodyIndex rotor = test::addBody(m, "rotor", 2.0, 0.5);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), rotor, test::frameAt(1e-17, 0));
  EXPECT_DOUBLE_EQ(ForceScale(m).of("N*m"), 2.0);
  EXPECT_DOUBLE_EQ(ForceScale(m).of("rad/s^2", m.bodies[0]), 1.0);
}

}  // namespace force_scale_test
}  // namespace linkwork
