#include "linkwork/codegen/program_names.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace program_names_test {

TEST(ProgramNames, OfTextLatexAndCode) {
  const SymbolName Jc{"Jc", 3, 2};
  EXPECT_EQ(textName(Jc, false), "Jc_32");
  EXPECT_EQ(textName(Jc, true), "Jc_3,2");
  EXPECT_EQ(latexName(Jc), "J^{c}_{3,2}");
  EXPECT_EQ(codeName(Jc), "Jc_3_2");
  EXPECT_EQ(textName({"md", 2}, false), "m_d2");
  EXPECT_EQ(latexName({"md", 2}), "m_{d2}");
  EXPECT_EQ(latexName({"al", 1, 0, 2}), "\\ddot{\\alpha}_{1}");
  EXPECT_EQ(textName({"al", 1, 0, 2}, false), "al_1''");
  EXPECT_EQ(latexName({"Go", 1}), "G_{o1}");
}

// A_1,11 and A_11,1 must not be one name.
TEST(ProgramNames, KeepIndicesApart) {
  EXPECT_NE(codeName({"A", 1, 11}), codeName({"A", 11, 1}));
  EXPECT_NE(textName({"A", 1, 11}, true), textName({"A", 11, 1}, true));
}

TEST(ProgramNames, KeywordsOfAnyLanguageGetAnUnderscore) {
  CodeNames names;
  EXPECT_EQ(names.take("lambda"), "lambda_");  // Python
  EXPECT_EQ(names.take("end"), "end_");        // MATLAB, Julia
  EXPECT_EQ(names.take("fork"), "fork_");      // POSIX
  EXPECT_EQ(names.take("double"), "double_");  // C
  EXPECT_EQ(names.take("y0"), "y0_");          // the C library
  EXPECT_EQ(names.take("m_1"), "m_1");
}

TEST(ProgramNames, AreUniqueAndLegal) {
  CodeNames names;
  EXPECT_EQ(names.take("crank.length"), "crank_length");
  EXPECT_EQ(names.take("crank length"), "crank_length_");
  EXPECT_EQ(names.take("2nd"), "x2nd");
  EXPECT_EQ(names.take("\xC3\xA4"), "x__");
}

}  // namespace program_names_test
}  // namespace linkwork
