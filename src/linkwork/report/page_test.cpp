#include "linkwork/report/page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "linkwork/codegen/linkages_for_tests.hpp"
#include "linkwork/files/base64.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace page_test {

using ::testing::HasSubstr;
using ::testing::Not;

Result resultFor(const Mechanism& mechanism) {
  Result result;
  result.name = mechanism.name;
  result.time = {0.0, 0.5};
  for (const Body& body : mechanism.bodies) {
    for (const char* label : {"x", "y", "angle"})
      result.series.push_back({body.name + "." + label, "m", body.name, label, {0.25, 0.5}});
  }
  result.settings = {{"formulation", "absolute"},
                     {"stabilisation", "projection"},
                     {"integrator", "dopri5"},
                     {"rtol", 1e-8},
                     {"atol", 1e-10},
                     {"until", 0.5, "s"}};
  return result;
}

// Whatever a stranger calls things, the data cannot end the script element it stands in.
TEST(PageData, CannotLeaveItsScriptElement) {
  Mechanism m = test::fourBar();
  m.name = "</script><img src=x onerror=alert(1)><!--\xe2\x80\xa8";
  m.bodies[0].name = "<b>&amp;</b>";
  m.file_text = "# </SCRIPT >";
  const std::string data = pageData(m, resultFor(m), {"<warning>"});
  for (const char* dangerous : {"<", ">", "&", "\xe2\x80\xa8"}) EXPECT_THAT(data, Not(HasSubstr(dangerous)));
  const auto json = nlohmann::json::parse(data);
  EXPECT_EQ(json["title"], m.name);
  EXPECT_EQ(json["bodies"][0]["name"], m.bodies[0].name);
}

TEST(PageData, PointsToSeriesThatExist) {
  const Mechanism m = test::fourBar();
  const auto json = nlohmann::json::parse(pageData(m, resultFor(m), {}));
  std::vector<std::string> names;
  for (const auto& series : json["series"]) names.push_back(series["name"]);
  for (const auto& body : json["bodies"]) {
    for (const auto& name : body["pose"]) EXPECT_THAT(names, ::testing::Contains(name.get<std::string>()));
  }
  EXPECT_EQ(json["joints"][0]["kind"], "revolute");
  EXPECT_EQ(json["joints"][0]["second"]["body"], nullptr);  // named second: the ground
  EXPECT_EQ(json["time"], base64(std::array{0.0, 0.5}));
  EXPECT_EQ(json["run"]["rtol"], 1e-8);
}

// An L of 12 corners, 6 of them seen from above.
TEST(PageData, DrawsAMeshInThePlaneByItsOutline) {
  Mechanism m = test::fourBar();
  std::string text = "v 0 0 0\nv 60 0 0\nv 60 10 0\nv 10 10 0\nv 10 40 0\nv 0 40 0\n";
  for (const char* at : {"0 0", "60 0", "60 10", "10 10", "10 40", "0 40"}) text += fmt::format("v {} 5\n", at);
  text += "f 4 3 2 1\nf 6 5 4 1\nf 7 8 9 10\nf 7 10 11 12\n";
  for (int k = 1; k <= 6; ++k) text += fmt::format("f {} {} {} {}\n", k, k % 6 + 1, k % 6 + 7, k + 6);
  m.included.push_back({"bracket.obj", text});
  Shape box;
  box.kind = ShapeKind::box;
  box.mesh_file = "bracket.obj";
  box.mesh_scale = 1e-3;
  m.bodies[0].shapes = {box};
  const auto shapes = nlohmann::json::parse(pageData(m, resultFor(m), {}))["bodies"][0]["shapes"];
  ASSERT_EQ(shapes.size(), 1U);
  EXPECT_EQ(shapes[0]["kind"], "polygon");
  EXPECT_EQ(shapes[0]["points"].size(), 6U);
  EXPECT_THAT(shapes[0]["points"].get<std::vector<std::vector<double>>>(),
              ::testing::Contains(::testing::ElementsAre(::testing::DoubleEq(0.01), ::testing::DoubleEq(0.01))));
  m.included.clear();  // without its triangles: as the box
  EXPECT_EQ(nlohmann::json::parse(pageData(m, resultFor(m), {}))["bodies"][0]["shapes"][0]["kind"], "box");
}

