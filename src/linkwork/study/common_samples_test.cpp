#include "linkwork/study/common_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace linkwork {
namespace common_samples_test {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(CommonSamples, AreThoseAtTheSameTimes) {
  EXPECT_THAT(commonSamples(std::vector{0.0, 0.1, 0.2}, std::vector{0.0, 0.1, 0.2, 0.3}),
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2)));
  EXPECT_THAT(commonSamples(std::vector{0.0, 0.1, 0.15}, std::vector{0.0, 0.1, 0.2, 0.3}),
              ElementsAre(Pair(0, 0), Pair(1, 1)));
}

TEST(CommonSamples, MatchBothSidesOfAJumpOrTheRightOne) {
  const std::vector<double> jumps{0.0, 0.1, 0.1, 0.2};
  EXPECT_THAT(commonSamples(jumps, jumps), ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2), Pair(3, 3)));
  EXPECT_THAT(commonSamples(jumps, std::vector{0.0, 0.1, 0.2}), ElementsAre(Pair(0, 0), Pair(2, 1), Pair(3, 2)));
}

TEST(CommonSamples, PassOverJumpsAtOtherTimes) {
  EXPECT_THAT(commonSamples(std::vector{0.0, 0.12, 0.12, 0.2, 0.3}, std::vector{0.0, 0.13, 0.13, 0.2, 0.25, 0.25, 0.3}),
              ElementsAre(Pair(0, 0), Pair(3, 3), Pair(4, 6)));
}

Result runAt(const std::vector<double>& times) {
  Result out;
  out.time = times;
  out.series.push_back({"t", "s", "", "t", times});
  return out;
}

TEST(KeepCommonSamples, LeavesRunsWithTheSameTimes) {
  Result a = runAt({0.0, 0.1, 0.1, 0.12, 0.12, 0.2, 0.3, 0.35, 0.35});
  Result b = runAt({0.0, 0.1, 0.13, 0.13, 0.2, 0.3});
  Result stopped = runAt({0.0, 0.1, 0.1});
  const std::vector<Result*> all{&a, &b, &stopped};
  keepCommonSamples(all);
  EXPECT_THAT(a.time, ElementsAre(0.0, 0.1, 0.2, 0.3, 0.35, 0.35));  // the others do not get so far
  EXPECT_THAT(b.time, ElementsAre(0.0, 0.1, 0.2, 0.3));
  EXPECT_THAT(stopped.time, ElementsAre(0.0, 0.1));
  for (const Result* run : all) EXPECT_EQ(run->series[0].values, run->time);
}

}  // namespace common_samples_test
}  // namespace linkwork
