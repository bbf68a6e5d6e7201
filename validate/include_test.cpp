// Every shipped mechanism, included into an empty file somewhere else, turned, and under gravity turned as well, moves
// as it does alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "moved_file.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace include_test {

class IncludedModel : public ::testing::TestWithParam<std::string> {};

TEST_P(IncludedModel, MovesAsItDoesAlone) {
  const Mechanism alone = readShippedModel(GetParam());
  Diagnostics diagnostics;
  const auto whole =
      readModelText(movedFile(alone, GetParam()), std::string(LINKWORK_MODELS_DIR) + "/whole.toml", diagnostics);
  ASSERT_TRUE(whole) << diagnostics.format();

  RunOptions options = runOptions(alone);
  options.until = followedFor(GetParam(), std::min({options.until, alone.check_horizon, 0.5}));
  options.output_step = options.until / 10;
  const Result expected = runModel(alone, options);
  const Result found = runModel(*whole, options);
  ASSERT_NE(found.status, RunStatus::failed) << found.message;
  // Jumps come when the motion gets somewhere, which the tolerance of a step moves a little.
  ASSERT_THAT(found.time, ::testing::Pointwise(::testing::DoubleNear(1e-7), expected.time));
  int compared = 0;
  const auto compare = [&](const std::string& name, const std::string& prefix = "part_") {
    const Series* a = expected.find(name);
    const Series* b = found.find(prefix + name);
    if (a == nullptr) return;
    ASSERT_NE(b, nullptr) << name;
    double scale = 1e-3;
    for (const double value : a->values) scale = std::max(scale, std::abs(value));
    // Both runs keep 1e-8 a step; over a check horizon errors grow less than a thousandfold.
    for (std::size_t k = 0; k < a->values.size(); ++k) EXPECT_NEAR(b->values[k], a->values[k], 1e-5 * scale) << name;
    ++compared;
  };
  for (const Joint& joint : alone.joints) {
    for (const char* word : {".angle", ".slide", ".angle_rate", ".slide_rate"}) compare(joint.name + word);
  }
  for (const Body& body : alone.bodies) compare(body.name + ".angle_rate");
  for (const Drive& drive : alone.drives) compare(drive.name + ".effort");
  for (const Load& load : alone.loads) {
    for (const char* word : {".moment", ".tension", ".length", ".torque", ".angle"}) compare(load.name + word);
  }
  compare("energy.kinetic", "");
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, IncludedModel, ::testing::ValuesIn(shippedModels()),
                         [](const auto& model) { return model.param; });

}  // namespace include_test
}  // namespace linkwork::validation
