// Numbers, names and words as they are written in text and in LaTeX.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace linkwork {

std::string numberText(double value);
std::string numberLatex(double value);

// phi2, phi_2 -> \varphi_{2};  dphi2, phi2_dot -> \dot{\varphi}_{2};  ddx1 -> \ddot{x}_{1};  m_crank ->
// m_{\mathrm{crank}}; crank.phi -> \varphi_{\mathrm{crank}};  any other name of several letters upright:
// \mathrm{spring\_rate}
std::string symbolLatex(std::string_view name);

// Words for use in LaTeX: _ # $ % & { } with a backslash before them, `others` as they say.
struct LatexFor {
  char c;
  std::string_view latex;
};
std::string escapedLatex(std::string_view words, std::initializer_list<LatexFor> others);

}  // namespace linkwork
