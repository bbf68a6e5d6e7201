#include "linkwork/files/page_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "linkwork/files/outline_for_tests.hpp"

namespace linkwork {
namespace page_file_test {

using ::testing::HasSubstr;

// So many bodies, each with its place and ten forces, over 2,000 samples.
Result runOf(int bodies) {
  Result result;
  for (int k = 0; k < 2000; ++k) result.time.push_back(1e-3 * k);
  const auto add = [&](const std::string& group, const std::string& label) {
    Series series{group + "." + label, "m", group, label, {}};
    for (const double t : result.time) series.values.push_back(std::sin(t + static_cast<double>(result.series.size())));
    result.series.push_back(std::move(series));
  };
  for (int b = 0; b < bodies; ++b) {
    const std::string name = "b" + std::to_string(b);
    for (const char* label : {"x", "y", "angle"}) add(name, label);
    for (int k = 0; k < 10; ++k) add("j" + std::to_string(b), "force." + std::to_string(k));
  }
  return result;
}

TEST(PageData, HoldsAllThatFits) {
  const Result result = runOf(3);
  const std::string data = pageData(test::outlineOf(result, {}), result);
  const auto page = nlohmann::json::parse(data);
  EXPECT_EQ(page["time"].get<std::string>().size(), (2000 * 8 + 2) / 3 * 4);
  EXPECT_TRUE(page["warnings"].empty());
}

TEST(PageData, StaysWithinItsBytesHoweverManySeriesAndSamplesThereAre) {
  for (const int bodies : {1, 10, 100}) {
    const Result result = runOf(bodies);
    const std::string outline = test::outlineOf(result, {});
    for (const std::size_t more : {std::size_t{20'000}, std::size_t{100'000}, std::size_t{1'000'000}}) {
      const std::size_t most = outline.size() + 40 * result.series.size() + more;
      const std::string data = pageData(outline, result, most);
      EXPECT_LE(data.size(), most) << bodies << " bodies";
      const auto page = nlohmann::json::parse(data);
      const std::size_t samples = page["time"].get<std::string>().size() / 32 * 3;
      EXPECT_EQ(page["samples"], 2000);
      // Where forces are left out there is a warning, and places are all there.
      for (const auto& series : page["series"]) {
        const bool place = series["group"].get<std::string>()[0] == 'b';
        const bool empty = series["values"].get<std::string>().empty();
        EXPECT_FALSE(place && empty) << series["name"];
        EXPECT_EQ(empty, series.contains("partial"));
      }
      if (samples < 190) {
        ASSERT_FALSE(page["warnings"].empty());
        EXPECT_THAT(page["warnings"].back().get<std::string>(),
                    HasSubstr("recorded quantities, places of bodies first"));
      }
    }
  }
}

}  // namespace page_file_test
}  // namespace linkwork
