#include "linkwork/files/page_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace linkwork {
namespace page_samples_test {

using ::testing::Contains;
using ::testing::IsSupersetOf;

constexpr std::size_t kSamples = 50'000;

Series seriesOf(const std::string& group, const std::string& label, double (*f)(std::size_t)) {
  Series series{group + "." + label, "N", group, label, {}};
  for (std::size_t k = 0; k < kSamples; ++k) series.values.push_back(f(k));
  return series;
}

Result longRun() {
  Result result;
  for (std::size_t k = 0; k < kSamples; ++k) result.time.push_back(1e-4 * static_cast<double>(k));
  result.series = {
      seriesOf("crank", "x", [](std::size_t k) { return std::cos(1e-3 * static_cast<double>(k)); }),
      seriesOf("crank", "y", [](std::size_t k) { return std::sin(1e-3 * static_cast<double>(k)); }),
      seriesOf("O", "force.x",
               [](std::size_t k) { return k == 12'345 ? 90.0 : std::cos(3e-4 * static_cast<double>(k)); }),
      seriesOf("O", "force.y",
               [](std::size_t k) { return k == 12'349 ? -80.0 : std::sin(3e-4 * static_cast<double>(k)); }),
      // Neither component is extreme at sample 777, but the vector is longest there.
      seriesOf("D", "force.x", [](std::size_t k) { return k == 777  ? 9.0
                                                          : k == 31 ? 10.0
                                                                    : 0.0; }),
      seriesOf("D", "force.y", [](std::size_t k) { return k == 777  ? 9.0
                                                          : k == 32 ? 10.0
                                                                    : 0.0; }),
  };
  return result;
}

TEST(PageSamples, AreAllOfAShortRun) {
  const Result result = longRun();
  const auto samples = pageSamples(result, kSamples);
  ASSERT_EQ(samples.size(), kSamples);
  EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end()));
}

TEST(PageSamples, KeepTheExtremesOfLoadsAndTheLongestVectors) {
  const auto samples = pageSamples(longRun(), 1'000);
  EXPECT_LE(samples.size(), 1'000U);
  EXPECT_GT(samples.size(), 490U);
  EXPECT_THAT(samples, IsSupersetOf({std::size_t{0}, kSamples - 1, std::size_t{12'345}, std::size_t{12'349},
                                     std::size_t{777}, std::size_t{31}, std::size_t{32}}));
  EXPECT_TRUE(std::adjacent_find(samples.begin(), samples.end(), std::greater_equal<>()) == samples.end());
}

// Their places and rates, whoever is asked last: peaks that differ from their neighbours by less than can be seen.
TEST(PageSamples, KeepTheExtremesOfBodiesToo) {
  Result result = longRun();
  result.series[0].values[20'013] = 1.000001;
  result.series[1].values[40'017] = -1.000001;
  EXPECT_THAT(pageSamples(result, 1'000), IsSupersetOf({std::size_t{20'013}, std::size_t{40'017}}));
}

TEST(PageSamples, KeepTheExtremesAndTheEndOfARunThatStoppedEarly) {
  Result result = longRun();
  Series stopped = result.series[2];
  stopped.name = "recursive: drift";
  stopped.group = "drift";
  stopped.values.resize(33'335);
  stopped.values[12'345] = 1.0;
  stopped.values[33'331] = -7.0;
  stopped.values[9'998] = 90.0;
  result.series.push_back(stopped);
  EXPECT_THAT(pageSamples(result, 1'000), IsSupersetOf({std::size_t{33'331}, std::size_t{9'998}, std::size_t{33'334}}));
}

// Bodies too: a jolt between two evenly spread samples is kept although nothing promises it as an extreme.
TEST(PageSamples, KeepWhatLeavesTheStraightLineBetweenThem) {
  Result result = longRun();
  result.series[0].values[20'011] += 0.4;
  const auto samples = pageSamples(result, 1'000);
  EXPECT_THAT(samples, Contains(std::size_t{20'011}));
}

TEST(PageSamples, KeepBothSidesOfAnEvent) {
  Result result = longRun();
  result.time[30'004] = result.time[30'003];
  const auto samples = pageSamples(result, 1'000);
  EXPECT_THAT(samples, IsSupersetOf({std::size_t{30'003}, std::size_t{30'004}}));
}

TEST(PageSamples, PassOverWhatIsNoNumber) {
  Result result = longRun();
  std::fill_n(result.series[2].values.begin(), kSamples, std::nan(""));
  result.series[3].values[5] = INFINITY;
  const auto samples = pageSamples(result, 1'000);
  EXPECT_THAT(samples, Contains(std::size_t{12'349}));
}

// However many extremes and jumps there are: a page must not grow with them.
TEST(PageSamples, AreNeverMoreThanThereIsRoomFor) {
  Result result = longRun();
  for (std::size_t k = 1; k < kSamples; k += 2) result.time[k] = result.time[k - 1];
  for (std::size_t s = 0; s < 300; ++s) {
    result.series.push_back(result.series[2]);
    result.series.back().name = "O" + std::to_string(s) + ".force";
    result.series.back().values[100 * s + 50] = 1000.0;
    result.series.back().values[100 * s + 51] = -1000.0;
  }
  for (const std::size_t most : {std::size_t{2}, std::size_t{3}, std::size_t{200}, std::size_t{1'000}}) {
    const auto samples = pageSamples(result, most);
    EXPECT_LE(samples.size(), most);
    EXPECT_EQ(samples.front(), 0U);
    EXPECT_EQ(samples.back(), kSamples - 1);
  }
  // Where there is room, the extremes come before the jumps.
  const auto samples = pageSamples(result, 1'000);
  for (std::size_t s = 0; s < 300; ++s) EXPECT_THAT(samples, IsSupersetOf({100 * s + 50, 100 * s + 51}));
}

TEST(PageSamples, SurviveAnEmptyRun) { EXPECT_TRUE(pageSamples(Result{}, 100).empty()); }

TEST(PageSamples, PickTheirValues) { EXPECT_EQ(picked({5.0, 6.0, 7.0}, {0, 2}), (std::vector<double>{5.0, 7.0})); }

}  // namespace page_samples_test
}  // namespace linkwork
