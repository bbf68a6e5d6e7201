#include "linkwork/analyse/branches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork {
namespace branches_test {

using test::addBody;
using test::addDrive;
using test::addJoint;
using test::frameAt;
using testing::HasSubstr;

constexpr double kTight = 1e-9;

// A rod from one point to the other, frame and mass centre in the first.
BodyIndex addRod(Mechanism& m, const std::string& name, double x1, double y1, double x2, double y2) {
  const BodyIndex body = addBody(m, name, 1.0, 0.1);
  m.bodies.back().drawn = {x1, y1, std::atan2(y2 - y1, x2 - x1)};
  return body;
}

// Pivots at (0, 0) and (base, 0), crank of length a at `angle`, coupler b, rocker c; drawn with its pin above.
Mechanism fourBar(double a, double b, double c, double base, double angle) {
  const double ax = a * std::cos(angle);
  const double ay = a * std::sin(angle);
  const double d = std::hypot(base - ax, ay);
  const double along = (d * d + b * b - c * c) / (2.0 * d);
  const double up = std::sqrt(std::max(0.0, b * b - along * along));
  const double ex = (base - ax) / d;
  const double ey = -ay / d;
  const double bx = ax + along * ex - up * ey;
  const double by = ay + along * ey + up * ex;
  Mechanism m;
  const BodyIndex crank = addRod(m, "crank", 0, 0, ax, ay);
  const BodyIndex coupler = addRod(m, "coupler", ax, ay, bx, by);
  const BodyIndex rocker = addRod(m, "rocker", base, 0, bx, by);
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), crank, frameAt(0, 0));
  addJoint(m, "A", JointKind::revolute, crank, frameAt(a, 0), coupler, frameAt(0, 0));
  addJoint(m, "B", JointKind::revolute, coupler, frameAt(b, 0), rocker, frameAt(c, 0));
  addJoint(m, "C", JointKind::revolute, kGround, frameAt(base, 0), rocker, frameAt(0, 0));
  return m;
}

std::vector<LoopBranches> branchesOf(const Mechanism& m, const BranchOptions& options = {}) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  return findBranches(m, assembly.q, options);
}

TEST(Branches, FourBarHasTwoMirroredAboutTheDiagonal) {
  const auto loops = branchesOf(fourBar(0.4, 1.0, 0.8, 1.1, 1.0));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_THAT(loops[0].held, testing::ElementsAre(HasSubstr("O.angle = 57.2958 deg")));
  ASSERT_EQ(loops[0].assemblies.size(), 2u);
  const auto& drawn = loops[0].assemblies[0].joints;
  const auto& other = loops[0].assemblies[1].joints;
  // Mirrored about the line from A to C: B's angle changes its sign, those at A and C are mirrored about the diagonal.
  EXPECT_NEAR(other[2].value, -drawn[2].value, kTight);
  const double diagonal = std::atan2(-0.4 * std::sin(1.0), 1.1 - 0.4 * std::cos(1.0));
  EXPECT_NEAR(drawn[1].value + other[1].value, 2.0 * (diagonal - 1.0), kTight);
  EXPECT_EQ(drawn[2].bend, -other[2].bend);
  EXPECT_THAT(loops[0].assemblies[1].words, HasSubstr("B bends"));
  EXPECT_EQ(loops[0].starts, 400);
  EXPECT_EQ(loops[0].assemblies[0].hits + loops[0].assemblies[1].hits, loops[0].closed);
}

// Where coupler and rocker are in line the crank stands at the end of its swing: its angle does not tell the two ways
// to go from there apart, so the rocker's is held instead.
TEST(Branches, InputThatStandsStillInThisPoseIsNotTheOneHeld) {
  const double reach = std::hypot(2.0 - 0.4 * std::cos(0.5), 0.4 * std::sin(0.5));
  const auto loops = branchesOf(fourBar(0.4, 0.7, reach - 0.7, 2.0, 0.5));
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_THAT(loops[0].held, testing::ElementsAre(HasSubstr("C.angle")));
  EXPECT_EQ(loops[0].assemblies.size(), 2u);
}

TEST(Branches, ParallelogramCanBeCrossedOnTwoCranksButNotOnThree) {
  const auto find = [](int cranks) {
    const Mechanism m = test::parallelogram(cranks);
    const auto loops = findBranches(m, test::parallelogramStart(cranks).q);
    EXPECT_EQ(loops.size(), 1u);
    return loops[0].assemblies.size();
  };
  EXPECT_EQ(find(2), 2u);
  EXPECT_EQ(find(3), 1u);
}

