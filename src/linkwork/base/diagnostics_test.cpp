#include "linkwork/base/diagnostics.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace linkwork {
namespace diagnostics_test {

TEST(Diagnostics, FormatsWithFileLineColumnAndHint) {
  Diagnostics diagnostics;
  diagnostics.error({"crank.toml", 12, 9}, "body \"rocker\" is not defined.", "Did you mean \"rocker1\"?");
  EXPECT_EQ(diagnostics.format(),
            "crank.toml:12:9: error: body \"rocker\" is not defined. Did you mean \"rocker1\"?\n");
  EXPECT_TRUE(diagnostics.hasErrors());
}

TEST(Diagnostics, ListsFindingsInTheOrderOfTheFile) {
  Diagnostics diagnostics;
  diagnostics.warning({"a.toml", 9, 1}, "late");
  diagnostics.note({"a.toml", 2, 5}, "early");
  EXPECT_EQ(diagnostics.format(), "a.toml:2:5: note: early\na.toml:9:1: warning: late\n");
  EXPECT_FALSE(diagnostics.hasErrors());
}

TEST(Diagnostics, ASlipInATextReadManyTimesIsOneFinding) {
  Diagnostics diagnostics;
  Source where("chain.toml", 7, 3);
  for (const char* context : {"for i = 3", "for i = 4", "for i = 5"}) {
    where.context = std::make_shared<const std::string>(context);
    diagnostics.error(where, fmt::format("mass is missing {}.", context), "Give mass.");
    diagnostics.error(where, "length is missing.");
  }
  EXPECT_EQ(diagnostics.format(),
            "chain.toml:7:3: error: mass is missing for i = 3 (for i = 3 and others). Give mass.\n"
            "chain.toml:7:3: error: length is missing (for i = 3).\n");
  EXPECT_EQ(diagnostics.errorCount(), 6);
}

TEST(NearestName, FindsSlipsOfTheFingerOnly) {
  const std::vector<std::string> names{"revolute", "prismatic", "fixed"};
  EXPECT_EQ(nearestName("revolut", names), "revolute");
  EXPECT_EQ(nearestName("Prismatci", names), "prismatic");
  EXPECT_EQ(nearestName("cylinder", names), "");
  EXPECT_EQ(nearestName("Q", {"A", "B"}), "");
  EXPECT_EQ(didYouMean("fxied", names), "Did you mean \"fixed\"?");
}

}  // namespace diagnostics_test
}  // namespace linkwork
