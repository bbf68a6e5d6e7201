// index3 with radau5 at tight tolerances: what Newton's corrections stall at is round-off, with or without redundant
// rows, and is no reason to make steps smaller; where it is more than the tolerance allows, that is what is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "run_model.hpp"

namespace linkwork::validation {
namespace tight_index3_test {

Result run(const std::string& model, const std::string& stabilisation, double rtol, double until) {
  const Mechanism mechanism = readShippedModel(model);
  RunOptions options = runOptions(mechanism);
  options.until = until;
  options.output_step = until;
  options.steps.rtol = rtol;
  options.steps.atol = 0.01 * rtol;
  options.integrator = stabilisation == "projection" ? "dop853" : "radau5";
  options.system.stabilisation = stabilisation;
  return runModel(mechanism, options);
}

class TightIndex3 : public ::testing::TestWithParam<const char*> {};

TEST_P(TightIndex3, GoesOnWhereCorrectionsStall) {
  const Result result = run(GetParam(), "index3", 1e-10, 0.1);
  ASSERT_EQ(result.status, RunStatus::complete) << result.message;
  EXPECT_LT(result.ledger.rejected, result.ledger.steps / 2);
  const Result reference = run(GetParam(), "projection", 1e-12, 0.1);
  ASSERT_EQ(reference.status, RunStatus::complete) << reference.message;
  const auto isAngleOrPlace = [](const std::string& name) {
    return name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z") || name.ends_with(".angle");
  };
  EXPECT_LT(differenceOfUnique(reference, result, isAngleOrPlace, 1.0), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Models, TightIndex3,
                         ::testing::Values("parallelogram_three_cranks", "bricard", "rssr", "four_bar"),
                         [](const auto& which) { return std::string(which.param); });

TEST(TightIndex3, RoundOffIsSaidToBeThatWithATolerance) {
  const Result result = run("bricard", "index3", 1e-13, 0.1);
  ASSERT_NE(result.status, RunStatus::complete);
  EXPECT_THAT(result.message, ::testing::HasSubstr("round-off"));
  EXPECT_THAT(result.message, ::testing::HasSubstr("The tightest that goes here is about rtol = "));
}

// It was said to be a dead point: steps so short that velocities were round-off of positions had been taken before. And
// of the stabilised index 2, that the equations jump.
TEST(TightIndex3, RoundOffIsNotTakenForADeadPointOrAJump) {
  for (const auto& [model, stabilisation] :
       {std::pair{"parallelogram_three_cranks", "index3"}, {"n_four_bar", "ggl"}}) {
    const Result result = run(model, stabilisation, 1e-12, 1.0);
    if (result.status == RunStatus::complete) continue;
    EXPECT_THAT(result.message,
                ::testing::AnyOf(::testing::HasSubstr("round-off"), ::testing::HasSubstr("lower rank")));
  }
}

}  // namespace tight_index3_test
}  // namespace linkwork::validation
