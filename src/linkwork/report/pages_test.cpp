// The pages that are not of one run: comparison, modes, equations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "linkwork/files/base64.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/report/compare_page.hpp"
#include "linkwork/report/equations_page.hpp"
#include "linkwork/report/modes_page.hpp"
#include "linkwork/report/page_parts.hpp"
#include "linkwork/simulate/still_result.hpp"

namespace linkwork {
namespace pages_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

std::vector<std::string> seriesNames(const Json& page) {
  std::vector<std::string> out;
  for (const auto& series : page["series"]) out.push_back(series["name"]);
  return out;
}

ComparedRun finishedRun(const std::string& label, const Mechanism& mechanism, std::size_t samples) {
  ComparedRun run;
  run.method = {"absolute", "projection", "dopri5", false};
  run.label = label;
  for (std::size_t k = 0; k < samples; ++k) run.result.time.push_back(0.5 * static_cast<double>(k));
  const std::vector<double> values(samples, 0.25);
  for (const Body& body : mechanism.bodies) {
    for (const char* part : {"x", "y", "angle"})
      run.result.series.push_back({body.name + "." + part, "m", body.name, part, values});
  }
  run.result.series.push_back(
      {"violation.position", "m", "violation", "position", std::vector<double>(samples, 1e-15)});
  for (const Aspect aspect : kAspects) run.difference.over_time[aspect].assign(samples, 3e-9);
  run.difference.samples = samples;
  return run;
}

// The second stopped half-way, and the third does not apply.
Comparison threeRuns(const Mechanism& mechanism) {
  Comparison out;
  out.runs = {finishedRun("absolute", mechanism, 5), finishedRun("</script>", mechanism, 3), {}};
  out.runs[1].difference.compared[Aspect::position] = 4;
  out.runs[1].difference.parting = Parting{1.0, "joint", "B", "B.angle", 2e-3};
  out.runs[2].label = "linkage";
  out.runs[2].problem = "joint \"S\" is prismatic, and linkage is made of hinges.";
  out.reference = 0;
  return out;
}

TEST(ComparePage, IsThatOfTheReferenceWithDifferencesAsSeries) {
  const Mechanism m = test::fourBar();
  const Comparison comparison = threeRuns(m);
  const std::string data = comparePageData({"bar", &comparison, nullptr}, m, {"first"});
  EXPECT_THAT(data, Not(HasSubstr("<")));
  const Json page = Json::parse(data);
  EXPECT_EQ(page["start"], "comparison");
  EXPECT_EQ(page["time"], base64(comparison.runs[0].result.time));
  const Json& part = page["comparison"];
  EXPECT_EQ(part["reference"], "absolute");
  EXPECT_EQ(part["partings"][0]["run"], "</script>");
  EXPECT_EQ(part["partings"][0]["name"], "B");
  EXPECT_EQ(part["partings"][0]["time"], 1.0);
  EXPECT_THAT(part["refused"][0].get<std::string>(), HasSubstr("linkage: joint \"S\" is prismatic"));
  EXPECT_THAT(part["verdict"][0].get<std::string>(), Not(HasSubstr("linkage")));
  ASSERT_EQ(part["plots"].size(), 2U);  // positions were compared, and the drift
  EXPECT_EQ(part["plots"][0]["series"], Json({"</script>: positions"}));
  EXPECT_EQ(part["plots"][1]["series"], Json({"absolute: drift", "</script>: drift"}));
  const std::vector<std::string> names = seriesNames(page);
  for (const auto& plot : part["plots"]) {
    for (const auto& name : plot["series"]) EXPECT_THAT(names, Contains(name.get<std::string>()));
  }
  for (const auto& series : page["series"]) {
    const bool short_one = series["name"].get<std::string>().starts_with("</script>");
    EXPECT_EQ(series.contains("partial"), short_one) << series["name"];
    if (series["name"] == "</script>: positions") {
      EXPECT_EQ(series["values"], base64(std::vector<double>(3, 3e-9)));
    }
  }
  ASSERT_EQ(part["tables"].size(), 2U);
  EXPECT_EQ(part["tables"][0]["rows"].size(), 3U);  // heads and two runs
}

TEST(ComparePage, WithoutAReferenceSaysWhatThereIs) {
  const Mechanism m = test::fourBar();
  Comparison comparison = threeRuns(m);
  comparison.reference.reset();
  for (ComparedRun& run : comparison.runs) run.result.time.clear();
  const Json page = Json::parse(comparePageData({"bar", &comparison, nullptr}, m, {}));
  EXPECT_EQ(page["time"], "");
  EXPECT_TRUE(page["comparison"]["plots"].empty());
  EXPECT_TRUE(page["comparison"]["reference"].is_null());
}

// Small motions keep the joints closed: a pin moves alike as a point of either of its bodies.
TEST(ModesPage, HoldsShapesThatKeepTheJointsClosed) {
  const Mechanism m = test::fourBar();
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok);
  const Linearisation linear = linearise(m, assembly, 0.0, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  const NaturalModes modes = findModes(linear);
  ASSERT_TRUE(modes.ok);
  const Result still = stillResult(m, assembly, 0.0, assembly.state());
  const Json page = Json::parse(modesPageData(m, linear, modes, still, {"<b>"}));
  EXPECT_EQ(page["start"], "modes");
  EXPECT_EQ(page["still"], true);
  EXPECT_EQ(page["dof"], 1);
  EXPECT_FALSE(page.contains("run"));
  ASSERT_EQ(page["modes"]["list"].size(), modes.modes.size());
  EXPECT_GT(page["modes"]["reach"].get<double>(), 0.0);
  for (const auto& mode : page["modes"]["list"]) {
    double largest = 0.0;
    for (const auto& [name, motion] : mode["shape"].items()) {
      double square = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double weight = k == 2 ? linear.length : 1.0;
        for (const auto& number : motion[k]) square += std::pow(weight * number.get<double>(), 2);
      }
      largest = std::max(largest, std::sqrt(square));
    }
    EXPECT_NEAR(largest, 1.0, 1e-12);
    for (const Joint& joint : m.joints) {
      // Velocity-like motion of a point: (x, y) + angle * (-r_y, r_x), with r in ground axes.
      const auto motionOf = [&](BodyIndex body, const Frame& frame, std::size_t part) -> std::array<double, 2> {
        if (!body.valid()) return {0.0, 0.0};
        const std::string& name = m.body(body).name;
        const double angle = still.find(name + ".angle")->values[0];
        const double px = frame.point[0].number;
        const double py = frame.point[1].number;
        const std::array<double, 2> r{std::cos(angle) * px - std::sin(angle) * py,
                                      std::sin(angle) * px + std::cos(angle) * py};
        const auto& shape = mode["shape"][name];
        const double turn = shape[2][part];
        return {shape[0][part].get<double>() - turn * r[1], shape[1][part].get<double>() + turn * r[0]};
      };
      for (const std::size_t part : {0U, 1U}) {
        const auto first = motionOf(joint.first, joint.on_first, part);
        const auto second = motionOf(joint.second, joint.on_second, part);
        for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(first[k], second[k], 1e-9) << joint.name;
      }
    }
  }
}

