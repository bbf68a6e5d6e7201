#include "linkwork/study/stiffness_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/model/compliance.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace stiffness_sweep_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(StiffnessList, IsDecadesAListOrANumber) {
  EXPECT_THAT(stiffnessList("1e4..1e7"), ElementsAre(1e4, 1e5, 1e6, 1e7));
  EXPECT_THAT(stiffnessList("3e4,1e5"), ElementsAre(3e4, 1e5));
  EXPECT_THAT(stiffnessList("250"), ElementsAre(250.0));
  for (const char* wrong : {"", "soft", "1e7..1e4", "..1e4", "1e4..", "1e4,x", "0..1e3", "-1..1e3"})
    EXPECT_THAT(stiffnessList(wrong), IsEmpty()) << wrong;
}

StiffnessRequest requestOf(std::vector<double> stiffness) {
  StiffnessRequest out;
  out.run.system.formulation = "recursive";
  out.run.until = 0.2;
  out.run.output_step = 0.01;
  out.run.steps.rtol = 1e-10;
  out.run.steps.atol = 1e-12;
  out.stiffness = std::move(stiffness);
  return out;
}

TEST(StiffnessRequest, WantsStiffnessesThatRise) {
  EXPECT_EQ(requestOf({1e4, 1e5}).problem(), "");
  EXPECT_THAT(requestOf({}).problem(), HasSubstr("positive and rise"));
  EXPECT_THAT(requestOf({1e5, 1e4}).problem(), HasSubstr("positive and rise"));
  EXPECT_THAT(requestOf({0.0}).problem(), HasSubstr("positive and rise"));
}

// Places and gaps are off as one over the stiffness, and two runs tell the limit ten times better.
TEST(StiffnessSweep, ErrorsFallAsOneOverTheStiffnessAndTheLimitIsBetter) {
  StiffnessRequest request = requestOf({1e7, 1e8});
  request.richardson = true;
  Mechanism m = test::fourBar();
  // Nearly closed, with the crank at atan(4/3).
  test::drawAt(
      m, {{0.12, 0.16, std::atan2(4.0, 3.0), 0.723, 0.685, std::atan2(5.0, 12.0), 1.323, 0.222, std::atan2(24.0, 7.0)},
          std::vector<double>(9, 0.0)});
  m.initial = {{{QuantityKind::body_angle_rate, 0}, Value(2.0), {}}};
  const StiffnessSweep sweep = sweepStiffness(m, request);
  ASSERT_EQ(sweep.problem, "");
  ASSERT_EQ(sweep.samples.size(), 2U);
  ASSERT_EQ(sweep.joints.size(), 1U);
  EXPECT_NEAR(sweep.samples[0].errors.place / sweep.samples[1].errors.place, 10.0, 0.5);
  EXPECT_NEAR(sweep.samples[0].gap / sweep.samples[1].gap, 10.0, 0.5);
  ASSERT_TRUE(sweep.samples[1].extrapolated);
  EXPECT_LT(sweep.samples[1].limit.place, 0.2 * sweep.samples[1].errors.place);
  EXPECT_NEAR(sweep.samples[1].estimate, sweep.samples[0].errors.place, 0.1 * sweep.samples[0].errors.place);
  const TextTable table = stiffnessTable(sweep);
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[1].size(), table[0].size() - 3);  // the first has no neighbour
  EXPECT_EQ(table[2].size(), table[0].size());
  EXPECT_THAT(stiffnessCsv(sweep), HasSubstr("\n100000000,"));
}

TEST(StiffnessSweep, SaysThatThereIsNothingToSweep) {
  EXPECT_THAT(sweepStiffness(test::sliderPendulum(), requestOf({1e6})).problem, HasSubstr("nothing to sweep"));
}

}  // namespace stiffness_sweep_test
}  // namespace linkwork
