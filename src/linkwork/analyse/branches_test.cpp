#include "linkwork/analyse/branches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace {

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

}  // namespace
}  // namespace linkwork