// A Stephenson chain: a four-bar and a pair of rods from its coupler point to a third pivot. Each of the two closes two
// ways: four in all.
TEST(Branches, DyadOnACouplerDoublesTheNumber) {
  Mechanism m = fourBar(0.4, 1.0, 0.8, 1.1, 1.0);
  const Pose coupler = m.bodies[1].drawn;
  const double px = coupler.x + 0.5 * std::cos(coupler.angle);
  const double py = coupler.y + 0.5 * std::sin(coupler.angle);
  const BodyIndex link = addRod(m, "link", px, py, px + 1.5, py);
  const BodyIndex arm = addRod(m, "arm", px + 1.5, py - 1.5, px + 1.5, py);
  addJoint(m, "P", JointKind::revolute, BodyIndex(1), frameAt(0.5, 0), link, frameAt(0, 0));
  addJoint(m, "Q", JointKind::revolute, link, frameAt(1.5, 0), arm, frameAt(1.5, 0));
  addJoint(m, "R", JointKind::revolute, kGround, frameAt(px + 1.5, py - 1.5), arm, frameAt(0, 0));
  const auto loops = branchesOf(m);
  ASSERT_EQ(loops.size(), 1u);  // the loops share the crank, the coupler and the ground
  EXPECT_EQ(loops[0].assemblies.size(), 4u);
  EXPECT_EQ(branchesOf(m, {.starts = 400, .seed = 99})[0].assemblies.size(), 4u);
}

TEST(Branches, LoopThatHangsOnAMovingBodyIsFoundAlone) {
  // A pendulum whose bob carries a four-bar, and the same four-bar on the ground.
  Mechanism m = fourBar(0.4, 1.0, 0.8, 1.1, 1.0);
  const BodyIndex bob = addBody(m, "bob", 1.0, 1.0);
  m.bodies.back().drawn = {3.0, 1.0, 0.5};
  addJoint(m, "hook", JointKind::revolute, kGround, frameAt(3.0, 1.0), bob, frameAt(0, 0));
  const Mechanism copy = fourBar(0.4, 1.0, 0.8, 1.1, 1.0);
  const int offset = 4;
  for (Body body : copy.bodies) {
    body.name += "2";
    const Pose p = body.drawn;
    body.drawn = {3.0 + std::cos(0.5) * p.x - std::sin(0.5) * p.y, 1.0 + std::sin(0.5) * p.x + std::cos(0.5) * p.y,
                  p.angle + 0.5};
    m.bodies.push_back(body);
  }
  for (Joint joint : copy.joints) {
    joint.name += "2";
    joint.first = joint.first.valid() ? BodyIndex(joint.first.value() + offset) : bob;
    joint.second = BodyIndex(joint.second.value() + offset);
    m.joints.push_back(joint);
  }
  const auto loops = branchesOf(m);
  ASSERT_EQ(loops.size(), 2u);
  for (const LoopBranches& loop : loops) ASSERT_EQ(loop.assemblies.size(), 2u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(loops[0].assemblies[1].joints[k].value, loops[1].assemblies[1].joints[k].value, kTight);
  }
}

TEST(Branches, DrivesAndGivenPositionsAreHeldFirst) {
  Mechanism m = fourBar(0.4, 1.0, 0.8, 1.1, 1.0);
  const double rocker = m.bodies[2].drawn.angle;
  m.initial.push_back({{QuantityKind::body_angle, 2}, Value(rocker), {}});
  auto loops = branchesOf(m);
  EXPECT_THAT(loops[0].held, testing::ElementsAre(HasSubstr("rocker.angle")));
  EXPECT_EQ(loops[0].assemblies.size(), 2u);
  m.initial.clear();
  addDrive(m, "motor", DriveKind::angle, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0), Expr(1.0));
  loops = branchesOf(m);
  EXPECT_THAT(loops[0].held, testing::ElementsAre("drive motor at t = 0"));
  EXPECT_EQ(loops[0].assemblies.size(), 2u);
}

TEST(Branches, OpenChainsHaveNone) {
  Mechanism m;
  addRod(m, "rod", 0, 0, 1, 0);
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), BodyIndex(0), frameAt(0, 0));
  const auto loops = branchesOf(m);
  EXPECT_TRUE(loops.empty());
  EXPECT_THAT(branchesText(m, loops), HasSubstr("no closed loops"));
}

// --- in space

using V3 = Vec3<double>;
test::Triple tripleOf(const V3& v) { return {v.x, v.y, v.z}; }

