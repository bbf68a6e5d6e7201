// Rows of velocities alone that can be integrated: alone, only together with others, not at all.
#include "linkwork/analyse/holonomy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_model.hpp"

namespace linkwork::validation {
namespace holonomy_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Found {
  Mechanism mechanism;
  std::vector<IntegrableRows> rows;
};

Found findIn(const std::string& joints, const std::string& bodies = "") {
  const std::string text = R"toml(
linkwork = 1
space = "planar"
gravity = [0, 0]
[points]
P = [0, 0]
Q = [1, 0]
[bodies]
a = { box = { at = "P", size = [0.3, 0.2] }, mass = 2 }
)toml" + bodies + "[joints]\n" +
                           joints;
  Diagnostics diagnostics;
  auto mechanism = readModelText(text, "m.toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  const Assembly assembly = assemble(*mechanism);
  expect(assembly.ok, assembly.problem);
  auto rows = findIntegrableRows(*mechanism, assembly);
  return {*std::move(mechanism), std::move(rows)};
}

TEST(Holonomy, OfAConstantRatioOfRatesIsIntegrableAlone) {
  const Found found = findIn(
      "P = { revolute = [\"ground\", \"a\"] }\nQ = { revolute = [\"ground\", \"b\"] }\n"
      "law = { velocity = \"P.rate - 2*Q.rate\" }\n",
      "b = { box = { at = \"Q\", size = [0.3, 0.2] }, mass = 1 }\n");
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_THAT(found.rows[0].joints, ElementsAre(2));
  EXPECT_EQ(found.rows[0].combinations, 1);
  const IntegrableWords words = wordsFor(found.rows[0], found.mechanism);
  EXPECT_THAT(words.message, HasSubstr("\"law\": what it forbids can be integrated: positions are held by it"));
  EXPECT_THAT(words.hint, HasSubstr("an expression of positions"));
}

// d(x^2 y)/dt = 2 x y x' + x^2 y', divided by x: exact but for a factor. The time may take part.
TEST(Holonomy, OfARowThatIsExactButForAFactorIsSeen) {
  EXPECT_EQ(findIn("law = { velocity = \"(2*a.y*a.x_rate + (a.x + 1 [m])*a.y_rate)/(1 [m])\" }\n").rows.size(), 1U);
  EXPECT_EQ(findIn("law = { velocity = \"a.x_rate - 0.2 [m/s]*sin(3*t)\" }\n").rows.size(), 1U);
  EXPECT_THAT(findIn("law = { velocity = \"a.x_rate - 2 [m]*t/(1 [s])*a.angle_rate\" }\n").rows, IsEmpty());
}

// One blade alone steers freely; two crossed at one point hold the point.
TEST(Holonomy, OfCrossedBladesIsIntegrableOnlyTogether) {
  const std::string one = "ahead = { knife_edge = [\"ground\", \"a\"], at = \"P\", axis = [1, 0] }\n";
  EXPECT_THAT(findIn(one).rows, IsEmpty());
  const Found found = findIn(one + "across = { knife_edge = [\"ground\", \"a\"], at = \"P\", axis = [0, 1] }\n");
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_THAT(found.rows[0].joints, ElementsAre(0, 1));
  EXPECT_EQ(found.rows[0].combinations, 2);
  EXPECT_THAT(wordsFor(found.rows[0], found.mechanism).message,
              HasSubstr("\"ahead\" and \"across\": what they forbid can be integrated together, though not alone"));
}

// A blade on a body that a slide keeps from turning holds a line.
TEST(Holonomy, OfABladeThatCannotTurnIsIntegrableAlone) {
  const Found found = findIn(
      "S = { prismatic = [\"ground\", \"b\"], at = \"Q\", axis = [0, 1] }\n"
      "T = { prismatic = [\"b\", \"a\"], at = \"P\", axis = [1, 0] }\n"
      "blade = { knife_edge = [\"ground\", \"a\"], at = \"P\", axis = [1, 1] }\n",
      "b = { box = { at = \"Q\", size = [0.3, 0.2] }, mass = 1 }\n");
  ASSERT_EQ(found.rows.size(), 1U);
  EXPECT_THAT(wordsFor(found.rows[0], found.mechanism).hint, HasSubstr("prismatic"));
}

int combinationsOf(const std::string& model) {
  const Mechanism& mechanism = readShippedModel(model);
  int out = 0;
  for (const IntegrableRows& rows : findIntegrableRows(mechanism, assemble(mechanism))) out += rows.combinations;
  return out;
}

TEST(Holonomy, OfShippedModelsIsKnown) {
  // No combination: the bicycle reaches all of its seven freedoms.
  for (const char* model : {"bicycle", "rolling_disc", "chaplygin_sleigh", "ball_on_turntable", "rolling_ellipsoid"}) {
    EXPECT_EQ(combinationsOf(model), 0) << model;
  }
  // Of four wheels with rollers the turns of all go together in one way, and in another they tell the heading; of two
  // wheels on one axle their difference is the heading.
  EXPECT_EQ(combinationsOf("mecanum_platform"), 2);
  EXPECT_EQ(combinationsOf("robot_with_caster"), 1);
}

}  // namespace holonomy_test
}  // namespace linkwork::validation
