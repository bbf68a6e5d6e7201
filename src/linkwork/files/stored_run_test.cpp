#include "linkwork/files/stored_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "linkwork/files/outline_for_tests.hpp"
#include "linkwork/files/result_file.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace stored_run_test {

using ::testing::HasSubstr;

// The files that a run leaves by itself, in a folder of their own. (What users meet: apps/linkwork/test_view_cli.py.)
class StoredFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    for (int k = 0; k < 3000; ++k) result_.time.push_back(0.1 * k);
    result_.time[1001] = result_.time[1000];  // left and right of a jump
    for (const Body& body : mechanism_.bodies) {
      for (const char* label : {"x", "y", "angle"}) add(body.name, label, 0.3);
    }
    for (const char* label : {"force.x", "unique_force.x", "force.y", "unique_force.y"}) add("O, \"B\"\n", label, 0.7);
    std::vector<double>& gaps = result_.series.back().values;
    gaps[1] = std::numeric_limits<double>::quiet_NaN();
    gaps[2] = -gaps[1];
    gaps[3] = -std::numeric_limits<double>::infinity();
    result_.series.front().values[777] = 1.5;
    outline_ = test::outlineOf(result_, {});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void add(const std::string& group, const std::string& label, double rate) {
    Series series{group + "." + label, label == "angle" ? "" : "m", group, label, {}};
    for (const double t : result_.time) series.values.push_back(std::sin(rate * t));
    result_.series.push_back(std::move(series));
  }
  void write() const {
    ASSERT_EQ(writeCsv(result_, path("run.csv")), "");
    ASSERT_EQ(writeLedgerJson(result_, outline_, path("run.json")), "");
  }
  std::string path(const char* name) const { return (folder_ / name).string(); }
  void put(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  Mechanism mechanism_ = test::fourBar();
  Result result_;
  std::string outline_;
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("linkwork_stored_files_" + std::to_string(::getpid()));
};

TEST_F(StoredFiles, GiveThePageOfTheRunThinnedOrNot) {
  write();
  const StoredRun stored = readStored(path("run.json"));
  ASSERT_EQ(stored.problem, "");
  EXPECT_EQ(stored.result.time, result_.time);
  EXPECT_EQ(stored.data(), pageData(outline_, result_));
  const std::size_t few = 20'000 + 300 * 11 * (result_.series.size() + 1);
  EXPECT_EQ(pageData(stored.page_outline, stored.result, few), pageData(outline_, result_, few));
  EXPECT_EQ(readStored(path("run.csv")).data(), stored.data());
}

TEST_F(StoredFiles, AreKnownByTheirNumbers) {
  write();
  result_.series.back().values.back() += 1e-15;
  ASSERT_EQ(writeCsv(result_, path("run.csv")), "");
  EXPECT_THAT(readStored(path("run.json")).problem, HasSubstr("its numbers are not those that were written"));
}

TEST_F(StoredFiles, OfAnotherVersionAreRefused) {
  put("run.json", R"({"format": "linkwork-result", "version": 2})");
  EXPECT_THAT(readStored(path("run.json")).problem, HasSubstr("a later Linkwork wrote this result"));
  put("run.json", R"({"format": "linkwork-result", "version": "x"})");
  EXPECT_THAT(readStored(path("run.json")).problem, HasSubstr("no version of its format"));
  put("run.json", R"({"format": "linkwork-result", "version": 1, "page": {"format": "linkwork-page"}})");
  EXPECT_THAT(readStored(path("run.json")).problem, HasSubstr("no page is in this result"));
  put("run.json", R"({"format": "linkwork-result", "version": 1, "page": {"format": "linkwork-page", "series": 7}})");
  put("run.csv", "time [s]\n0\n");
  EXPECT_THAT(readStored(path("run.json")).problem, HasSubstr("run.csv"));
}

TEST_F(StoredFiles, ThatAPageHoldsCannotLeaveItsScriptElement) {
  put("run.html",
      R"(<script id="linkwork-data">{"format":"linkwork-page","version":1,"title":"\u003c/script>"}</script>)");
  const StoredRun stored = readStored(path("run.html"));
  ASSERT_EQ(stored.problem, "");
  EXPECT_EQ(stored.data(), R"({"format":"linkwork-page","version":1,"title":"\u003c/script\u003e"})");
  EXPECT_TRUE(stored.result.time.empty());
}

}  // namespace stored_run_test
}  // namespace linkwork
