#include "linkwork/files/compare_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "linkwork/files/compare_plot.hpp"

namespace linkwork {
namespace compare_file_test {

using ::testing::HasSubstr;
using ::testing::Not;

ComparedRun finishedRun(const std::string& formulation, std::size_t samples) {
  ComparedRun run;
  run.method = {formulation, "projection", "dopri5", false};
  run.label = formulation;
  for (std::size_t k = 0; k < samples; ++k) run.result.time.push_back(0.5 * static_cast<double>(k));
  run.result.series.push_back(
      {"violation.position", "m", "violation", "position", std::vector<double>(samples, 1e-15)});
  for (const Aspect aspect : kAspects) run.difference.over_time[aspect].assign(samples, 0.0);
  run.difference.samples = samples;
  return run;
}

// Two runs, the second of which stopped half-way, and one that does not apply.
Comparison threeRuns() {
  Comparison out;
  out.runs = {finishedRun("absolute", 5), finishedRun("recursive", 3), {}};
  ComparedRun& stopped = out.runs[1];
  stopped.result.status = RunStatus::failed;
  stopped.result.message = "t = 1.2 s: a dead point";
  stopped.difference.greatest[Aspect::position] = {2e-3, 4e-3, 1.0, "B.angle", "rad"};
  stopped.difference.compared[Aspect::position] = 4;
  stopped.difference.parting = Parting{1.0, "joint", "B", "B.angle", 2e-3};
  out.runs[2].label = "linkage";
  out.runs[2].problem = "joint \"S\" is prismatic | and linkage is made of hinges.";
  out.reference = 0;
  return out;
}

TEST(CompareFile, JsonSaysOfEachRunWhatThereIs) {
  const Comparison comparison = threeRuns();
  const auto json = nlohmann::json::parse(compareJson({"bar", &comparison, nullptr}));
  EXPECT_EQ(json["reference"], "absolute");
  EXPECT_TRUE(json["agree"].is_null());  // one run alone went through
  ASSERT_EQ(json["runs"].size(), 3U);
  EXPECT_FALSE(json["runs"][0].contains("difference"));
  EXPECT_EQ(json["runs"][1]["status"], "failed");
  EXPECT_EQ(json["runs"][1]["parts"]["name"], "B");
  EXPECT_EQ(json["runs"][1]["difference"]["positions"]["series"], "B.angle");
  EXPECT_EQ(json["runs"][2]["applies"], false);
  EXPECT_THAT(json["runs"][2]["reason"].get<std::string>(), HasSubstr("prismatic"));
  EXPECT_FALSE(json.contains("convergence"));
}

TEST(CompareFile, MarkdownShowsWhatWasNotComparedAsADash) {
  const Comparison comparison = threeRuns();
  const std::string text = compareMarkdown({"bar", &comparison, nullptr});
  EXPECT_THAT(text, HasSubstr("| recursive | 0.002 | - | - | - | - | t = 1 s, joint B (B.angle) |"));
  EXPECT_THAT(text, HasSubstr("- linkage: joint \"S\" is prismatic"));
}

TEST(CompareFile, CsvLeavesCellsEmptyAfterTheEndOfARun) {
  const Comparison comparison = threeRuns();
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / "linkwork_compare_test.csv";
  ASSERT_EQ(writeCompareCsv({"bar", &comparison, nullptr}, path.string()), "");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  EXPECT_THAT(text.str(), HasSubstr("time [s],absolute.positions,"));
  EXPECT_THAT(text.str(), HasSubstr("\n1,0,0,0,0,0,1e-15,0,0,0,0,0,1e-15\n"));
  EXPECT_THAT(text.str(), HasSubstr("\n2,0,0,0,0,0,1e-15,,,,,,\n"));
}

TEST(CompareFile, DrawingEscapesNamesAndHasALineForEachRun) {
  const Comparison comparison = threeRuns();
  const std::string text = compareSvg({"bar <1> & 2", &comparison, nullptr});
  EXPECT_THAT(text, HasSubstr("bar &lt;1&gt; &amp; 2"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  EXPECT_THAT(text, HasSubstr("absolute (reference)"));
  std::size_t lines = 0;
  for (std::size_t k = 0; (k = text.find("<polyline", k)) != std::string::npos; ++k) ++lines;
  EXPECT_EQ(lines, 7U);  // of the second run in five panels, of both in the sixth
}

}  // namespace compare_file_test
}  // namespace linkwork