// A crank about z, a rod on two balls, and an arm about the y direction: for a crank angle the arm's angle solves
// a cos + b sin = c, so there are two.
TEST(Branches, RodOnTwoBallsLeavesTwoPlacesForTheArm) {
  const V3 pivot{1.0, 0.2, 0.3};
  const V3 ball{0.4 * std::cos(0.7), 0.4 * std::sin(0.7), 0.0};
  const double arm = 0.8;
  const double rod = 1.0;
  // |pivot + arm (cos, 0, sin) - ball| = rod
  const V3 d = pivot - ball;
  const double reach = std::hypot(d.x, d.z);
  const double middle = std::atan2(d.z, d.x);
  const double half = std::acos((rod * rod - dot(d, d) - arm * arm) / (2.0 * arm * reach));
  const double angle = middle + half;
  const V3 head = pivot + V3{arm * std::cos(angle), 0.0, arm * std::sin(angle)};
  Mechanism m = test::inSpace();
  const test::Triple moments{0.1, 0.1, 0.1};
  const BodyIndex crank = test::addSpatialBody(m, "crank", 1.0, moments, {0, 0, 0});
  const BodyIndex link = test::addSpatialBody(m, "rod", 1.0, moments, {0, 0, 0}, tripleOf(ball));
  const BodyIndex out = test::addSpatialBody(m, "arm", 1.0, moments, {0, 0, 0}, tripleOf(pivot));
  test::addJointAt(m, "A", JointKind::revolute, kGround, crank, {0, 0, 0});
  test::addJointAt(m, "S", JointKind::spherical, crank, link, tripleOf(ball));
  test::addJointAt(m, "T", JointKind::spherical, link, out, tripleOf(head));
  test::addJointAt(m, "B", JointKind::revolute, kGround, out, tripleOf(pivot), test::zTo({0, 1, 0}));
  const auto loops = branchesOf(m);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_THAT(loops[0].held, testing::ElementsAre(HasSubstr("A.angle = 0 deg")));
  ASSERT_EQ(loops[0].assemblies.size(), 2u);
  EXPECT_FALSE(loops[0].assemblies[0].isolated);  // the rod spins
  EXPECT_GT(loops[0].assemblies[1].hits, 20);
  // From the direction x towards z is a turn about -y.
  EXPECT_NEAR(loops[0].assemblies[0].joints[1].value, 0.0, kTight);
  EXPECT_NEAR(std::cos(loops[0].assemblies[1].joints[1].value), std::cos(2.0 * half), kTight);
  EXPECT_NEAR(std::sin(loops[0].assemblies[1].joints[1].value), std::sin(2.0 * half), kTight);
  EXPECT_THAT(loops[0].assemblies[1].words, HasSubstr("B"));
}

// Four hinges through one point. The hinge between coupler and rocker is at given angles from two others: it can be on
// either side of their plane.
TEST(Branches, SphericalFourBarHasTwoMirroredAboutAPlane) {
  const V3 z0{0, 0, 1};
  const V3 u{std::sin(0.5) * std::cos(0.8), std::sin(0.5) * std::sin(0.8), std::cos(0.5)};
  const V3 z3{std::sin(1.1), 0.0, std::cos(1.1)};
  const V3 side = cross(u, z3);
  const V3 in = (u + z3) * 0.6;
  V3 w = in + side * 0.5;
  w = w * (1.0 / std::sqrt(dot(w, w)));
  const V3 mirrored = w - side * (2.0 * dot(w, side) / dot(side, side));
  Mechanism m = test::inSpace();
  const test::Triple moments{0.1, 0.1, 0.1};
  const BodyIndex crank = test::addSpatialBody(m, "crank", 1.0, moments, {0, 0, 0});
  const BodyIndex coupler = test::addSpatialBody(m, "coupler", 1.0, moments, {0, 0, 0});
  const BodyIndex rocker = test::addSpatialBody(m, "rocker", 1.0, moments, {0, 0, 0});
  const auto hinge = [&](const char* name, BodyIndex first, BodyIndex second, const V3& axis) {
    test::addJointAt(m, name, JointKind::revolute, first, second, tripleOf(axis), test::zTo(tripleOf(axis)));
  };
  hinge("A", kGround, crank, z0);
  hinge("B", crank, coupler, u);
  hinge("C", coupler, rocker, w);
  hinge("D", kGround, rocker, z3);
  const auto loops = branchesOf(m);
  ASSERT_EQ(loops.size(), 1u);
  ASSERT_EQ(loops[0].assemblies.size(), 2u);
  EXPECT_TRUE(loops[0].assemblies[0].isolated);
  // The turn about z3 from w to its mirror image.
  const V3 a = w - z3 * dot(w, z3);
  const V3 b = mirrored - z3 * dot(mirrored, z3);
  const double turn = std::atan2(dot(cross(a, b), z3), dot(a, b));
  EXPECT_NEAR(loops[0].assemblies[1].joints[3].value, turn, kTight);
  EXPECT_NEAR(loops[0].assemblies[1].joints[0].value, 0.0, kTight);
}

}  // namespace branches_test
}  // namespace linkwork
