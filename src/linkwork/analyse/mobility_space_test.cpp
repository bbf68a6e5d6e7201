// Mobility and unique reactions in space: mechanisms whose answers are known.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/mobility_for_tests.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork {
namespace mobility_space_test {

using test::analyse;
using test::expectConsistent;
using test::Found;
using test::kTight;
using testing::HasSubstr;

Found analyseAssembled(const Mechanism& m) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  Found found = analyse(m, assembly.q);
  expectConsistent(found);
  return found;
}

TEST(MobilityInSpace, DoorOnTwoHingesHasNothingUniqueButTheSum) {
  const Found found = analyseAssembled(test::door(JointKind::revolute, JointKind::revolute));
  EXPECT_EQ(found.report.all.rows, 10);
  EXPECT_EQ(found.report.all.rank, 5);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
  for (const JointReactions& joint : found.report.reactions) EXPECT_TRUE(joint.unique.empty());
  int permanent = 0;
  for (const DependentSet& set : found.report.sets) permanent += set.repeats_nearby;
  EXPECT_EQ(permanent, 5);
  ASSERT_EQ(found.report.sums.size(), 1u);
  EXPECT_EQ(found.report.sums[0].unique, 5);
  EXPECT_EQ(found.report.sums[0].components, 5);
}

TEST(MobilityInSpace, DoorOnABallAndAGuideHasOnlyUniqueReactions) {
  const Found found = analyseAssembled(test::door(JointKind::spherical, JointKind::point_line));
  EXPECT_EQ(found.report.all.rows, 5);
  EXPECT_EQ(found.report.all.rank, 5);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_TRUE(found.report.sets.empty());
  for (const JointReactions& joint : found.report.reactions) EXPECT_TRUE(joint.all());
}

// A ball can take no moment, so what the hinge does about the ball's point across the axis is what the door needs
// there.
TEST(MobilityInSpace, DoorOnAHingeAndABallKeepsTheMomentOfTheHingeAboutTheBall) {
  const Found found = analyseAssembled(test::door(JointKind::revolute, JointKind::spherical));
  EXPECT_EQ(found.report.all.rows, 8);
  EXPECT_EQ(found.report.all.rank, 5);
  const JointReactions& low = found.joint("low");
  ASSERT_EQ(low.unique.size(), 2u);
  for (const UniqueReaction& reaction : low.unique) {
    EXPECT_THAT(reaction.words, HasSubstr("the moment about the line through (0, 0, 1.7)"));
  }
}

TEST(MobilityInSpace, FourBarOfHingesKeepsItsForcesInThePlaneOnly) {
  Mechanism flat = test::fourBar();
  flat.bodies[0].drawn = {0.1, 0.17, 1.0};
  flat.bodies[1].drawn = {0.8, 0.5, 0.1};
  flat.bodies[2].drawn = {1.3, 0.2, 1.2};
  const Found found = analyseAssembled(liftToSpace(flat));
  EXPECT_EQ(found.report.coordinates, 18);
  EXPECT_EQ(found.report.all.rows, 20);
  EXPECT_EQ(found.report.all.rank, 17);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
  for (const JointReactions& joint : found.report.reactions) {
    ASSERT_EQ(joint.unique.size(), 2u);
    EXPECT_EQ(joint.unique[0].words, "the force in x");
    EXPECT_EQ(joint.unique[1].words, "the force in y");
  }
  for (const DependentSet& set : found.report.sets) EXPECT_EQ(set.repeats_nearby, set.repeats);
  EXPECT_THAT(found.text(), HasSubstr("Gruebler's count: 18 coordinates - 20 constraint equations = -2"));
  EXPECT_THAT(found.text(), HasSubstr("3 equations repeat what the others say, not only in this pose"));
}

