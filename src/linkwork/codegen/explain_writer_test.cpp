#include "linkwork/codegen/explain_writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/slider_pendulum_for_tests.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace linkwork {
namespace explain_writer_test {

Explanation solved(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  return explainState(mechanism, 0.0, assembly.state(), assembly);
}

// Everything a document needs to compile that can be seen without compiling it.
void expectSoundLatex(const std::string& latex) {
  int depth = 0;
  int dollars = 0;
  std::vector<std::string> open;
  for (std::size_t k = 0; k < latex.size(); ++k) {
    const char c = latex[k];
    if (c == '\\') {
      std::smatch match;
      const std::string rest = latex.substr(k, 80);
      if (std::regex_search(rest, match, std::regex(R"(^\\(begin|end)\{(\w+\*?)\})"))) {
        if (match[1] == "begin") {
          open.push_back(match[2]);
        } else {
          ASSERT_FALSE(open.empty()) << rest;
          EXPECT_EQ(open.back(), match[2]);
          open.pop_back();
        }
      }
      if (k + 1 < latex.size() && !std::isalpha(static_cast<unsigned char>(latex[k + 1])))
        ++k;  // \{ \_ \$ \\ and the like
      continue;
    }
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (c == '$') ++dollars;
    ASSERT_GE(depth, 0) << latex.substr(k > 60 ? k - 60 : 0, 120);
  }
  EXPECT_EQ(depth, 0);
  EXPECT_EQ(dollars % 2, 0);
  EXPECT_TRUE(open.empty());
}

// Each row of an array has one more cell than it has columns after the bar.
void expectFullRows(const std::string& latex) {
  const std::regex array(R"(\\begin\{array\}\{l\|([cr]+)\}\n([\s\S]*?)\\end\{array\})");
  int arrays = 0;
  for (auto it = std::sregex_iterator(latex.begin(), latex.end(), array); it != std::sregex_iterator();
       ++it, ++arrays) {
    const long cols = (*it)[1].length();
    std::istringstream rows((*it)[2]);
    for (std::string row; std::getline(rows, row);) EXPECT_EQ(std::count(row.begin(), row.end(), '&'), cols) << row;
  }
  EXPECT_GT(arrays, 4);
}

TEST(ExplainWriter, TextShowsTheSolutionWithTenDigits) {
  const std::string text = explanationText(solved(test::sliderPendulumInLetters()));
  EXPECT_NE(text.find("  ddx1     1.636363636\n"
                      "  ddy1               0\n"
                      "  ddphi1             0\n"
                      "  ddx2    -2.727272727\n"
                      "  ddy2    -4.363636364\n"
                      "  ddphi2  -6.171113727\n"),
            std::string::npos);
  EXPECT_NE(text.find("  O on pendulum  -8.181818182   16.90909091  -6.171113727\n"), std::string::npos);
  EXPECT_EQ(text.find("-0\n"), std::string::npos);
}

TEST(ExplainWriter, TextOfLettersIsAligned) {
  const std::string text = explanationText(explainSymbols(test::sliderPendulumInLetters()));
  EXPECT_NE(text.find("            x1  y1  phi1  x2  y2  phi2\n"
                      "  P.angle   0   0   1     0   0   0\n"
                      "  P.normal  0   -1  0     0   0   0\n"
                      "  O.x       1   0   0     -1  0   a*cos(phi2)\n"
                      "  O.y       0   1   0     0   -1  a*sin(phi2)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  J2  = a^2*m2/3  = 1 kg*m^2\n"), std::string::npos);
}

TEST(ExplainWriter, WideTablesBecomeListsOfWhatIsNotZero) {
  const std::string text = explanationText(explainSymbols(test::buildNFourBar(3)));
  EXPECT_NE(text.find("  G0.x  x1: -1, phi1: -0.5*sin(phi1)\n"), std::string::npos);
}

TEST(ExplainWriter, LatexOfNumbersAndLettersIsBalanced) {
  for (const Mechanism& m : {test::sliderPendulumInLetters(), test::buildNFourBar(1), test::buildNFourBar(4)}) {
    for (const Explanation& e : {solved(m), explainSymbols(m)}) {
      ASSERT_TRUE(e.problem.empty()) << e.problem;
      const std::string latex = explanationLatex(e);
      expectSoundLatex(latex);
      if (m.bodies.size() < 5) expectFullRows(latex);
    }
  }
}

TEST(ExplainWriter, LatexWritesTheMatricesOfTheBook) {
  const std::string latex = explanationLatex(explainSymbols(test::sliderPendulumInLetters()));
  EXPECT_NE(latex.find("\\text{O.x} & 1 & 0 & 0 & -1 & 0 & a \\cos \\varphi_{2} \\\\\n"), std::string::npos);
  EXPECT_NE(latex.find("\\text{O.y} & -a \\dot{\\varphi}_{2}^{2} \\cos \\varphi_{2}\n"), std::string::npos);
}

TEST(ExplainWriter, NamesThatLatexWouldReadAsCommandsAreEscaped) {
  Mechanism m = test::sliderPendulumInLetters();
  m.name = "50% of_{a} #1 & \\more ~ $x^2$";
  m.bodies[0].name = "left_slider {A}";
  m.joints[0].name = "guide & rail";
  for (const Explanation& e : {solved(m), explainSymbols(m)}) {
    const std::string latex = explanationLatex(e);
    expectSoundLatex(latex);
    EXPECT_NE(latex.find("50\\% of\\_\\{a\\} \\#1 \\& \\textbackslash{}more"), std::string::npos);
    EXPECT_NE(latex.find("\\text{guide \\& rail.angle}"), std::string::npos);
  }
}

TEST(ExplainWriter, LatexCompilesWherePdflatexIsInstalled) {
  if (std::system("command -v pdflatex > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex is not installed";
  const std::filesystem::path folder = std::filesystem::path(LINKWORK_BINARY_DIR) / "explain_latex";
  std::filesystem::create_directories(folder);
  const Mechanism slider = test::sliderPendulumInLetters();
  const Mechanism bars = test::buildNFourBar(3);
  int number = 0;
  for (const Explanation& e : {solved(slider), explainSymbols(slider), solved(bars), explainSymbols(bars)}) {
    const std::string name = "explain" + std::to_string(++number);
    std::ofstream(folder / (name + ".tex")) << explanationLatex(e);
    const std::string command =
        fmt::format("cd '{}' && pdflatex -interaction=nonstopmode -halt-on-error {}.tex > {}.out 2>&1", folder.string(),
                    name, name);
    EXPECT_EQ(std::system(command.c_str()), 0) << folder / (name + ".out");
  }
}

}  // namespace explain_writer_test
}  // namespace linkwork
