#include "linkwork/analyse/mobility.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/mobility_for_tests.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace mobility_test {

using test::analyse;
using test::expectConsistent;
using test::Found;
using test::kTight;
using testing::ElementsAre;
using testing::HasSubstr;

Mechanism atGround(double x, double y, double angle) {
  Mechanism m;
  test::addBody(m, "beam", 1.0, 1.0);
  m.bodies[0].drawn = {x, y, angle};
  return m;
}

// --- regular mechanisms

TEST(Mobility, FourBarHasFullRankAndUniqueReactions) {
  Mechanism m = test::fourBar();
  m.bodies[0].drawn = {0.1, 0.17, 1.0};
  m.bodies[1].drawn = {0.8, 0.5, 0.1};
  m.bodies[2].drawn = {1.3, 0.2, 1.2};
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Found found = analyse(m, assembly.q);
  EXPECT_EQ(found.report.all.rows, 8);
  EXPECT_EQ(found.report.all.rank, 8);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
  EXPECT_TRUE(found.report.sets.empty());
  for (const JointReactions& joint : found.report.reactions) EXPECT_TRUE(joint.all());
  EXPECT_THAT(found.text(), HasSubstr("mobility: 1 degree of freedom\n"));
  EXPECT_THAT(found.text(), HasSubstr("all components unique"));
}

TEST(Mobility, ThirdCrankOfAParallelogramRepeatsOneEquationInEveryPose) {
  const Mechanism m = test::parallelogram();
  const Found found = analyse(m, test::parallelogramStart().q);
  expectConsistent(found);
  const MobilityReport& report = found.report;
  EXPECT_EQ(report.all.rows, 12);
  EXPECT_EQ(report.all.rank, 11);
  EXPECT_EQ(report.all.mobility, 1);
  EXPECT_EQ(report.kind, PoseKind::regular);
  ASSERT_EQ(report.sets.size(), 1u);
  EXPECT_EQ(report.sets[0].repeats, 1);
  EXPECT_EQ(report.sets[0].repeats_nearby, 1);
  EXPECT_EQ(report.sets[0].rows.size(), 12u);
  EXPECT_THAT(found.text(), HasSubstr("G1 along crank1"));
}

// Cranks are held at their two ends only, so forces that hold each other without any load act along the cranks: what is
// unique at every pin is the force across.
TEST(Mobility, OnlyTheForceAcrossTheCranksIsUniqueAtThePinsOfTheParallelogram) {
  for (const double theta : {std::atan2(-4.0, 3.0), 0.3, 2.0}) {
    const Found found = analyse(test::parallelogram(), test::parallelogramAt(theta, 0.0).q);
    for (int k = 1; k <= 3; ++k) {
      for (const char* pin : {"G", "K"}) {
        const JointReactions& joint = found.joint(fmt::format("{}{}", pin, k));
        ASSERT_EQ(joint.unique.size(), 1u);
        const auto& c = joint.unique[0].coefficients;
        EXPECT_NEAR(std::abs(-std::sin(theta) * c[0] + std::cos(theta) * c[1]), 1.0, kTight);
        EXPECT_THAT(joint.unique[0].words, HasSubstr(fmt::format("across crank{}", k)));
      }
    }
  }
}

// The forces along the cranks are shared by leverage: f_1 + f_2 + f_3 = 0 and sum of f_k x_k = 0 along the coupler.
TEST(Mobility, RelationOfTheParallelogramIsTheLeverOfThreePins) {
  const Found found = analyse(test::parallelogram(), test::parallelogramAt(std::numbers::pi / 2, 0.0).q);
  ASSERT_EQ(found.report.sets.size(), 1u);
  const auto& relation = found.report.sets[0].relations[0];
  ASSERT_THAT(found.names(found.report.sets[0].rows), ElementsAre("G1.y", "G2.y", "G3.y", "K1.y", "K2.y", "K3.y"));
  const test::ParallelogramData d;
  double force = 0.0;
  double moment = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    force += relation[3 + k].share;
    moment += relation[3 + k].share * d.pivot_x[k];
  }
  EXPECT_NEAR(force, 0.0, kTight);
  EXPECT_NEAR(moment, 0.0, kTight);
}

TEST(Mobility, SumsOverABodyAreUniqueThoughTheirPartsAreNot) {
  const Found found = analyse(test::parallelogram(), test::parallelogramStart().q);
  ASSERT_EQ(found.report.sums.size(), 5u);  // ground, three cranks, coupler
  for (const UniqueSum& sum : found.report.sums) EXPECT_EQ(sum.unique, sum.components);
  EXPECT_THAT(found.text(), HasSubstr("K1 + K2 + K3 on coupler: the total force and moment"));
}

