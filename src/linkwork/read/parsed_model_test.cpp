#include "linkwork/read/parsed_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "linkwork/model/lift.hpp"
#include "linkwork/model/mechanism_listing_for_tests.hpp"

namespace linkwork {
namespace parsed_model_test {

using test::MechanismListing;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kChain = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[parameters]
N = 3
L = "30 cm"
half = "L/2"
[repeat]
k = { from = 1, to = "N" }
[points]
P0 = [0, 0]
"P{k}" = ["{k}*L", 0]
[bodies]
"link{k}" = { rod = ["P{k-1}", "P{k}"], mass = 1, points = { middle = ["half", 0] } }
[joints]
"J{k}" = { revolute = ["link{k}", "ground"], at = "P{k}" }
)toml";

ParsedModel parsed(const std::string& text, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  auto model = ParsedModel::parse(text, "m.toml", options, diagnostics);
  if (!model) throw std::runtime_error(diagnostics.format());
  return *std::move(model);
}

Mechanism made(ParsedModel& model) {
  Diagnostics diagnostics;
  auto mechanism = model.mechanism(diagnostics);
  if (!mechanism) throw std::runtime_error(diagnostics.format());
  return *std::move(mechanism);
}

ReadOptions with(const std::string& name, double number) {
  ReadOptions options;
  options.set = {{name, fmt::format("{}", number)}};
  return options;
}

// Of every shipped model, each parameter by 1 %.
TEST(ParsedModel, VariedByAPercentIsWhatIsReadWithThatValue) {
  int varied = 0;
  int refused = 0;
  for (const auto& entry : fs::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string path = entry.path().string();
    Diagnostics diagnostics;
    auto model = ParsedModel::parseFile(path, {}, diagnostics);
    ASSERT_TRUE(model) << diagnostics.format();
    const auto own = model->mechanism(diagnostics);
    ASSERT_TRUE(own) << diagnostics.format();
    for (const Parameter& parameter : own->parameters) {
      const double number = parameter.value.number == 0.0 ? 0.01 : 1.01 * parameter.value.number;
      const ParameterValue value{parameter.name, number};
      Diagnostics of_varied;
      Diagnostics of_read;
      const auto other = model->withParameters(*own, {&value, 1}, of_varied);
      const auto read = readModelFile(path, of_read, with(parameter.name, number));
      ASSERT_EQ(other.has_value(), read.has_value()) << of_varied.format() << of_read.format();
      if (!other) {
        ++refused;  // no whole number of links
        continue;
      }
      EXPECT_EQ(MechanismListing::of(*other), MechanismListing::of(*read)) << path << " " << parameter.name;
      EXPECT_EQ(other->included.size(), read->included.size()) << path;
      EXPECT_EQ(other->set.size(), 1U);
      ++varied;
    }
    // Nothing is left behind by what was varied.
    const auto again = model->mechanism(diagnostics);
    ASSERT_TRUE(again);
    EXPECT_EQ(MechanismListing::of(*again), MechanismListing::of(*own)) << path;
  }
  EXPECT_GT(varied, 120);
  EXPECT_LT(refused, 10);
}

TEST(ParsedModel, NamesTheParameterThatChangesItsParts) {
  ParsedModel model = parsed(kChain);
  const Mechanism own = made(model);
  Diagnostics diagnostics;
  const ParameterValue values[] = {{"L", 0.5}, {"N", 4}};
  EXPECT_FALSE(model.withParameters(own, values, diagnostics));
  EXPECT_EQ(diagnostics.format(),
            "m.toml:5:1: error: parameter \"N\": with the value 4 there are 4 bodies instead of 3. Read the model anew "
            "with this value.\n");
}

TEST(ParsedModel, RefusesWhatAFileWithThatValueIsRefusedFor) {
  ParsedModel model = parsed(kChain);
  const Mechanism own = made(model);
  const auto refusal = [&](const std::string& name, double number) {
    Diagnostics diagnostics;
    const ParameterValue value{name, number};
    EXPECT_FALSE(model.withParameters(own, {&value, 1}, diagnostics));
    return diagnostics.format();
  };
  EXPECT_THAT(refusal("L", 0.0), HasSubstr("both ends of the rod are at the same place"));
  EXPECT_THAT(refusal("N", 2.5), HasSubstr("expected a whole number, got 2.5"));
  EXPECT_THAT(refusal("M", 1.0), HasSubstr("m.toml has no parameter \"M\""));
  EXPECT_THAT(refusal("L", std::nan("")), HasSubstr("--set L=nan: error: "));
}

TEST(ParsedModel, KeepsWhatTheOptionsSetAndTheMechanismIs) {
  ReadOptions options;
  options.set = {{"half", "1 m"}, {"L", "2 m"}};
  ParsedModel model = parsed(kChain, options);
  const Mechanism lifted = liftToSpace(made(model));
  Diagnostics diagnostics;
  const ParameterValue value{"L", 0.1};
  const auto other = model.withParameters(lifted, {&value, 1}, diagnostics);
  ASSERT_TRUE(other) << diagnostics.format();
  EXPECT_TRUE(other->lifted);
  ASSERT_EQ(other->set.size(), 2U);
  EXPECT_EQ(other->set[0].value, "1 m");
  EXPECT_EQ(other->set[1].value, "0.1");
  options.set[1].value = "0.1 m";
  Diagnostics of_read;
  const auto read = readModelText(kChain, "m.toml", of_read, options);
  ASSERT_TRUE(read);
  EXPECT_EQ(MechanismListing::of(*other), MechanismListing::of(liftToSpace(*read)));
  EXPECT_EQ(diagnostics.format(), "");  // no notes
}

}  // namespace parsed_model_test
}  // namespace linkwork
