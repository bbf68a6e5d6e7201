// What acts on the bodies of the shipped models, as the page gets it.
#include "linkwork/report/page_mechanics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "linkwork/model/lift.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/report/page.hpp"
#include "linkwork/report/page_explanation.hpp"
#include "linkwork/simulate/body_actions_for_tests.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace page_mechanics_test {

Mechanism model(const std::string& name) {
  Diagnostics diagnostics;
  auto mechanism = readModelFile((std::filesystem::path(LINKWORK_MODELS_DIR) / (name + ".toml")).string(), diagnostics);
  if (!mechanism) throw std::runtime_error(diagnostics.format());
  return *std::move(mechanism);
}

// A piece of the run, long enough for every part to have moved.
Result pieceOf(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  RunOptions options = runOptions(mechanism);
  options.until = std::min(options.until, 0.05);
  options.output_step = 0.2 * options.until;
  return simulate(mechanism, assembly, options);
}

std::vector<std::string> shippedModels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class ShippedModel : public ::testing::TestWithParam<std::string> {};

// Newton and Euler for each body: no part is missing, none has the wrong sign or point. Accelerations and reactions
// come from one linear solve, whose residual is rounding of its largest terms.
TEST_P(ShippedModel, ForcesOnEveryBodyAreItsMassTimesAcceleration) {
  const Mechanism m = model(GetParam());
  const Result result = pieceOf(m);
  ASSERT_GT(result.time.size(), 1U) << result.message;
  const test::Imbalance worst = test::BalanceSheet(m, result).worst();
  EXPECT_GT(worst.force_scale + worst.moment_scale, 0.0);
  EXPECT_LE(worst.force, 1e-8 * worst.force_scale);  // both are zero where nothing but spin is going on
  EXPECT_LT(worst.moment, 1e-8 * (worst.moment_scale + worst.force_scale * result.ledger.reference_length));
}

INSTANTIATE_TEST_SUITE_P(All, ShippedModel, ::testing::ValuesIn(shippedModels()),
                         [](const auto& instance) { return instance.param; });

TEST(MechanicsJson, NamesSeriesThatExistAndGivesColumnsOfTheirLength) {
  const Mechanism m = model("slider_pendulum");
  const Result result = pieceOf(m);
  const auto json = mechanicsJson(m, result);
  for (const auto& body : json["bodies"]) {
    for (const char* list : {"position", "turn", "velocity", "spin", "acceleration", "spin_rate"}) {
      for (const auto& name : body[list]) EXPECT_NE(result.find(name.get<std::string>()), nullptr) << name;
    }
  }
  bool resolved = false;
  for (const auto& action : json["actions"]) {
    for (const char* list : {"force", "moment"}) {
      for (const auto& name : action.value(list, nlohmann::ordered_json::array()))
        EXPECT_NE(result.find(name.get<std::string>()), nullptr) << name;
    }
    for (const auto& column : action.value("force_values", nlohmann::ordered_json::array())) {
      resolved = true;
      EXPECT_EQ(column.get<std::string>().size(), 4 * ((8 * result.time.size() + 2) / 3));  // base64
    }
  }
  EXPECT_TRUE(resolved);  // its spring
}

TEST(MechanicsJson, HasTheInertiaAndTheQuaternionOfABodyInSpace) {
  const Mechanism m = model("door_two_hinges");
  const auto json = mechanicsJson(m, pieceOf(m));
  EXPECT_EQ(json["bodies"][0]["inertia"].size(), 6U);
  EXPECT_EQ(json["bodies"][0]["turn"].size(), 4U);
}

TEST(PageData, HoldsMechanicsExplanationAndAPhasePlot) {
  const Mechanism m = model("four_bar");
  const Result result = pieceOf(m);
  const auto json = nlohmann::json::parse(pageData(m, result, {}));
  EXPECT_EQ(json["mechanics"]["actions"].size(), 6U);  // O, A, A, B, B, C
  EXPECT_FALSE(json["explanation"]["sections"].empty());
  int phase_plots = 0;
  for (const auto& plot : json["plots"]) {
    if (!plot.contains("x")) continue;
    ++phase_plots;
    EXPECT_NE(result.find(plot["x"]), nullptr);
    EXPECT_EQ(plot["series"][0], plot["x"].get<std::string>() + "_rate");
  }
  EXPECT_EQ(phase_plots, 1);
}

TEST(ExplanationJson, HoldsTheSectionsOfExplain) {
  const Mechanism m = model("four_bar");
  const auto json = explanationJson(m);
  ASSERT_GT(json["sections"].size(), 8U);
  for (const auto& section : json["sections"]) {
    EXPECT_NE(section["title"], "");
    if (!section.contains("table")) continue;
    const auto& table = section["table"];
    EXPECT_EQ(table["entries"].size(), table["rows"].size() * std::max<std::size_t>(1, table["columns"].size()));
  }
  EXPECT_EQ(explanationJson(model("rssr")), nullptr);                         // in space
  EXPECT_TRUE(explanationJson(model("pendulum_chain"))["sections"].empty());  // too long to read
}

}  // namespace page_mechanics_test
}  // namespace linkwork
