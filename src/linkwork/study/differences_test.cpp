#include "linkwork/study/differences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace differences_test {

using ::testing::ElementsAre;

// Two bodies on a hinge, with numbers in the place of a run: 11 samples in 1 s.
class DifferencesOfRuns : public ::testing::Test {
 protected:
  void SetUp() override {
    const BodyIndex crank = test::addBody(mechanism_, "crank", 1.0, 1.0);
    test::addJoint(mechanism_, "O", JointKind::revolute, kGround, test::frameAt(0, 0), crank, test::frameAt(0, 0));
    for (int k = 0; k <= 10; ++k) reference_.time.push_back(0.1 * k);
    reference_.ledger.reference_length = 2.0;
    reference_.ledger.energy_scale = 5.0;
    add("crank", "x", "m", 4.0);
    add("crank", "x_rate", "m/s", 3.0);
    add("O", "angle", "rad", 1.5);
    add("O", "force.x", "N", 10.0);
    add("O", "moment", "N*m", 0.0);
    add("push", "force.x", "N", 1000.0);
    add("energy", "kinetic", "J", 5.0);
    add("energy", "balance", "J", 0.0);
    other_ = reference_;
  }

  void add(const std::string& group, const std::string& label, const std::string& unit, double value) {
    reference_.series.push_back({group + "." + label, unit, group, label, std::vector<double>(11, value)});
  }

  Series& other(const std::string& name) {
    return *std::find_if(other_.series.begin(), other_.series.end(), [&](const Series& s) { return s.name == name; });
  }
  Differences differences(double within = 1e-6) const { return differencesOf(mechanism_, reference_, other_, within); }

  Mechanism mechanism_;
  Result reference_, other_;
};

TEST_F(DifferencesOfRuns, AreZeroForTheSameRunTwice) {
  const Differences found = differences();
  EXPECT_EQ(found.worst(), 0.0);
  EXPECT_EQ(found.samples, 11U);
  EXPECT_FALSE(found.parting);
}

TEST_F(DifferencesOfRuns, AreRelativeToTheGreatestOfTheirKind) {
  other("crank.x").values[4] += 4e-3;   // of 4 m
  other("O.moment").values[5] += 2e-2;  // of 10 N times 2 m: there is no moment to measure by
  other("energy.kinetic").values[6] -= 5e-4;
  const Differences found = differences();
  EXPECT_NEAR(found.greatest[Aspect::position].relative, 1e-3, 1e-12);
  EXPECT_NEAR(found.greatest[Aspect::position].absolute, 4e-3, 1e-12);
  EXPECT_EQ(found.greatest[Aspect::position].series, "crank.x");
  EXPECT_NEAR(found.greatest[Aspect::position].time, 0.4, 1e-12);
  EXPECT_NEAR(found.greatest[Aspect::reaction].relative, 1e-3, 1e-12);
  EXPECT_NEAR(found.greatest[Aspect::energy].relative, 1e-4, 1e-12);
  EXPECT_EQ(found.greatest[Aspect::velocity].relative, 0.0);
  EXPECT_NEAR(found.over_time[Aspect::position][4], 1e-3, 1e-12);
  EXPECT_EQ(found.over_time[Aspect::position][5], 0.0);
}

TEST_F(DifferencesOfRuns, LeaveOutReactionsThatAreNotUniqueInOneOfTheRuns) {
  other("O.force.x").values[3] += 5.0;
  other("O.force.x").unique = false;
  const Differences found = differences();
  EXPECT_EQ(found.worst(), 0.0);
  EXPECT_THAT(found.left_out, ElementsAre("O.force.x"));
  EXPECT_EQ(found.compared[Aspect::reaction], 1);
}

// Loads follow from the motion, and the balance is the run's own error.
TEST_F(DifferencesOfRuns, LeaveOutLoadsAndTheEnergyBalance) {
  other("push.force.x").values[3] += 5.0;
  other("energy.balance").values[3] += 5.0;
  EXPECT_EQ(differences().worst(), 0.0);
}

TEST_F(DifferencesOfRuns, PartWhereTheFirstJointIsApart) {
  for (std::size_t k = 3; k <= 10; ++k) other("crank.x").values[k] += 0.1;
  for (std::size_t k = 3; k <= 10; ++k) other("O.angle").values[k] += 0.01;
  const std::optional<Parting> parting = differences().parting;
  ASSERT_TRUE(parting);
  EXPECT_NEAR(parting->time, 0.3, 1e-12);
  EXPECT_EQ(parting->kind, "joint");
  EXPECT_EQ(parting->place, "O");
  EXPECT_EQ(parting->series, "O.angle");
}

// The joint that differs most is named even where it is a body that first differs by more than is allowed.
TEST_F(DifferencesOfRuns, PartInTheJointThatDiffersMost) {
  other("crank.x").values[2] += 0.1;
  other("O.angle").values[2] += 1e-9;
  const std::optional<Parting> parting = differences().parting;
  ASSERT_TRUE(parting);
  EXPECT_EQ(parting->place, "O");
  EXPECT_EQ(parting->series, "crank.x");
}

TEST_F(DifferencesOfRuns, PartInABodyWhereNoJointIsApartYet) {
  other("crank.x").values[2] += 0.1;
  other("O.angle").values[5] += 0.1;
  const std::optional<Parting> parting = differences().parting;
  ASSERT_TRUE(parting);
  EXPECT_EQ(parting->kind, "body");
  EXPECT_EQ(parting->place, "crank");
}

// A run that failed is compared as far as it came, one that an event stopped as long as samples fall together.
TEST_F(DifferencesOfRuns, EndWithTheShorterRun) {
  other_.time.resize(6);
  other_.time.back() = 0.47;
  for (Series& series : other_.series) series.values.resize(6);
  other("crank.x").values[5] = 100.0;
  other_.status = RunStatus::failed;
  const Differences found = differences();
  EXPECT_EQ(found.samples, 5U);
  EXPECT_EQ(found.worst(), 0.0);
  EXPECT_FALSE(found.endings);  // where it could not go on says nothing about the motion
}

// Nothing differs as long as both run, but an event came to one of them alone.
TEST_F(DifferencesOfRuns, CountTheTimesAtWhichRunsEnd) {
  other_.time.resize(6);
  for (Series& series : other_.series) series.values.resize(6);
  other_.status = RunStatus::stopped_by_event;
  const Differences found = differences();
  ASSERT_TRUE(found.endings);
  EXPECT_DOUBLE_EQ(found.endings->reference, 1.0);
  EXPECT_DOUBLE_EQ(found.endings->other, 0.5);
  EXPECT_DOUBLE_EQ(found.worst(), 0.5);
  EXPECT_EQ(found.worstIn(), "time of the end");
  // Both stopped by it, at times that differ by no more than the motions do.
  reference_.status = RunStatus::stopped_by_event;
  reference_.time = other_.time;
  other_.time.back() += 1e-8;
  EXPECT_NEAR(differences().worst(), 2e-8, 1e-10);
}

TEST_F(DifferencesOfRuns, AreInfiniteWhereAValueIsNone) {
  other("crank.x").values[2] = std::nan("");
  EXPECT_TRUE(std::isinf(differences().worst()));
}

}  // namespace differences_test
}  // namespace linkwork
