#include "linkwork/files/result_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "linkwork/files/atomic_file.hpp"

namespace linkwork {
namespace result_file_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class ResultFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("linkwork_result_file_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string read(const std::string& name) {
    std::ifstream in(name);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }
  fs::path folder_;
};

Result small() {
  Result result;
  result.name = "a \"test\", with\na comma";
  result.time = {0.0, 0.1, 1.0 / 3.0};
  result.series = {{"crank.x", "m", "crank", "x", {1.0, -2.5e-300, std::numeric_limits<double>::quiet_NaN()}},
                   {"odd, \"name\".y", "m", "odd", "y", {0.1, 0.2, 0.30000000000000004}}};
  result.settings = {{"integrator", "dopri5"}};
  return result;
}

TEST_F(ResultFile, NamesWhatIsNotUnique) {
  Result result = small();
  ASSERT_EQ(writeCsv(result, path("r.csv")), "");
  EXPECT_EQ(read(path("r.csv")).find("not unique"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(ledgerJson(result))["ledger"]["rank"]["series_not_unique"].empty());
  result.series.push_back({"A.force.x", "N", "A", "force.x", {1.0, 2.0, 3.0}});
  result.series.push_back({"A.force.y", "N", "A", "force.y", {1.0, 2.0, 3.0}});
  result.series[0].unique = result.series[3].unique = false;
  result.ledger.rows = 12;
  result.ledger.rank = 11;
  result.ledger.reaction_length = 0.7;
  result.ledger.rank_changes.push_back({1.25, 10, {"A", "B"}, false});
  ASSERT_EQ(writeCsv(result, path("r.csv")), "");
  const std::string text = read(path("r.csv"));
  EXPECT_THAT(text, HasSubstr("\n# not unique, the least of many that fit: crank.x, A.force.y\n"));
  EXPECT_THAT(text, HasSubstr(",A.force.x [N],A.force.y [N]\n"));  // heads stay as they are
  const auto rank = nlohmann::json::parse(ledgerJson(result))["ledger"]["rank"];
  EXPECT_EQ(rank["series_not_unique"], (nlohmann::json{"crank.x", "A.force.y"}));
  EXPECT_EQ(rank["redundant"], 1);
  EXPECT_EQ(rank["reaction_length"], 0.7);
  EXPECT_EQ(rank["changes"][0]["joints"], (nlohmann::json{"A", "B"}));
  EXPECT_EQ(rank["changes"][0]["rank"], 10);
}

TEST_F(ResultFile, CsvReadsBackToTheSameDoubles) {
  ASSERT_EQ(writeCsv(small(), path("r.csv")), "");
  std::istringstream in(read(path("r.csv")));
  std::string line;
  std::vector<std::string> body;
  while (std::getline(in, line)) {
    if (!line.starts_with("#")) body.push_back(line);
  }
  ASSERT_EQ(body.size(), 4U);
  EXPECT_EQ(body[0], "time [s],crank.x [m],\"odd, \"\"name\"\".y [m]\"");
  EXPECT_EQ(body[3], "0.3333333333333333,nan,0.30000000000000004");
  EXPECT_EQ(std::stod(body[3]), 1.0 / 3.0);
}

TEST_F(ResultFile, CsvHeaderKeepsToItsLines) {
  ASSERT_EQ(writeCsv(small(), path("r.csv")), "");
  EXPECT_THAT(read(path("r.csv")),
              HasSubstr("# Linkwork result: a \"test\", with a comma\n# status: complete\n# integrator: dopri5\n"));
}

TEST_F(ResultFile, LedgerJsonHoldsEveryNumber) {
  Result result = small();
  result.ledger.worst_position = 1.25e-13;
  result.ledger.rank_changes = {{0.5, 3, {}, false}};
  const auto json = nlohmann::json::parse(ledgerJson(result));
  EXPECT_EQ(json["ledger"]["violation"]["position"], 1.25e-13);
  EXPECT_EQ(json["ledger"]["rank"]["changes"][0]["rank"], 3);
  EXPECT_EQ(json["status"], "complete");
  EXPECT_FALSE(json["ledger"]["steps"].contains("missed"));
}

TEST_F(ResultFile, LedgerJsonHoldsWhatStepsMayHaveMissed) {
  Result result = small();
  result.ledger.retaken = 3;
  result.ledger.missed_spikes = {{5.01, "b", 0.002}};
  result.ledger.loose_bounds = {{"load \"push\"", 0.0, 10.0, 1e-4}};
  const auto steps = nlohmann::json::parse(ledgerJson(result))["ledger"]["steps"];
  EXPECT_EQ(steps["retaken"], 3);
  EXPECT_EQ(steps["missed"][0]["body"], "b");
  EXPECT_EQ(steps["not_looked_through"][0]["owner"], "load \"push\"");
}

TEST_F(ResultFile, AFolderInTheWayIsReported) {
  fs::create_directories(folder_ / "taken.csv");
  EXPECT_THAT(writeCsv(small(), path("taken.csv")), HasSubstr("there is a folder of that name"));
}

TEST_F(ResultFile, MissingFoldersAreMade) {
  EXPECT_EQ(writeCsv(small(), path("a/b/r.csv")), "");
  EXPECT_TRUE(fs::exists(folder_ / "a/b/r.csv"));
}

TEST_F(ResultFile, AWriteThatFailsLeavesTheOldFileAndNoOther) {
  const std::string target = path("r.txt");
  ASSERT_EQ(writeAtomically(target, [](std::ostream& out) { out << "old"; }), "");
  const std::string problem = writeAtomically(target, [](std::ostream& out) {
    out << "half";
    out.setstate(std::ios::badbit);  // as a full disk does
  });
  EXPECT_THAT(problem, HasSubstr("cannot write " + target));
  EXPECT_EQ(read(target), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

}  // namespace result_file_test
}  // namespace linkwork
