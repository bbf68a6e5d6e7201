#include "linkwork/read/motion_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "linkwork/model/driven_mechanisms_for_tests.hpp"

namespace linkwork {
namespace motion_file_test {

using ::testing::HasSubstr;

TEST(MotionFile, ReadsUnitsRemarksAndQuotedHeads) {
  const MotionFile file =
      parseMotion("# remark\n\"time [s]\",O.angle [deg], A.angle\n0,0,1\n1,90,2\n2,180,3\n3,270,4\n", "motion.csv");
  ASSERT_EQ(file.problem, "");
  EXPECT_EQ(file.time, (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(file.names, (std::vector<std::string>{"O.angle", "A.angle"}));
  EXPECT_NEAR(file.columns[0][2], std::numbers::pi, 1e-15);
  EXPECT_EQ(file.columns[1][3], 4.0);
}

TEST(MotionFile, SaysInWhichLineItIsWrong) {
  const auto problem = [](const char* text) { return parseMotion(text, "m.csv").problem; };
  EXPECT_EQ(problem("angle,x\n"), "m.csv:1: the first column must be time, it is \"angle\"");
  EXPECT_EQ(problem("time\n"), "m.csv:1: there is no column beside the time");
  EXPECT_EQ(problem("time,a\n0,1\n0,2\n"), "m.csv:3: the time does not go on");
  EXPECT_EQ(problem("time,a\n0,1,2\n"), "m.csv:2: 3 values under 2 headings");
  EXPECT_EQ(problem("time,a\nx,1\n"), "m.csv:2: \"x\" is no time");
  EXPECT_EQ(problem("time,a\n0,1\n1,2\n"), "m.csv:3: 2 rows are too few for a smooth motion; give at least 4");
  EXPECT_THAT(problem("time,a [parsec]\n"), HasSubstr("m.csv:1: \"a [parsec]\""));
  EXPECT_EQ(readMotionFile("/no/such/file.csv").problem, "/no/such/file.csv: cannot be read: there is no such file");
}

// As in the result of a run in which a load jumps.
TEST(MotionFile, TakesTheSecondOfTwoRowsAtOneTime) {
  Mechanism m = test::SliderCrank().mechanism(1.0);
  const MotionFile file = parseMotion("time,O.angle,O.force\n0,0,1\n1,1,1\n2,2,1\n2,2,5\n3,3,5\n4,4,5\n", "m.csv");
  ASSERT_EQ(file.problem, "");
  EXPECT_EQ(file.time, (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(file.columns[1], (std::vector<double>{1, 1, 5, 5, 5}));
  std::vector<std::string> warnings;
  EXPECT_EQ(driveBy(file, {{"O.angle"}, TableEnds::natural}, m, warnings), "");
  const MotionFile jumping = parseMotion("time,O.angle,a\n0,0,1\n1,1,1\n2,2,1\n2,7,1\n3,3,5\n4,4,5\n", "m.csv");
  EXPECT_EQ(driveBy(jumping, {{"O.angle"}, TableEnds::natural}, m, warnings),
            "column \"O.angle\" has two values at t = 2 s; a motion does not jump");
  EXPECT_EQ(parseMotion("time,a,b\n0,1,1\n1,1,1\n0.5,1,1\n", "m.csv").problem, "m.csv:4: the time does not go on");
}

TEST(MotionFile, DrivesTheCoordinatesItNames) {
  Mechanism m = test::SliderCrank().mechanism(1.0);
  std::string text = "time,O.angle,B.angle\n";
  for (int k = 0; k <= 40; ++k) text += fmt::format("{},{:.17g},nan\n", 0.1 * k, 1.0 + std::sin(0.1 * k));
  const MotionFile file = parseMotion(text, "m.csv");
  std::vector<std::string> warnings;
  EXPECT_EQ(driveBy(file, {{"B.angle"}, TableEnds::natural}, m, warnings),
            "column \"B.angle\" is not a number at t = 0 s");
  EXPECT_THAT(driveBy(file, {{"O.angel"}, TableEnds::natural}, m, warnings), HasSubstr("Did you mean \"O.angle\"?"));
  EXPECT_TRUE(m.drives.empty());
  EXPECT_EQ(driveBy(file, {{"O.angle"}, TableEnds::natural}, m, warnings), "");
  ASSERT_EQ(m.drives.size(), 1U);
  EXPECT_EQ(m.drives[0].name, "O.angle");
  // A cubic spline over steps of 0.1: error h^4 / 384 of the fourth derivative in the middle.
  EXPECT_NEAR(evaluate(m.drives[0].motion, {{"t", 2.05}}), 1.0 + std::sin(2.05), 1e-6);
  EXPECT_TRUE(warnings.empty());
}

TEST(MotionFile, WarnsOfRowsThatAreFarApart) {
  Mechanism m = test::SliderCrank().mechanism(1.0);
  std::string text = "time,O.angle\n";
  for (int k = 0; k <= 40; ++k) text += fmt::format("{},{:.17g}\n", 0.1 * k, std::sin(20.0 * k));
  std::vector<std::string> warnings;
  EXPECT_EQ(driveBy(parseMotion(text, "m.csv"), {}, m, warnings), "");
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_THAT(warnings[0], HasSubstr("column \"O.angle\": the rows are far apart or not smooth"));
}

TEST(MotionFile, RefusesColumnsThatAreNoCoordinates) {
  Mechanism m = test::SliderCrank().mechanism(1.0);
  std::vector<std::string> warnings;
  const MotionFile file = parseMotion("time,O.angle_rate\n0,1\n1,1\n2,1\n3,1\n", "m.csv");
  EXPECT_THAT(driveBy(file, {}, m, warnings), HasSubstr("is no coordinate of a joint or body"));
  const MotionFile late = parseMotion("time,O.angle\n2,1\n3,1\n4,1\n5,1\n", "m.csv");
  EXPECT_EQ(driveBy(late, {}, m, warnings), "the motion begins at t = 2 s, but a run begins at 0; shift its times");
}

}  // namespace motion_file_test
}  // namespace linkwork