TEST(EquationsPage, HoldsSectionsAndWhatAllFormsCost) {
  const Mechanism m = test::fourBar();
  EquationRequest request;
  request.form = usualForm(m, request.task).form;
  const WrittenEquations written = writeEquations(m, request);
  ASSERT_TRUE(written.program);
  const std::vector<FormCost> costs = costsOfForms(m, request);
  Result none;
  none.name = m.name;
  const Json page = Json::parse(equationsPageData(m, *written.program, costs, none, "linkwork equations m.toml", {}));
  EXPECT_EQ(page["start"], "equations");
  EXPECT_EQ(page["time"], "");
  ASSERT_FALSE(page["equations"]["sections"].empty());
  const Json& rows = page["equations"]["tables"][0]["rows"];
  ASSERT_EQ(rows.size(), costs.size() + 1);
  EXPECT_EQ(rows[0][0], "form");
  EXPECT_EQ(rows[1].size(), rows[0].size());
  EXPECT_THAT(page["equations"]["text"].dump(), HasSubstr("Shortest to read"));
}

TEST(MotionPlots, ShowWhatDrivesBring) {
  Result result;
  result.series = {{"B.transmission_angle", "rad", "B", "transmission_angle", {}},
                   {"motor.power", "W", "motor", "power", {}},
                   {"shaking.force.x", "N", "shaking", "force.x", {}},
                   {"shaking.moment", "N*m", "shaking", "moment", {}},
                   {"crank.x", "m", "crank", "x", {}}};
  nlohmann::ordered_json plots = nlohmann::ordered_json::array();
  addMotionPlots(result, plots);
  std::vector<std::string> titles;
  for (const auto& plot : plots) titles.push_back(plot["title"]);
  EXPECT_THAT(titles, ElementsAre("Transmission angle", "Power of the drives", "Shaking force"));
  EXPECT_EQ(plots[2]["series"].size(), 1U);
}

}  // namespace pages_test
}  // namespace linkwork
