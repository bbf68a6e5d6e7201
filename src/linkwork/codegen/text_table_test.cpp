#include "linkwork/codegen/text_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/codegen/latex_names.hpp"

namespace linkwork {
namespace text_table_test {

using ::testing::ElementsAre;

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCell) {
  EXPECT_THAT(alignedLines({{"x", "10", "a"}, {"slide", "7"}}, Align::left), ElementsAre("x      10  a", "slide  7 "));
}

TEST(TextTable, OnlyTheFirstColumnStaysLeftWhenNumbersGoRight) {
  EXPECT_THAT(alignedLines({{"x", "10"}, {"slide", "7"}}, Align::right), ElementsAre("x      10", "slide   7"));
}

TEST(TextTable, ALetterOfSeveralBytesIsOneColumnWide) {
  EXPECT_EQ(columnsOf("φ₂ą"), 3U);
  EXPECT_THAT(alignedLines({{"φ", "1"}, {"ab", "2"}}, Align::left), ElementsAre("φ   1", "ab  2"));
}

TEST(TextTable, TrailingSpacesGoAndNothingElse) {
  EXPECT_EQ(withoutTrailingSpaces("  a b  "), "  a b");
  EXPECT_EQ(withoutTrailingSpaces("   "), "");
}

TEST(EscapedLatex, KeepsWhatLatexWouldTakeForACommand) {
  EXPECT_EQ(escapedLatex("50 % of a_b & {c} #1 $", {}), "50 \\% of a\\_b \\& \\{c\\} \\#1 \\$");
  EXPECT_EQ(escapedLatex("a^b", {{'^', "\\hat{}"}}), "a\\hat{}b");
}

}  // namespace text_table_test
}  // namespace linkwork