TEST(PageData, HoldsTheEquationsOfMotionInSections) {
  const Mechanism m = test::fourBar();
  const auto equations = nlohmann::json::parse(pageData(m, resultFor(m), {}))["equations"];
  EXPECT_THAT(equations["text"][0].get<std::string>(), HasSubstr("Form rud"));
  ASSERT_GT(equations["sections"].size(), 3U);
  for (const auto& section : equations["sections"]) {
    EXPECT_NE(section["title"], "");
    EXPECT_THAT(section["mathml"].get<std::string>(), ::testing::StartsWith("<math"));
  }
}

TEST(PageData, HoldsTheOperationsOfTheEquations) {
  const Mechanism m = test::fourBar();
  const auto equations = nlohmann::json::parse(pageData(m, resultFor(m), {}))["equations"];
  EXPECT_THAT(equations["text"].dump(), HasSubstr("Operations as the mechanism moves: "));
  ASSERT_EQ(equations["tables"].size(), 1U);
  const auto& rows = equations["tables"][0]["rows"];
  EXPECT_EQ(rows[0][2], "forward");
  EXPECT_EQ(rows[1][0], "rud");
  EXPECT_THAT(rows[1][2].get<std::string>(), HasSubstr("/"));  // mul/add/div/trig
  EXPECT_GT(rows.size(), 8U);
}

// Where every form would take long, the one that is shown is counted.
TEST(PageData, CountsTheFormThatIsShownOfALongChain) {
  const Mechanism m = test::chainOf(10);
  const auto equations = nlohmann::json::parse(pageData(m, resultFor(m), {}))["equations"];
  EXPECT_THAT(equations["text"].dump(), HasSubstr("Operations as the mechanism moves: "));
  EXPECT_TRUE(equations["tables"].empty());
}

TEST(PageData, HasTheFreedomsOfPositionsWhereTheyAreOthers) {
  const Mechanism m = test::fourBar();
  Result result = resultFor(m);
  result.ledger.degrees_of_freedom = result.ledger.position_degrees_of_freedom = 2;
  auto page = nlohmann::json::parse(pageData(m, result, {}));
  EXPECT_EQ(page["dof"], 2);
  EXPECT_FALSE(page.contains("dofOfPositions"));
  result.ledger.position_degrees_of_freedom = 3;
  page = nlohmann::json::parse(pageData(m, result, {}));
  EXPECT_EQ(page["dof"], 2);
  EXPECT_EQ(page["dofOfPositions"], 3);
}

TEST(PageData, SaysWhichEventEndedTheRun) {
  const Mechanism m = test::fourBar();
  Result result = resultFor(m);
  result.status = RunStatus::stopped_by_event;
  result.message = "event \"low\" at t = 0.5 s";
  const auto run = nlohmann::json::parse(pageData(m, result, {}))["run"];
  EXPECT_EQ(run["status"], "stopped by an event");
  EXPECT_EQ(run["message"], "The run ended with event \"low\" at t = 0.5 s.");
}

TEST(PageData, NamesTheCommandWhereEquationsAreTooLong) {
  const Mechanism m = test::chainOf(26);
  const auto equations = nlohmann::json::parse(pageData(m, resultFor(m), {}))["equations"];
  EXPECT_TRUE(equations["sections"].empty());
  EXPECT_THAT(equations["command"].get<std::string>(), HasSubstr("linkwork equations"));
}

// The page compares this with what it holds (page_samples_test.cpp has the choice).
TEST(PageData, SaysHowManySamplesTheRunHas) {
  const Mechanism m = test::fourBar();
  EXPECT_EQ(nlohmann::json::parse(pageData(m, resultFor(m), {}))["samples"], 2);
}

TEST(PageData, SurvivesNamesThatAreNoText) {
  Mechanism m = test::fourBar();
  m.name = "bad \xff\xfe bytes";
  EXPECT_NO_THROW(pageData(m, resultFor(m), {}));
}

TEST(WritePage, RefusesATemplateWithoutAPlaceForData) {
  EXPECT_THAT(writePage("<html></html>", "{}", "/nowhere/x.html"), HasSubstr("no place for data"));
}

}  // namespace page_test
}  // namespace linkwork
