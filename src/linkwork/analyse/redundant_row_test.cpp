// The worked example of docs/theory/02: a beam on three rods, and what becomes of the other forces when one of the
// three equations is deleted because it is redundant.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/mobility_for_tests.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace redundant_row_test {

// Rods of 1 m at x = 0, 1 and 3 m, leaning by an angle from the vertical; the beam weighs 60 N, its centre is at 1.5 m.
Mechanism beamOnRods(double lean) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-10.0)};
  const BodyIndex beam = test::addBody(m, "beam", 6.0, 2.0);
  const double dx = std::sin(lean);
  const double dy = -std::cos(lean);
  m.bodies[0].drawn = {1.5 + dx, dy, 0.0};
  for (const double x : {0.0, 1.0, 3.0}) {
    Joint& rod = test::addJoint(m, "rod" + std::to_string(m.joints.size() + 1), JointKind::distance, kGround,
                                test::frameAt(x, 0), beam, test::frameAt(x - 1.5, 0));
    rod.length = 1.0;
  }
  return m;
}

struct Seen {
  std::vector<double> up;  // what each rod does to the beam, along the rod
  std::vector<double> acceleration;
  bool unique = true;
};

Seen seenAtRest(const Mechanism& m, double lean) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  const auto system = makeSystem(m, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  Observation seen;
  EXPECT_EQ(system->observe(0.0, assembly.state(), system->startModes(), *work, seen), Eval::ok);
  Seen out;
  for (const Reaction& reaction : seen.joints) {
    out.up.push_back(-reaction.force_on_second[0] * std::sin(lean) + reaction.force_on_second[1] * std::cos(lean));
    out.unique = out.unique && reaction.unique;
  }
  const BodyMotion& beam = seen.bodies[0];
  out.acceleration = {beam.acceleration[0], beam.acceleration[1], beam.angular_acceleration[2]};
  return out;
}

Mechanism without(Mechanism m, std::size_t rod) {
  m.joints.erase(m.joints.begin() + static_cast<std::ptrdiff_t>(rod));
  return m;
}

TEST(RedundantRow, BeamOnThreeRodsHasNoUniqueForceInARod) {
  const Mechanism m = beamOnRods(0.0);
  const test::Found found = test::analyse(m, assemble(m).q);
  EXPECT_EQ(found.report.all.rows, 3);
  EXPECT_EQ(found.report.all.rank, 2);
  EXPECT_EQ(found.report.all.mobility, 1);
  ASSERT_EQ(found.report.sets.size(), 1U);
  EXPECT_EQ(found.report.sets[0].repeats_nearby, 1);
  // Forces that hold each other: 2 : -3 : 1.
  const auto& z = found.report.sets[0].relations[0];
  EXPECT_NEAR(z[0].share / z[2].share, 2.0, 1e-12);
  EXPECT_NEAR(z[1].share / z[2].share, -3.0, 1e-12);
  for (const JointReactions& rod : found.report.reactions) EXPECT_TRUE(rod.unique.empty());
  ASSERT_EQ(found.report.sums.size(), 1U);
  EXPECT_EQ(found.report.sums[0].unique, 2);
}

TEST(RedundantRow, DeletingOneChangesAllTheOthersAndNotTheMotion) {
  const Mechanism m = beamOnRods(0.0);
  const Seen all = seenAtRest(m, 0.0);
  EXPECT_FALSE(all.unique);
  const double least[] = {120.0 / 7.0, 135.0 / 7.0, 165.0 / 7.0};
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(all.up[k], least[k], 1e-12);
  const double left[3][2] = {{45.0, 15.0}, {30.0, 30.0}, {-30.0, 90.0}};
  for (std::size_t k = 0; k < 3; ++k) {
    const Seen rest = seenAtRest(without(m, k), 0.0);
    EXPECT_TRUE(rest.unique);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(rest.up[i], left[k][i], 1e-12);
  }
}

// Leaning, the beam swings: the same accelerations whichever equation is left out, in the plane and in space.
TEST(RedundantRow, MotionIsTheSameWhicheverRowIsLeftOut) {
  const double lean = 0.4;
  const Mechanism m = beamOnRods(lean);
  const Seen all = seenAtRest(m, lean);
  EXPECT_NEAR(all.acceleration[0], -10.0 * std::sin(lean) * std::cos(lean), 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    const Seen rest = seenAtRest(without(m, k), lean);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(rest.acceleration[c], all.acceleration[c], 1e-12);
  }
  const Seen lifted = seenAtRest(liftToSpace(m), lean);
  for (std::size_t c = 0; c < 2; ++c) EXPECT_NEAR(lifted.acceleration[c], all.acceleration[c], 1e-12);
  double sum = 0.0;
  for (const double force : all.up) sum += force;
  EXPECT_NEAR(sum, 60.0 * std::cos(lean), 1e-11);
}

}  // namespace redundant_row_test
}  // namespace linkwork
