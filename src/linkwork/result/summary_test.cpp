#include "linkwork/result/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace linkwork {
namespace summary_test {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

LoadCase row(const char* joint, const char* quantity, Extreme extreme, double time, const JointLoad& load) {
  return {joint, "bar", LoadEnd::second, LoadAxes::ground, quantity, extreme, time, load};
}

TEST(JointPeaks, AreTheLargestSizesWithTheirTimes) {
  Result result;
  JointLoad strong;
  strong.force = {3.0, -4.0, 0.0};
  JointLoad twisted;
  twisted.moment = {0.0, 0.0, -7.0};
  twisted.moment_unique = {true, true, false};
  JointLoad other;
  other.moment = {0.0, 0.0, 6.0};
  result.loads = {row("O", "force.x", Extreme::greatest, 0.5, strong),
                  row("O", "force", Extreme::greatest, 1.5, strong), row("S", "force", Extreme::greatest, 0.0, {}),
                  row("S", "moment", Extreme::least, 0.25, twisted),
                  row("S", "moment", Extreme::greatest, 0.75, other)};
  result.loads.push_back(result.loads[1]);  // on the first body: not counted again
  result.loads.back().end = LoadEnd::first;
  const std::vector<JointPeaks> peaks = jointPeaks(result);
  ASSERT_EQ(peaks.size(), 2U);
  EXPECT_EQ(peaks[0].joint, "O");
  EXPECT_DOUBLE_EQ(peaks[0].force.size, 5.0);
  EXPECT_EQ(peaks[0].force.time, 1.5);
  EXPECT_TRUE(peaks[0].force.unique);
  EXPECT_FALSE(peaks[0].moment.has_value());
  ASSERT_TRUE(peaks[1].moment.has_value());
  EXPECT_EQ(peaks[1].moment->size, 7.0);
  EXPECT_EQ(peaks[1].moment->time, 0.25);
  EXPECT_FALSE(peaks[1].moment->unique);
}

TEST(TellingCoordinate, IsTheFirstJointThatMoves) {
  Result result;
  result.loads = {row("F", "force", Extreme::greatest, 0.0, {}), row("O", "force", Extreme::greatest, 0.0, {})};
  result.series = {{"bar.x", "m", "bar", "x", {0.0, 1.0}},
                   {"bar.angle", "rad", "bar", "angle", {0.0, 1.0}},
                   {"F.angle", "rad", "F", "angle", {2.0, 2.0}},
                   {"O.angle", "rad", "O", "angle", {0.0, 0.5}}};
  EXPECT_EQ(tellingCoordinate(result)->name, "O.angle");
  result.loads.clear();
  EXPECT_EQ(tellingCoordinate(result)->name, "bar.x");
  for (Series& series : result.series) series.values = {1.0, 1.0};
  EXPECT_EQ(tellingCoordinate(result), nullptr);
}

TEST(Sparkline, RisesWithTheValues) {
  const std::vector<double> ramp{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(sparkline(ramp, 8, Sparks::blocks, SparkOf::values), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(sparkline(ramp, 8, Sparks::ascii, SparkOf::values), "_.,-=+*#");
  EXPECT_EQ(sparkline(ramp, 4, Sparks::ascii, SparkOf::values), "_,+#");
  EXPECT_EQ(sparkline(ramp, 80, Sparks::ascii, SparkOf::values).size(), 8U);
}

TEST(Sparkline, KeepsTheGreatestSizeOfEveryStretch) {
  std::vector<double> spike(1000, 1e-12);
  spike[777] = -1.0;
  EXPECT_EQ(sparkline(spike, 10, Sparks::ascii, SparkOf::sizes), "_______#__");
}

TEST(Sparkline, LeavesBlanksWhereThereAreNoNumbers) {
  const std::vector<double> gaps{0.0, kNone, kNone, 1.0, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(sparkline(gaps, 5, Sparks::ascii, SparkOf::values), "_  # ");
  EXPECT_EQ(sparkline(std::vector<double>(3, kNone), 3, Sparks::ascii, SparkOf::sizes), "   ");
  EXPECT_EQ(sparkline({}, 10, Sparks::blocks, SparkOf::values), "");
  EXPECT_EQ(sparkline(gaps, 0, Sparks::blocks, SparkOf::values), "");
}

TEST(Sparkline, OfWhatDoesNotChangeIsFlat) {
  EXPECT_EQ(sparkline(std::vector<double>(4, 3.0), 4, Sparks::ascii, SparkOf::values), "____");
  EXPECT_EQ(sparkline(std::vector<double>(4, 0.0), 4, Sparks::ascii, SparkOf::sizes), "____");
}

}  // namespace summary_test
}  // namespace linkwork