TEST(Mobility, ShiftedFramesAndOtherMassesChangeNothing) {
  Mechanism m = test::parallelogram();
  test::shiftFrames(m, 0.3, -0.2);
  for (Body& body : m.bodies) body.mass = 0.0;  // mobility does not ask for masses
  const Found found = analyse(m, test::parallelogramStart().q);
  expectConsistent(found);
  EXPECT_EQ(found.report.all.rank, 11);
  EXPECT_THAT(found.joint("K2").unique[0].words, HasSubstr("(0.8, 0.6), across crank2"));
}

TEST(Mobility, BodyWithoutJointsIsFree) {
  const Found found = analyse(atGround(0.0, 0.0, 0.0), {0.0, 0.0, 0.0});
  EXPECT_EQ(found.report.all.mobility, 3);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
}

TEST(Mobility, ChainHasOneBlockAndOneDegreeOfFreedomPerLink) {
  Mechanism m;
  std::vector<double> q;
  for (int b = 0; b < 200; ++b) {
    const BodyIndex body = test::addBody(m, fmt::format("link{}", b), 1.0, 0.1);
    test::addJoint(m, fmt::format("J{}", b), JointKind::revolute, b > 0 ? BodyIndex(b - 1) : kGround,
                   test::frameAt(b > 0 ? 0.5 : 0.0, 0.0), body, test::frameAt(-0.5, 0.0));
    q.insert(q.end(), {b + 0.5, 0.0, 0.0});
  }
  const Found found = analyse(m, q);
  EXPECT_EQ(found.report.blocks, 200);
  EXPECT_EQ(found.report.all.mobility, 200);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
}

// --- poses of lower rank

std::vector<double> flatNFourBar(int windows) {
  std::vector<double> q;
  for (int i = 0; i <= windows; ++i) q.insert(q.end(), {i + 0.5, 0.0, 0.0});
  for (int i = 0; i < windows; ++i) q.insert(q.end(), {i + 1.5, 0.0, 0.0});
  return q;
}

TEST(Mobility, FlatRowOfWindowsLosesOneRankPerWindowInThatPoseOnly) {
  for (const int windows : {1, 2, 5, 40}) {  // the last goes the sparse way
    const Found found = analyse(test::buildNFourBar(windows), flatNFourBar(windows));
    expectConsistent(found);
    EXPECT_EQ(found.report.all.rank, found.report.all.rows - windows);
    ASSERT_EQ(found.report.sets.size(), 1u);
    EXPECT_EQ(found.report.sets[0].repeats, windows);
    for (const JointReactions& joint : found.report.reactions) {
      ASSERT_EQ(joint.unique.size(), 1u);
      EXPECT_THAT(joint.unique[0].words, HasSubstr("in y"));
    }
    EXPECT_TRUE(found.report.clear);
    if (windows > 5) continue;
    EXPECT_EQ(found.report.all.mobility, 1);
    EXPECT_EQ(found.report.kind, PoseKind::branch_point);
    EXPECT_EQ(found.report.sets[0].repeats_nearby, 0);
    EXPECT_GE(found.report.ways, 2);
  }
}

TEST(Mobility, UprightRowOfWindowsKeepsFullRankHoweverLong) {
  const Mechanism m = test::buildNFourBar(300);
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok);
  const Found found = analyse(m, assembly.q);
  EXPECT_EQ(found.report.blocks, 1);
  EXPECT_EQ(found.report.all.rank, found.report.all.rows);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
}

// Crank 0.1 m, rod 0.3 m, at crank angle zero or as given; the slider is driven.
struct SliderCrank {
  Mechanism mechanism;
  std::vector<double> q;
};

