#include "linkwork/report/page_relations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace page_relations_test {

using Json = nlohmann::ordered_json;

Mechanism train() {
  return test::read(R"(
linkwork = 1
space = "planar"
gravity = [0, 0]
[parameters]
r = 0.1
[bodies]
pinion = { position = [0, 0], mass = 1, inertia = 1 }
wheel  = { position = [0.3, 0], mass = 1, inertia = 1 }
rack   = { position = [0, -0.1], mass = 1, inertia = 1 }
[joints]
M = { revolute = ["ground", "pinion"], at = [0, 0] }
D = { revolute = ["ground", "wheel"], at = [0.3, 0] }
S = { prismatic = ["ground", "rack"], at = [0, -0.1], axis = [1, 0] }
mesh = { gear = ["M", "D"], radii = ["r", "2*r"] }
bar  = { rack = ["M", "S"], radius = "r" }
same = { coupling = { "M.angle" = 1, "D.angle" = "-3" } }
odd  = { expression = "S.slide^2/r + wheel.x - 0.3 [m]" }
)");
}

const Json& named(const Json& list, const std::string& name) {
  for (const Json& entry : list) {
    if (entry["name"] == name) return entry;
  }
  ADD_FAILURE() << "no relation " << name;
  return list.front();
}

TEST(PageRelations, NameTheirCoordinatesWithCoefficients) {
  const Json list = relationsJson(train());
  ASSERT_EQ(list.size(), 4U);
  const Json& mesh = named(list, "mesh");
  EXPECT_EQ(mesh["kind"], "gear");
  EXPECT_EQ(mesh["terms"], Json::parse(R"([{"joint": "M", "coordinate": "angle", "coefficient": 0.1},
                                            {"joint": "D", "coordinate": "angle", "coefficient": 0.2}])"));
  EXPECT_GT(mesh["line"].get<int>(), 0);
  // slide - radius angle stays the same.
  const Json& bar = named(list, "bar")["terms"];
  double slide = 0.0;
  double angle = 0.0;
  for (const Json& term : bar) (term["coordinate"] == "slide" ? slide : angle) = term["coefficient"];
  EXPECT_DOUBLE_EQ(angle / slide, -0.1);
  EXPECT_EQ(named(list, "same")["terms"][1]["coefficient"], -3.0);
}

TEST(PageRelations, OfAFormulaHaveNoCoefficients) {
  const Json list = relationsJson(train());
  const Json& odd = named(list, "odd");
  ASSERT_EQ(odd["terms"].size(), 2U);
  for (const Json& term : odd["terms"]) EXPECT_TRUE(term["coefficient"].is_null());
  EXPECT_EQ(odd["terms"][0]["joint"], "S");
  EXPECT_EQ(odd["terms"][1]["body"], "wheel");
  EXPECT_EQ(odd["terms"][1]["coordinate"], "x");
}

TEST(PageRelations, AreSaidAsFormulas) {
  const std::string text = named(relationsJson(train()), "mesh")["text"];
  EXPECT_THAT(text, ::testing::HasSubstr("M.angle"));
  EXPECT_THAT(text, ::testing::HasSubstr("D.angle"));
  EXPECT_THAT(text, ::testing::EndsWith(" = 0"));
}

TEST(PageRelations, AreNoneWhereThereAreNone) {
  Mechanism m = train();
  m.joints.resize(3);
  EXPECT_TRUE(relationsJson(m).empty());
}

}  // namespace page_relations_test
}  // namespace linkwork
