// What `linkwork compare` does, on shipped models: every formulation that applies, planar ones also in space, over the
// time in which a perturbation grows less than a thousandfold.
#include "linkwork/study/compare.hpp"

#include <gtest/gtest.h>

#include "linkwork/study/compare_words.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace compare_test {

class ComparedModels : public ::testing::TestWithParam<std::string> {};

// With rtol = 1e-10 a step is off by 1e-10; a thousandfold growth until the end is what the times allow.
TEST_P(ComparedModels, AgreeUnderEveryFormulation) {
  const Mechanism mechanism = readShippedModel(GetParam());
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  CompareRequest request;
  request.run = runOptions(mechanism);
  request.run.until = mechanism.check_horizon;
  request.run.output_step = mechanism.check_horizon / 20.0;
  request.run.steps.rtol = 1e-10;
  request.run.steps.atol = 1e-12;
  request.within = 1e-7;
  const Comparison comparison = compare(mechanism, assembly, request);
  ASSERT_TRUE(comparison.worst());
  EXPECT_LT(*comparison.worst(), request.within) << verdictOf(comparison);
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    EXPECT_TRUE(run.wentThrough()) << run.label << ": " << run.result.message;
    EXPECT_EQ(run.difference.samples, 21U) << run.label;
  }
}

// Of three parallel cranks nothing is unique along the axes, but what acts across the cranks is.
TEST(ComparedReactions, AreThoseInTheUniqueDirections) {
  const Mechanism mechanism = readShippedModel("parallelogram_three_cranks");
  const Assembly assembly = assemble(mechanism);
  CompareRequest request;
  request.run = runOptions(mechanism);
  request.run.until = 0.2;
  const Comparison comparison = compare(mechanism, assembly, request);
  int compared = 0;
  for (const ComparedRun& run : comparison.runs) {
    if (run.wentThrough()) compared = std::max(compared, run.difference.compared[Aspect::reaction]);
  }
  EXPECT_EQ(compared, 12);  // two components of six joints
}

INSTANTIATE_TEST_SUITE_P(Models, ComparedModels,
                         ::testing::Values("double_pendulum", "slider_pendulum", "four_bar",
                                           "parallelogram_three_cranks", "rssr", "tennis_racket"),
                         [](const auto& instance) { return instance.param; });

}  // namespace compare_test
}  // namespace linkwork::validation