SliderCrank drivenSlider(double angle) {
  SliderCrank out;
  Mechanism& m = out.mechanism;
  const BodyIndex crank = test::addBody(m, "crank", 1.0, 0.1);
  const BodyIndex rod = test::addBody(m, "rod", 1.0, 0.1);
  const BodyIndex slider = test::addBody(m, "slider", 1.0, 0.1);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), crank, test::frameAt(-0.05, 0));
  test::addJoint(m, "A", JointKind::revolute, crank, test::frameAt(0.05, 0), rod, test::frameAt(-0.15, 0));
  test::addJoint(m, "B", JointKind::revolute, rod, test::frameAt(0.15, 0), slider, test::frameAt(0, 0));
  test::addJoint(m, "rail", JointKind::prismatic, kGround, test::frameAt(0, 0), slider, test::frameAt(0, 0));
  const double down = -std::asin(std::sin(angle) / 3.0);
  const double x = 0.1 * std::cos(angle) + 0.3 * std::cos(down);
  out.q = {0.05 * std::cos(angle),
           0.05 * std::sin(angle),
           angle,
           x - 0.15 * std::cos(down),
           -0.15 * std::sin(down),
           down,
           x,
           0.0,
           0.0};
  test::addDrive(m, "push", DriveKind::slide, kGround, test::frameAt(0, 0), slider, test::frameAt(0, 0), Expr(x));
  return out;
}

TEST(Mobility, DrivenSliderIsAtADeadPointWhereCrankAndRodLineUp) {
  const auto [mechanism, q] = drivenSlider(0.0);
  const Found found = analyse(mechanism, q);
  expectConsistent(found);
  const MobilityReport& report = found.report;
  EXPECT_EQ(report.joints.rank, 8);
  EXPECT_EQ(report.all.rows, 9);
  EXPECT_EQ(report.all.rank, 8);
  EXPECT_EQ(report.joints.mobility, 1);
  EXPECT_EQ(report.all.mobility, 0);
  EXPECT_EQ(report.kind, PoseKind::dead_point);
  ASSERT_EQ(report.sets.size(), 1u);
  EXPECT_THAT(found.names(report.sets[0].rows), ElementsAre("O.x", "A.x", "B.x", "push.slide"));
  EXPECT_EQ(report.sets[0].repeats_nearby, 0);
  EXPECT_TRUE(found.joint("rail").all());
  EXPECT_THAT(found.text(), HasSubstr("dead point"));
}

TEST(Mobility, DrivenSliderIsRegularElsewhereAndCloseToTheDeadPointIsSaid) {
  const auto [mechanism, q] = drivenSlider(0.7);
  const Found found = analyse(mechanism, q);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
  EXPECT_EQ(found.report.all.mobility, 0);
  EXPECT_EQ(found.report.joints.mobility, 1);
  EXPECT_THAT(found.text(), Not(HasSubstr("close to a dead point")));
  const auto [near_mechanism, near_q] = drivenSlider(1e-4);
  const Found near = analyse(near_mechanism, near_q);
  EXPECT_EQ(near.report.kind, PoseKind::regular);
  EXPECT_THAT(near.text(), HasSubstr("close to a dead point"));
}

// Two rods of 1 m between pivots 2 m apart: the pin between them can start to move sideways, but not go anywhere.
Mechanism stretchedPair() {
  Mechanism m;
  const BodyIndex left = test::addBody(m, "left", 1.0, 0.1);
  const BodyIndex right = test::addBody(m, "right", 1.0, 0.1);
  test::addJoint(m, "O", JointKind::revolute, kGround, test::frameAt(0, 0), left, test::frameAt(-0.5, 0));
  test::addJoint(m, "A", JointKind::revolute, left, test::frameAt(0.5, 0), right, test::frameAt(-0.5, 0));
  test::addJoint(m, "B", JointKind::revolute, right, test::frameAt(0.5, 0), kGround, test::frameAt(2, 0));
  return m;
}

TEST(Mobility, StretchedPairOfRodsIsShaky) {
  const Found found = analyse(stretchedPair(), {0.5, 0, 0, 1.5, 0, 0});
  expectConsistent(found);
  EXPECT_EQ(found.report.all.here, 1);
  EXPECT_EQ(found.report.all.mobility, 0);
  EXPECT_EQ(found.report.kind, PoseKind::shaky);
}

// With a pendulum beside it the pose can be left, and the rank is as low in all poses reached: only going shows that
// one of the two velocities leads nowhere.
TEST(Mobility, ShakyPartBesideAMovingOneIsNotCountedAsMobility) {
  Mechanism m = stretchedPair();
  const BodyIndex bob = test::addBody(m, "bob", 1.0, 0.1);
  test::addJoint(m, "P", JointKind::revolute, kGround, test::frameAt(0, -1), bob, test::frameAt(0, 0.5));
  const Found found = analyse(m, {0.5, 0, 0, 1.5, 0, 0, 0, -1.5, 0});
  EXPECT_EQ(found.report.all.here, 2);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::shaky);
}