TEST(MobilityInSpace, BricardMovesWhereGrueblerCountsNothing) {
  const Found found = analyseAssembled(test::bricard());
  EXPECT_EQ(found.report.coordinates - found.report.all.rows, 0);
  EXPECT_EQ(found.report.all.rows, 30);
  EXPECT_EQ(found.report.all.rank, 29);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::regular);
  ASSERT_EQ(found.report.sets.size(), 1u);
  EXPECT_EQ(found.report.sets[0].repeats_nearby, 1);
  for (const JointReactions& joint : found.report.reactions) EXPECT_EQ(joint.unique.size(), 4u);
  // What is open at a joint is its part of the one relation, so that its shares are the printed ones.
  const auto& relation = found.report.sets[0].relations[0];
  double largest = 0.0;
  for (std::size_t k = 0; k < 5; ++k) {
    if (std::abs(relation[k].share) > std::abs(largest)) largest = relation[k].share;
  }
  std::string shares;
  for (std::size_t k = 0; k < 5; ++k)
    shares += fmt::format("{}{:.4g}", k == 0 ? "" : " : ", relation[k].share / largest);
  const std::string first = found.problem.groups[0].name;
  EXPECT_THAT(found.text(), HasSubstr(fmt::format("{0}  4 of 5 directions are unique; open is only the mixture {0}.x : "
                                                  "{0}.y : {0}.z : {0}.tilt_x : {0}.tilt_y = {1}\n",
                                                  first, shares)));
}

// 24 coordinates; in the plane 12 equations of rank 11, out of it 18 of rank 12.
TEST(MobilityInSpace, ParallelogramOnThreeCranksKeepsTheForceAcrossEachCrank) {
  const Found found = analyseAssembled(test::liftedAt(test::parallelogram(), test::parallelogramStart()));
  EXPECT_EQ(found.report.all.rows, 30);
  EXPECT_EQ(found.report.all.rank, 23);
  EXPECT_EQ(found.report.all.mobility, 1);
  for (int k = 1; k <= 3; ++k) {
    for (const char* pin : {"G", "K"}) {
      const JointReactions& joint = found.joint(fmt::format("{}{}", pin, k));
      ASSERT_EQ(joint.unique.size(), 1u);
      EXPECT_THAT(joint.unique[0].words, HasSubstr(fmt::format("(0.8, 0.6, 0), across crank{}", k)));
    }
  }
}

TEST(MobilityInSpace, ChainOfHingesAboutDifferentAxesHasOneFreedomEach) {
  Mechanism m = test::inSpace();
  BodyIndex last = kGround;
  for (int k = 0; k < 7; ++k) {
    const double x = 0.3 * k;
    const BodyIndex link =
        test::addSpatialBody(m, fmt::format("link{}", k + 1), 1.0, {0.1, 0.1, 0.1}, {0.15, 0, 0}, {x, 0, 0});
    test::addJointAt(m, fmt::format("J{}", k + 1), JointKind::revolute, last, link, {x, 0, 0},
                     test::zTo(k % 2 == 0 ? test::Triple{0, 0, 1} : test::Triple{0, 1, 0.5}));
    last = link;
  }
  const Found found = analyseAssembled(m);
  EXPECT_EQ(found.report.all.mobility, 7);
  EXPECT_EQ(found.report.blocks, 7);
  for (const JointReactions& joint : found.report.reactions) EXPECT_TRUE(joint.all());
}

// --- poses of lower rank

// sin(a) sin(b) = 0 for the turns a, b of the two shafts: either one turns, and only here both may.
TEST(MobilityInSpace, UniversalJointBetweenShaftsAtRightAnglesBranches) {
  const Found found = analyseAssembled(test::crossedShafts());
  EXPECT_EQ(found.report.all.rows, 14);
  EXPECT_EQ(found.report.all.here, 2);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::branch_point);
  int here = 0;
  int nearby = 0;
  for (const DependentSet& set : found.report.sets) {
    here += set.repeats;
    nearby += set.repeats_nearby;
  }
  EXPECT_EQ(here, 4);
  EXPECT_EQ(nearby, 3);
}

