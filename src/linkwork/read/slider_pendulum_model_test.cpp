// models/slider_pendulum.toml against the same mechanism built in code, letter by letter, and against its closed-form
// start.
#include <gtest/gtest.h>

#include <numbers>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/explain.hpp"
#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/codegen/slider_pendulum_for_tests.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace slider_pendulum_model_test {

class SliderPendulumModel : public ::testing::Test {
 protected:
  void SetUp() override {
    Diagnostics diagnostics;
    mechanism_ = readModelFile(LINKWORK_MODELS_DIR "/slider_pendulum.toml", diagnostics);
    ASSERT_TRUE(mechanism_) << diagnostics.format();
  }
  std::optional<Mechanism> mechanism_;
};

TEST_F(SliderPendulumModel, GivesTheEquationsOfTheTextbook) {
  const Explanation seen = explainSymbols(*mechanism_);
  const Explanation wanted = explainSymbols(test::sliderPendulumInLetters());
  for (const ExplainedSection& section : wanted.sections) {
    if (!section.table) continue;
    const ExplainedSection* same = seen.find(section.title);
    ASSERT_NE(same, nullptr) << section.title;
    EXPECT_EQ(same->table->row_names, section.table->row_names);
    ASSERT_EQ(same->table->entries.size(), section.table->entries.size());
    for (std::size_t k = 0; k < section.table->entries.size(); ++k) {
      EXPECT_EQ(toText(same->table->entries[k]), toText(section.table->entries[k])) << section.title << ", entry " << k;
    }
  }
}

TEST_F(SliderPendulumModel, StartsWithTheClosedFormAccelerationsAndMultipliers) {
  const Assembly assembly = assemble(*mechanism_);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const Explanation e = explainState(*mechanism_, 0.0, assembly.state(), assembly);
  ASSERT_TRUE(e.problem.empty()) << e.problem;
  const std::vector<double> ddq = {18.0 / 11, 0, 0, -30.0 / 11, -48.0 / 11, -48 * std::numbers::sqrt2 / 11};
  const std::vector<double> lambda = {0, -736.0 / 11, 90.0 / 11, -186.0 / 11};
  // Some roundings of numbers up to 70.
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(e.find("Accelerations ddq")->table->entries[k].number(), ddq[k], 1e-12) << k;
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(e.find("Multipliers lambda")->table->entries[k].number(), lambda[k], 1e-12) << k;
}

}  // namespace slider_pendulum_model_test
}  // namespace linkwork