// --- planar doors: joints that do the same work

TEST(Mobility, SlidingDoorOnTwoRailsSharesItsForcesButNotTheirSum) {
  Mechanism m = atGround(0.0, 0.0, 0.0);
  for (const double y : {-0.5, 0.5}) {
    test::addJoint(m, y < 0 ? "low" : "high", JointKind::prismatic, kGround, test::frameAt(0, y), BodyIndex(0),
                   test::frameAt(0, y));
  }
  const Found found = analyse(m, {0.0, 0.0, 0.0});
  expectConsistent(found);
  EXPECT_EQ(found.report.all.rank, 2);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.sets.size(), 2u);  // the two angles, and the two normals
  for (const DependentSet& set : found.report.sets) EXPECT_EQ(set.repeats_nearby, 1);
  EXPECT_TRUE(found.joint("low").unique.empty());
  ASSERT_EQ(found.report.sums.size(), 1u);
  EXPECT_EQ(found.report.sums[0].unique, found.report.sums[0].components);
}

TEST(Mobility, BarBetweenTwoPivotsIsRigidWithTheForceAlongItShared) {
  Mechanism m = atGround(0.3, 0.4, std::atan2(4.0, 3.0));
  test::addJoint(m, "A", JointKind::revolute, kGround, test::frameAt(0, 0), BodyIndex(0), test::frameAt(-0.5, 0));
  test::addJoint(m, "B", JointKind::revolute, kGround, test::frameAt(0.6, 0.8), BodyIndex(0), test::frameAt(0.5, 0));
  const Found found = analyse(m, {0.3, 0.4, std::atan2(4.0, 3.0)});
  expectConsistent(found);
  EXPECT_EQ(found.report.kind, PoseKind::rigid);
  EXPECT_EQ(found.report.all.rank, 3);
  EXPECT_THAT(found.joint("A").unique[0].words, HasSubstr("(0.8, -0.6), across beam"));
  EXPECT_THAT(found.text(), HasSubstr("A along beam, B along beam depend on each other"));
}

// A beam clamped at the origin and laid on a support at (2, 0): what the support carries is free to choose, and the
// clamp answers with a force across the beam and a moment; about the support it has none.
TEST(Mobility, ClampOfAProppedBeamIsUniqueAlongItAndAboutTheSupport) {
  Mechanism m = atGround(1.0, 0.0, 0.0);
  test::addJoint(m, "clamp", JointKind::fixed, kGround, test::frameAt(0, 0), BodyIndex(0), test::frameAt(-1, 0));
  test::addJoint(m, "prop", JointKind::pin_slot, kGround, test::frameAt(2, 0), BodyIndex(0), test::frameAt(1, 0));
  const Found found = analyse(m, {1.0, 0.0, 0.0});
  expectConsistent(found);
  EXPECT_EQ(found.report.all.rank, 3);
  const JointReactions& clamp = found.joint("clamp");
  ASSERT_EQ(clamp.unique.size(), 2u);
  EXPECT_EQ(clamp.unique[0].words, "the force in x");
  EXPECT_EQ(clamp.unique[1].words, "the moment about (2, 0)");
  EXPECT_TRUE(found.joint("prop").unique.empty());
}

TEST(Mobility, BeamClampedTwiceHasNothingUniqueButTheSum) {
  Mechanism m = atGround(1.0, 0.0, 0.0);
  test::addJoint(m, "left", JointKind::fixed, kGround, test::frameAt(0, 0), BodyIndex(0), test::frameAt(-1, 0));
  test::addJoint(m, "right", JointKind::fixed, kGround, test::frameAt(2, 0), BodyIndex(0), test::frameAt(1, 0));
  const Found found = analyse(m, {1.0, 0.0, 0.0});
  expectConsistent(found);
  EXPECT_EQ(found.report.all.rank, 3);
  EXPECT_TRUE(found.joint("left").unique.empty());
  EXPECT_TRUE(found.joint("right").unique.empty());
  ASSERT_EQ(found.report.sums.size(), 1u);
  EXPECT_EQ(found.report.sums[0].components, 3);
  EXPECT_EQ(found.report.sums[0].unique, 3);
}

TEST(Mobility, SameReportEveryTime) {
  const auto text = [] { return analyse(test::buildNFourBar(3), flatNFourBar(3)).text(); };
  EXPECT_EQ(text(), text());
}

}  // namespace mobility_test
}  // namespace linkwork