TEST(MobilityInSpace, HexapodIsAStructureUntilItsPlateIsTurnedByAQuarter) {
  const Found upright = analyseAssembled(test::hexapod(0.3));
  EXPECT_EQ(upright.report.all.rank, 6);
  EXPECT_EQ(upright.report.kind, PoseKind::rigid);
  for (const JointReactions& rod : upright.report.reactions) EXPECT_TRUE(rod.all());
  const Found turned = analyse(test::hexapod(std::numbers::pi / 2.0), {0, 0, 1, std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
  expectConsistent(turned);
  EXPECT_EQ(turned.report.all.rank, 5);
  EXPECT_EQ(turned.report.all.here, 1);
  ASSERT_EQ(turned.report.sets.size(), 1u);
  EXPECT_EQ(turned.report.sets[0].rows.size(), 6u);  // all rods hold each other
  for (const JointReactions& rod : turned.report.reactions) EXPECT_TRUE(rod.unique.empty());
  EXPECT_EQ(turned.report.kind, PoseKind::shaky);
}

// Lying flat, one window of the row has lost one more rank than its hinges lose in every pose.
TEST(MobilityInSpace, FlatWindowOfHingesBranchesAndItsOutOfPlaneRedundancyStays) {
  Mechanism m = test::buildNFourBar(1);
  const std::vector<std::array<double, 2>> middles{{0.5, 0.0}, {1.5, 0.0}, {1.5, 0.0}};
  std::vector<double> q;
  for (std::size_t b = 0; b < 3; ++b) q.insert(q.end(), {middles[b][0], middles[b][1], 0.0, 1.0, 0.0, 0.0, 0.0});
  const Found found = analyse(liftToSpace(m), q);
  expectConsistent(found);
  EXPECT_EQ(found.report.all.rank, 16);
  EXPECT_EQ(found.report.all.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::branch_point);
  int nearby = 0;
  for (const DependentSet& set : found.report.sets) nearby += set.repeats_nearby;
  EXPECT_EQ(nearby, 3);
}

// A slider pushed in space by a rod on two balls: at the dead point crank, rod and slide are in line.
TEST(MobilityInSpace, PushedSliderIsAtADeadPointWhereCrankAndRodLineUp) {
  Mechanism m = test::inSpace();
  const BodyIndex crank = test::addSpatialBody(m, "crank", 1.0, {0.1, 0.1, 0.1}, {0, 0, 0}, {0, 0, 0});
  const BodyIndex slider = test::addSpatialBody(m, "slider", 1.0, {0.1, 0.1, 0.1}, {0, 0, 0}, {0.4, 0, 0});
  test::addJointAt(m, "O", JointKind::revolute, kGround, crank, {0, 0, 0});
  test::addJointAt(m, "rail", JointKind::prismatic, kGround, slider, {0.4, 0, 0});
  test::addJoint(m, "rod", JointKind::distance, crank, test::spatialFrame({0.1, 0, 0}), slider,
                 test::spatialFrame({0, 0, 0}))
      .length = 0.3;
  test::addDrive(m, "push", DriveKind::slide, kGround, test::spatialFrame({0, 0, 0}), slider,
                 test::spatialFrame({0, 0, 0}), Expr(0.4));
  const Found found = analyse(m, {0, 0, 0, 1, 0, 0, 0, 0.4, 0, 0, 1, 0, 0, 0});
  expectConsistent(found);
  EXPECT_EQ(found.report.joints.mobility, 1);
  EXPECT_EQ(found.report.kind, PoseKind::dead_point);
  ASSERT_EQ(found.report.sets.size(), 1u);
  EXPECT_THAT(found.names(found.report.sets[0].rows), testing::ElementsAre("O.x", "rod.length", "push.slide"));
}

}  // namespace mobility_space_test
}  // namespace linkwork
